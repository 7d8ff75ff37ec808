"""The calls of a simulation to its language models. Every call is within budget, recorded, and paid once.

A request that fails costs its agent the turn and nobody else anything; an agent whose own requests keep failing is put
in quarantine, so that a run does not pay for it again and again. Where a provider answers nobody, the run stops.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from cave_sim.models.base import Key, Model, ModelError
from cave_sim.models.budget import Budgeted, BudgetReached, Budgets
from cave_sim.models.cassette import Cassette, Recalled, RecordingModel
from cave_sim.models.client import Answer, Asker
from cave_sim.models.per_agent import model_of
from cave_sim.models.step_deadline import Punctual, StepClock
from cave_sim.models.wrapped import sampling_for, step_deadline_of
from cave_sim.simulation.deliberation import Question
from cave_sim.simulation.outages import Outages, ProviderOutage
from cave_sim.simulation.quarantine import Quarantine

LOG = logging.getLogger(__name__)

Note = Callable[[str, dict[str, Any]], None]
Sink = Callable[..., object]


class ModelCalls:
    """Asks models on behalf of agents.

    Args:
        budgets: what may be spent; nothing is limited unless given.
        note: takes what should be known of a run, such as a budget that was reached.
        sink: takes each call as it ends, as plain data, and whether it was ``reused`` from another run.
        expect: told of each model before it is asked for the first time.

    Attributes:
        unfinished: calls of a step that never ended, which a resumed run need not pay again.
        inherited: calls of the run that this one branched from, which need no asking where nothing has changed.
        stopped: why the run can go no further now: its budget, or its model's provider; None while it can.
        quarantine: the agents that are left alone.
    """

    def __init__(
        self,
        budgets: Budgets | None,
        note: Note,
        sink: Sink,
        expect: Callable[[Model], None] = lambda model: None,
    ) -> None:
        self.budgets: Budgets = budgets or Budgets()
        self.unfinished: Cassette | None = None
        self.inherited: Cassette | None = None
        self.stopped: BudgetReached | ProviderOutage | None = None
        self.quarantine: Quarantine = Quarantine()
        self._note = note
        self._sink = sink
        self._expect = expect
        self._expected: dict[int, Model] = {}
        self._asker: Asker | None = None
        self._wrappers: dict[int, tuple[Model, Model]] = {}
        self._outages = Outages()
        self._clock = StepClock()
        self._dropped: set[tuple[str, tuple[str, ...]]] = set()

    def begin_step(self) -> None:
        """Open the budgets of a step; raises what the run was stopped by, if it was."""
        if self.stopped is not None:
            raise self.stopped
        self.budgets.begin_step()
        self._outages.begin_step()
        self._clock.begin()

    def end_step(self) -> None:
        """Let questions between two steps take as long as they take."""
        self._clock.end()

    def ask(self, questions: Iterable[Question]) -> list[Answer]:
        """Ask everything at once; returns what came of each question, in their order.

        Raises:
            BudgetReached: that of the whole run; what was answered is recorded, and not asked again when it goes on.
            ProviderOutage: a model answers nobody; the same holds.
        """
        pending = self._pending(questions)
        if self._asker is None:
            self._asker = Asker()
        answers = self._ask_all(pending)
        try:
            if places := self._outages.unanswered(pending, answers, self._asker):
                # Their provider answers: what befell them may be over, and nobody shall lose a turn to it.
                again = [pending[place] for place in places]
                for place, answer in zip(places, self._ask_all(again), strict=True):
                    answers[place] = answer
                self._outages.unanswered(again, [answers[place] for place in places], self._asker)
            for question, answer in zip(pending, answers, strict=True):
                self._count(question.request.key, answer)
        except (BudgetReached, ProviderOutage) as reason:
            self.stopped = reason
            raise
        return answers

    async def ask_on_loop(self, questions: Iterable[Question]) -> list[Answer]:
        """Ask as :meth:`ask` does, from a coroutine: the event loop goes on. Cancelling it gives up what is asked."""
        questions = list(questions)
        self._pending(questions)  # what is to be seen to before a model is asked belongs into the main thread
        asking = asyncio.ensure_future(asyncio.to_thread(self.ask, questions))
        try:
            return await asyncio.shield(asking)
        except asyncio.CancelledError:
            if self._asker is not None:
                self._asker.interrupt()
            await asyncio.wait([asking])
            raise

    def _pending(self, questions: Iterable[Question]) -> list[Question]:
        pending = [_as_asked(question) for question in questions]
        for question in pending:
            if id(question.model) not in self._expected:
                self._expected[id(question.model)] = question.model
                self._expect(question.model)
        return pending

    def _ask_all(self, questions: list[Question]) -> list[Answer]:
        assert self._asker is not None
        return self._asker.ask_all((self._wrapped(question.model), question.request) for question in questions)

    def close(self) -> None:
        """Close the models' connections."""
        if self._asker is not None:
            self._asker.close()
            self._asker = None

    def to_data(self) -> dict[str, Any] | None:
        """Return what was spent and who failed, as plain data; None if nobody was ever asked."""
        if not self._wrappers:
            return None
        return {"spent": self.budgets.to_data(), **self.quarantine.to_data()}

    def restore(self, data: Mapping[str, Any]) -> None:
        """Go on from what :meth:`to_data` returned."""
        self.budgets.restore(data["spent"])
        self.quarantine.restore(data)

    def _wrapped(self, model: Model) -> Model:
        """Return a model with all that a run adds to it: recording, replies that are known already, budgets."""
        wrapper = self._wrappers.get(id(model))
        if wrapper is None:
            wrapper = self._wrappers[id(model)] = model, self._wrap(model)
        return wrapper[1]

    def _wrap(self, model: Model) -> Model:
        deadline_s = step_deadline_of(model)
        answering = model if deadline_s is None else Punctual(model, deadline_s, self._clock)
        wrapped: Model = RecordingModel(answering, self._sink)
        if self.unfinished is not None:
            wrapped = Recalled(wrapped, self.unfinished)
        wrapped = Budgeted(wrapped, self.budgets)
        if self.inherited is None:
            return wrapped
        return Recalled(wrapped, self.inherited, self._reuse, failures_too=True)

    def _reuse(self, call: dict[str, Any]) -> None:
        self._sink(call, reused=True)

    def _count(self, key: Key, answer: Answer) -> None:
        """Take in what came of a call; raises BudgetReached if the whole run has nothing left."""
        if isinstance(answer, BudgetReached):
            if answer.scope == "run":
                raise answer
            self._note("budget_reached", {"agent": key.agent, "message": str(answer)})
            return
        if isinstance(answer, ModelError):
            self._note("model_failed", {"agent": key.agent, "kind": answer.kind, "message": answer.message})
        elif answer.dropped and (answer.model, answer.dropped) not in self._dropped:
            self._dropped.add((answer.model, answer.dropped))
            self._note("options_dropped", {"model": answer.model, "options": list(answer.dropped)})
            LOG.warning(
                "%s does not take %s as asked for: it is left out, or sent as another value",
                answer.model,
                ", ".join(answer.dropped),
            )
        if silence := self.quarantine.note(key.agent, answer, key.step):
            self._note("quarantined", silence)

    def note_cut(self, agent: str, step: int, *, has_cell: bool) -> None:
        """Take in whether replies that were cut off to the last came to a cell; who gets none is left alone at last."""
        if silence := self.quarantine.note_cut(agent, step, has_cell=has_cell):
            self._note("quarantined", silence)


def _as_asked(question: Question) -> Question:
    """Return a question to the model that its agent asks, drawn as that model is to draw; so it is recorded."""
    agent = question.request.key.agent
    model = model_of(question.model, agent)
    return Question(model, sampling_for(model, agent).applied_to(question.request))
