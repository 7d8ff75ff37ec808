"""Whoever crosses a border takes everything along, and leaves nothing behind."""

import msgspec
import pytest

from cave_sim import Agent, Entity, Simulation, World, field
from cave_sim.determinism.canonical_json import to_json
from cave_sim.session.session import Session
from cave_sim.sharding.messages import Barrier, Migrant, ShardReport
from cave_sim.sharding.migration import Migration, pack, put_in, take_out
from cave_sim.sharding.worker_pool import address


class Traveller(Entity):
    """Somebody who goes from one place to another."""

    miles: int = field(0, ge=0)


class Station(Entity):
    """Where travellers pass."""

    trains: int = field(3, ge=0)


class Walker(Agent):
    """Knows how often it has acted."""

    def __init__(self, simulation, name):
        super().__init__(simulation, name)
        self.acts = 0
        self.session = Session(name)

    def act(self, observation):
        self.acts += 1
        return ""

    def keep(self):
        return self.acts

    def restore(self, kept):
        self.acts = kept or 0


def place(*names):
    """Return a simulation in which some travellers are."""
    world = World(seed=1)
    world.add("station", Station())
    for name in names:
        world.add(name, Traveller())
    return Simulation(world, agent_factories={Traveller: Walker})


@pytest.fixture
def home():
    home = place("ann", "bob")
    home.world.grant("ann", "station")
    home.world.violations["ann"] = 2
    home.world.execute("notes = [1, 2]\ndef twice(x):\n    return 2 * x", agent="ann")
    home.by_name["ann"].session.append("user", "hello")
    home.run(until=2)
    return home


def travel(home, there, name):
    """Send somebody over as bytes, as a barrier does."""
    bytes_ = to_json(msgspec.to_builtins(pack(home, name)))
    take_out(home, [name])
    put_in(there, [msgspec.json.decode(bytes_, type=Migration)])


def test_rights_and_reputation_go_along(home):
    there = place()
    travel(home, there, "ann")
    assert there.world.execute("station.trains = 1", agent="ann").committed
    assert there.world.violations == {"ann": 2}


def test_variables_functions_memory_and_conversation_go_along(home):
    there = place()
    travel(home, there, "ann")
    assert there.world.execute("twice(sum(notes))", agent="ann").output == "6"
    assert there.by_name["ann"].acts == 2
    assert [row.text for row in there.by_name["ann"].session.rows] == ["hello"]


def test_nothing_of_one_who_left_stays(home):
    travel(home, place(), "ann")
    world = home.world
    assert "ann" not in world
    assert sorted(home.by_name) == ["bob"]
    assert world.variables("ann") == {}
    assert world.violations == {}
    world.add("ann", Traveller())
    assert world.execute("station.trains = 0", agent="ann").status == "blocked"


def test_whoever_comes_back_is_as_if_never_away(home):
    there, before = place(), to_json(msgspec.to_builtins(pack(home, "ann")))
    travel(home, there, "ann")
    travel(there, home, "ann")
    assert to_json(msgspec.to_builtins(pack(home, "ann"))) == before


def report(shard, *leaving):
    """Return the report of a shard that some leave: pairs of a name and the shard they go to."""
    people = [Migrant(to, shard, Migration(name, {"type": "Traveller", "fields": {}})) for name, to in leaving]
    return ShardReport(shard, "ab", 0, {}, {}, people)


def test_migrants_come_in_by_where_they_come_from_and_by_name_whatever_the_workers():
    reports = [report(0, ("zoe", 2), ("ann", 2)), report(1, ("bob", 2), ("eve", 0))]
    for assignment in ([[0, 1, 2]], [[0], [1, 2]]):
        barriers = [msgspec.json.decode(packed, type=Barrier) for packed in address(reports, assignment)]
        arrivals = [(migrant.to, migrant.migration.name) for barrier in barriers for migrant in barrier.migrants]
        assert arrivals == [(0, "eve"), (2, "ann"), (2, "zoe"), (2, "bob")]
