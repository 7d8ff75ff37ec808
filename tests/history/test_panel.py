"""Everybody at every step, and who is tied to whom: folded from the changes, the same as the state at each step."""

import networkx as nx
import pytest

from cave_sim import Entity, JournalError, Simulation, World, field, open_run
from cave_sim.history.export import export
from cave_sim.history.relations import graph_at
from cave_sim.journal.rebuild import entities_at


class Circle(Entity):
    """Who likes whom."""

    likes: nx.DiGraph = field(nx.DiGraph())


class Guest(Entity):
    """Somebody."""

    mood: float = 0.5
    friend: "Guest | None" = None
    notes: list[str] = []  # noqa: RUF012


def act(observation):
    return "me.mood += 0.125\nme.notes.append(clock.text)"


@pytest.fixture
def party(tmp_path):
    world = World(seed=7)
    circle, ann, bob = world.add("circle", Circle()), world.add("ann", Guest()), world.add("bob", Guest())

    @world.dynamics
    def meet(world):
        step = world.clock.step
        if step == 1:
            circle.likes.add_edge("ann", "bob", warmth=0.5)
            bob.friend = ann
        if step == 2:
            circle.likes.add_edge("ann", "bob", warmth=0.75)
            circle.likes.add_edge("bob", "ann", since="noon")
            world.add("cem", Guest(mood=0.25))
        if step == 3:
            circle.likes.remove_edge("ann", "bob")
            world.remove("bob")

    with Simulation(world, {"ann": act}, out=tmp_path / "party") as simulation:
        simulation.run(steps=4)
    with open_run(tmp_path / "party") as run:
        yield run


def test_a_panel_has_a_row_for_each_entity_that_was_there(party):
    panel = party.frame("panel", kind="Guest")
    assert list(panel.index.names) == ["step", "entity"]
    assert [len(panel.loc[step]) for step in range(5)] == [2, 2, 3, 2, 2]
    assert list(panel["mood"].unstack("entity")["ann"]) == [0.5, 0.625, 0.75, 0.875, 1.0]
    assert list(panel["friend"].loc[:, "bob"].dropna()) == ["ann", "ann"]
    assert "notes" not in panel


def test_a_panel_says_what_the_state_was_after_each_step(town):
    panel = town.frame("panel")
    for step in (0, 17, town.last_step):
        entities = entities_at(town, step)
        there = panel.loc[step]
        assert list(there.index) == sorted(name for name in entities if name[0] != "$")
        for name in there.index[there["type"] == "Resident"]:
            assert there.loc[name, "energy"] == entities[name]["fields"]["energy"]


def test_fields_that_are_named_are_shown_whatever_they_hold(party):
    panel = party.frame("panel", kind="Guest", fields=["notes"])
    assert [len(notes) for notes in panel["notes"].loc[:, "ann"]] == [0, 1, 2, 3, 4]
    assert list(panel.columns) == ["type", "notes"]


def test_relations_are_told_as_they_come_change_and_go(party):
    told = party.frame("relations")
    assert told[["step", "source", "target", "change"]].values.tolist() == [
        [1, "ann", "bob", "came"],
        [2, "bob", "ann", "came"],
        [2, "ann", "bob", "changed"],
        [3, "ann", "bob", "went"],
    ]
    assert set(told["graph"]) == {"circle.likes"}
    assert list(told["warmth"].dropna()) == [0.5, 0.75, 0.75]


def test_relations_add_up_to_the_graph_of_each_step(town):
    told = town.frame("relations", graph="town.relations")
    for step in (0, 20, town.last_step):
        edges = {}
        for row in told[told.step <= step].itertuples():
            edges[row.source, row.target] = row.strength if row.change != "went" else None
        graph = graph_at(town, "town.relations", step)
        assert {pair: value for pair, value in edges.items() if value is not None} == {
            (one, other): about["strength"] for one, other, about in graph.edges(data=True)
        }


def test_graphs_are_written_as_graphml(party, tmp_path):
    paths = {path.name: path for path in export(party, "graphml", tmp_path)}
    assert set(paths) == {"lineage.graphml", "circle.likes.graphml"}
    assert dict(nx.read_graphml(paths["circle.likes.graphml"]).edges) == {("bob", "ann"): {"since": "noon"}}


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("panels", {}, "Did you mean 'panel'"),
        ("panel", {"kind": "Gest"}, r"no entity is a 'Gest'\. Did you mean 'Guest'"),
        ("panel", {"fields": ["moods"]}, "no entity has a field 'moods'. Did you mean 'mood'"),
        ("relations", {"graph": "circle.like"}, "circle"),
    ],
)
def test_what_is_not_there_is_said_with_what_is(party, name, options, message):
    with pytest.raises(JournalError, match=message):
        party.frame(name, **options)
