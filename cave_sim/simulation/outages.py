"""Outages: telling a provider that is down, which a run waits for, from a request that alone has failed."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from cave_sim.diagnostics.plurals import counted
from cave_sim.errors import CaveSimError
from cave_sim.models.base import OF_PROVIDER, Key, Message, ModelError, Reply, Request
from cave_sim.models.client import Answer, Asker
from cave_sim.models.wrapped import Wrapped
from cave_sim.simulation.deliberation import Question

SURE = 3
"""So many failures in a step, and not one reply, are an outage without looking any closer."""
LOOKS, PATIENCE_S = 3, 60.0
"""How many tiny questions are asked to look closer, and how long they may take."""


class ProviderOutage(CaveSimError):
    """A model's provider answers nobody. Nothing of the step is committed; the run can be resumed.

    Attributes:
        model: who was asked.
        failed: how many questions of the step got no reply.
    """

    def __init__(self, model: str, failed: int, message: str) -> None:
        questions = counted(failed, "question")
        super().__init__(
            f"outage: {model} answers nobody ({questions} of this step got no reply): {message.rstrip('. ')}."
            " Nothing is lost: the step was not committed, and a resumed run goes on at these very questions"
        )
        self.model = model
        self.failed = failed
        self.message = message

    def __reduce__(self) -> tuple[type[ProviderOutage], tuple[str, int, str]]:
        return type(self), (self.model, self.failed, self.message)

    def why(self) -> dict[str, str]:
        """Return why a run stopped, for its manifest."""
        return {"outage": self.model, "message": str(self)}


class Outages:
    """Looks at what came of the questions of a step, model by model."""

    def __init__(self) -> None:
        self._replies: set[int] = set()
        self._failures: dict[int, set[Key]] = {}

    def begin_step(self) -> None:
        """Forget the step before."""
        self._replies, self._failures = set(), {}

    def unanswered(self, questions: Sequence[Question], answers: Sequence[Answer], asker: Asker) -> list[int]:
        """Take in the answers of a round; return which questions their providers failed, though they answer others.

        Args:
            questions: what was asked.
            answers: what came of each.
            asker: asks for a sign of life where it is in doubt.

        Raises:
            ProviderOutage: a model answers nobody.
        """
        models = [id(question.model) for question in questions]
        self._replies |= {model for model, answer in zip(models, answers, strict=True) if isinstance(answer, Reply)}
        failed = [place for place, answer in enumerate(answers) if _is_of_provider(answer)]
        by_model: dict[int, list[int]] = {}
        for place in failed:
            by_model.setdefault(models[place], []).append(place)
        for model, places in by_model.items():
            failures = self._failures.setdefault(model, set())
            failures |= {questions[place].request.key for place in places}
            is_sure = len(failures) >= SURE and model not in self._replies
            question = questions[places[-1]]
            if is_sure or not _lives(question, asker):
                raise ProviderOutage(question.model.name, len(failures), str(answers[places[-1]]))
        return failed


def _is_of_provider(answer: Answer) -> bool:
    return isinstance(answer, ModelError) and answer.kind in OF_PROVIDER and not answer.is_recorded


class _Soon(Wrapped):
    """A model that is not waited for any longer than a sign of life may take."""

    async def reply(self, request: Request) -> Reply:
        try:
            async with asyncio.timeout(PATIENCE_S):
                return await self.model.reply(request)
        except TimeoutError:
            raise ModelError("timeout", f"{self.name}: no sign of life within {PATIENCE_S:g} s") from None
        except ModelError:
            raise
        except Exception as error:  # a script that can make nothing of the question is there, at least
            return Reply(f"{type(error).__name__}")


def _lives(failed: Question, asker: Asker) -> bool:
    """Ask for a sign of life; any word that is about the question itself is one."""
    questions = [
        Request(
            (Message("user", "Say: yes"),), max_tokens=16, key=Key("", "sign of life", failed.request.key.step, number)
        )
        for number in range(LOOKS)
    ]
    answers = asker.ask_all((_Soon(failed.model), question) for question in questions)
    return any(not (isinstance(answer, ModelError) and answer.kind in OF_PROVIDER) for answer in answers)
