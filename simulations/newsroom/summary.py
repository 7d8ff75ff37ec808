"""What became of a day in the paper, told from the journal of a run alone."""

from __future__ import annotations

from cave_sim import Run
from cave_sim.journal.rebuild import entities_at
from cave_sim.session.graph import drawn, nodes_of, sessions_of
from cave_sim.simulations.minds import thinking
from cave_sim.simulations.newsroom.desk import DESK


def summary(run: Run) -> str:
    """Return what was printed, who decided what, and the way of the session.

    Args:
        run: a journal as `cave_sim.open_run` returns it.
    """
    lines = ["What was printed:"]
    for article in entities_at(run, run.last_step)["paper"]["fields"]["articles"]:
        lines += [article["title"], *(f"  {line}" for line in article["text"].splitlines())]
    sessions = sessions_of(run)
    latest = [session for session in sessions.values() if session.agent == DESK][-1:]
    lines += [f"step {row.step}, {row.kind}: {row.text}" for session in latest for row in session if row.kind in SHOWN]
    lines += ["The way of the session:", *drawn(nodes_of(sessions.values()))]
    return "\n  ".join([*lines, *thinking(run)])


SHOWN = ("route", "error", "memory")
"""Kinds of rows that are told."""
