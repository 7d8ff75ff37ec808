"""Feeding a judge: one query of a study's task, done by cells, calls and words that are given."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cache
from typing import Any

from cave_sim.experiment.comparison import plain
from cave_sim.experiment.results import Outcome
from cave_sim.experiment.scripted import Player
from cave_sim.experiment.study import find
from cave_sim.experiment.task import Calling, Query, Task, call, rounds
from cave_sim.experiment.trial import Trial

ON_PURPOSE = "on purpose"
"""Part of what a cell raises that is to fail."""
Done = str | Iterable[str] | Calling


@cache
def task_of(study: str, name: str) -> Task:
    """Return a task of a study, by its name."""
    return next(task for task in find(study)[0].tasks(7) if task.name == name)


def played(study: str, name: str, number: int, done: Done, says: str = "Done.") -> tuple[Outcome, str]:
    """Return what comes of a query, by its number from 0, and what was refused on the way; those before it are right.

    Args:
        study: whose task it is.
        name: of the task.
        number: of the query.
        done: the cells by which it is done, or the calls of functions.
        says: what is said at the end by who writes cells.
    """
    task, by_calls = task_of(study, name), callable(done)
    cells = () if by_calls else (done,) if isinstance(done, str) else tuple(done)
    last = replace(task.queries[number], **({"calls": done} if by_calls else {"cave": cells, "says": says}))
    before = tuple(each if each.calls or not by_calls else as_written(each) for each in task.queries[:number])
    task = replace(task, queries=(*before, last))
    paradigm = "json" if by_calls else "cave"
    trial = Trial(task, find(study)[1][paradigm], seed=7, llm=Player(task, paradigm))
    *earlier, outcome = trial.run()
    assert all(each.ok for each in earlier)
    refused = (row.text for row in trial.agent.session.rows.since(0) if row.kind == "error")
    return outcome, next((text for text in refused if ON_PURPOSE not in text), "")


def as_written(query: Query) -> Query:
    """Return a query about variables, done by writing each of them as it is to be."""
    values: dict[str, Any] = {}
    for path, value in query.expect.items():
        name, _, part = path.partition(".")
        values[name] = {**values.get(name, {}), part: plain(value)} if part else plain(value)
    return replace(query, calls=rounds([call("write_variable", name=name, value=values[name]) for name in values]))


def misjudged(
    study: str, query: tuple[str, int], right: Mapping[str, Done], wrong: Mapping[str, Done]
) -> dict[str, str]:
    """Return case -> what is not as it is to be: the verdict, or a cell that does not run."""
    found = {}
    for cases, ok in ((right, True), (wrong, False)):
        for case, done in cases.items():
            outcome, refused = played(study, *query, done)
            if refused or outcome.ok != ok:
                found[case] = refused or outcome.why or "passes"
    return found
