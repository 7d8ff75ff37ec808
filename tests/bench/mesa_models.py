"""What a Mesa model costs as a world, beside plain Mesa: ``python -m tests.bench.mesa_models``.

Plain Mesa and ours take turns, block by block, so that a busy machine slows both alike; what is told is the median of
the ratios of the blocks.
"""

import statistics
import tempfile
import time
import warnings
from itertools import count
from pathlib import Path

from cave_sim.mesa_models.catalog import examples, find_model
from cave_sim.mesa_models.construction import Construction
from cave_sim.mesa_models.simulation import simulation_of
from cave_sim.mesa_models.subject import GlobalGenerators

BLOCKS, BLOCK_S = 9, 0.25
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


def compare(name, folder):
    """Return ms a step of plain Mesa, and how many times that journaled worlds take, with each agent and without."""
    model = find_model(name)
    made, step = plain(model)
    rivals = {
        kind: simulation_of(model, seed=7, out=folder / f"{name}-{next(NUMBER)}", agent_entities=kind == "agents")
        for kind in ("agents", "measures")
    }
    steps = max(1, min(100, int(BLOCK_S / max(1e-6, seconds(step, 1)))))
    for each in rivals.values():
        each.step()
    base, ratios = [], {kind: [] for kind in rivals}
    for _ in range(BLOCKS if name != "alliance_formation" else 2):
        steps = min(steps, 3) if name == "alliance_formation" else steps
        base.append(seconds(step, steps))
        for kind, each in rivals.items():
            ratios[kind].append(seconds(each.step, steps) / base[-1])
    for each in rivals.values():
        each.close()
    middle = {kind: statistics.median(each) for kind, each in ratios.items()}
    return statistics.median(base) / steps * 1000, middle, len(made.agents)


def main():
    """Print a line for each example."""
    warnings.simplefilter("ignore")
    print(f"{'model':24}{'agents':>8}{'plain ms/step':>15}{'with agents':>13}{'measures only':>15}")
    with tempfile.TemporaryDirectory() as folder:
        for name in examples():
            base, ratios, agents = compare(name, Path(folder))
            print(f"{name:24}{agents:8}{base:15.2f}{ratios['agents']:12.2f}x{ratios['measures']:14.2f}x", flush=True)


if __name__ == "__main__":
    main()
