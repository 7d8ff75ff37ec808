"""Which papers came out, and what they cost, told from the journal of a run alone."""

from cave_sim import Run
from cave_sim.journal.rebuild import entities_at
from cave_sim.simulations.minds import thinking


def summary(run: Run) -> str:
    """Return a line for each paper, and what thinking took.

    Args:
        run: a journal as `cave_sim.open_run` returns it.
    """
    press = entities_at(run, run.last_step)["press"]["fields"]["documents"]
    lines = ["The papers:"]
    for name, each in press.items():
        lines.append(f"{name} ({each['format']}, {each['bytes']:,} bytes), made in step {each['step']}")
    return "\n  ".join([*lines, *thinking(run)])
