"""Mind: an agent that asks a language model and acts by the code in its replies (CaveAgent §3, Alg. 1).

What it says and hears is its session, the semantic stream; what its cells do is the world's and its namespace's, the
runtime stream. The loop is one method, :meth:`LLMAgent.converse`.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from cave_sim.changes.turn import Turn
from cave_sim.llm_agent import feedback
from cave_sim.llm_agent.prompted_agent import PromptedAgent
from cave_sim.llm_agent.stalls import is_code
from cave_sim.models.base import Reply, Request, Usage
from cave_sim.models.code_blocks import read_reply
from cave_sim.session.compression import compress
from cave_sim.session.session import Session
from cave_sim.simulation.deliberation import Cell, Deliberation, Question, costs_of

Conversation = Generator[Question | Cell, Any, Session]


class LLMAgent(PromptedAgent):
    """Thinks with a language model: asks, runs the code of the reply, and hears what came of it."""

    session: Session

    def deliberate(self, observation: dict[str, Any]) -> Deliberation:
        """Look, think, act: what is seen becomes a row, then the loop runs."""
        self._take_wiring()
        begun = len(self.session)  # with what came of requests to tools: it is news of this step
        self._outcomes.tell(self.session, self.model.world, self.name)
        self._hear(self.perceive(observation), {"perceived": True})
        self.session = yield from self.converse(self.session, begun)

    def through(self, session: Session) -> Deliberation:
        """Go on with a session, as a part of what another agent does; comes to the session that comes out."""
        self.session = session
        self.session = yield from self.converse(session)
        return self.session

    def ask(self, text: str) -> str:
        """Say something to it, let it act, and return its last words."""
        self._hear(self.task(text))
        session = self.forward(self.session)
        return next((row.text for row in reversed(session.rows) if row.kind == "assistant"), "")

    def asked(self, text: str) -> Generator[Question | Cell, Any, str]:
        """Hear another agent, let it act within that one's turn, and return its last words."""
        self._take_wiring()
        self._hear(self.task(text))
        heard = len(self.session)
        self.session = yield from self.converse(self.session)
        own_texts = [
            row.text for row in self.session.rows.since(min(heard, len(self.session))) if row.kind == "assistant"
        ]
        return own_texts[-1] if own_texts else ""

    def respond(self, text: str, *, about: str = "", since: int | None = None) -> Generator[Question, Any, str | None]:
        """Hear a question and answer it in words: no cell runs, whatever the answer holds.

        Args:
            text: what is said to it.
            about: what is asked, for agents whose memories come to mind by it.
            since: the row from which on its session is repeated to a model that is not told everything each time.

        Returns:
            The answer; None if the model failed.
        """
        begun = len(self.session) if since is None else since
        self._hear(text)
        heard = len(self.session)
        yield from self._listen(self.session, begun)
        own_texts = [row.text for row in self.session.rows.since(heard) if row.kind == "assistant"]
        return "".join(own_texts) if own_texts else None

    def converse(self, session: Session, begun: int | None = None) -> Conversation:
        """Go through with what was said from row ``begun`` on, or last; a context state notes then what lasts of it."""
        begun = max(0, len(session) - 1) if begun is None else begun
        if self.context == "state":
            self._tracker.tell_of(session, self.there(), only_changes=self.logs_only_changes)
        session = yield from self._loop(session, begun)
        if self.context == "state":
            request = self._tracker.request(session, self._key()) if self.habits.tracker == "model" else None
            bounded = request and self._context_window.bounded(request, self._room(session, 0, begun))
            reply = (yield Question(self.llm, bounded)) if isinstance(bounded, Request) else None
            self._tracker.note(session, reply, self.track, self.habits.state_tokens)
        return session

    def _loop(self, session: Session, begun: int) -> Conversation:
        """Ask, run the code of the reply, feed back its result; until a plain answer or a limit."""
        failures = feedback.Failures()
        failing_from, cells = len(session), 0
        while True:
            spoken_from = len(session)
            cell = yield from self._listen(session, begun)
            if not cell.code:
                return session
            turn = yield cell
            self._feed_back(session, turn)
            cells += 1
            is_enough = failures.note(turn)
            if failures.times == 1:
                failing_from = spoken_from
            if is_enough:
                failing = self._context_window.transcript.since(session, failing_from)
                compress(session, failing, feedback.repeated(failures.error, failures.times), "failures")
                return session
            if cells >= self.habits.max_cells or (turn.committed and self.habits.until_landed):
                return session

    def _listen(self, session: Session, begun: int) -> Generator[Question, Any, Cell]:
        """Ask for a cell to run, "" if nothing is to be done; truncated and empty replies are followed up."""
        text, usage, cost_usd = "", Usage(), 0.0
        for tries_left in reversed(range(self._stalls.continuations(session, self.habits.continuations) + 1)):
            reply, about = yield from self._ask(session, begun)
            if not isinstance(reply, Reply):
                session.append("model_error", str(reply), data=about)
                return Cell("")
            session.append("assistant", reply.text, usage=reply.usage, data=about)
            if reply.is_withheld:  # half an answer is nobody's decision
                why = reply.refusal or f"the provider ended it: {reply.finish_reason}"
                session.append("model_error", f"Your reply was withheld, and none of its code ran: {why}")
                self.model.note("withheld", {"agent": self.name, "why": why[:200]})
                return Cell("")
            text, usage, cost_usd = text + reply.text, usage + reply.usage, cost_usd + (reply.cost_usd or 0.0)
            reading = read_reply(text)
            can_render = "render" in self.model.world.tools
            follow_up = self._stalls.follow_up(session, reading, reply, can_render=can_render) if tries_left else ""
            if not follow_up:
                cell = reading.cell(only_first=self.habits.only_first, unclosed=not reply.is_truncated)
                if not cell and (reply.is_truncated or not text.strip() or "``" in text):  # code that cannot be found
                    self.model.note("no_code", {"agent": self.name, "reply": text[-200:], "why": reply.finish_reason})
                if reply.is_truncated:
                    self.model.calls.note_cut(self.name, self.model.world.clock.step, has_cell=is_code(cell))
                return Cell(cell, costs_of(reply.model, usage, cost_usd))
            session.append("user", follow_up)
            text = text if reply.is_truncated else ""
        raise AssertionError("the last try has no follow-up")

    def _feed_back(self, session: Session, turn: Turn) -> None:
        """Record the result of a cell, and put output that was too long to show into a variable."""
        text = feedback.of_turn(turn, limit_chars=self.habits.output_chars)
        for name, output in text.keep.items():
            if self.inside is not None:
                self.gave_itself[name] = output
            else:
                self.inject(name, output)  # its model knows; in the API it would change the front of every prompt
                self.model.world.tools.pop(f"{self.name}.{name}", None)
        session.append("cell", turn.code, data={"turn": turn.id, "status": turn.status})
        session.append("output" if turn.committed else "error", text.text)
