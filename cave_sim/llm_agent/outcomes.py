"""Telling a mind what came of its requests to tools with effects: each once, as a row that can be seen."""

from __future__ import annotations

from cave_sim.determinism.canonical_json import to_json
from cave_sim.llm_agent import feedback
from cave_sim.session.session import Session
from cave_sim.world.effects import as_plain, effects_of
from cave_sim.world.state import WorldState


class Outcomes:
    """What one mind was told of; it is found out from its session, so that a resumed one is told nothing twice."""

    def __init__(self) -> None:
        self._session: str = ""
        self._tickets_told: set[str] = set()

    def tell(self, session: Session, world: WorldState, agent: str) -> None:
        """Append a row of kind ``tool_result`` for each outcome of an agent's requests that it was not told of.

        What the tool said stands between tags as data.
        """
        outcomes = effects_of(world).outcomes
        if not any(each["agent"] == agent for each in outcomes.values()):
            return
        if self._session != session.id:
            self._session = session.id
            self._tickets_told = {str(row.data["ticket"]) for row in session.rows if "ticket" in row.data}
        for ticket, entry in outcomes.items():
            if entry["agent"] == agent and ticket not in self._tickets_told:
                outcome = as_plain(entry)
                result_text = outcome.get("error") or to_json(outcome.get("result")).decode()
                text = f"{outcome['tool']} ({ticket}): {outcome['status']}\n" + feedback.framed(
                    "tool_result", result_text
                )
                data = {"ticket": ticket, "tool": outcome["tool"], "status": outcome["status"]}
                clock = world.clock
                session.append("tool_result", text, step=clock.step, time_s=clock.time_s, data=data)
                self._tickets_told.add(ticket)
