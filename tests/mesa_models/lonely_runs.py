"""Runs of Mesa models whose world is alone: what is left of them, and how many steps were closed at once."""

from mesa.examples import BoltzmannWealth, WolfSheep

from cave_sim import open_run
from cave_sim.mesa_models.simulation import simulation_of
from cave_sim.simulation import steps_alone
from cave_sim.testing.mesa_models import take

STEPS = 12


def wealth(out=None, **options):
    return simulation_of(BoltzmannWealth, seed=7, arguments={"n": 8}, out=out, **options)


def flock(out=None, **options):
    few = {"width": 8, "height": 8, "initial_sheep": 20, "initial_wolves": 6}
    return simulation_of(WolfSheep, seed=7, arguments=few, out=out, **options)


def written(folder):
    """Return what a run holds, but how long its steps took and the seals that cover this."""
    tables = {
        "steps": "step, time_s, last_turn, state_hash, previous, hash, last_call",
        "turns": "turn, step, agent, parent, kind, cell, status, output, error, usage",
        **dict.fromkeys(("changes", "measures", "events", "kept", "cells", "snapshots"), "*"),
    }
    with open_run(folder) as run:
        return {table: [*run.query(f"SELECT {columns} FROM {table}")] for table, columns in tables.items()}


def left(simulation):
    """Return what a simulation is after its steps."""
    collected = simulation.datacollector.model_vars
    woken, measures = set(simulation.roster.woken), simulation.latest_measures
    return simulation.state_hash, simulation.steps, simulation.world.clock.step, collected, woken, measures


def stretch(simulation, steps=STEPS, within_s=1000.0):
    simulation.commit_within_s = within_s
    return simulation.run(steps=steps)


def count_closed(monkeypatch):
    """Return the list that gets, from now on, how many steps were closed at once, each time."""
    numbers, close = [], steps_alone._close

    def counting(simulation, taken, hashes):
        numbers.append(len(taken))
        close(simulation, taken, hashes)

    monkeypatch.setattr(steps_alone, "_close", counting)
    return numbers


def both(do, make=wealth, **options):
    """Return what is left of single steps, and of a stretch, of simulations to which the same was done."""
    single, alone = make(**options), make(**options)
    do(single)
    take(single, STEPS)
    do(alone)
    stretch(alone)
    return single, alone
