"""Ranking: the effect of each candidate, worked out best-first, with an interval where there are seeds to have one."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cave_sim.analysis.hypotheses import corrected
from cave_sim.analysis.statistics import MeanDifference, paired_difference
from cave_sim.causes.candidate import Candidate
from cave_sim.causes.counterfactual import Counterfactuals
from cave_sim.causes.removal import Removal
from cave_sim.causes.results import ForkResult, Trace
from cave_sim.errors import WorldError

ALPHA = 0.05
"""How often a candidate without effect may be called a cause, among all that were tried over seeds."""
Pair = tuple[float | bool, float | bool]
"""The fact, and the counterfactual."""


@dataclass(frozen=True)
class Effect:
    """What a candidate did to what is asked about.

    Attributes:
        candidate: the candidate.
        pairs: fact and counterfactual for each seed, the run's own first; empty where one of them is not known.
        why: why that is so; "" where it is not.
        asked, reused: calls to models that its forks paid for, and that were answered as in the run.
        fork: the folder of its fork.
        trace: what the question came to on the way without it, of the run's own seed.
    """

    candidate: Candidate
    pairs: tuple[Pair, ...]
    why: str = ""
    asked: int = 0
    reused: int = 0
    fork: Path | None = None
    trace: Trace = ()

    @property
    def mean(self) -> float:
        """The fact minus the counterfactual, over seeds; that of true is 1."""
        return sum(float(fact) - float(other) for fact, other in self.pairs) / max(1, len(self.pairs))

    @property
    def estimate(self) -> MeanDifference:
        """The effect with its t interval, which one seed does not have."""
        facts, others = ([float(pair[side]) for pair in self.pairs] for side in (0, 1))
        return paired_difference(facts, others)

    def to_data(self) -> dict[str, Any]:
        """Return it as plain data."""
        each, estimate = self.candidate, self.estimate if len(self.pairs) > 1 else None
        return {
            "kind": each.kind, "name": each.name,
            "agent": each.agent, "step": each.step, "turns": list(each.turns), "told": each.description,
            "effect": self.mean if self.pairs else None,
            "low": None if estimate is None else estimate.low, "high": None if estimate is None else estimate.high,
            "pairs": [list(pair) for pair in self.pairs], "unknown": self.why, "calls_asked": self.asked,
            "calls_reused": self.reused, "fork": None if self.fork is None else str(self.fork), "trace": self.trace,
        }  # fmt: skip


def effects(
    counterfactuals: Counterfactuals,
    candidates: Sequence[Candidate],
    *,
    max_forks: int | None = None,
    seeds: int = 1,
    keep: Path | None = None,
) -> Iterator[Effect]:
    """Yield the effect of each candidate as soon as it is known, in the order of the candidates.

    Args:
        counterfactuals: of the run, checked.
        candidates: the most promising first.
        max_forks: how many forks may be run; what is known already costs none. None for as many as it takes.
        seeds: how many futures each is tried in: the run's own, and others.
        keep: folder beside whose forks that made a difference are kept; None to keep none.

    Raises:
        WorldError: forks are to be kept under a question that has more than one seed.
    """
    if keep is not None and seeds > 1:
        raise WorldError("forks are kept of one seed: leave --keep or --seeds away")
    for candidate in candidates:
        try:
            yield _effect(counterfactuals, candidate, max_forks, seeds, keep)
        except OutOfForks:
            return


class OutOfForks(Exception):
    """No more forks may be run, or no more calls be paid for."""


def outcome(
    counterfactuals: Counterfactuals, removal: Removal, step: int, max_forks: int | None, **how: Any
) -> ForkResult:
    """Return an outcome; raises OutOfForks if it would take one fork, or one call, too many."""
    is_out = (max_forks is not None and counterfactuals.forks >= max_forks) or counterfactuals.is_out_of_calls
    if is_out and counterfactuals.known(removal, step, **how) is None:
        raise OutOfForks
    return counterfactuals.outcome(removal, step, **how)


def _effect(
    counterfactuals: Counterfactuals, candidate: Candidate, max_forks: int | None, seeds: int, keep: Path | None
) -> Effect:
    pairs: list[Pair] = []
    trace: Trace = ()
    asked = reused = 0
    removal = Removal.of([candidate])
    out = None if keep is None else keep / _folder_name(counterfactuals.folder, candidate)
    for seed in range(counterfactuals.seed, counterfactuals.seed + seeds):
        results = [outcome(counterfactuals, removal, candidate.step, max_forks, seed=seed, out=out)]
        if seed != counterfactuals.seed:  # in another future the fact is another one, too
            results.append(outcome(counterfactuals, Removal(), candidate.step, max_forks, seed=seed))
        asked, reused = asked + sum(each.asked for each in results), reused + sum(each.reused for each in results)
        trace = trace or results[0].trace
        values = [each.value for each in results] + [counterfactuals.fact]
        if values[0] is None or values[1] is None:
            why = next(each.why for each in results if each.why)
            return Effect(candidate, (), why, asked, reused, _only_if(out, made_difference=False))
        pairs.append((values[1], values[0]))
    differs = any(fact != other for fact, other in pairs)
    return Effect(candidate, tuple(pairs), "", asked, reused, _only_if(out, made_difference=differs), trace)


def _folder_name(folder: Path, candidate: Candidate) -> str:
    when = "ever" if candidate.kind in ("agents", "prompt-parts") else f"at-{candidate.step}"
    what = "intervention" if candidate.kind == "interventions" else re.sub(r"\W", "_", candidate.agent)
    number = f"-{candidate.turns[0]}" if candidate.kind in ("interventions", "announcements") else ""
    number += "" if candidate.span is None else f"-{candidate.span[0]}"
    return f"{folder.resolve().name}-without-{what}-{when}{number}"


def _only_if(out: Path | None, *, made_difference: bool) -> Path | None:
    """Return the folder of a fork that made a difference; that of another one goes."""
    if out is None or made_difference:
        return out
    shutil.rmtree(out, ignore_errors=True)
    return None


def ranked(effects: Sequence[Effect]) -> list[Effect]:
    """Return the causes among what was tried, the largest effect first.

    With one seed these are all that made a difference, which they did in this very history. With more, those whose mean
    effect is not 0 at a level that allows for how many were tried (Holm 1979), or which is alike in all of them.

    Raises:
        MissingExtra: there is more than one seed, and statsmodels is not installed.
    """
    known = [each for each in effects if each.pairs]
    if any(len(each.pairs) > 1 for each in known):
        gaps = [each.estimate for each in known]
        chances = corrected([each.p_value for each in gaps])
        judged = zip(known, gaps, chances, strict=True)
        causes = [each for each, gap, chance in judged if gap.is_sure(chance, ALPHA)]
    else:
        causes = [each for each in known if each.mean]
    return sorted(causes, key=lambda each: (-abs(each.mean), each.candidate.step, each.candidate.agent))
