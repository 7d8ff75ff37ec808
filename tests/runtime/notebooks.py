"""A square on which each agent works through the cells of one notebook, a cell a step; and the ways to live it."""

from contextlib import closing
from itertools import zip_longest

from cave_sim import Agent, Simulation, open_run
from cave_sim.hosts.placement import isolated
from cave_sim.journal.queries import recorded_changes
from cave_sim.replay.fork import fork
from cave_sim.replay.recipe import Recipe
from cave_sim.replay.resume import resume
from cave_sim.replay.verify import verify
from cave_sim.simulation.schedulers import Sequential
from tests.policy import square

STEPS = 4
EVER = 2**62


class Reader(Agent):
    """Runs the cells of one notebook, one after another."""

    def __init__(self, simulation, name, cells):
        super().__init__(simulation, name)
        self.cells, self.done = cells, 0

    def act(self, observation):
        self.done += 1
        return self.cells[self.done - 1] if self.done <= len(self.cells) else ""

    def keep(self):
        return self.done

    def restore(self, kept):
        self.done = kept or 0


def create(*, programs, seed=1, out=None, observers=(), manifest=None):
    """Return the square with a citizen for each of the programs, by name."""
    world = square.build()
    for name in programs:
        world.add(name, square.Citizen(notes=[f"I am {name}"], friends=[world["bob"]]))

    def readers(simulation):
        return [Reader(simulation, name, cells) for name, cells in programs.items()]

    return Simulation(
        world, readers, scheduler=Sequential(), out=out, observers=list(observers), manifest=manifest or {}
    )


def recipe_of(programs):
    """Return the recipe of a square with so many notebooks: name -> cells."""
    return Recipe(__name__, {"programs": {name: list(cells) for name, cells in programs.items()}})


def here(recipe, folder):
    """Live it in one go, in this process."""
    with closing(recipe.make(folder)) as simulation:
        simulation.run(until=STEPS)
    return [folder]


def in_processes(recipe, folder):
    """Live it with every cell in a sandboxed process of its own."""
    with closing(recipe.make(folder)) as simulation, isolated(simulation, recipe) as host:
        simulation.run(until=STEPS)
        assert host.canonical_hash() == simulation.world.state_hash()
    return [folder]


def stopped_at_every_step(recipe, folder):
    """Live it with a stop after each step, gone on with from the file."""
    with closing(recipe.make(folder)) as simulation:
        simulation.run(until=1)
    for step in range(2, STEPS + 1):
        with closing(resume(folder)) as simulation:
            simulation.run(until=step)
    return [folder]


def forked_at_every_step(recipe, folder):
    """Live each step on a branch of the one before."""
    with closing(recipe.make(folder)) as simulation:
        simulation.run(until=1)
    folders = [folder]
    for step in range(1, STEPS):
        folders.append(folder.with_name(f"{folder.name}-{step}"))
        with closing(fork(folders[-2], step, folders[-1])) as simulation:
            simulation.run(until=step + 1)
    return folders


def on_ray(recipe, folder):
    """Live it in an actor of a Ray cluster."""
    from cave_sim.hosts.ray import launch

    remote = launch(recipe, folder, name="-".join(folder.parts[-2:]))
    try:
        remote.run(until=STEPS)
    finally:
        remote.end()
    return [folder]


def course(folders):
    """Return what became of each agent, by name: its turns with their changes, and its variables after each step.

    Under an empty name are the digests of the state and of all variables after each step.
    """
    found, last = {"": {}}, 0
    for folder in folders:
        with open_run(folder) as run:
            changes = recorded_changes(run, last, EVER)
            for turn in run.turns(between=(last, EVER)):
                told = [row[1:] for row in changes.get(turn.turn, ())]
                found.setdefault(turn.agent, []).append((turn.step, turn.status, turn.output, turn.error, told))
                last = turn.turn
            for step in run.steps():
                variables = run.private_data(step.step)
                found[""][step.step] = (step.state_hash, variables.get(("", "variables_hash")))
                for agent in run.manifest["create"]["programs"]:
                    found.setdefault((agent, step.step), variables.get((agent, "variables")) or {})
    names = sorted(name for name in found if isinstance(name, str))
    return {name: (found[name], [found.get((name, step)) for step in range(STEPS + 1)]) for name in names}


def differences(expected, found):
    """Return the first thing that became of an agent otherwise, by its name."""
    unlike = {name for name in {*expected, *found} if expected.get(name) != found.get(name)}
    return {name: _first(expected.get(name), found.get(name)) for name in sorted(unlike)}


def _first(expected, found):
    if expected is None or found is None or not isinstance(expected[0], list):
        return expected, found
    pairs = [*zip_longest(expected[0], found[0]), *zip_longest(expected[1], found[1])]
    return next((one, other) for one, other in pairs if one != other)


def verdict(folder):
    """Return what verifying a run says."""
    with open_run(folder) as run:
        return verify(run, Recipe.of(run.manifest).make)
