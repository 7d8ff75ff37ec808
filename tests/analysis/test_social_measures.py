"""Ties, norms, time use and diffusion are read off what agents did, as the journal has it."""

import math

import networkx as nx
import pytest

from cave_sim import Entity, JournalError, Simulation, World, field, open_run
from cave_sim.analysis.diffusion_tree import Reach, diffusion_tree, spread
from cave_sim.analysis.norms import adherence
from cave_sim.analysis.ties import degrees, heard, met, read, tie_measures, written
from cave_sim.analysis.time_use import time_use
from cave_sim.history.diffusion import contacts
from cave_sim.simulation.agents import Agent
from cave_sim.simulations import town_day

CELLS = {
    ("ann", 0): "bob.heard.append('ann: there is a party')\nme.spot = 'bar'",
    ("bob", 0): "me.spot = 'bar'",
    ("bob", 1): "cat.heard.append('bob: a party')\nann.heard.append('bob: thanks')\nme.purse = -1",
    ("cat", 1): "me.spot = 'bar'",
    ("cat", 2): "dan.purse += 1",
    ("dan", 2): "me.spot = 'bar'\nbob.purse = 5",
    ("dan", 3): "ann.diary",
}


class Villager(Entity):
    """Somebody who is somewhere."""

    heard: list[str] = field([], merge="extend")
    diary: list[str] = field([], private=True)
    spot: str | None = field(None)
    purse: int = field(3)
    activity: str = field("resting")


class Teller(Agent):
    """Does what the script says."""

    def act(self, observation):
        return CELLS.get((self.name, self.model.world.clock.step), "")


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    world = World(seed=7)
    for name in ("ann", "bob", "cat", "dan"):
        world.add(name, Villager())
        world.grant(name, "*")
    world.grant_reading("dan", "ann.diary")
    folder = tmp_path_factory.mktemp("runs") / "village"
    Simulation(world, [(Teller, name) for name in ("ann", "bob", "cat", "dan")], out=folder).run(until=5).close()
    with open_run(folder) as opened:
        yield opened


def test_who_heard_whom_is_a_graph_with_directions(run):
    assert set(heard(run).edges) == {("ann", "bob"), ("bob", "cat"), ("bob", "ann")}


def test_who_wrote_whom_counts_turns_of_cells_on_others(run):
    graph = written(run)
    assert set(graph.edges) == {("ann", "bob"), ("bob", "cat"), ("bob", "ann"), ("cat", "dan"), ("dan", "bob")}
    assert graph.edges["ann", "bob"]["times"] == 1


def test_who_read_whom_is_what_the_journal_has_of_reads(run):
    assert set(read(run).edges) == {("dan", "ann")}


def test_who_met_whom_counts_the_steps_in_one_place(run):
    graph = met(run, "spot")
    assert graph.edges["ann", "bob"]["times"] > graph.edges["ann", "cat"]["times"] > graph.edges["ann", "dan"]["times"]
    with pytest.raises(JournalError, match="'place'"):
        met(run, "place")


def test_degrees_and_measures_are_those_of_networkx(run):
    graph = written(run)
    found = tie_measures(graph, {"age": {"ann": 20, "bob": 21, "cat": 60, "dan": 61}})
    assert found["reciprocity"] == nx.overall_reciprocity(graph) == pytest.approx(0.4)
    assert found["density"] == nx.density(graph)
    assert found["clustering"] == nx.average_clustering(nx.Graph(graph))
    assert found["mean_degree"] == 2
    assert -1 <= found["homophily_age"] <= 1
    assert degrees(graph).loc["bob"].to_dict() == {"out": 2, "in": 2, "times_out": 2, "times_in": 2}


def test_communities_of_the_karate_club_are_found():
    found = tie_measures(nx.karate_club_graph())
    assert found["communities"] == 3
    assert found["modularity"] == pytest.approx(0.41, abs=0.02)
    assert found["degree_assortativity"] == pytest.approx(-0.4756, abs=1e-3)
    assert "reciprocity" not in found


def test_an_empty_graph_has_measures_and_no_trouble():
    found = tie_measures(nx.DiGraph())
    assert (found["nodes"], found["edges"], found["communities"]) == (0, 0, 0)
    assert math.isnan(found["modularity"])
    assert math.isnan(found["reciprocity"])


def test_a_norm_is_told_by_turns_and_by_who_broke_and_mended_it(run):
    found = adherence(run, "bob.purse >= 0")
    assert dict(found.broken_by) == {"bob": 1}
    assert dict(found.mended_by) == {"dan": 1}
    assert (found.holding, found.turns) == (4, 7)
    assert found.share == pytest.approx(4 / 7)


def test_news_is_a_tree_with_the_turns_in_which_it_passed(run):
    tree = diffusion_tree(contacts(run), ["ann"])
    assert set(tree.edges) >= {("ann", "bob"), ("bob", "cat")}
    assert "party" in tree.edges["bob", "cat"]["text"]
    assert tree.edges["ann", "bob"]["step"] < tree.edges["bob", "cat"]["step"]
    found = spread(tree)
    assert (found.depth, found.breadth) == (2, 2)
    assert spread(diffusion_tree([], ["ann"])) == Reach(0, 0, 0, 0.0, None)


def test_whose_time_cannot_be_told_is_told_with_whose_can(run):
    with pytest.raises(JournalError, match="'activity'; those of class Villager do"):
        time_use(run, of="Neighbour")
    with pytest.raises(JournalError, match="'doing'"):
        time_use(run, "doing")


@pytest.mark.long
def test_time_use_of_a_whole_day_sums_to_a_day(tmp_path):
    town_day.create(seed=3, residents=3, out=tmp_path / "day").run(until=144).close()
    with open_run(tmp_path / "day") as day:
        table = time_use(day, of="Resident")
        hours = table.drop(columns="day").sum()
        assert hours.to_numpy() == pytest.approx(60)
        assert table["day"].sum() == pytest.approx(24 * 60)
        assert table.loc["sleeping", 3] > 50
        assert table.loc["sleeping", 13] < 10
        with pytest.raises(JournalError, match="nobody of class Cat"):
            time_use(day, of="Cat")
