"""Judges of talks: a mind that reads how an assistant served somebody, and rates it from 1 to 5.

After "Efficient on-device agents" (§3.4, §4.2, A.5), in words of our own. A judge is a mind like any other: it is asked
through the simulation, so that its call is recorded, within budget and paid once, and it may have a model of its own,
the one that ``--models FILE`` names under its name. It speaks once, when the talk is over, and what it said becomes a
row of kind ``rating`` in its session, which evaluations and the writer of training data read.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from cave_sim.determinism.canonical_json import from_json, to_json
from cave_sim.llm_agent.habits import Habits
from cave_sim.llm_agent.llm_agent import LLMAgent
from cave_sim.models.base import Model
from cave_sim.simulation.deliberation import Deliberation
from cave_sim.simulation.simulation import Simulation

KIND = "rating"
"""The kind of the row that a judge's session ends with."""
LEAST, MOST = 1, 5
TRIES = 2
"""So often a judge is asked, the second time with what could not be read."""
KEYS = {"classification", "assistant_quality_score", "feedback"}
RULES = f"""\
You judge talks between a person and the assistant on their device. Judge the ASSISTANT alone, and be strict.
- Natural: does it answer as a helpful person would, and say what came of what it did?
- Tools: does it take the right tool, at the right time?
- Arguments: do their values make sense, and come from what was said?
- Asking back: where something was missing, did it ask before it called?
- The wish: did it do what could be done for what the person wants, so that they have it with little trouble?
- Grounds: did it make nothing up?
classification: 1 if the whole talk hangs together and is good enough to learn from, 0 if something is seriously wrong.
assistant_quality_score: from {LEAST} (poor) to {MOST} (as it should be).
Answer with one JSON object and nothing else:
{{"classification": 0 or 1, "assistant_quality_score": {LEAST} to {MOST}, "feedback": "why; what went wrong, if so"}}"""


@dataclass(frozen=True)
class JudgedTalk:
    """What a judge reads.

    Attributes:
        wish: what the person wants, and how they are.
        notes: what is to be known of it; "" for nothing.
        expected: the right tools, in order.
        talk: what was said and done, message by message, as plain data.
        tools: those that the assistant knew of.
    """

    wish: str
    notes: str
    expected: Sequence[str]
    talk: Sequence[Mapping[str, Any]]
    tools: Sequence[str]

    def text(self) -> str:
        """Return it as the judge is sent it."""
        return "\n\n".join(
            [
                f"1. What the person wants:\n{self.wish}",
                f"2. Notes: {self.notes or 'none'}",
                f"3. Tools that it takes, in order: {', '.join(self.expected) or 'none'}",
                f"4. The talk, as JSON:\n{to_json(list(self.talk)).decode()}",
                f"5. Tools that the assistant knew of: {', '.join(self.tools) or 'none'}",
            ]
        )


@dataclass(frozen=True)
class TalkRating:
    """What a judge says of a talk.

    Attributes:
        suitable: whether it is good enough to learn from.
        score: of the assistant, 1 to 5.
        feedback: why.
    """

    suitable: bool
    score: int
    feedback: str


def read_rating(text: str) -> TalkRating:
    """Return the rating that a reply holds; raises ValueError, which says what is wrong, if it holds none."""
    found = re.search(r"\{.*\}", text, re.DOTALL)
    try:
        data = from_json(found[0]) if found else None
    except (ValueError, TypeError):
        data = None
    if not isinstance(data, dict):
        raise ValueError("there is no JSON object in it")
    if lacking := sorted(KEYS - data.keys()):
        raise ValueError(f"it lacks {', '.join(lacking)}")
    suitable, score, feedback = (data[key] for key in ("classification", "assistant_quality_score", "feedback"))
    if type(suitable) is not int or suitable not in (0, 1):
        raise ValueError(f"classification is {suitable!r}, not 0 or 1")
    if type(score) is not int or not LEAST <= score <= MOST:
        raise ValueError(f"assistant_quality_score is {score!r}, not a whole number from {LEAST} to {MOST}")
    if not isinstance(feedback, str):
        raise ValueError("feedback is no text")
    return TalkRating(bool(suitable), score, feedback)


class TalkJudge(LLMAgent):
    """Rates one talk, once it is over.

    Args:
        simulation: the model it belongs to.
        name: under which it is asked.
        talk: returns what is to be judged, or None while the talk goes on.
        llm: the language model that judges; that of the simulation unless given.
    """

    habits: Habits = Habits(max_tokens=400, context="full")

    def __init__(
        self, simulation: Simulation, name: str, talk: Callable[[], JudgedTalk | None], *, llm: Model | None = None
    ) -> None:
        super().__init__(simulation, name, llm=llm)
        self._talk = talk

    def identity(self) -> str:
        return self.wording("judge", RULES)

    def front(self) -> Mapping[str, str]:
        return {"identity": self.identity()}

    def remind(self) -> Mapping[str, str]:
        return {}

    def moment(self) -> str:
        return ""

    def deliberate(self, observation: dict[str, Any]) -> Deliberation:
        """Rate the talk if it is over and was not rated. What it said is in its session, so a resumed run goes on."""
        talk = None if any(row.kind == KIND for row in self.session) else self._talk()
        if talk is None:
            return
        asked, why, begun = talk.text(), "", len(self.session)
        for _ in range(TRIES):
            reply = yield from self.respond(asked, since=begun)
            try:
                rating = read_rating(reply or "")
            except ValueError as error:
                why = str(error) if reply else "its model gave no answer"
                asked = f"That is no rating: {why}. Answer with the one JSON object, and nothing else."
                continue
            self.session.append(KIND, f"{rating.score} of {MOST}", data={**asdict(rating), "by": self._answered_by()})
            return
        self.session.append(KIND, f"no rating: {why}", data={"unreadable": why, "by": self._answered_by()})

    def _answered_by(self) -> str:
        """Return the name of the model that answered: models may differ by agent, and behind one name."""
        answers = (row.data.get("model") for row in reversed(self.session.rows) if row.kind == "assistant")
        return next(filter(None, answers), self.llm.name)

    @property
    def rating(self) -> TalkRating | None:
        """What it said of the talk; None if it said nothing that could be read, or nothing so far."""
        return next((rating_of(row.data) for row in self.session if row.kind == KIND), None)


def rating_of(data: Mapping[str, Any]) -> TalkRating | None:
    """Return the rating of a row; None if the judge gave none that could be read."""
    return None if "unreadable" in data else TalkRating(data["suitable"], data["score"], data["feedback"])
