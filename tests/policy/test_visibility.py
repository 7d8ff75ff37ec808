"""Who may read what: what a declaration says, what grants add, and what those get who are let in for a while."""

import numpy as np
import pytest

from cave_sim import Entity, SchemaError, Visibility, World, WorldError, field, own_agent_only
from tests.policy import parlour

TITLE = "Everybody may read title"


def said(world, cell, agent):
    turn = world.execute(cell, agent=agent)
    return turn.output.strip() if turn.committed else turn.error.splitlines()[-1]


# ---- declaration


@pytest.mark.parametrize("odd", ["friends", "", 5, None, lambda entity: True, lambda: True])
def test_a_visibility_that_means_nothing_is_refused_where_it_is_declared(odd):
    with pytest.raises(ValueError, match="takes 'everyone', 'self', 'here', 'known'"):
        field("", visible_to=odd)


def test_private_and_another_visibility_contradict_each_other():
    with pytest.raises(ValueError, match="give one"):
        field("", private=True, visible_to="here")


@pytest.mark.parametrize(("word", "hook"), [("here", "_whereabouts"), ("known", "_is_known_to")])
def test_a_class_that_cannot_answer_its_visibility_is_refused(word, hook):
    with pytest.raises(SchemaError, match=hook):
        type("Ghost", (Entity,), {"__annotations__": {"face": str}, "face": field("", visible_to=word)})


def test_what_one_perceives_cannot_be_made_a_deed():
    def observe(self):
        return {}

    with pytest.raises(SchemaError, match="rights of who looks"):
        type("Ghost", (Entity,), {"observe": own_agent_only(observe)})


def test_private_means_visible_to_self():
    assert field("", private=True) == field("", visible_to="self")


# ---- who is let in


@pytest.mark.parametrize(
    ("agent", "cell", "expected"),
    [
        ("bob", "print(me.diary, me.purse, me.pact)", "['rosebud'] 7 rosebud"),
        ("eve", "print(bob.letters, bob.pact)", "['rosebud'] rosebud"),  # whom bob knows, and his ally
        ("dan", "print(bob.wearing)", "['a hat']"),  # who is where he is
        ("mayor", "print(bob.diary, bob.purse, box.inside)", "['rosebud'] 7 rosebud"),
        ("operator", "print(bob.diary)", "['rosebud']"),
        ("eve", "print(bob.diary)", f"eve may not read bob.diary: it is for bob alone. {TITLE}"),
        ("dan", "print(bob.letters)", f"dan may not read bob.letters: it is seen by who knows them alone. {TITLE}"),
        ("dan", "print(bob.pact)", f"dan may not read bob.pact: it is seen by allies alone. {TITLE}"),
        ("dan", "bob.broken", "dan may not read bob.broken: the rule that says whom it is for failed with a KeyError"),
        ("nobody", "print(bob.wearing)", f"nobody may not read bob.wearing: it is seen by who is here alone. {TITLE}"),
    ],
)
def test_a_field_is_read_by_whom_it_is_for(agent, cell, expected):
    assert said(parlour.build(), cell, agent).removeprefix("PermissionDenied: ") == expected


def test_whether_a_field_may_be_read_can_be_asked_without_reading_it():
    world = parlour.build()
    cell = "print([name for name in ('title', 'wearing', 'diary') if hasattr(bob, name)])"
    assert said(world, cell, "ann") == "['title', 'wearing']"
    assert world.may_read("ann", world["bob"], "wearing")
    assert not world.may_read("ann", world["bob"], "diary")
    with pytest.raises(WorldError, match="no field 'face'"):
        world.may_read("ann", world["bob"], "face")


@pytest.mark.parametrize("target", ["*", "bob", "Guest", "bob.diary", "Guest.diary"])
def test_a_grant_of_reading_is_of_reading_alone(target):
    world = parlour.build()
    world.grant_reading("ann", target)
    assert said(world, "print(bob.diary)", "ann") == "['rosebud']"
    assert "may not write bob.diary" in said(world, "bob.diary = []", "ann")
    assert "may not write bob.diary" in said(world, "bob.diary.append('x')", "ann")
    assert world["bob"].diary == ["rosebud"]


def test_a_grant_of_writing_is_of_reading_too():
    world = parlour.build()
    world.grant("ann", "bob.diary")
    assert said(world, "bob.diary.append('x')\nprint(bob.diary)", "ann") == "['rosebud', 'x']"
    assert "may not read bob.purse" in said(world, "bob.purse", "ann")


def test_a_grant_of_reading_names_something():
    with pytest.raises(WorldError, match=r"Guest has no field 'soul'"):
        parlour.build().grant_reading("ann", "bob.soul")


def test_grants_of_reading_are_state():
    world = parlour.build()
    world.grant_reading("ann", "bob.diary")
    for twin in (world.fork(), World.restore(world.snapshot())):
        assert said(twin, "print(bob.diary)", "ann") == "['rosebud']"
        assert twin.state_hash() == world.state_hash()


def test_visibility_is_no_state():
    class Open(Entity):
        word: str = field("")

    class Closed(Entity):
        word: str = field("", private=True)

    Closed.__name__ = Closed.__qualname__ = "Open"
    open_, closed = World(), World()
    open_.add("x", Open())
    closed.add("x", Closed())
    assert open_.state_hash() == closed.state_hash()


# ---- what is known stays what was there


def test_a_list_that_was_seen_stays_as_it_was_seen():
    world = parlour.build()
    world.execute("seen = bob.wearing", agent="ann")
    world.execute("me.wearing.append('a ring')", agent="bob")
    assert said(world, "print(seen, bob.wearing)", "ann") == "['a hat'] ['a hat', 'a ring']"


def test_what_a_grant_let_in_is_gone_when_the_grant_is():
    world = parlour.build()
    world.grant("ann", "bob.diary")
    world.execute("kept = bob.diary", agent="ann")
    world["bob"].diary.append("more")
    assert said(world, "print(kept)", "ann") == "['rosebud', 'more']"
    world.system.grants["ann"] = []
    assert said(world, "print(kept)", "ann") == "None"


@pytest.mark.parametrize("name", ["friends", "circle", "diary", "counts", "marks", "pair"])
def test_a_copy_is_of_the_same_kind_and_equal(name):
    world = parlour.build(told=True)
    cell = f"print(type(me.{name}).__name__ == type(bob.{name}).__name__, bob.{name})"
    mine, his = said(world, cell, "ann"), said(world, f"print(me.{name})", "bob")
    assert mine == f"True {his}"


# ---- what one perceives, and what one is told there is


def test_an_observation_holds_what_cells_may_read_and_no_more():
    world = parlour.build()
    assert "diary" in world.observe("bob")
    seen = said(world, "print(sorted(bob.observe()))", "ann")
    assert seen == str(sorted(["title", "room", "wearing", "hands", "chart", "scores"]))


def test_perceiving_what_is_not_for_one_is_a_mistake_of_the_world_that_is_told():
    class Seer(Entity):
        thought: str = field("", private=True)

        def observe(self):
            return {"others": [other.thought for other in self.world.all(Seer)]}

    world = World()
    world.add("ann", Seer())
    assert world.observe("ann") == {"others": [""]}
    world.add("bob", Seer(thought="secret"))
    with pytest.raises(BaseException, match=r"ann may not read bob\.thought"):
        world.observe("ann")
    assert world.undo_log.guard is None
    assert world.undo_log.reads == set()


def test_what_a_script_did_to_a_working_copy_is_not_laid_to_who_looks():
    class Looker(Entity):
        grid: np.ndarray = field(np.zeros(2), guarded=True)

        def look(self) -> float:
            """Look."""
            return float(self.grid.sum())

        def observe(self):
            return {"sees": self.world["other"].look()}

    world = World()
    for name in ("ann", "other"):
        world.add(name, Looker())
    world["other"].grid[0] = 5
    assert world.observe("ann") == {"sees": 5.0}


def test_the_reference_tells_what_there_is_to_read():
    world = parlour.build()
    hers, guests = world.describe("ann"), world.describe("visitor")
    assert "diary: list[str]  # what they write at night; private" in hers
    assert "inside" not in hers  # of a box that she is not
    assert "wearing: list[str]  # what they wear; seen by who is here" in guests
    assert "diary:" not in guests
    world.grant_reading("visitor", "Box.inside")
    assert "inside: str  # private" in world.describe("visitor")


# ---- errors say nothing of it


@pytest.mark.parametrize("cell", ["me.press(bob, 1000.0)", "me.remind(bob, 5)", "me.remind(bob, [1])"])
def test_an_error_of_a_method_does_not_quote_what_its_caller_may_not_read(cell):
    hers = said(parlour.build(), cell, "ann")
    assert "what stands there is not for ann to know" in hers
    assert "(got" in said(parlour.build(told=True), cell, "ann")


@pytest.mark.parametrize("cell", ["me.pay(bob, 200)", "me.measure(bob, len(me.id) + len(me.wearing))"])
def test_what_others_left_in_a_merge_is_not_told(cell):
    def outcome(purse, height):
        world = parlour.build()
        world["bob"].purse, world["bob"].height = purse, height
        turns = world.execute_batch(dict.fromkeys(("ann", "eve"), cell))
        return sorted((turn.status, turn.error) for turn in turns.values())

    committed, conflict = outcome(700, 1)
    assert (committed[0], conflict[0]) == ("committed", "conflict")
    assert "cannot be merged with what others wrote" in conflict[1]
    assert outcome(750, 2) == [committed, conflict]


@pytest.mark.parametrize("hers", ["me.remind(bob, 'x')", "me.write_over(bob, ['x'])"])
@pytest.mark.parametrize("his", ["me.diary = ['a secret']", "me.diary.append('a secret')", "me.diary.clear()"])
def test_who_wrote_at_the_same_time_where_one_may_not_read_is_not_told(hers, his):
    world = parlour.build()
    turns = world.execute_batch({"bob": his, "ann": hers, "dan": hers})
    lost = [turn for turn in turns.values() if turn.agent != "bob" and turn.status == "conflict"]
    assert lost
    assert {turn.error for turn in lost} == {"MergeConflict: step 0: bob.diary cannot be merged with what others wrote"}


class Star(Entity):
    """Somebody to love."""


class Fan(Entity):
    """Somebody who loves in secret."""

    idol: Star = field(..., private=True)

    def cheer(self) -> str:
        """Cheer for the idol."""
        return f"hooray for {len(str(self.idol))}"


def test_a_reference_to_who_has_left_does_not_say_who_it_was():
    world = World()
    world.add("twinkle", Star())
    for name in ("ann", "bob"):
        world.add(name, Fan(idol=world["twinkle"]))
    world.remove("twinkle")
    assert "twinkle" in said(world, "me.cheer()", "bob")
    told = said(world, "bob.cheer()", "ann")
    assert told == "WorldError: bob.idol: what stands there is not for ann to know"


# ---- and what was read is written down


def test_a_turn_says_what_of_others_it_read_however_it_ended():
    world = parlour.build()
    turn = world.execute("print(me.diary, bob.title, bob.wearing, dan.room)", agent="ann")
    assert turn.reads == [("bob", "wearing"), ("dan", "room")]
    failed = world.execute("seen = bob.wearing\n1 / 0", agent="ann")
    assert (failed.status, failed.reads) == ("failed", [("bob", "wearing")])
    assert world.execute("bob.diary", agent="ann").reads == []  # it learned nothing
    assert world.execute("me.pay(bob, 1)", agent="ann").reads == []  # so did the method, but not she


@pytest.mark.parametrize(
    ("cell", "reads"),
    [
        ("bob.title", [("bob", "title")]),
        ("me.title += bob.title * 2", [("bob", "title")]),
        ("'{0.title}'.format(bob)", [("bob", "title")]),
        ("import operator\nsorted(world.all(type(me)), key=operator.attrgetter('title'))", [("bob", "title")]),
        ("(bob.wearing, me.title, bob.id, bob.wave)", [("bob", "wearing")]),
        ("me.wave(bob)", []),
    ],
)
def test_a_world_may_be_made_to_note_every_read_of_others(cell, reads):
    world = World(record_reads=True)
    for name in ("ann", "bob"):
        world.add(name, parlour.Guest())
    for each in (world, world.fork(), World.restore(world.snapshot(), record_reads=True)):
        turn = each.execute(cell, agent="ann")
        assert (turn.status, turn.reads) == ("committed", reads)
    assert parlour.build().execute("bob.title", agent="ann").reads == []


def test_reads_of_cells_without_guards_cannot_be_noted():
    with pytest.raises(WorldError, match="seen by their guards"):
        World(policy="trusted", record_reads=True)


def test_a_turn_inside_a_turn_has_read_what_it_read_itself():
    world = parlour.build()
    told = []
    world.sink = told.append
    world.execute("await team['ann'].run('bob.wearing')\nprint(bob.diary)", agent="mayor")
    assert [(turn.agent, turn.reads) for turn in told] == [
        ("ann", [("bob", "wearing")]),
        ("mayor", [("bob", "diary")]),
    ]


def test_looking_at_what_another_perceives_is_reading_it():
    turn = parlour.build().execute("team['bob'].state", agent="mayor")
    assert ("bob", "diary") in turn.reads


def test_a_named_rule_serves_many_fields():
    assert Visibility("allies", parlour.ALLIES.rule) == parlour.ALLIES
    assert parlour.ALLIES.note == "seen by allies"
