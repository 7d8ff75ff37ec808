"""News reaches whom it can have reached, whatever the words; and what goes by words is held against that."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cave_sim import Entity, Simulation, World, WorldError, field, open_run
from cave_sim.history.diffusion import Contact, Matcher, Rumour, agreement, contacts, got_round, mentioned, reached
from cave_sim.simulation.agents import Agent

NAMES = ("ann", "bob", "cat", "dan")


class Villager(Entity):
    """Somebody who can be told things."""

    heard: list[str] = field([], merge="extend")
    diary: list[str] = field([], private=True)

    def tell(self, other: "Villager", text: str) -> None:
        """Tell somebody something."""
        other.heard.append(f"{self.id}: {text}")


class Teller(Agent):
    """Does what the script of its name says, step by step."""

    cells: dict[tuple[str, int], str]

    def act(self, observation):
        return self.cells.get((self.name, self.model.world.clock.step), "")


def told(folder, cells, grants=()):
    class Scripted(Teller):
        pass

    Scripted.cells = cells
    world = World(seed=7)
    for name in NAMES:
        world.add(name, Villager())
    for agent, target in grants:
        world.grant_reading(agent, target)
    simulation = Simulation(world, [(Scripted, name) for name in NAMES], out=folder)
    simulation.run(until=4).close()
    return open_run(folder)


def test_news_travels_along_who_told_whom_and_in_time(tmp_path):
    cells = {
        ("bob", 0): "me.tell(cat, 'before I knew')",
        ("ann", 1): "me.tell(bob, 'in other words altogether')",
        ("bob", 2): "me.tell(dan, 'pass it on')",
    }
    with told(tmp_path, cells) as run:
        found = reached(contacts(run), ["ann"])
    assert {name: contact.source for name, contact in found.items()} == {"bob": "ann", "dan": "bob"}
    assert found["dan"].step == 2
    assert "pass it on" in found["dan"].text


def test_what_was_read_is_known_as_well(tmp_path):
    cells = {("ann", 0): "me.diary.append('a secret')", ("cat", 1): "print(ann.diary)", ("dan", 1): "print(ann.heard)"}
    with told(tmp_path, cells, grants=[("cat", "ann.diary")]) as run:
        assert set(reached(contacts(run), ["ann"])) == {"cat"}


def test_a_turn_that_did_not_land_told_nobody(tmp_path):
    with told(tmp_path, {("ann", 0): "me.tell(bob, 'never mind')\n1 / 0"}) as run:
        assert reached(contacts(run), ["ann"]) == {}


def test_words_are_found_in_any_case_and_only_if_all_of_them_are_there(tmp_path):
    cells = {
        ("ann", 0): "me.tell(bob, 'A Feast on VALENTINE day')",
        ("ann", 1): "me.tell(cat, 'a feast tomorrow')",
        ("dan", 2): "me.diary.append('valentine: no feast for me')",
    }
    with told(tmp_path, cells) as run:
        found = mentioned(run, Matcher(("valentine", "feast")), ("heard", "diary"))
    assert found == {"bob": (0, "ann"), "dan": (2, "dan")}


@given(st.lists(st.tuples(st.sampled_from(NAMES), st.sampled_from(NAMES)), max_size=12), st.sampled_from(NAMES))
def test_whoever_was_reached_has_a_path_in_time_from_the_source_and_nobody_else_has(pairs, source):
    passed = [Contact(turn, turn, one, other) for turn, (one, other) in enumerate(pairs, start=1)]
    found = reached(passed, [source])
    knows = {source: 0}
    for contact in passed:
        if contact.source in knows:
            knows.setdefault(contact.target, contact.turn)
    assert {name: contact.turn for name, contact in found.items()} == {n: t for n, t in knows.items() if n != source}
    for contact in found.values():
        assert contact.source == source or found[contact.source].turn < contact.turn


def test_what_goes_from_mouth_to_mouth_got_round_and_a_greeting_did_not():
    said = [("ann", "bob", "hello, a feast"), ("bob", "cat", "hello"), ("cat", "ann", "hello")]
    said += [("bob", "cat", "the FEAST"), ("cat", "dan", "come to the feast"), ("dan", "ann", "hello")]
    passed = [Contact(turn, turn, *each) for turn, each in enumerate(said, start=1)]
    assert got_round(passed) == [Rumour("feast", 3, 1)]


def test_a_word_that_stands_in_any_talk_is_no_news_however_far_it_got():
    said = [("ann", "bob"), ("bob", "cat"), ("cat", "dan")]
    passed = [Contact(turn, turn, *pair, "They will come to the feast") for turn, pair in enumerate(said, start=1)]
    assert [each.word for each in got_round(passed)] == ["feast"]


def test_disagreements_are_counted_by_their_kind():
    found = agreement({"ann", "bob"}, {"bob", "cat"}, NAMES)
    assert (found.both, found.neither, found.missed, found.invented) == (1, 1, 1, 1)
    assert found.error_rate == 0.5
    assert agreement((), (), ()).error_rate == 0.0


@pytest.mark.parametrize("patterns", ["party", (), ("",), ("(",), (5,)])
def test_a_matcher_that_would_find_everything_or_letters_is_not_made(patterns):
    with pytest.raises(WorldError, match="Matcher"):
        Matcher(patterns)
