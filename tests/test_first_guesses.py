"""What newcomers guess first, and what they are told: each message names the way out."""

import asyncio
import copy
import re

import numpy as np
import pytest

import cave_sim
import cave_sim.hosts.process
from cave_sim import Agent, CaveSimError, Entity, Simulation, World, field, open_run
from cave_sim.replay.resume import resume
from cave_sim.simulation.observers import Observer
from cave_sim.simulation.schedulers import RandomOrder
from tests.first_guesses import TOLD

A = {
    "world": World,
    "copy": copy,
    "open_run": open_run,
    "resume": resume,
    "cave_sim": cave_sim,
    "asyncio": asyncio,
    "RandomOrder": RandomOrder,
}


class Cat(Entity):
    """A cat."""

    lives: int = field(9, ge=0, le=9)

    def purr(self) -> str:
        """Purr."""
        return "purr"


class Walker(Agent):
    """Purrs."""

    def act(self, observation):
        return "me.purr()"


@pytest.fixture
def names(tmp_path):
    world = World(seed=1)
    names = {**A, "world": world, "tom": world.add("tom", Cat()), "Cat": Cat, "folder": tmp_path / "run"}
    return {
        **names,
        "Walker": Walker,
        "Agent": Agent,
        "Entity": Entity,
        "Simulation": Simulation,
        "World": World,
        "field": field,
    }


@pytest.mark.parametrize(("guess", "told"), TOLD, ids=[guess.splitlines()[-1][:60] for guess, _ in TOLD])
def test_who_guesses_wrong_is_told_the_way_out(guess, told, names):
    with pytest.raises((CaveSimError, ValueError, AttributeError, TypeError, ImportError)) as raised:
        exec(guess, names)
    assert re.search(told, str(raised.value)), raised.value
    if "kept" in names:
        names["kept"].close()


@pytest.mark.parametrize("kind", [Simulation, World, Entity, type(World().rng("dice"))])
def test_an_attribute_error_within_a_property_stays_what_it_is(kind):
    class Broken(kind):
        share = property(lambda self: {}.nobody)

    with pytest.raises(AttributeError, match="'dict' object has no attribute 'nobody'"):
        _ = Broken.__new__(Broken).share


def test_a_field_that_is_misspelt_is_known_to_who_shows_the_error(names):
    """By Python where it ends a script: it looks through ``dir``, and a class of the same name may lack the field."""
    tom, world = names["tom"], names["world"]
    world.add("rex", type("Dog", (Entity,), {"__annotations__": {"livs": int}, "livs": 1})())
    assert "lives" in dir(tom)
    assert "Did you mean 'lives'?" in world.execute("tom.lifes", agent="tom").error
    assert "Did you mean 'lives'?" in world.execute("tom.livs", agent="tom").error  # what a dog has may need no guard


def test_what_others_would_call_it_is_not_offered_and_may_be_declared():
    class Named(Entity):
        name: str = "tom"

        def get(self) -> str:
            """Return its name."""
            return self.name

    named = Named()
    assert (named.name, named.get()) == ("tom", "tom")
    assert {"name", "get"} <= set(dir(named))
    assert not {"to_dict", "update"} & {*dir(named), *dir(Named)}
    assert not hasattr(named, "to_dict")
    assert not hasattr(Named, "to_dict")


def simulation(agents, world=None):
    world = world or World(seed=1)
    if "tom" not in world:
        world.add("tom", Cat())
    return Simulation(world, agents, measures={"lives": lambda world: world["tom"].lives})


def lose_a_life(observation):
    return "me.lives -= 1" if observation["lives"] > 5 else ""


class Counting:
    def __init__(self):
        self.count = 0

    def act(self, observation):
        self.count += 1
        return f"me.lives = {9 - self.count}"


class Losing(Agent):
    def act(self, observation):
        return lose_a_life(observation)


@pytest.mark.parametrize(
    "agents",
    [
        {"tom": lose_a_life},
        {"tom": Losing},
        [(lose_a_life, "tom")],
        [(Losing, "tom")],
        [(lambda simulation, name: Losing(simulation, name), "tom")],
        lambda simulation: [Losing(simulation, "tom")],
    ],
)
def test_agents_are_given_as_functions_classes_and_pairs(agents):
    ran = simulation(agents).run(steps=6)
    assert ran.world["tom"].lives == 5
    assert ran.fork().run(steps=2).state_hash == ran.run(steps=2).state_hash


def test_an_object_that_acts_is_copied_for_a_fork_with_what_it_has_in_itself():
    counting = Counting()
    one = simulation({"tom": counting}).run(steps=2)
    other = one.fork()
    one.run(steps=2)
    other.run(steps=2)
    assert (counting.count, one.world["tom"].lives, other.world["tom"].lives) == (4, 5, 5)


def test_a_measure_that_there_is_nothing_to_take_of_is_nan(tmp_path):
    world = World(seed=1)
    with Simulation(world, out=tmp_path / "run", measures={"mean": lambda world: float("nan")}) as simulation:
        simulation.run(steps=2)
    with open_run(tmp_path / "run") as run:
        assert run.manifest["finished"]
        assert np.isnan(run.measures()["mean"]).all()


def test_a_default_that_can_be_changed_belongs_to_each_entity_alone():
    class Bag(Entity):
        """A bag."""

        coins: dict[str, int] = {}  # noqa: RUF012

    one, other = Bag(), Bag()
    one.coins["euro"] = 1
    assert (dict(one.coins), dict(other.coins)) == ({"euro": 1}, {})


def test_what_a_script_writes_between_turns_is_a_turn_of_the_operator():
    world, told = World(seed=1), []
    tom = world.add("tom", Cat())
    world.state_hash()
    world.sink = told.append
    tom.lives = 3
    world.state_hash()
    assert [(turn.agent, turn.changes[0].path, turn.changes[0].new) for turn in told] == [("operator", ("lives",), 3)]


def test_a_world_shows_who_lives_there_by_name():
    world = World(seed=1)
    tom, ada = world.add("tom", Cat()), world.add("ada", Cat())
    assert world.entities == {"ada": ada, "tom": tom}
    assert (repr(world.entities), list(world.entities), len(world.entities)) == (
        repr({"ada": ada, "tom": tom}),
        ["ada", "tom"],
        2,
    )


def test_a_simulation_is_run_by_its_name(tmp_path):
    seen = []

    class Seeing(Observer):
        def on_step(self, simulation):
            seen.append(simulation.world.clock.step)

    options = {"residents": 3, "steps": 4}
    kept = cave_sim.run("town_day", out=tmp_path / "run", observers=[Seeing()], **options)
    loose = cave_sim.run("town_day", **options)
    assert kept.state_hash == loose.state_hash
    assert seen[-1] == 4
    with open_run(tmp_path / "run") as run:
        assert (run.last_step, run.manifest["finished"], run.manifest["create"]["seed"]) == (4, True, 7)
    assert loose.run(steps=1).world.clock.step == 5


@pytest.mark.long
def test_a_simulation_that_is_run_by_its_name_has_its_cells_where_that_is_asked_for(tmp_path):
    ends = set()
    for host in ("local", "process"):
        out = tmp_path / host
        ends.add(cave_sim.run("town_day", out=out, residents=2, steps=3, host=host).state_hash)
        with open_run(out) as run:
            assert run.manifest.get("host", "local") == host
    assert len(ends) == 1
    with pytest.raises(CaveSimError, match="host='jail'"):
        cave_sim.run("town_day", out=tmp_path / "none", steps=1, host="jail")
    with pytest.raises(CaveSimError, match="a run of many worlds takes it on the command line"):
        cave_sim.run("city_day", out=tmp_path / "none", steps=1, residents=4, host="process")
    assert not (tmp_path / "none").exists()


def test_a_simulation_that_fails_on_its_way_closes_its_run(tmp_path):
    class Falling(Observer):
        def on_step(self, simulation):
            if simulation.world.clock.step == 2:
                raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        cave_sim.run("town_day", out=tmp_path / "run", residents=2, steps=3, observers=[Falling()])
    assert not list(tmp_path.glob("run/*-wal"))
