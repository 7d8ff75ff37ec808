"""The calls of a simulation to its language models. Every call is within budget, recorded, and paid once.

A model that fails an agent costs that agent its turn and nobody else anything; an agent whose calls keep failing is put
in quarantine, so that a run does not wait for it for ever.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from cave_sim.models.base import Model, ModelError
from cave_sim.models.budget import Budgeted, BudgetReached, Budgets
from cave_sim.models.cassette import Cassette, Recalled, RecordingModel
from cave_sim.models.client import Answer, Asker
from cave_sim.simulation.deliberation import Question

QUARANTINE_AFTER = 5
"""Failed calls of one agent in a row after which it is no longer asked."""

Note = Callable[[str, dict[str, Any]], None]
Sink = Callable[..., object]


class ModelCalls:
    """Asks models on behalf of agents.

    Args:
        budgets: what may be spent; nothing is limited unless given.
        note: takes what should be known of a run, such as a budget that was reached.
        sink: takes each call as it ends, as plain data, and whether it was ``reused`` from another run.

    Attributes:
        unfinished: calls of a step that never ended, which a resumed run need not pay again.
        inherited: calls of the run that this one branched from, which need no asking where nothing has changed.
        spent_out: the budget of the whole run that was reached; None while there is something left of each.
    """

    def __init__(self, budgets: Budgets | None, note: Note, sink: Sink) -> None:
        self.budgets = budgets or Budgets()
        self.unfinished: Cassette | None = None
        self.inherited: Cassette | None = None
        self.spent_out: BudgetReached | None = None
        self._note = note
        self._sink = sink
        self._asker: Asker | None = None
        self._wrappers: dict[int, tuple[Model, Model]] = {}
        self._failures: dict[str, int] = {}

    @property
    def quarantined(self) -> frozenset[str]:
        """The agents that are no longer asked."""
        return frozenset(agent for agent, times in self._failures.items() if times >= QUARANTINE_AFTER)

    def begin_step(self) -> None:
        """Open the budgets of a step."""
        self.budgets.begin_step()

    def ask(self, questions: Iterable[Question]) -> list[Answer]:
        """Ask everything at once; returns what came of each question, in their order.

        Raises:
            BudgetReached: that of the whole run; what was answered is recorded, and not asked again when it goes on.
        """
        pending = list(questions)
        if self._asker is None:
            self._asker = Asker()
        answers = self._asker.ask_all((self._wrapped(question.model), question.request) for question in pending)
        for question, answer in zip(pending, answers, strict=True):
            self._count(question.request.key.agent, answer)
        if self.spent_out is not None:
            raise self.spent_out
        return answers

    def close(self) -> None:
        """Close the models' connections."""
        if self._asker is not None:
            self._asker.close()
            self._asker = None

    def to_data(self) -> dict[str, Any] | None:
        """Return what was spent and who failed, as plain data; None if nobody was ever asked."""
        if not self._wrappers:
            return None
        return {"spent": self.budgets.to_data(), "failures": dict(sorted(self._failures.items()))}

    def restore(self, data: Mapping[str, Any]) -> None:
        """Go on from what :meth:`to_data` returned."""
        self.budgets.restore(data["spent"])
        self._failures = dict(data["failures"])

    def _wrapped(self, model: Model) -> Model:
        """Return a model with all that a run adds to it: recording, replies that are known already, budgets."""
        wrapper = self._wrappers.get(id(model))
        if wrapper is None:
            wrapper = self._wrappers[id(model)] = model, self._wrap(model)
        return wrapper[1]

    def _wrap(self, model: Model) -> Model:
        wrapped: Model = RecordingModel(model, self._sink)
        if self.unfinished is not None:
            wrapped = Recalled(wrapped, self.unfinished)
        wrapped = Budgeted(wrapped, self.budgets)
        return wrapped if self.inherited is None else Recalled(wrapped, self.inherited, self._reuse)

    def _reuse(self, call: dict[str, Any]) -> None:
        self._sink(call, reused=True)

    def _count(self, agent: str, answer: Answer) -> None:
        """Take in what came of a call: a budget that was reached, or one more failure in a row."""
        if isinstance(answer, BudgetReached):
            if answer.scope == "run":
                self.spent_out = self.spent_out or answer
            else:
                self._note("budget_reached", {"agent": agent, "message": str(answer)})
            return
        if not isinstance(answer, ModelError):
            self._failures.pop(agent, None)
            return
        times = self._failures[agent] = self._failures.get(agent, 0) + 1
        self._note("model_failed", {"agent": agent, "kind": answer.kind, "message": answer.message})
        if times == QUARANTINE_AFTER:
            self._note("quarantined", {"agent": agent, "failures": times})
