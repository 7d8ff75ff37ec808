"""What a network was like at each step is what networkx says of the graph that stood in the world then."""

import math

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cave_sim import Entity, JournalError, Simulation, World, field, open_run
from cave_sim.history.networks import networks, polarisation
from cave_sim.simulation.agents import Agent

PEOPLE = {"ann": ("baker", 30), "bob": ("baker", 32), "cat": ("clerk", 60), "dan": ("clerk", 62)}
CELLS = {0: "town.ties.add_edge('ann', 'bob', strength=0.5)", 1: "town.ties.add_edge('cat', 'dan', strength=1.0)"}


class Town(Entity):
    """Who knows whom."""

    ties: nx.Graph = field(nx.Graph())
    title: str = field("")


class Somebody(Entity):
    """Somebody with a job."""

    job: str = field("")
    age: int = field(0)


class Maker(Agent):
    """Ties two people a step."""

    def act(self, observation):
        return CELLS.get(self.model.world.clock.step, "")


@pytest.fixture
def run(tmp_path):
    world = World(seed=7)
    world.add("town", Town(ties=nx.Graph()))
    for name, (job, age) in PEOPLE.items():
        world.add(name, Somebody(job=job, age=age))
        world["town"].ties.add_node(name)
    world.grant("maker", "town")
    Simulation(world, [(Maker, "maker")], out=tmp_path).run(until=3).close()
    with open_run(tmp_path) as opened:
        yield opened


def test_a_row_for_each_step_tells_what_the_graph_was_then(run):
    table = networks(run, "town.ties", by=["job", "age"])
    assert list(table.index) == [0, 1, 2, 3]
    assert list(table["edges"]) == [0, 1, 2, 2]
    assert list(table["components"]) == [4, 3, 2, 2]
    last = table.loc[3]
    assert last["density"] == pytest.approx(2 / 6)
    assert last["mean_strength"] == pytest.approx(0.75)
    assert (last["communities"], last["modularity"]) == (2, pytest.approx(0.5))
    assert last["homophily_job"] == pytest.approx(1.0)
    assert last["homophily_age"] > 0.9


def test_people_who_are_all_alike_have_no_homophily_to_tell(run):
    assert networks(run, "town.ties", by=["job"]).loc[0, "homophily_job"] != 1.0
    assert math.isnan(networks(run, "town.ties", by=["job"]).loc[0, "homophily_job"])


def test_only_every_so_many_steps_and_the_last(run):
    assert list(networks(run, "town.ties", every=2).index) == [0, 2, 3]


@pytest.mark.parametrize(
    ("target", "by", "wrong"),
    [
        ("town.title", [], "holds no graph"),
        ("town.ties", ["jobb"], "Did you mean 'job'"),
        ("nowhere.ties", [], "nowhere"),
    ],
)
def test_what_is_no_network_is_told(run, target, by, wrong):
    with pytest.raises(JournalError, match=wrong):
        networks(run, target, by=by)


@given(st.lists(st.floats(1, 5), min_size=1, max_size=20))
def test_opinions_are_divided_between_not_at_all_and_wholly(values):
    assert 0 <= polarisation(values, 1, 5) <= 1
    assert polarisation([values[0]] * len(values), 1, 5) == pytest.approx(0)


def test_two_camps_at_the_ends_are_as_divided_as_can_be():
    assert polarisation([1, 5, 1, 5], 1, 5) == 1
    assert math.isnan(polarisation([], 1, 5))
