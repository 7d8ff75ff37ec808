"""``stateful_types``: one variable, changed by three queries; of simple, own and scientific types (§4.2.1, D.1)."""

from cave_sim.experiment.study import Study
from cave_sim.experiment.task import Task
from cave_sim.simulations.studies import _object, _scientific, _simple


def tasks(_seed: int) -> list[Task]:
    """Return the tasks; they are the same for every seed."""
    return [*_simple.TASKS, *_object.TASKS, *_scientific.TASKS]


STUDY = Study(
    "stateful_types",
    "Variables of simple, own and scientific types, three queries each",
    "After CaveAgent §4.2.1 and D.1.",
    tasks,
)
