"""What a mind is sent of its session, and how that stays within the window of its model.

While all fits, a prompt only grows. When it does not, the oldest rows make room, and one row stands for them; the front
and that row then stay as they are, byte for byte, until the room is full again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

from cave_sim.capacity.output_capacity import Occupancy, OutputLimits, most_used_tokens, output_capacity
from cave_sim.capacity.stalls import LEAST_TOKENS
from cave_sim.errors import CaveSimError
from cave_sim.llm_agent.prompt import Prompt
from cave_sim.models.base import Context, Message, Model, Request
from cave_sim.models.tokens import ESTIMATE, MESSAGE_TOKENS
from cave_sim.models.wrapped import longest_output_for, sampling_for, window_for
from cave_sim.session.compression import clipped, stretches
from cave_sim.session.row import Row
from cave_sim.session.session import Session
from cave_sim.session.transcript import Shown, Transcript, message_of, messages_of
from cave_sim.session.window import Window, reply_tokens

TRIES = 4
"""How often a question is asked whose request turned out too long, each time with less."""
SUMMARY_SHARE = 4
"""What stands for the rows that make room takes a quarter of the room at the most."""
LEAST_SUMMARY_TOKENS = 60


@dataclass(frozen=True, slots=True)
class Room:
    """What fits into one request.

    Attributes:
        window: tokens of request and reply together, as the model counts; 0 if nobody knows.
        reply: how many of them are kept free for the reply.
        transcript: how many of ours are left for what was said; None for no limit.
        limits: how much the model writes in one turn; None if nobody measured it.
    """

    window: int
    reply: int
    transcript: int | None
    limits: OutputLimits | None = None

    @property
    def summary(self) -> int:
        """How many tokens a summary may take."""
        return max(LEAST_SUMMARY_TOKENS, (self.transcript or 0) // SUMMARY_SHARE)


@dataclass(frozen=True, slots=True)
class KnownModel:
    """What is known of the model that a mind asks.

    Attributes:
        window_tokens: its window; 0 if nobody knows.
        longest_tokens: its longest output; None if nobody knows.
        imposed_tokens: of each reply, as the run says; None if that is left to its agents.
        wanted_tokens: of the reply; None if that is left to the provider.
        limits: how much it writes in one turn; None if nobody measured it.
    """

    window_tokens: int
    longest_tokens: int | None
    imposed_tokens: int | None
    wanted_tokens: int | None
    limits: OutputLimits | None

    @classmethod
    def of(cls, model: Model, agent: str, wanted_tokens: int | None, limits: OutputLimits | None) -> Self:
        """Return what a model says of itself to an agent that wants so much of it, and what was measured of it."""
        imposed = sampling_for(model, agent).max_tokens
        wanted = wanted_tokens if imposed is None else imposed
        if limits is None:
            return cls(window_for(model, agent), longest_output_for(model, agent), imposed, wanted, None)
        limits = limits.known_to(model, agent)
        return cls(limits.window_tokens, limits.longest_tokens, imposed, wanted, limits)


class OutOfCapacity(CaveSimError):
    """A model is not asked, because what it can write with so full a window is no answer.

    Attributes:
        kind: ``no_capacity``.
        figures: tokens that it could write, that are used, and that its window holds.
    """

    kind = "no_capacity"

    def __init__(self, capacity: int, occupancy: Occupancy) -> None:
        super().__init__(
            f"with {occupancy.used_tokens:,} of {occupancy.limit_tokens:,} tokens used, {capacity:,} could be written,"
            ' so the model was not asked: tell less (context="state" or "summary"), or take a larger window'
        )
        self.figures: dict[str, int] = {
            "capacity_tokens": capacity,
            "used_tokens": occupancy.used_tokens,
            "window_tokens": occupancy.limit_tokens,
        }


class ContextWindow:
    """Knows what is left of one session to be sent, and how much of it fits.

    Args:
        message_of: row -> its message, None for rows that are left out.
    """

    def __init__(self, message_of: Callable[[Row], Message | None] = message_of) -> None:
        self.transcript: Transcript = Transcript(message_of)
        self._window = Window()

    def room(self, session: Session, asked: KnownModel, context: Context, fixed: int, task: int) -> Room:
        """Return what fits into the next request.

        What was measured of the model leaves less of the window to the prompt: so much that the reply can be written;
        but rather a shorter reply than a task that is cut.

        Args:
            session: whose it is.
            asked: who is asked, and for how much.
            context: how much of the session is repeated; ``full`` sends all, whether it fits or not.
            fixed: tokens, as we estimate them, of what is sent beside the session.
            task: where in the session the task stands.
        """
        self._window.follow(session)
        limits = asked.limits
        window = self._window.tokens(asked.window_tokens)
        if window <= 0 or context == "full":
            return Room(window, 0, None, limits)
        longest = asked.longest_tokens or window
        reply = min(longest, asked.imposed_tokens or reply_tokens(window, asked.wanted_tokens))
        prompt = self._window.prompt_tokens(window, reply)
        if limits is not None:
            needed = fixed + MESSAGE_TOKENS + sum(each.tokens for each in self.transcript.since(session, task))
            most, least = (most_used_tokens(each, window, limits.degradation) for each in (reply, LEAST_TOKENS))
            prompt = max(int(most / self._window.ratio), min(needed, int(least / self._window.ratio)))
        return Room(window, reply, max(0, prompt - fixed - MESSAGE_TOKENS), limits)

    def bounded(self, request: Request, room: Room) -> Request | OutOfCapacity:
        """Return a request that wants no more than can be written, or that this is no answer.

        How full the window is, is what the provider counted of the last request, and estimated for what is new.
        """
        if room.limits is None or room.window <= 0:
            return request
        used = self._window.used_tokens(ESTIMATE.of_request(request))
        occupancy, limits = Occupancy(room.window, min(room.window, used)), room.limits
        capacity, wanted = output_capacity(occupancy, limits), request.max_tokens
        known = [each for each in (wanted, limits.longest_tokens, limits.stall_tokens) if each is not None]
        if capacity < min([LEAST_TOKENS, *known]):
            return OutOfCapacity(capacity, occupancy)
        return replace(request, max_tokens=capacity if wanted is None else min(wanted, capacity), is_bounded=True)

    def excess(self, session: Session, since: int, room: Room, task: int) -> list[Sequence[Shown]]:
        """Return the stretches of a session that have to make room, oldest first."""
        if room.transcript is None:
            return []
        return stretches(self.transcript.since(session, since), room.transcript, keep=task)

    def messages(self, session: Session, since: int, room: Room) -> tuple[Message, ...]:
        """Return the messages of a session from a row on, as they fit."""
        shown = self.transcript.since(session, since)
        if room.transcript is None or sum(each.tokens for each in shown) <= room.transcript:
            return messages_of(shown)
        return clipped(messages_of(shown), room.transcript)

    def taught(self, text: str, counted: int, room: Room) -> int:
        """Return the window that a refusal for its length teaches."""
        return self._window.taught(text, counted, room.reply)


def fixed_tokens(prompt: Prompt, tools: tuple[Mapping[str, Any], ...]) -> int:
    """Return the estimated tokens of a request before anything was said."""
    return ESTIMATE.of_request(Request(prompt.messages(), tools=tools))


def parts_of(prompt: Prompt, transcript: Iterable[Message], tools: tuple[Mapping[str, Any], ...]) -> dict[str, int]:
    """Return the estimated tokens of each part of a request: those of its prompt, what was said, and the tools."""
    rest = {
        "transcript": sum(map(ESTIMATE.of_message, transcript)),
        "tools": sum(ESTIMATE(str(tool)) for tool in tools),
    }
    return {**prompt.tokens(ESTIMATE), **{name: tokens for name, tokens in rest.items() if tokens}}
