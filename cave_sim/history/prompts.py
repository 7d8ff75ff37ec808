"""What the prompts of a run consisted of: which part costs what, and what a prefix cache could keep, and did."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from itertools import pairwise
from statistics import median
from typing import Any

from cave_sim.errors import JournalError, did_you_mean
from cave_sim.journal.opened import of_run
from cave_sim.journal.reader import Run


@dataclass(frozen=True, slots=True)
class PromptCosts:
    """The prompts of one agent.

    Attributes:
        agent: who asked.
        calls: how many of its calls were answered.
        tokens: of a prompt, as its provider counted them; the median.
        step_tokens: of all its prompts of a step in which it asked; the median.
        parts: part -> tokens of it, the median over all its calls; by our estimate of their shares.
        front_stable: share of the calls whose front was that of the call before, 0 to 1; None for a single call.
        cached: share of all prompt tokens that the provider had in its cache, 0 to 1.
    """

    agent: str
    calls: int
    tokens: float
    step_tokens: float
    parts: Mapping[str, float]
    front_stable: float | None
    cached: float

    def to_data(self) -> dict[str, Any]:
        """Return it as plain data."""
        return {**asdict(self), "parts": dict(self.parts)}


@of_run
def prompt_costs(run: Run, agent: str | None = None) -> list[PromptCosts]:
    """Return what the prompts of a run consisted of, by agent, sorted; calls that failed are left out.

    Calls of runs that were recorded before parts were are told without them.

    Args:
        run: the run.
        agent: only those of this one.

    Raises:
        JournalError: no model answered anybody, or not this agent.
    """
    by_agent: dict[str, list[_Call]] = defaultdict(list)
    for call in run.calls():
        if call["reply"] is not None and agent in (None, call["agent"]):
            by_agent[call["agent"]].append(_taken(call))
    if not by_agent:
        raise unanswered(run, agent)
    return [_costs(name, by_agent[name]) for name in sorted(by_agent)]


def unanswered(run: Run, agent: str | None) -> JournalError:
    """Return what to say where no call of a run, or of one agent, was answered; with who comes nearest."""
    answered = {call["agent"] for call in run.calls() if call["reply"] is not None}
    if agent is None or not answered:
        return JournalError("nobody in this run was answered by a language model, so there are no prompts to tell of")
    return JournalError(f"{agent!r} was answered by no language model in this run.{did_you_mean(agent, answered)}")


@dataclass(frozen=True, slots=True)
class _Call:
    """What counts of one call; its texts are not held."""

    step: int
    front: int
    prompt_tokens: int
    cached_tokens: int
    parts: Mapping[str, float]


def _taken(call: Mapping[str, Any]) -> _Call:
    usage, parts = call["reply"]["usage"], call.get("parts") or {}
    messages = call["request"]["messages"]
    front = hash(messages[0]["text"]) if messages and messages[0]["role"] == "system" else 0
    scale = usage["prompt_tokens"] / sum(parts.values()) if sum(parts.values()) else 0.0
    shares = {name: tokens * scale for name, tokens in parts.items()}
    return _Call(call["step"], front, usage["prompt_tokens"], usage["cached_tokens"], shares)


def _costs(agent: str, calls: list[_Call]) -> PromptCosts:
    parts = {name: round(median(call.parts.get(name, 0.0) for call in calls), 1) for name in _as_sent(calls)}
    by_step: Counter[int] = Counter()
    for call in calls:
        by_step[call.step] += call.prompt_tokens
    same = [later.front == earlier.front for earlier, later in pairwise(calls)]
    prompt_tokens = sum(call.prompt_tokens for call in calls)
    return PromptCosts(
        agent,
        len(calls),
        median(call.prompt_tokens for call in calls),
        median(by_step.values()),
        parts,
        round(sum(same) / len(same), 4) if same else None,
        round(sum(call.cached_tokens for call in calls) / prompt_tokens, 4) if prompt_tokens else 0.0,
    )


def _as_sent(calls: list[_Call]) -> list[str]:
    """Return the names of all parts in the order in which they are sent; those of a tracker, say, behind an executor's.

    A part that earlier calls did not have, such as a log that was empty, stands where it is sent.
    """
    by_first: dict[str, list[str]] = defaultdict(list)
    for call in calls:
        names, place = by_first[next(iter(call.parts), "")], 0
        for name in call.parts:
            if name not in names:
                names.insert(place, name)
            place = names.index(name) + 1
    return list(dict.fromkeys(name for names in by_first.values() for name in names))
