"""CodeAct: an agent that acts by code and hears text, with no objects going in or coming out.

It is the code agent of Wang et al. 2024 as CaveAgent §4.4 compares with it: the same loop, world and functions as an
:class:`~cave_sim.llm_agent.llm_agent.LLMAgent`, and variables that stay for as long as the conversation does; but
nothing is injected into its namespace, nothing is retrieved from it, and what is too long to be shown is not kept for
it. Whatever it delivers it has to print, and what it printed it has read.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NoReturn

from cave_sim.changes.turn import Turn
from cave_sim.errors import WorldError
from cave_sim.llm_agent import feedback
from cave_sim.llm_agent.habits import Habits
from cave_sim.llm_agent.llm_agent import LLMAgent
from cave_sim.session.session import Session

DELIVERY = """\
Nobody can look into your variables: work on what the functions above return, and hand it back by them. If you are
asked to deliver something under a name, let your code print it as one line: print(json.dumps({"that name": value}))."""


class CodeAct(LLMAgent):
    """Thinks with a language model and acts by code, through text alone. Takes what a Mind takes."""

    habits: Habits = replace(LLMAgent.habits, output_chars=1_000_000)

    def instructions(self) -> str:
        return f"{super().instructions()}\n{self.wording('delivery', DELIVERY)}"

    def remind(self) -> Mapping[str, str]:
        return {"names": super().remind()["names"]}  # and not its variables

    def inject(self, name: str, value: Any, about: str = "") -> NoReturn:
        """Refuse: raises WorldError."""
        raise WorldError(f"{self.name} takes no objects, so {name!r} cannot be injected: offer it as a function's text")

    def retrieve(self, name: str) -> NoReturn:
        """Refuse: raises WorldError."""
        raise WorldError(f"{self.name} hands out no objects: {name!r} is in what it printed, or nowhere")

    def _feed_back(self, session: Session, turn: Turn) -> None:
        text = feedback.of_turn(turn, limit_chars=self.habits.output_chars)
        session.append("cell", turn.code, data={"turn": turn.id, "status": turn.status})
        session.append("output" if turn.committed else "error", text.text)
