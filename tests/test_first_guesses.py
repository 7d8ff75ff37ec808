"""What newcomers guess first, and what they are told: each message names the way out."""
# one guess a line

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

A = {
    "world": World,
    "copy": copy,
    "open_run": open_run,
    "resume": resume,
    "cave_sim": cave_sim,
    "asyncio": asyncio,
    "RandomOrder": RandomOrder,
}
RUN = "Simulation(world, out=folder).run(steps=1).close()\nopen_run(folder)"
SURVEY = "from cave_sim.survey.interview import interview\n"
MODELS = "from cave_sim.models.base import Sampling\nfrom cave_sim.models.cassette import Cassette, RecordedModel\n"
TOLD = [
    # entities
    ("class Dog(Entity):\n    lives = 9\nDog(lives=3)", r"Dog\.lives is no field.*annotate it, lives: int"),
    ("class Dog(Entity):\n    pass\nDog(lives=3)", r"no field 'lives'. It has: none; annotate them, as in `lives: int"),
    ("class Dog(Entity):\n    lives = field(9)", r"annotate it, lives: int = field\(\.\.\.\)"),
    ("class Dog(Entity):\n    def __init__(self):\n        self.lives = 9", r"__init__.*make one in a function"),
    ("class Dog(Entity):\n    async def bark(self):\n        pass", r"Dog\.bark.*write def, not async def"),
    ("class Dog(Entity):\n    id: str = 'x'", r"Dog\.id.*call what you declare otherwise"),
    ("Cat(3)", r"Cat\(lives=\.\.\.\)"),
    ("Cat(lifes=3)", r"Did you mean 'lives'\?"),
    ("tom.lifes = 3", r"Did you mean 'lives'\?"),
    ("tom.lives = 30", r"tom\.lives: Input should be less than or equal to 9"),
    ("tom.lives = '3'", r"tom\.lives: Input should be a valid integer"),
    ("del tom.lives", r"tom\.lives.*set it to a new value"),
    ("field(9, unit=5)", r"unit=5.*such as unit='EUR cent'"),
    ("field(9, ge=5, le=3)", r"ge=5, le=3.*exchange them"),
    ("field(9, ge='a')", r"ge='a'.*takes a number"),
    ("field(9, merge='sum')", r"one_writer, add, extend, last"),
    ("field(9, description='lives left')", r"no such option\. Write about='\.\.\.'\. It takes unit, ge, le"),
    ("field(9, gt=0)", r"Write ge=\.\.\., the least that it may be"),
    ("field(default_factory=list)", r"the value itself, field\(\[\]\)"),
    ("field(9, abuot='lives left')", r"Did you mean 'about'\?"),
    # nothing, or a number, where a name or a thing of ours is meant
    ("from cave_sim.models.openai_client import OpenAIModel\nOpenAIModel(None)", r"takes the name of a model"),
    ("cave_sim.hosts.process.ProcessHost('tea:create', 5)", r"takes the arguments of tea:create"),
    ("cave_sim.hosts.process.ProcessHost(world)", r"what builds the world by name"),
    ("from cave_sim.rules.mining import mined\nmined(None)", r"takes what read_table\(\[run, \.\.\.\]\) returns"),
    ("from cave_sim.rules.table import read_table\nread_table(5)", r"a list of what open_run returns"),
    ("from cave_sim.world.api_reference import json_schema\njson_schema(None)", r"takes a class of entities"),
    ("open_run(5)", r"takes the path of a run's folder"),
    ("Simulation(world, out=folder)\nSimulation(world)", r"which another simulation writes; close that first"),
    # a world
    ("World(seed='7')", r"seed='7'.*whole number"),
    ("World(seed=None)", r"seed=None.*whole number"),
    ("World(sed=7)", r"World\(sed=\.\.\.\): there is no such option\. Did you mean 'seed'\?"),
    ("World(agents={})", r"Write Simulation\(world, agents, \.\.\.\)"),
    ("Simulation(world, seed=7)", r"Write World\(seed=\.\.\.\): a simulation has the seed of its world"),
    ("Simulation(world, steps=7)", r"Write run\(steps=\.\.\.\), on the simulation"),
    ("Simulation(world, outt='a')", r"Did you mean 'out'\?"),
    ("world['nobody']", r"no 'nobody' in this world\. It has: tom\."),
    ("World()['nobody']", r"no 'nobody' in this world\. It has: nobody\."),
    ("world['tomm']", r"Did you mean 'tom'\?"),
    ("World(step_s='600')", r"step_s='600'.*in seconds"),
    ("World(start='tomorrow')", r"write it as 2012-06-01T06:00"),
    ("world.add('kit', Cat)", r"Cat is the class; add one of it: Cat\(\.\.\.\)"),
    ("world.add(Cat(), 'kit')", r"first the name, then the entity: world\.add\('tom', Cat\(\.\.\.\)\)"),
    ("world.add('tom', Cat())", r"taken by a Cat; choose another, or remove that one"),
    ("world.add('kit', tom)", r"in a world already, as 'tom'"),
    ("world.add('me', Cat())", r"cells know something else by that name"),
    ("world.add('rng', Cat())", r"cells know something else by that name"),
    ("world.add('tom\\n', Cat())", r"a name has no line breaks, no invisible signs and no spaces around it"),
    ("world.add('kit', {'lives': 9})", r"dict is no Entity; use inject"),
    ("world['kit'] = Cat()", r"world\.add\('kit'"),
    ("del world['tom']", r"world\.remove\('tom'\)"),
    ("world['tim']", r"Did you mean 'tom'\?"),
    ("world.tom", r"world\['tom'\]"),
    ("world.get('tim')", r"world\.entities\.get\(name\)"),
    ("world.entites", r"Did you mean 'entities'\?"),
    ("world.allow('tom', 'tom')", r"no attribute 'allow'; write world\.grant\(\"ann\", \"desk\"\)"),
    ("world.add_agent('tom')", r"Simulation\(world, \{\"ann\": Walker\}\)"),
    ("world.run(5)", r"Simulation\(world, agents\)\.run\(steps=10\)"),
    ("world.grant('ann', 'tom.*')", r"Cat has no field '\*'\. Every field of it is 'tom'"),
    ("world.grant('ann', 'tom.lifes')", r"Did you mean 'lives'\?"),
    ("world.rng('dice').normal(0, 1)", r"a stream is a random\.Random; write gauss\("),
    ("world.rng('dice').chance", r"has no attribute 'chance'\. Did you mean 'choice'\?"),
    ("world.all('Cat')", r"takes a class of entities"),
    ("copy.deepcopy(world)", r"world\.fork\(\)"),
    ("copy.copy(world)", r"world\.fork\(\)"),
    ("world.schedule_event('tom', 'pur')", r"Cat 'tom' has no method 'pur'"),
    ("world.execute_batch({'tom': '1'}, order='random')", r"'simultaneous' or 'sequential'"),
    # agents
    ("Simulation(world, {'tom': lambda seen: 5}).run(steps=1)", r"returned 5: return the text of a cell"),
    ("Simulation(world, {'tom': lambda seen: None}).run(steps=1)", r"returned None.*'' lets the moment pass"),
    ("Simulation(world, {'tom': lambda seen: ['a']}).run(steps=1)", r"one text, its lines joined by newlines"),
    ("async def act(seen):\n    return ''\nSimulation(world, {'tom': act}).run(steps=1)", r"without async.*deliberate"),
    ("def act(seen):\n    yield ''\nSimulation(world, {'tom': act}).run(steps=1)", r"generator.*called deliberate"),
    ("Simulation(world, {'tom': lambda: ''})", r"takes one argument, the observation"),
    ("Simulation(world, {'tom': 'tom.purr()'})", r"chooses no cells; a simulation takes \{\"tom\": act\}"),
    ("Simulation(world, [Agent])", r'takes \{"tom": act\}'),
    ("Simulation(world, ['tom'])", r'takes \{"tom": act\}'),
    ("Simulation(world, [('tom', Agent)])", r"is no name"),
    ("Simulation(world, [(Agent, 'tom')]).run(steps=1)", r"no act\(self, observation\)"),
    ("class Step(Agent):\n    def step(self):\n        pass\nSimulation(world, {'tom': Step}).step()", r"no act\("),
    # a simulation
    ("Simulation('town_day')", r"cave_sim\.run\('town_day'\)"),
    ("Simulation(tom)", r"takes a World first"),
    ("Simulation(world, llm='gpt-4o')", r"ModelChoice\('gpt-4o'\)\.open\(\)"),
    ("Simulation(world, llm=5)", r"one of cave_sim\.models, or an object with name, window_tokens, price and `async"),
    ("Simulation(world, scheduler=RandomOrder)", r"that is the class; make one, RandomOrder\(\)"),
    ("Simulation(world, {'tom': lambda seen, turn: ''})", r"takes one argument, the observation"),
    ("world.execute(3)", r"execute\(3\): takes the text of a cell"),
    ("world.execute_batch(['me'])", r"the text of a cell for each agent"),
    ("world.execute_batch({'tom': 3})", r"the text of a cell for each agent"),
    ("world.invariant('alive', 'tom.lives > 0')", r"takes a function of the world"),
    (RUN + ".seed", r"that is run\.manifest\['seed'\]"),
    (RUN + ".entities", r"entities_at\(run, step\)"),
    (RUN + ".turn", r"Did you mean 'turns'"),
    (RUN + ".query('SELECT * FROM turms')", r"^the query cannot be run: no such table: turms\. A run has the tables"),
    (RUN + ".query('SELECT FROM turns')", r"^the query cannot be run: near"),
    (RUN + ".query('DELETE FROM turns')", r"^the query cannot be run: not authorized.* only read: SELECT and"),
    (RUN + ".query('SELECT ?')", r"^the query cannot be run: "),
    (RUN + ".rows('SELECT agnt FROM turns').__next__()", r"^the query cannot be run: no such column: agnt"),
    ("Simulation(world, scheduler='random')", r"as RandomOrder\(\)"),
    ("Simulation(world, scheduler='rndom')", r"Did you mean 'random'\?"),
    ("Simulation(world, observers=print)", r"takes a list of them"),
    ("Simulation(world, observers=[print])", r"subclasses of Observer"),
    ("Simulation(world, measures=[len])", r"names and functions"),
    ("Simulation(world, measures={'m': 5})", r"'m' is 5; takes a function"),
    ("Simulation(world, measures={'m': lambda: 5})", r"'m' takes one argument, the world"),
    ("Simulation(world, measures={'m': lambda world: 'high'})", r"'m' came to 'high'.*a number"),
    ("Simulation(world, measures={'m': lambda world: world['nobody'].lives})", r"^measure 'm': there is no 'nobody'"),
    ("Simulation(world, measures={'m': lambda world: [1]})", r"'m' came to \[1\].*a number"),
    ("Simulation(world, out=5)", r"out='runs/mine'"),
    ("Simulation(world, out=folder).close()\nSimulation(world.fork(), out=folder)", r"holds a run already"),
    ("kept = Simulation(world, out=folder)\nSimulation(world.fork(), out=folder)", r"this very process.*close\(\)"),
    ("kept = Simulation(world, out=folder)\nresume(folder, simulation=Simulation(world.fork()))", r"close\(\) it"),
    ("kept = Simulation(world, out=folder)\nkept.close()\nkept.run(steps=1)", r"resume\(.*fork\(\)"),
    ("Simulation(world).run()", r"until=STEP.*steps=N"),
    ("Simulation(world).run(steps=-1)", r"fork goes back"),
    ("Simulation(world).run(steps='10')", r"such as run\(steps=10\)"),
    ("Simulation(world).frame('turns')", r"its run has one: cave_sim\.open_run\(out\)\.frame"),
    ("Simulation(world).runn", r"Did you mean 'run'\?"),
    ("Simulation(world, out=folder).run(steps=1).close()\nopen_run(folder).frame('Cat')", r"'panel', kind='Cat'"),
    ("open_run(folder)", r"holds no run"),
    ("cave_sim.run('town_dya')", r"Did you mean 'town_day'\?"),
    ("cave_sim.run(world)", r"run\(steps=\)"),
    ("cave_sim.run('town_day', resident=3)", r"resident"),
    ("cave_sim.run('town_day', steps=1, residents=1, host='ray')", r"host='ray': takes 'process', 'local', or None"),
    ("cave_sim.run('town_day', model=5)", r"model=5: takes a model's name, such as 'openai/gpt-4o'"),
    # ---- what a second corpus of guesses found
    ("field(int)", r"begins with the value that a new entity has; the type stands in front"),
    ("tom.to_dict()", r"write ann\.money, each field by its name"),
    ("tom.model_dump()", r"each field by its name"),
    ("tom.set('lives', 3)", r"write ann\.money = 3"),
    ("tom.name", r"write ann\.id"),
    ("world.find('tom')", r"write world\[\"ann\"\]"),
    ("world.measure('lives')", r"measures=\{'people': len\}"),
    ("world.schedule('tom', 'purr', 3)", r"write world\.schedule_event"),
    ("world.dynamics('tom')", r"takes a function of the world, which changes it in every step"),
    ("world.grant('tom', Cat)", r"takes names.*world\.grant\('ann', 'Cat'\)"),
    ("world.execute('me.lives = 3', agent=tom)", r"takes the agent's name, such as agent='tom'"),
    ("Simulation(world, {'tom': Walker()})", r"missing 2 required positional arguments: 'simulation' and 'name'"),
    ("Simulation(world, Walker)", r"which name does it act under\?"),
    (
        "class W(Agent):\n    def act(self):\n        return ''\nSimulation(world, {'tom': W})",
        r"W\.act\(self, observation\) takes what",
    ),
    (
        "class W(Agent):\n    def __init__(self):\n        pass\nSimulation(world, {'tom': W})",
        r"W\.__init__ takes simulation and name",
    ),
    (RUN + ".resume()", r"that is cave_sim\.replay\.resume\.resume\(run\.folder"),
    (RUN + ".fork(1)", r"that is cave_sim\.replay\.fork\.fork"),
    (RUN + ".verify()", r"that is cave_sim\.replay\.verify\.verify"),
    ("cave_sim.resume(folder)", r"write from cave_sim\.replay\.resume import resume"),
    ("cave_sim.load(folder)", r"write cave_sim\.open_run\(folder\)"),
    ("cave_sim.study('tea.yaml')", r"from cave_sim\.scenario import run_study"),
    ("cave_sim.Control()", r"write from cave_sim\.simulation\.control import Control"),
    (SURVEY + "interview(Simulation(world), 'How are you?')", r"questions='How are you\?': takes several"),
    (SURVEY + "interview(Simulation(world), ['How are you?'], 'tom')", r"whom='tom': takes several, such as \['tom'\]"),
    (MODELS + "Cassette('runs/town')", r"takes calls; those of a run are open_run\(FOLDER\)\.calls\(\)"),
    (MODELS + "RecordedModel('runs/town')", r"takes Cassette\(open_run\(FOLDER\)\.calls\(\)\)"),
    (MODELS + "Sampling(temperature='hot')", r"Sampling\(temperature='hot'\): takes a number, or None"),
    ("from cave_sim import LLMAgent", r"from cave_sim\.llm_agent\.llm_agent import LLMAgent"),
]


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
