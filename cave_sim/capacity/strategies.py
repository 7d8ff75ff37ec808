"""Which way a document is written: the simplest one that fits (Gen-Pilot, §5), and what to do when it did not.

The cascade goes from direct to chunked to deferred, and ends with none. A plan lists the tokens of each of its turns;
every one of them fits into the output capacity that its turn will find, which sinks from turn to turn because what was
written fills the window. So no plan is infeasible as far as is known.

**Why replanning ends.** Every replan counts one more, and at :data:`MOST_REPLANS` there is no further plan. A plan has
at most :data:`MOST_CHUNKS` turns and a template's: at most ``(MOST_REPLANS + 1) * (MOST_CHUNKS + 1)`` turns are taken
for a document, whatever the model does. And no plan is tried twice: the next one lies further down the cascade, or has
less left to write.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

from cave_sim.capacity.costs import Document, chunked_tokens, deferred_tokens, direct_tokens, parts
from cave_sim.capacity.output_capacity import Occupancy, OutputLimits, output_capacity
from cave_sim.diagnostics.plurals import counted
from cave_sim.errors import WorldError

Strategy = Literal["direct", "chunked", "deferred", "none"]
Failure = Literal["empty", "truncated", "timeout", "tool_error"]
STRATEGIES: tuple[Strategy, ...] = get_args(Strategy)
FAILURES: tuple[Failure, ...] = get_args(Failure)

MARGIN = 0.67
"""The share of the capacity that a plan may use (the paper's beta)."""
MOST_CHUNKS = 64
MOST_REPLANS = 3
STALLED_SHARE = 0.75
"""After a stall, three quarters of what was tried is taken for what can be written."""
WAY_OUT = "make room in the context (compress, or begin a fresh session), or ask for less"


@dataclass(frozen=True, slots=True)
class WritingPlan:
    """How a document is to be written.

    Attributes:
        strategy: ``none`` if nothing fits, or replanning is over.
        turns: tokens to write in each turn, in order; of a template that is yet to be written, first.
        written_tokens: all that the model writes, its part of a template that serves several documents.
        capacity_tokens: what it could write in the first turn.
        document: what is written.
        occupancy: of the window as the plan begins.
        limits: what was known of the model.
        margin: the share of the capacity that the plan was allowed.
        replans: how many plans failed before this one.
        why: what led to it, in a sentence.
    """

    strategy: Strategy
    turns: tuple[int, ...]
    written_tokens: int
    capacity_tokens: int
    document: Document
    occupancy: Occupancy
    limits: OutputLimits
    margin: float = MARGIN
    replans: int = 0
    why: str = ""

    @property
    def chunks(self) -> int:
        """How many parts the document, or its data, is written in."""
        return len(self.turns) - (self.strategy == "deferred" and self.document.template_tokens > 0)

    @property
    def rank(self) -> tuple[int, int]:
        """Its place in the cascade."""
        return STRATEGIES.index(self.strategy), self.chunks if self.turns else 0

    def to_data(self) -> dict[str, Any]:
        """Return what somebody has to know who follows it."""
        return {
            "strategy": self.strategy,
            "chunks": self.chunks if self.turns else 0,
            "turns": list(self.turns),
            "written_tokens": self.written_tokens,
            "capacity_tokens": self.capacity_tokens,
            "margin": self.margin,
            "replans": self.replans,
            "why": self.why,
        }


def plan(
    document: Document,
    occupancy: Occupancy,
    limits: OutputLimits,
    *,
    margin: float = MARGIN,
    can_render: bool = True,
    simplest: Strategy = "direct",
) -> WritingPlan:
    """Return the simplest plan that fits.

    Args:
        document: what is to be written.
        occupancy: how full the window is.
        limits: what is known of the model.
        margin: the share of the output capacity that a turn may use, above 0 and at most 1.
        can_render: whether data can be rendered.
        simplest: where the cascade begins.

    Raises:
        WorldError: the margin is out of range.
    """
    expect_margin(margin)
    capacity = output_capacity(occupancy, limits)
    none = WritingPlan("none", (), 0, capacity, document, occupancy, limits, margin)
    return _after(none, (STRATEGIES.index(simplest), -1), can_render=can_render)


def expect_margin(margin: float) -> None:
    """Raise WorldError unless a margin is a share of what can be written."""
    if not 0 < margin <= 1:
        raise WorldError(f"margin={margin}: it is above 0, and 1 at the most")


def replan(failed: WritingPlan, failure: Failure, *, turns_done: int = 0, can_render: bool = True) -> WritingPlan:
    """Return the plan for what is left after a turn of a plan failed; the strategy ``none`` if there is none.

    What stalled is learned: the stall limit becomes three quarters of what was tried. Turns that were done are not done
    again. A template that was not written yet must still be.

    Args:
        failed: the plan.
        failure: what became of its turn: ``empty``, ``truncated``, ``timeout`` or ``tool_error``.
        turns_done: how many of its turns had gone well before.
        can_render: whether data can be rendered.

    Raises:
        WorldError: there is no such failure, or the plan has no such turn.
    """
    if failure not in FAILURES:
        raise WorldError(f"a turn fails by being {', '.join(FAILURES)}; not {failure!r}")
    if not 0 <= turns_done < len(failed.turns):
        planned = counted(len(failed.turns), "turn")
        raise WorldError(f"turns_done={turns_done}: the plan has {planned}, and one of them failed")
    tried = failed.turns[turns_done]
    limits = failed.limits
    if failure in ("empty", "truncated", "timeout"):  # no turn of a plan is longer than what is known to stall
        limits = replace(limits, stall_tokens=int(tried * STALLED_SHARE))
    occupancy = failed.occupancy.after(sum(failed.turns[:turns_done]))
    left = replace(
        failed,
        document=_rest(failed, turns_done),
        occupancy=occupancy,
        limits=limits,
        capacity_tokens=output_capacity(occupancy, limits),
        replans=failed.replans + 1,
    )
    if left.replans > MOST_REPLANS:
        why = f"{MOST_REPLANS} replans failed, the last one was {failure}: {WAY_OUT}"
        return replace(left, strategy="none", turns=(), written_tokens=0, replans=failed.replans, why=why)
    because = f"a turn of {tried:,} tokens was {failure}; "
    place = STRATEGIES.index(failed.strategy)
    if failure == "tool_error" and failed.strategy == "deferred":
        beyond = (STRATEGIES.index("none"), 0)  # what cannot be rendered is not rendered by being told again
    elif failure == "empty" and failed.strategy != "deferred" and can_render:
        beyond = (place, MOST_CHUNKS)  # silence calls for another way, and not for smaller pieces of this one
    else:
        beyond = (place, 0 if turns_done else failed.chunks)
    return _after(left, beyond, can_render=can_render, because=because)


def _after(base: WritingPlan, beyond: tuple[int, int], *, can_render: bool, because: str = "") -> WritingPlan:
    """Return the first plan of the cascade that fits and whose rank lies beyond another one's."""
    for candidate in _cascade(base, can_render=can_render):
        if candidate.rank > beyond and _fits(candidate):
            room = int(candidate.margin * candidate.capacity_tokens)
            why = (
                f"{because}each turn fits into {candidate.margin:.0%} of what can be written, {room:,} tokens at first"
            )
            return replace(candidate, why=why)
    room = int(base.margin * base.capacity_tokens)
    why = f"{because}no way of writing it fits into {room:,} tokens a turn: {WAY_OUT}"
    return replace(base, strategy="none", turns=(), written_tokens=0, why=why)


def _cascade(base: WritingPlan, *, can_render: bool) -> Iterator[WritingPlan]:
    """Yield the plans there could be, the simplest first, and within a strategy the one of fewest chunks."""
    document = base.document
    turns = parts(document.formatted_tokens, 1)
    yield replace(base, strategy="direct", turns=turns, written_tokens=direct_tokens(document))
    for chunks in range(2, MOST_CHUNKS + 1):
        turns = parts(document.formatted_tokens, chunks)
        yield replace(base, strategy="chunked", turns=turns, written_tokens=chunked_tokens(document, chunks))
    for chunks in range(1, MOST_CHUNKS + 1) if can_render else ():
        template = (document.template_tokens,) if document.template_tokens else ()
        turns = (*template, *parts(document.data_tokens, chunks))
        yield replace(base, strategy="deferred", turns=turns, written_tokens=deferred_tokens(document, chunks))


def _fits(candidate: WritingPlan) -> bool:
    """Say whether each turn fits into what can be written by then."""
    occupancy = candidate.occupancy
    for tokens in candidate.turns:
        if tokens > candidate.margin * output_capacity(occupancy, candidate.limits):
            return False
        occupancy = occupancy.after(tokens)
    return True


def _rest(failed: WritingPlan, turns_done: int) -> Document:
    """Return what is left of a document once some turns of its plan are done."""
    document = failed.document
    if not turns_done:
        return document
    if failed.strategy == "deferred" and document.template_tokens:
        document, turns_done = replace(document, template_tokens=0), turns_done - 1
    left = 1 - turns_done / failed.chunks
    return replace(document, content_tokens=round(document.content_tokens * left))
