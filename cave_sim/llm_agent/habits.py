"""How a mind goes about its loop: the switches that tell one way of asking and acting from another."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from cave_sim.llm_agent.feedback import OUTPUT_CHARS
from cave_sim.models.base import Context


@dataclass(frozen=True)
class Habits:
    """How a mind goes about its loop.

    Attributes:
        max_cells: cells that it may run before it must wait for the next step.
        until_landed: run no further cell once one has landed; the others are second tries.
        only_first: run only the first block of a reply; the model is stopped when that closes.
        context: how much of what was said a request repeats. ``summary``: what fits into the window of the model, and a
            summary of the rest; ``window``: what fits; ``step``: what was said in this step; ``full``: all, so that the
            model fails when its window is full; ``state``: this step, and a log of what lasts of all before, see
            :mod:`cave_sim.session.context_state`.
        summary: who writes the summary: ``rules``, or the ``model`` itself, by a call of its own.
        tracker: who writes the log: ``rules``, or the ``model``, by a call after each turn.
        state_tokens: what the log may take, estimated; then it begins anew with what lasts longest.
        menu: whether it is told of classes and functions by name, with ``help`` for the rest, or of all that they have;
            or the classes of which its role says too little: of others it is told no more than that they are there.
        output_chars: how much of a cell's output it is shown.
        max_tokens: of one reply; None leaves it to the provider.
        temperature: of its model.
        continuations: how often a truncated or empty reply is followed up.
    """

    max_cells: int = 5
    until_landed: bool = False
    only_first: bool = False
    context: Context = "summary"
    summary: Literal["rules", "model"] = "rules"
    tracker: Literal["rules", "model"] = "rules"
    state_tokens: int = 600
    menu: bool | tuple[str, ...] = False
    output_chars: int = OUTPUT_CHARS
    max_tokens: int | None = 1_024
    temperature: float = 0.0
    continuations: int = 2
