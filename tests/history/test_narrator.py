"""Cells are told in sentences: from their calls, and from the words that methods have for them."""

import pytest

from cave_sim import Entity, Simulation, World, field, narrates, open_run
from cave_sim.entity.narration import narrations
from cave_sim.history.narrator import Narrator
from cave_sim.history.sentences import text_of
from cave_sim.history.written_texts import Written
from cave_sim.simulation.agents import Agent


class Shop(Entity):
    """Sells bread."""

    bread: int = field(9, ge=0, about="loaves")
    notices: list[str] = field([], about="on the door")

    @narrates("buys {loaves} loaves at {self}")
    def sell(self, loaves: int = 1) -> None:
        """Sell some loaves."""
        self.bread -= loaves

    def close_early(self, why: str) -> None:
        """Close."""


class Guest(Entity):
    """A guest."""

    mood: float = field(0.5)

    @narrates("says to {other}: “{text}”")
    def say(self, other: "Guest", text: str) -> None:
        """Say something."""


TYPES = {"shop": "Shop", "ann": "Guest", "bob_2": "Guest"}
TITLES = {"shop": "The Shop", "ann": "Ann", "bob_2": "Bob"}


@pytest.fixture
def narrator():
    return Narrator(TYPES, narrations([Shop, Guest]))


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("shop.sell(3)", ["buys 3 loaves at The Shop"]),
        ("shop.sell()", ["buys 1 loaves at The Shop"]),
        ("shop.sell(loaves=2)", ["buys 2 loaves at The Shop"]),
        ("me.say(bob_2, 'Hello')", ["says to Bob: “Hello”"]),
        ('world["ann"].say(world["bob_2"], text="It\'s {late}")', ["says to Bob: “It's {late}”"]),
        ("other = bob_2\nme.say(other, 'Hi')", ["says to Bob: “Hi”"]),
        ("for one in (ann, bob_2):\n    me.say(one, f'{one}!')", ["says to …: “…!”"]),
        ("me.say(bob_2, 'a\\nb\\x1b[31m')", ["says to Bob: “a b[31m”"]),
        ("me.say(bob_2, 'Meet me at shop, bob_2.')", ["says to Bob: “Meet me at shop, Bob.”"]),
        ("me.say(bob_2, 'call bob_2.say() or f(bob_2=1)')", ["says to Bob: “call bob_2.say() or f(Bob=1)”"]),
        ("me.say(ann, 'Ask Bób 2 (bob_2), not him (bob_2).')", ["says to Ann: “Ask Bób 2, not him (Bob).”"]),
        ("shop.notices.append('ask bob_2')", ["adds “ask Bob” to The Shop’s notices"]),
        ("if shop.bread > 2:\n    shop.sell(2)\n    me.mood = 1", ["buys 2 loaves at The Shop", "sets own mood to 1"]),
        ("shop.close_early('flood')", ["The Shop: close early flood"]),
        ("me.pay(bob_2, 611)", ["pays Bob (611)"]),
        ("me.pay(bob_2, price_cents=611, to=ann)", ["pays Bob, price cents 611, to Ann"]),
        ("me.mood = 0.8", ["sets own mood to 0.8"]),
        ("shop.notices.append('Back soon')", ["adds “Back soon” to The Shop’s notices"]),
        ("shop.notices.remove('Back soon')", ["strikes Back soon off The Shop’s notices"]),
        ("me.plan.pop('08:00', None)", ["strikes 08:00 off own plan"]),
        ("del me.plan['08:00']", ["strikes 08:00 off own plan"]),
        ("me.plan['08:00'] = 'meet bob'", ["writes into own plan, 08:00: “meet bob”"]),
        ("me.learned['shop'] = 3", ["writes into own learned, The Shop: 3"]),
        ("me.plan['08:00'] = 'x'\nme.say(bob_2, 'Hi')", ["says to Bob: “Hi”"]),
        ("me.plan[time()] = 'meet bob'", []),
        ("numbers['a'] = 1", []),
        ("shop.notices.append(print(1))", ["adds something to The Shop’s notices"]),
        ("shop.notices.add(bob_2)", ["adds Bob to The Shop’s notices"]),
        ("me.sit('at_the_bar')", ["sits at the bar"]),
        ("me.notes.append('late')", ["adds “late” to own notes"]),
        ("shop.announcements.append(f'{late} hours late')", ["announces: “… hours late”"]),
        ("shop.announcements.append(late)", ["announces something"]),
        ("x = 1 + 1", []),
        ("nobody.say(ann)", []),
        ("def f(:", []),
        ("shop.sell(1)\n" * 3, ["buys 1 loaves at The Shop"]),
    ],
)  # fmt: skip
def test_a_cell_is_told_by_what_it_calls(narrator, code, told):
    assert [text_of(sentence, TITLES) for sentence in narrator.tell("ann", code)] == told


def test_long_texts_and_long_cells_are_cut(narrator):
    (sentence,) = narrator.tell("ann", f"me.say(bob_2, {'x' * 999!r})")
    assert len(text_of(sentence)) < 230
    assert len(narrator.tell("ann", "\n".join(f"shop.sell({number})" for number in range(50)))) == 6


def test_a_cell_as_deep_as_python_takes_one_is_told(narrator):
    assert [text_of(each) for each in narrator.tell("ann", f"me.mood = 0.1\nx = {'+'.join('1' * 2_500)}")]


def test_words_that_name_no_argument_are_refused_as_the_class_is_made():
    with pytest.raises(TypeError, match="wave has no argument 'othr'; it has: self, other"):

        class Hand(Entity):
            """A hand."""

            @narrates("waves to {othr}")
            def wave(self, other: Guest) -> None:
                """Wave."""


class Shy(Guest):
    """A guest who whispers."""

    def say(self, other: Guest, text: str, loud: bool = False) -> None:
        """Whisper."""


class Sly(Guest):
    """A guest who talks of others."""

    def say(self, other: Guest) -> None:
        """Say something of somebody."""


def test_a_method_that_overrides_another_is_told_in_its_words_if_they_fit():
    told = Narrator({"ann": "Shy", "bob_2": "Sly"}, narrations([Shy, Sly]))
    assert text_of(told.tell("ann", "me.say(bob_2, loud=True, text='Hi')")[0], TITLES) == "says to Bob: “Hi”"
    assert text_of(told.tell("bob_2", "me.say(ann)")[0], TITLES) == "says Ann"


class Talker(Agent):
    """Says one thing."""

    def act(self, observation):
        return "me.say(bob_2, 'Hello')"


def test_a_run_keeps_the_words_so_that_it_is_told_without_its_code(tmp_path):
    world = World(seed=1)
    world.add("ann", Guest())
    world.add("bob_2", Guest())
    Simulation(world, [(Talker, "ann")], out=tmp_path / "run").run(1).close()
    with open_run(tmp_path / "run") as run:
        assert run.manifest["narrations"] == narrations([Guest])
        told = Narrator({"ann": "Guest", "bob_2": "Guest"}, run.manifest["narrations"])
        assert [
            text_of(each) for turn in run.turns() if turn.kind == "cell" for each in told.tell("ann", turn.code)
        ] == ["says to bob_2: “Hello”"]


def test_what_is_no_entity_is_told_by_its_title_if_the_run_says_one():
    narrator = Narrator.of({"ann": "Guest"}, [{"titles": {"house_3": "Kaivokatu 4"}}, {}])
    told = [text_of(each) for each in narrator.tell("ann", "me.visit('house_3', 'house_4')")]
    assert told == ["visits Kaivokatu 4, house 4"]


class Caller(Agent):
    """Says how its mood is, in figures; and something that nobody keeps."""

    def act(self, observation):
        return "me.mood = 0.25\nme.note(f'My mood is {me.mood:.0%}, see')\nme.say(bob_2, f'{me.mood} is a secret')"


class Diarist(Guest):
    """A guest who writes."""

    diary: list[str] = field([], about="own thoughts")

    @narrates("notes: “{text}”")
    def note(self, text: str) -> None:
        """Write something down."""
        self.diary.append(text)


def test_a_text_that_running_filled_in_is_told_as_the_turn_wrote_it(tmp_path):
    world = World(seed=1)
    world.add("ann", Diarist())
    world.add("bob_2", Diarist())
    Simulation(world, [(Caller, "ann")], out=tmp_path / "run").run(1).close()
    with open_run(tmp_path / "run") as run:
        (turn,) = [turn for turn in run.turns() if turn.kind == "cell"]
        narrator = Narrator.of({"ann": "Diarist", "bob_2": "Diarist"}, [run.manifest])
        told = narrator.tell("ann", turn.code)
        assert "notes: “My mood is …, see”" in map(text_of, told)
        after = [text_of(each) for each in narrator.tell("ann", turn.code, Written(run, turn.turn))]
    assert "notes: “My mood is 25%, see”" in after
    assert "says to bob_2: “… is a secret”" in after


BRANCHES = [
    ("if shop.bread > 5:\n    shop.sell(2)\nelse:\n    me.note('Sold out.')", ["buys 2 loaves at shop"]),
    ("if shop.bread > 50:\n    shop.sell(2)\nelse:\n    me.note('Sold out.')", ["notes: “Sold out.”"]),
    ("if shop.bread > 5:\n    me.note(f'{shop.bread} loaves are left')", ["notes: “9 loaves are left”"]),
    ("whom = bob_2\nif shop.bread > 50:\n    whom = me\nme.tell(whom, 'Hello you')", ["tells …: “Hello you”"]),
    ("me.note('Hi') if shop.bread > 50 else me.note('Hi there')", ["notes: “Hi there”"]),
    ("shop.bread > 50 and me.note('Lots.')", []),
    ("for each in []:\n    me.note('Never.')\nme.mood = 0.25", ["sets own mood to 0.25"]),
    ("def late():\n    me.note('Never.')\nme.mood = 0.25", ["sets own mood to 0.25"]),
    ("if shop.bread > 50:\n    me.mood = 0.75\nelse:\n    me.mood = 0.25", ["sets own mood to 0.25"]),
    ("if me.mood < 0.75:\n    me.cheer()", ["cheers up"]),
    ("if me.mood < 0.75:\n    me.cheer()\nelse:\n    me.sulk()", []),
    ("if me.mood > 0.75:\n    me.cheer()\nme.mood -= 0.25", []),
    ("try:\n    shop.sell(99)\nexcept Exception:\n    me.note('Sold out.')", ["notes: “Sold out.”"]),
    ("match shop.bread:\n    case 9: me.note('Nine.')\n    case _: me.note('Some.')", ["notes: “Nine.”"]),
]  # fmt: skip


class Moody(Diarist):
    """A guest with moods."""

    heard: list[str] = field([])

    def tell(self, other: Diarist, text: str) -> None:
        """Tell."""
        other.heard.append(text)

    @narrates("cheers up")
    def cheer(self) -> None:
        """Cheer."""
        self.mood = 1.0

    @narrates("sulks")
    def sulk(self) -> None:
        """Sulk."""
        self.mood = 0.0


@pytest.mark.parametrize(("code", "told"), BRANCHES)
def test_of_the_ways_that_a_cell_might_have_gone_the_one_is_told_that_its_writes_show(code, told, tmp_path):
    world = World(seed=1)
    world.add("shop", Shop())
    world.add("ann", Moody())
    world.add("bob_2", Moody())
    world.grant("ann", "*")
    Simulation(world, {"ann": lambda observation: code}, out=tmp_path / "run").run(1).close()
    with open_run(tmp_path / "run") as run:
        (turn,) = [turn for turn in run.turns() if turn.code]
        types = {"shop": "Shop", "ann": "Moody", "bob_2": "Moody"}
        narrator = Narrator.of(types, [run.manifest])
        assert [text_of(each) for each in narrator.tell("ann", turn.code, Written(run, turn.turn))] == told
