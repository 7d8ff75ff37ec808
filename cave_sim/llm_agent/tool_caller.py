"""What minds share that act by calls of tools, in place of code: how they come to a reply that is one."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from dataclasses import replace
from typing import Any

from cave_sim.llm_agent.llm_agent import LLMAgent
from cave_sim.models.base import Reply, Usage
from cave_sim.session.session import Session
from cave_sim.simulation.deliberation import Question


class ToolCaller(LLMAgent):
    """Thinks with a language model and acts by calls. Override :meth:`read`, :meth:`acts` and :meth:`row_data`."""

    def read(self, reply: Reply) -> Reply:
        """Return a reply with the calls that it makes."""
        return reply

    def acts(self, reply: Reply) -> bool:
        """Say whether a reply does something, and is not words alone."""
        return bool(reply.tool_calls)

    def row_data(self, reply: Reply) -> Mapping[str, Any]:
        """Return what the row of a reply is to say of it besides."""
        return {}

    def _answer(self, session: Session, begun: int) -> Generator[Question, Any, Reply | None]:
        """Ask until a reply acts or says something whole; one that is empty or was cut off is asked for anew, shorter.

        Returns:
            The reply, with what all of them took; None if the model failed.
        """
        usage, cost_usd = Usage(), 0.0
        for tries_left in reversed(range(self._stalls.continuations(session, self.habits.continuations) + 1)):
            reply, about = yield from self._ask(session, begun)
            if not isinstance(reply, Reply):
                session.append("model_error", str(reply), data=about)
                return None
            reply = self.read(reply)
            session.append("assistant", reply.text, usage=reply.usage, data={**about, **self.row_data(reply)})
            usage, cost_usd = usage + reply.usage, cost_usd + (reply.cost_usd or 0.0)
            acts = self.acts(reply)
            follow_up = "" if acts or not tries_left else self._stalls.follow_up_to_caller(session, reply)
            if not follow_up:
                if reply.is_truncated:
                    self.model.calls.note_cut(self.name, self.model.world.clock.step, has_cell=acts)
                return replace(reply, usage=usage, cost_usd=cost_usd)
            session.append("user", follow_up)
        raise AssertionError("the last try has no follow-up")
