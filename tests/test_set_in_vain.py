"""What is set on a world or a simulation in vain is refused, and says what does what was meant."""

import re

import pytest

from cave_sim import Entity, Simulation, World, WorldError, field
from cave_sim.changes.turn import Limits
from cave_sim.models import ScriptedModel
from cave_sim.simulation.control import Control
from cave_sim.simulation.schedulers import RandomOrder

TOLD = [
    (
        "world.clock = 3",
        r"^world\.clock = 3: a world begins at World\(start=\.\.\., step_s=\.\.\.\), and world\.advance\(\)",
    ),
    ("world.step = 3", r"world\.advance\(\) lets a step pass"),
    ("world.seed = 3", r"randomness follows from World\(seed=\.\.\.\)"),
    (
        "world.population = 3",
        r"a world keeps what happens in fields of its entities: world\.add\('town', Town\(\.\.\.\)\)",
    ),
    ("world.agents = {}", r"write Simulation\(world, \{\"ann\": Walker\}\)"),
    ("world.entities = {}", r"entities come by world\.add\(name, entity\)"),
    ("world.dynamics = print", r"that is a method, and is called: world\.dynamics\(\.\.\.\)"),
    ("world.limits = 5", r"world\.limits = 5: takes Limits\(\.\.\.\)"),
    ("world.sink = 5", r"takes a function, which is called with each turn"),
    ("world.host = 'process'", r"Simulation\(world, agents, host='process'\)"),
    ("Simulation(world).world = World()", r"a simulation keeps the world that it was made with"),
    ("Simulation(world).scheduler = RandomOrder()", r"Simulation\(\.\.\., scheduler=\.\.\.\)"),
    ("Simulation(world).measures = {}", r"simulation\.measure_also\(\{\.\.\.\}\)"),
    ("Simulation(world).agents = {}", r"agents are given once"),
    ("Simulation(world).llm = 'gpt-4o'", r"simulation\.llm = 'gpt-4o': takes a model"),
    ("Simulation(world).control = True", r"takes a Control, or None"),
    ("Simulation(world).prompts = 'Be kind.'", r"takes Prompts\("),
    ("Simulation(world).observers = print", r"takes a list of observers"),
    ("Simulation(world).running = 'no'", r"takes False to stop it"),
    ("Simulation(world).step = 3", r"that is a method, and is called: simulation\.step\(\.\.\.\)"),
    ("Simulation(world).roster = {}", r"that is a part of the simulation, which it makes for itself"),
    ("Simulation(world).threshold = 3", r"kept in fields of entities, and settings in a subclass of Simulation"),
]


class Cat(Entity):
    """A cat."""

    lives: int = field(9, ge=0, le=9)


def rest(observation):
    return ""


@pytest.fixture
def world():
    world = World(seed=1)
    world.add("tom", Cat())
    return world


@pytest.mark.parametrize(("setting", "told"), TOLD, ids=[setting for setting, _ in TOLD])
def test_what_is_set_in_vain_is_refused(setting, told, world):
    with pytest.raises(WorldError) as raised:
        exec(setting, {"world": world, "Simulation": Simulation, "World": World, "RandomOrder": RandomOrder})
    assert re.search(told, str(raised.value)), raised.value
    assert world.execute("tom.lives = 3").committed


def test_what_may_be_set_is_set():
    class Board(World):
        def __init__(self, seed):
            super().__init__(seed)
            self.width = 8

    class Market(Simulation):
        def __init__(self, world):
            super().__init__(world, {"tom": rest})
            self.threshold = 3

    world = Board(1)
    world.add("tom", Cat())
    simulation = Market(world)
    world.limits, world.sink = Limits(deadline_s=2), None
    simulation.observers, simulation.control, simulation.llm = [], Control(), ScriptedModel([])
    simulation.threshold, world.width = 4, 9
    assert (world.width, world.limits.deadline_s, simulation.threshold) == (9, 2, 4)
    simulation.running = False
    assert simulation.run(steps=1).world.clock.step == 0


class OnlyOfAnObject:
    """An attribute that cannot be asked of the class, as Mesa's clock cannot since 3.5."""

    def __get__(self, of, kind):
        return of.kept


class Beating:
    pulse = OnlyOfAnObject()


def test_a_simulation_may_have_what_its_class_cannot_be_asked_for():
    class Heart(Beating, Simulation):
        kept = 5

    assert Heart(World(seed=1)).pulse == 5
