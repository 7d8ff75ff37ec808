"""A scripted model that falls silent as real ones do, by a curve that is known."""

from __future__ import annotations

from dataclasses import replace

from cave_sim.capacity.output_capacity import Occupancy, OutputLimits, output_capacity
from cave_sim.models.base import ModelError, Reply, Request
from cave_sim.models.scripted import Script, ScriptedModel
from cave_sim.models.tokens import ESTIMATE, TokenCounter

CUT_OFF_UP_TO = 1.5
"""What is so much longer than the capacity is cut off; what is longer still never begins."""


class StallingModel(ScriptedModel):
    """Writes what its script says, as far as its capacity goes; it has no other trait of a real model.

    An answer that fits is whole. One that is up to half as long again is cut off at the capacity, and says so. A longer
    one does not come at all: an empty reply and no error, as in the incident of the paper (Gen-Pilot, §2).

    Args:
        script: see :data:`~cave_sim.models.scripted.Script`.
        limits: its capacity; its window must be known.
        counter: counts tokens.
    """

    def __init__(self, script: Script, limits: OutputLimits, *, counter: TokenCounter = ESTIMATE) -> None:
        super().__init__(
            script,
            counter=counter,
            window_tokens=limits.window_tokens,
            longest_output_tokens=limits.longest_tokens,
            name=limits.model or "scripted-stalling",
        )
        self.limits = limits

    async def reply(self, request: Request) -> Reply:
        reply = await super().reply(request)
        read = reply.usage.prompt_tokens
        if read > self.window_tokens:
            raise ModelError("too_long", f"{read:,} tokens do not fit into a context window of {self.window_tokens:,}")
        capacity = output_capacity(Occupancy(self.window_tokens, read), self.limits)
        wanted = self.counter(reply.text)
        if wanted > CUT_OFF_UP_TO * capacity:
            return replace(reply, text="", usage=replace(reply.usage, completion_tokens=0))
        allowed = capacity if request.max_tokens is None else min(capacity, request.max_tokens)
        if wanted <= allowed:
            return reply
        text = reply.text[: len(reply.text) * allowed // wanted]
        usage = replace(reply.usage, completion_tokens=self.counter(text))
        return replace(reply, text=text, usage=usage, finish_reason="length")
