"""What a Mesa model costs as a world, beside plain Mesa: ``python -m tests.bench.mesa_models``.

Plain Mesa and ours take turns, block by block, so that a busy machine slows both alike; what is told is the median of
the ratios of the blocks, each of the first 50 steps of a run. In brackets stands the least that a journal of as much
takes, a loop written by hand that checks nothing and can take nothing back: see :mod:`tests.bench.least_journal`.
"""

import statistics
import sys
import tempfile
import time
import warnings
from functools import partial
from itertools import count
from pathlib import Path

from cave_sim.mesa_models.catalog import examples, find_model
from cave_sim.mesa_models.construction import Construction
from cave_sim.mesa_models.simulation import simulation_of
from cave_sim.mesa_models.subject import GlobalGenerators
from tests.bench.least_journal import LeastJournal

STEPS = 50
LEAST_BLOCKS, MOST_BLOCKS, MODEL_S = 2, 9, 4.0
NUMBER = count()


def plain(model):
    """Return what takes a step of plain Mesa."""
    generators = GlobalGenerators(7)
    with generators:
        made, simulator = Construction.of(model).make({}, 7)
    return made, (made.step if simulator is None else lambda: simulator.run_for(1))


def seconds(step, steps):
    """Return how long so many steps take the processor."""
    began = time.thread_time()
    for _ in range(steps):
        step()
    return time.thread_time() - began


def steps_of(model):
    """Return how many steps a run of a model takes: one that stops running, as `schelling` does, ends there."""
    made, step = plain(model)
    for taken in range(1, STEPS + 1):
        step()
        if not made.running:
            return taken
    return STEPS


def least(model, folder, with_agents, steps=STEPS):
    """Return how long the steps of plain Mesa and a least journal of them take the processor."""
    made, step = plain(model)
    journal = LeastJournal(made, folder / f"least-{next(NUMBER)}.sqlite", with_agents)

    def step_and_write():
        step()
        journal.write()

    taken = seconds(step_and_write, steps) + seconds(journal.flush, 1)
    journal.close()
    return taken


def compare(name, folder):
    """Return ms a step of plain Mesa, how many times that worlds and least journals take, and how many agents.

    Worlds and journals are of all agents, and of none.

    Each block begins with new models: what one does changes as it goes, and a virus that has died out does nothing.
    """
    model = find_model(name)
    steps = steps_of(model)
    base, ratios = [], {key: [] for key in ("agents", "measures", "least agents", "least measures")}
    began = time.monotonic()
    while len(base) < MOST_BLOCKS and (len(base) < LEAST_BLOCKS or time.monotonic() - began < MODEL_S):
        made, step = plain(model)
        base.append(seconds(step, steps))
        for kind in ("agents", "measures"):
            folder_of_run = folder / f"{name}-{next(NUMBER)}"
            ours = simulation_of(model, seed=7, out=folder_of_run, agent_entities=kind == "agents")
            ratios[kind].append(seconds(partial(ours.run, steps=steps), 1) / base[-1])
            ours.close()
            ratios[f"least {kind}"].append(least(model, folder, kind == "agents", steps) / base[-1])
    middle = {kind: statistics.median(each) for kind, each in ratios.items()}
    return statistics.median(base) / steps * 1000, middle, len(made.agents)


def main():
    """Print a line for each example, or for those that are named."""
    warnings.simplefilter("ignore")
    heads = f"{'model':24}{'agents':>8}{'plain ms/step':>15}{'with agents (least)':>23}{'measures only (least)':>25}"
    print(heads)
    with tempfile.TemporaryDirectory() as folder:
        for name in sys.argv[1:] or examples():
            base, ratios, agents = compare(name, Path(folder))
            with_agents, only = (
                f"{ratios[key]:.2f}x ({ratios[f'least {key}']:.2f}x)" for key in ("agents", "measures")
            )
            print(f"{name:24}{agents:8}{base:15.2f}{with_agents:>23}{only:>25}", flush=True)


if __name__ == "__main__":
    main()
