"""A look-up of one entity, or of who is tied to whom, folds what it shows, and not what all others did meanwhile."""

import asyncio
from contextlib import contextmanager

import networkx as nx
import pytest

from cave_sim import Entity, Simulation, World, field
from cave_sim.changes.plain_state import Fold
from cave_sim.dashboards.lookups.entities import entity
from cave_sim.dashboards.lookups.journal_reader import JournalReader
from cave_sim.dashboards.lookups.portrayal import title
from cave_sim.dashboards.lookups.relations import facts_text, graphs, relations
from cave_sim.dashboards.lookups.states import state

STEPS = 12


class Person(Entity):
    """Somebody whose mood changes in every step."""

    title: str = field("")
    mood: int = field(0)


class Tied(Person):
    """Somebody who knows others."""

    ties: nx.Graph = field(nx.Graph())


class Diary(Entity):
    """Holds what is drawn as a graph from some step on."""

    of: object = field(None)


def live(world):
    step = world.clock.step
    for person in world.all(Person):
        person.mood += 1
    ann = world["ann"]
    ann.ties.add_edge("ann", f"person_{step % 3}", strength=step)
    if step == 3:
        ann.title = "Doctor Ann"
        world["diary"].of = {"nodes": [["ann", {}], ["x", {}]], "edges": [["ann", "x", {}]]}
    if step == 5:
        ann.ties.remove_node("person_1")
        world.add("newcomer", Tied(title="New", ties=nx.path_graph(2)))
        world.remove("person_2")
    if step > 5:
        world["newcomer"].ties.nodes[0]["seen"] = step


def town(folder, others):
    world = World(seed=1)
    world.dynamics(live)
    world.add("ann", Tied(title="Ann"))
    world.add("diary", Diary())
    for number in range(others):
        world.add(f"person_{number}", Person())
    simulation = Simulation(world, [], out=folder)
    simulation.run(until=STEPS)
    simulation.close()
    return folder


@contextmanager
def reading(folder):
    reader = JournalReader("town", folder)
    try:
        yield lambda look, *details: asyncio.run(reader.read(look, *details))
    finally:
        reader.close()


def test_an_outline_shows_what_the_whole_state_does(tmp_path):
    with reading(town(tmp_path / "town", 4)) as ask:
        for step in range(STEPS + 1):
            entities = ask(state, step)
            told = ask(relations, step)["graphs"]
            assert [each["name"] for each in told] == [where for where, _ in graphs(entities)]
            for each, (_, graph) in zip(told, graphs(entities), strict=True):
                assert (each["nodes"], each["all"]) == ([str(node) for node, _ in graph["nodes"]], len(graph["edges"]))
                known = {node: entities[node]["fields"] for node in each["nodes"] if node in entities}
                assert each["titles"] == {name: title(name, fields) for name, fields in known.items()}
            for name, found in entities.items():
                shown = {field["name"]: field.get("number") for field in ask(entity, name, step)["fields"]}
                assert list(shown) == list(found["fields"])
                assert shown.get("mood") == found["fields"].get("mood")


def test_what_is_known_of_a_tie_is_told_in_words(tmp_path):
    assert (
        facts_text({"strength": 0.123456, "kin": True, "met_at": {"$ref": "cafe"}})
        == 'strength 0.123, kin, met at "cafe"'
    )
    assert [facts_text(facts) for facts in ({}, None, {"strength": 1.0}, {"kin": False})] == [
        "",
        "",
        "strength 1",
        "not kin",
    ]
    with reading(town(tmp_path / "town", 4)) as ask:
        told = [tie["facts"] for tie in ask(entity, "ann", 2)["ties"]]
    assert told == ["strength 2", "strength 1"]


@pytest.mark.parametrize("look", [(relations, STEPS), (entity, "ann", STEPS)], ids=["relations", "entity"])
def test_a_look_up_folds_as_little_among_many_as_among_few(tmp_path, monkeypatch, look):
    folded, apply = [], Fold.apply
    monkeypatch.setattr(Fold, "apply", lambda self, *change: (folded.append(change[0]), apply(self, *change))[1])
    counts = []
    for others in (3, 30):
        with reading(town(tmp_path / str(others), others)) as ask:
            folded.clear()
            ask(*look)
            counts.append(len(folded))
    assert (counts[0], counts[0] > STEPS) == (counts[1], True)
