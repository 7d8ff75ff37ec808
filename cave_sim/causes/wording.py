"""What was found, in words that a researcher can read, and as plain data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from cave_sim.analysis.wording import estimate_text, figure
from cave_sim.causes.candidate import Candidate
from cave_sim.causes.counterfactual import Counterfactuals
from cave_sim.causes.ranking import Effect
from cave_sim.causes.shapley import Shares
from cave_sim.causes.shortest import Shortest
from cave_sim.diagnostics.durations import duration
from cave_sim.diagnostics.plurals import counted

UNKNOWN_SHOWN = UNSURE_SHOWN = 3


class Wording:
    """Words for one question to one run.

    Args:
        counterfactuals: of the run, checked.
        unit: of what the question comes to; "" for none.
        times: world time of each step that is spoken of.
    """

    def __init__(self, counterfactuals: Counterfactuals, unit: str, times: Mapping[int, str]) -> None:
        self._of, self._unit, self._times = counterfactuals, unit, times

    def fact(self) -> str:
        """Return what the question came to in the run."""
        question = self._of.question
        if question.ever:
            when = f"held first after step {self._of.decided}" if self._of.fact else "never held"
            answer = f"{question.text}: {when}, up to step {self._of.at}"
        else:
            answer = f"{question.text}: {self._value(self._of.fact)} at step {self._of.at}"
        return f"{answer}. A fork on which nothing is taken out ends as the run did."

    def ahead(self, of: int, max_forks: int, seconds: float) -> str:
        """Return how many forks are ahead at most, and about how long they take."""
        forks = counted(max_forks, "fork is", "forks are")
        return (
            f"{counted(of, 'candidate')}, for which at most {forks} run (--max-forks): about {duration(seconds)}."
            " Ctrl-C prints what is known by then"
        )

    def progress(self, effect: Effect, tried: int, of: int) -> str:
        """Return a line on one candidate, as soon as its effect is known."""
        return f"{tried} of {of}: without {effect.candidate.name}: {self._effect(effect)}"

    def ranking(
        self, causes: Sequence[Effect], tried: Sequence[Effect], of: int, elsewhere: str = "", *, most: int = 0
    ) -> Iterator[str]:
        """Yield the ranking, how sure it is, and what it cost; where none is a cause, where else to look.

        Args:
            causes: the largest first.
            tried: what was tried, causes among it.
            of: how many candidates there are.
            elsewhere: where to look if there is no cause.
            most: tell of so many causes, and of the rest how many there are; 0 for all.
        """
        shown = causes[: most or None]
        for rank, effect in enumerate(shown, 1):
            each = effect.candidate
            is_dated = each.kind not in ("agents", "prompt-parts")
            when = f"{each.name} ({self._times[each.step]})" if is_dated else each.name
            yield f"{rank}. {self._effect(effect)}"
            yield f"   {when}: {each.description}"
            if effect.fork is not None:
                yield f"   {effect.fork}"
        if rest := causes[len(shown) :]:
            yield f"and {counted(len(rest), 'more cause')}, none of them larger; --most 0 prints all"
        unknown = [effect for effect in tried if not effect.pairs]
        known = len(tried) - len(unknown)
        if not tried:
            yield "Nothing was tried, so no cause is known."
        elif not causes:
            yield f"No cause among the {known} that {'is' if known == 1 else 'are'} known."
            yield from self._largest(tried)
            yield from [elsewhere] if elsewhere else ()
        for effect in unknown[:UNKNOWN_SHOWN]:
            yield f"?  {effect.candidate.name}: {effect.why}"
        if len(unknown) > UNKNOWN_SHOWN:
            yield f"?  and {len(unknown) - UNKNOWN_SHOWN} more are not known"
        if len(tried) < of:
            more = "--max-calls" if self._of.is_out_of_calls else "--max-forks"
            yield f"{of - len(tried)} of {of} were not tried; the same command with more {more} goes on"
        yield self._sureness(tried)
        yield self.cost(tried)

    def _largest(self, tried: Sequence[Effect]) -> Iterator[str]:
        """Yield the largest effects over futures that chance may have brought about."""
        over = [
            effect for effect in tried if len(effect.pairs) > 1 and any(one != other for one, other in effect.pairs)
        ]
        for effect in sorted(over, key=lambda each: -abs(each.mean))[:UNSURE_SHOWN]:
            yield f"   not told apart from chance: {self._effect(effect)}, {effect.candidate.name}"

    def cost(self, tried: Sequence[Effect] = ()) -> str:
        """Return what it cost."""
        asked, reused = (sum(part) for part in ((each.asked for each in tried), (each.reused for each in tried)))
        calls = f"; model calls: {asked:,} asked, {reused:,} answered as in the run" if asked or reused else ""
        return f"{counted(self._of.forks, 'fork was', 'forks were')} run{calls}"

    def shortest(
        self, cause: Shortest, *, sufficient: bool, scenario: str = "", to_go_on: str = "raise --max-forks"
    ) -> Iterator[str]:
        """Yield a set of turns, with what they did, how to look for a smaller one, and a word about its scenario."""
        if cause.turns is None:
            some = "No turns bring it about alone" if sufficient else "It holds whatever turns are left out"
            yield f"{some}{'.' if cause.is_minimal else f', as far as was tried: {to_go_on}.'}"
            return
        many = counted(len(cause.turns), "turn")
        minimal = "" if cause.is_minimal else f" (there may be fewer: {to_go_on})"
        if sufficient:
            yield f"With nothing else done by anybody, {many} bring{'s' * (len(cause.turns) == 1)} it about{minimal}:"
        else:
            yield f"Without {many} it never holds{minimal}:"
        for each in cause.turns:
            yield f"   {each.name} ({self._times[each.step]}): {each.description}"
        if cause.fork is not None:
            yield f"   {cause.fork}"
        if scenario:
            yield f"   {scenario}"

    def shares(self, shares: Shares) -> Iterator[str]:
        """Yield what each adds whichever others are there, and which act only together or stand in for each other."""
        all_of_them = f"all {counted(shares.orders, 'order')}" if shares.orders > 1 else "the only order"
        how = all_of_them if shares.is_exact else f"{shares.orders} random orders, with 95 % t intervals"
        yield f"Together, over {how} (Shapley values):"
        for each, value in zip(shares.players, shares.values, strict=True):
            ends = f" [{figure(value.low)}, {figure(value.high)}]" if value.has_interval and not shares.is_exact else ""
            yield f"   {figure(value.mean, sign='+')}{ends}{self._of_unit()} {each.name}"
        for (one, other), effect in shares.together.items():
            if abs(effect) > 1e-9:
                names = f"{shares.players[one].name} and {shares.players[other].name}"
                helps = "either would do" if effect * self._sign(shares) < 0 else "each needs the other"
                yield f"   {names}: {helps} ({figure(effect, sign='+')})"

    def _sign(self, shares: Shares) -> float:
        return -1.0 if sum(each.mean for each in shares.values) < 0 else 1.0

    def data(
        self, causes: Sequence[Effect], tried: Sequence[Effect], of: int, shares: Shares | None = None
    ) -> dict[str, Any]:
        """Return the ranking as plain data."""
        return {
            **self._question(),
            "causes": [each.to_data() for each in causes],
            "tried": len(tried),
            "tried_effects": [each.to_data() for each in tried],
            "interactions": None if shares is None else shares.to_data(),
            "candidates": of,
            "unknown": [each.to_data() for each in tried if not each.pairs],
            "forks": self._of.forks,
            "trace": self._of.trace,
        }

    def shortest_data(self, without: Shortest, alone: Shortest) -> dict[str, Any]:
        """Return both sets of turns as plain data."""
        return {**self._question(), "without": _set(without), "alone": _set(alone), "forks": self._of.forks}

    def _question(self) -> dict[str, Any]:
        question = self._of.question
        asked = {"question": question.text, "ever": question.ever, "at": self._of.at}
        return {**asked, "fact": self._of.fact, "unit": self._unit}

    def _effect(self, effect: Effect) -> str:
        if not effect.pairs:
            return f"not known: {effect.why}"
        fact, other = effect.pairs[0]
        if len(effect.pairs) > 1:
            mean = effect.estimate
            if mean.is_alike:
                gap = figure(mean.mean, sign="+" if mean.mean else "")
                return f"{gap}{self._of_unit()} in each of {mean.n} seeds"
            interval = estimate_text(mean.mean, mean.low, mean.high, sign="+")
            return f"{interval}{self._of_unit()} over {counted(mean.n, 'seed')}"
        if fact == other:
            return "no difference"
        if isinstance(fact, bool):
            return "it holds because of this" if fact else "it does not hold because of this"
        return f"{figure(effect.mean, sign='+')}{self._of_unit()} ({figure(float(other))} without)"

    def _value(self, value: float | bool) -> str:
        if isinstance(value, bool):
            return "holds" if value else "does not hold"
        return f"{figure(value)}{self._of_unit()}"

    def _of_unit(self) -> str:
        return f" {self._unit}" if self._unit else ""

    def _sureness(self, tried: Sequence[Effect]) -> str:
        if any(len(each.pairs) > 1 for each in tried):
            return "95 % t intervals of the mean over futures; causes allow for how many were tried (Holm, 5 %)."
        return "Exact for this very history, and without an interval: other seeds may differ (--seeds)."


def _set(cause: Shortest) -> dict[str, Any]:
    return {
        "turns": None if cause.turns is None else [_candidate(each) for each in cause.turns],
        "is_minimal": cause.is_minimal,
        "fork": None if cause.fork is None else str(cause.fork),
    }


def _candidate(each: Candidate) -> dict[str, Any]:
    return {"agent": each.agent, "step": each.step, "turns": list(each.turns), "told": each.description}
