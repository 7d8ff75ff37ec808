"""When the conditions came true for which interventions of a study waited."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from statistics import median
from typing import Any, NamedTuple

from cave_sim.analysis.wording import figure
from cave_sim.diagnostics.plurals import counted

MOST_TOLD = 4
"""Where parameters stand in a condition it is another one at each point; more than these nobody reads."""


class CameTrue(NamedTuple):
    """One condition of a plan.

    Attributes:
        condition: of the study.
        when: what was waited for; empty where it stands for several.
        told: in how many trials it came true, and at which steps.
    """

    condition: str
    when: str
    told: str


def came_true(about: Mapping[str, Any]) -> Iterator[CameTrue]:
    """Yield what a study says of the conditions that its interventions waited for.

    Args:
        about: its description.
    """
    for condition, waited in (about.get("came_true") or {}).items():
        if len(waited) > MOST_TOLD:
            trials, steps = sum(each["trials"] for each in waited), [step for each in waited for step in each["steps"]]
            yield CameTrue(condition, "", _told(f"one of {len(waited)} conditions", trials, steps))
            continue
        yield from (CameTrue(condition, each["when"], _told("", each["trials"], each["steps"])) for each in waited)


def _told(what: str, trials: int, steps: Sequence[int]) -> str:
    times = f"came true in {len(steps)} of {counted(trials, 'trial')}"
    return f"{what} {times}{_at(steps)}".strip()


def _at(steps: Sequence[int]) -> str:
    if not steps:
        return ""
    if min(steps) == max(steps):
        return f", at step {steps[0]:,}"
    middle = f" (median {figure(median(steps))})" if len(steps) > 2 else ""
    return f", first at steps {min(steps):,} to {max(steps):,}{middle}"
