"""Any expression over the world as a measure, worked out at evenly many steps of a run from its journal alone."""

from __future__ import annotations

import math
import time
from pathlib import Path
from typing import Any

import numpy as np

from cave_sim import JournalError, WorldError, open_run
from cave_sim.changes.plain_world import PlainWorld
from cave_sim.history.asked_classes import expect_heard
from cave_sim.history.condition import Condition
from cave_sim.journal.rebuild import entities_by_step
from cave_sim.journal.suspicion import understood

MOST_STEPS = 200
MOST_S = 8.0
SHOWN = 60
SHARES = {"10 %": 0.1, "median": 0.5, "90 %": 0.9}
"""The lines of an expression that gives a list of numbers, by the share of them that lies below."""


def worked_out(folder: Path, text: str) -> dict[str, Any]:
    """Return what an expression comes to over a run: one line, or of a list of numbers three that tell how they lie.

    Args:
        folder: of the run; it is opened anew, so that nobody else who looks at it waits.
        text: in the language of conditions, as in ``world["town"].treasury_cents / 100``.

    Raises:
        WorldError: it is no expression, comes to no number at any step, or takes too long.
        JournalError: the run has no steps, or its file is not what it should be.
    """
    condition, until = Condition(text), time.monotonic() + MOST_S
    steps: list[int] = []
    results: list[list[float | None]] = []
    trouble = ""
    with open_run(folder) as run, understood(folder):
        for step, entities in entities_by_step(run, max(1, -(-(run.last_step + 1) // MOST_STEPS))):
            if time.monotonic() > until:
                raise WorldError(f"{text!r} takes too long: after {MOST_S:g} s it had come to step {step}")
            world = PlainWorld(entities)
            try:
                value = condition.value(world)
                values = _numbers(value)
                if values == [None] and not trouble:
                    trouble = _no_number(text, value, step)
            except WorldError as error:  # what it names may come later
                values, trouble = [None], str(error)
            steps.append(step)
            results.append(values)
        if not steps:
            raise JournalError(f"{folder} has no steps (yet)")
        expect_heard(text, world, run)
    if all(values == [None] for values in results):
        raise WorldError(trouble)
    names = list(SHARES) if any(len(values) > 1 for values in results) else [text]
    lines = {name: {"steps": steps, "values": [_at(values, at) for values in results]} for at, name in enumerate(names)}
    return {"text": text, "lines": lines}


def _numbers(value: Any) -> list[float | None]:
    """Return the one number of a value, or those that tell how several lie."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, (list, tuple, set)):
        numbers = [float(each) for each in value if isinstance(each, (bool, int, float)) and math.isfinite(each)]
        return [float(part) for part in np.quantile(numbers, list(SHARES.values()))] if numbers else [None]
    if isinstance(value, (bool, int, float)) and math.isfinite(value):
        return [float(value)]
    return [None]


def _no_number(text: str, value: Any, step: int) -> str:
    """Say what an expression came to, and what would be a measure."""
    came_to = repr(value)
    shown = came_to if len(came_to) <= SHOWN else f"{came_to[:SHOWN]} …"
    way = f", such as len({text})" if isinstance(value, (str, dict, list, tuple, set)) else ""
    return f"{text!r} comes to no number, but to {shown} at step {step}; a measure is a number{way}"


def _at(values: list[float | None], at: int) -> float | None:
    return values[at] if at < len(values) else None
