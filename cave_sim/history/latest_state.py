"""A condition asked of the state that a run has come to, so that one that will never be answered is refused at once."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from cave_sim.changes.plain_world import PlainWorld
from cave_sim.history.asked_classes import expect_heard
from cave_sim.history.condition import Condition
from cave_sim.history.condition_over_steps import ConditionOverSteps
from cave_sim.history.measures_by_name import holds
from cave_sim.journal.queries import measures_of, names_of_measures
from cave_sim.journal.reader import open_run
from cave_sim.journal.rebuild import fold_at


def expect_answered(folder: Path, text: str, own: Collection[str] = ()) -> None:
    """Refuse a condition that cannot be worked out after the last step of a run; one without a step is not looked at.

    Args:
        folder: of the run; it is opened anew, and read from its journal alone.
        text: of the condition.
        own: the names of measures, also of those that nothing was measured of yet.

    Raises:
        WorldError: it is no condition, or names what is not there; a class by a slip, too.
    """
    condition = ConditionOverSteps(Condition(text))
    with open_run(folder) as run:
        if not run.steps():
            return
        world = PlainWorld(fold_at(run, run.last_step).settle())
        names = dict.fromkeys([*own, *sorted(names_of_measures(run))])
        holds(condition, world, measures_of(run, run.last_step), names)
        expect_heard(text, world, run)
