"""Silence as a scenario can say it: whoever is not to act in a step is paused then, which any run can be told."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from cave_sim.errors import WorldError
from cave_sim.simulation.silence import Silence
from cave_sim.simulation.treatment import Intervention

SAYS_NOT = {"unsaid": "what was said", "prompt_parts": "parts of prompts"}
"""What can be taken out of a fork, and is no matter of who is silent or of what is planned."""
PAUSE_ALL = "for name in team:\n    team[name].pause()\n"


def pauses(silence: Silence, first: int, until: int | None = None) -> tuple[Intervention, ...]:
    """Return what pauses those who are silent and lets them go on: a cell for each moment at which that changes.

    Args:
        silence: who is silent when.
        first: the step at which it begins.
        until: the step from which on nobody is silent any more; to the end unless given.
    """
    is_of_all = silence.only is not None
    begins, ends = ("resume", "pause") if is_of_all else ("pause", "resume")
    chosen: dict[int, set[str]] = {}
    for agent, step in silence.moments if silence.only is None else silence.only:
        if step >= first and agent not in silence.agents and (until is None or step < until):
            chosen.setdefault(step, set()).add(agent)
    cells = {first: PAUSE_ALL if is_of_all else _lines(silence.agents, "pause")}
    for step in sorted({*chosen, *(step + 1 for step in chosen)}):
        now, before = chosen.get(step, set()), chosen.get(step - 1, set())
        cells[step] = cells.get(step, "") + _lines(now - before, begins) + _lines(before - now, ends)
    if until is not None:
        cells[until] = PAUSE_ALL.replace("pause", "resume") if is_of_all else cells.get(until, "")
        cells[until] += _lines(silence.agents, "resume")
    return tuple(Intervention(code, at=step) for step, code in sorted(cells.items()) if code)


def silence_of(without: Mapping[str, Any], run: object) -> Silence:
    """Return who is silent on a fork, by what its manifest says is taken out of it.

    Args:
        without: that.
        run: what it is called in the error.

    Raises:
        WorldError: something else is taken out that a scenario cannot say.
    """
    if other := next((what for name, what in SAYS_NOT.items() if without.get(name)), ""):
        raise WorldError(
            f"{run} was lived without {other}, and a scenario cannot say that: fork it, or keep its journal"
        )
    moments, only = _moments(without.get("moments") or ()), without.get("all_but")
    return Silence(frozenset(without.get("agents") or ()), moments, None if only is None else _moments(only))


def _moments(listed: Iterable[Any]) -> frozenset[tuple[str, int]]:
    return frozenset((str(agent), int(step)) for agent, step in listed)


def _lines(agents: Iterable[str], method: str) -> str:
    return "".join(f"team[{who!r}].{method}()\n" for who in sorted(agents))
