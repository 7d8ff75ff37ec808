"""The shortest cause: few turns without which a condition never holds, and few that bring it about by themselves.

Delta debugging (ddmin, Zeller and Hildebrandt 2002) over the turns of a run. What it finds is 1-minimal: with one turn
less it is no cause; there may be another set that is smaller still.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from cave_sim.causes.candidate import Candidate
from cave_sim.causes.counterfactual import Counterfactuals
from cave_sim.causes.ranking import OutOfForks, outcome
from cave_sim.causes.removal import Removal
from cave_sim.errors import WorldError

Turns = Sequence[Candidate]


@dataclass(frozen=True)
class Shortest:
    """What a search has found.

    Attributes:
        turns: in their order; None if there is no such set of turns at all, or none was found yet.
        is_minimal: whether no turn of it can be left away; False where the search ran out of forks.
        fork: the folder of the fork that confirmed it.
    """

    turns: tuple[Candidate, ...] | None
    is_minimal: bool
    fork: Path | None = None


def shortest_cause(
    counterfactuals: Counterfactuals,
    turns: Turns,
    *,
    sufficient: bool = False,
    max_forks: int | None = None,
    keep: Path | None = None,
    on_better: Callable[[Shortest], object] = lambda cause: None,
) -> Shortest:
    """Return few turns without which the condition never holds.

    Args:
        counterfactuals: of the run, checked, of a condition that is asked for with ``ever``.
        turns: those that may be part of it, the most promising first.
        sufficient: look for few turns that bring it about where nobody does anything else, instead.
        max_forks: how many forks may be run.
        keep: folder in which the fork that confirms it is kept.
        on_better: is told each time that fewer turns are found, for a search that is broken off.

    Raises:
        WorldError: the condition never held, or the question is none; or what was found is not confirmed.
    """
    if not counterfactuals.question.ever or counterfactuals.fact is not True:
        raise WorldError(f"{counterfactuals.question.text!r} never held, so nothing brought it about")
    best: list[Candidate] | None = None

    def is_cause(chosen: Turns) -> bool:
        nonlocal best
        removal, step = _removed(counterfactuals, chosen, sufficient=sufficient)
        brings_it = outcome(counterfactuals, removal, step, max_forks).value is sufficient
        if brings_it and (best is None or len(chosen) < len(best)):
            best = list(chosen)
            on_better(Shortest(_in_order(best), is_minimal=False))
        return brings_it

    try:
        large = next((prefix for prefix in _prefixes(turns) if is_cause(prefix)), None)
        if large is None:
            return Shortest(None, is_minimal=True)
        small = ddmin(large, is_cause)
        best, is_minimal = small, True
    except OutOfForks:
        is_minimal = False
    if best is None:
        return Shortest(None, is_minimal=False)
    removal, step = _removed(counterfactuals, best, sufficient=sufficient)
    what = "only" if sufficient else "without"
    turns_named = "-".join(str(turn) for each in best for turn in each.turns[:1])[:60]
    out = None if keep is None else keep / f"{counterfactuals.folder.resolve().name}-{what}-turns-{turns_named}"
    if counterfactuals.outcome(removal, step, out=out, anew=True).value is not sufficient:
        raise WorldError(f"{counterfactuals.folder}: what was found is not confirmed: remove the results")
    return Shortest(_in_order(best), is_minimal, out)


def _in_order(turns: Turns) -> tuple[Candidate, ...]:
    return tuple(sorted(turns, key=lambda each: each.turns))


def _removed(counterfactuals: Counterfactuals, chosen: Turns, *, sufficient: bool) -> tuple[Removal, int]:
    """Return what is taken out where some turns are looked at, and the step of the earliest of it."""
    if sufficient:
        return Removal.of_all_but(chosen), counterfactuals.first
    return Removal.of(chosen), min((each.step for each in chosen), default=counterfactuals.first)


def _prefixes(turns: Turns) -> list[Turns]:
    """Return the most promising turns: none, one, two, four and so on, and at last all."""
    sizes = [0, *(2**power for power in range(len(turns).bit_length())), len(turns)]
    return [turns[:size] for size in dict.fromkeys(sizes)]


def ddmin(items: Sequence[Candidate], is_cause: Callable[[Turns], bool]) -> list[Candidate]:
    """Return a part of some items that is still a cause, and is none with any one item less.

    Args:
        items: all of them together are a cause.
        is_cause: says so of a part.
    """
    left, parts = list(items), 2
    while len(left) > 1:
        size = -(-len(left) // parts)
        chunks = [left[place : place + size] for place in range(0, len(left), size)]
        rests = [[each for each in left if each not in chunk] for chunk in chunks]
        if smaller := next((chunk for chunk in chunks if is_cause(chunk)), None):
            left, parts = smaller, 2
        elif len(chunks) > 2 and (smaller := next((rest for rest in rests if is_cause(rest)), None)):
            left, parts = smaller, max(parts - 1, 2)
        elif size == 1:
            break
        else:
            parts = min(2 * parts, len(left))
    return left
