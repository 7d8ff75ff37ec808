"""What a resident's mind can do beyond looking and acting; each can be switched, to see what it is good for."""

from collections.abc import Iterable
from dataclasses import dataclass, fields, replace
from typing import Any

from cave_sim import WorldError
from cave_sim.agents.remembering import by_kind
from cave_sim.session.importance import Importance


@dataclass(frozen=True)
class Faculties:
    """The parts of the Generative Agents architecture (Park et al. 2023, §4), and two that save tokens.

    Attributes:
        memory: what happened is committed to memory, and what fits the moment comes to mind (§4.1).
        reflection: conclusions are drawn once enough has happened (§4.2).
        plans: each day begins with a plan (§4.3).
        plans_anew: a plan with lines that were missed is made again (§4.3.1).
        conversation: being spoken to is a reason to look up from what one does (§4.3.2).
        dialogues: who is spoken to answers at once, so that a talk goes to and fro within one step (§4.3.2).
        relationships: what one thinks of those who are there, from reflection (§4.3.2).
        deltas: only what has changed since the last look is told; otherwise everything, each time.
        rests: those who are busy or on their way are asked only when something asks for them.
        questions: to reflect, one first asks oneself what can be concluded, and concludes from what each question
            brings to mind, as the paper does; otherwise from the latest memories at once. Off unless switched on.
        hours: the hour ahead is broken down into tasks, and thought over again when something happens (§4.3). Off
            unless switched on.
        rating: a model says how much memories matter, several in one question (§4.1). Off unless switched on.
        importance: the rule that says how much an event matters before, or without, any rating.
        answers: how often one answers within a step. With the opening, two people come to nine lines; the paper's
            come to eight.
        recalls: how many memories come to mind at once.
        reflects_at: summed importance of events at which one reflects. The paper's 150 is for importances that a
            model gives; ours are lower.
    """

    memory: bool = True
    reflection: bool = True
    plans: bool = True
    plans_anew: bool = True
    conversation: bool = True
    dialogues: bool = True
    relationships: bool = True
    deltas: bool = True
    rests: bool = True
    questions: bool = False
    hours: bool = False
    rating: bool = False
    importance: Importance = by_kind
    answers: int = 4
    recalls: int = 3
    reflects_at: float = 60.0

    def without(self, *names: str) -> "Faculties":
        """Return the same with some switched off; raises WorldError for a name that is none of them."""
        return self._switched(names, on=False)

    def having(self, *names: str) -> "Faculties":
        """Return the same with some switched on; raises WorldError for a name that is none of them."""
        return self._switched(names, on=True)

    def _switched(self, names: Iterable[str], *, on: bool) -> "Faculties":
        switches = [each.name for each in fields(self) if each.type in (bool, "bool")]
        for name in names:
            if name not in switches:
                raise WorldError(f"there is no faculty {name!r}; there are {', '.join(switches)}")
        switched: dict[str, Any] = dict.fromkeys(names, on)
        return replace(self, **switched)
