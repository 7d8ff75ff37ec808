"""One conversation: in each step the owner says something, and the assistant acts and answers."""

from __future__ import annotations

from typing import Any, Literal

from cave_sim import Simulation
from cave_sim.agents.tool_user import Kit, ToolUser
from cave_sim.experiment.partner import Partner, PartnerBrief
from cave_sim.llm_agent.habits import Habits
from cave_sim.llm_agent.tool_texts import Schemas
from cave_sim.models.base import Context
from cave_sim.simulation.deliberation import Deliberation
from cave_sim.simulations.handset.roles import GOAL
from cave_sim.simulations.handset.scenarios import HandsetScenario

Variant = Literal["reference", "baseline", "tool_efficient", "memory_efficient", "combined"]
VARIANTS: dict[Variant, tuple[Schemas, Context]] = {
    "reference": ("openapi", "full"),
    "baseline": ("minified", "full"),
    "tool_efficient": ("menu", "full"),
    "memory_efficient": ("minified", "state"),
    "combined": ("menu", "state"),
}
"""The five of the paper (§4.1), as ways of prompting: how tools are told, and how much of what was said is repeated."""
OWNER, ASSISTANT = "owner", "assistant"


class OwnersAssistant(ToolUser):
    """Hears the owner once a step, until they say that they have what they wanted."""

    def deliberate(self, observation: dict[str, Any]) -> Deliberation:
        """Let the owner speak; act, and answer. What was said is in the sessions, so a resumed run goes on."""
        owner = self.model.by_name[OWNER]
        assert isinstance(owner, Partner)
        words = [row.text for row in owner.session if row.kind == "assistant"]
        if words and owner.stops(words[-1]):
            return
        answers = [row.text for row in self.session if row.kind == "assistant"]
        said = yield from owner.respond(answers[-1] if answers else "What can I do for you?")
        if said and not owner.stops(said):
            self._hear(said)
            self.session = yield from self.converse(self.session)


def brief_of(scenario: HandsetScenario) -> PartnerBrief:
    """Return what an owner is told: at first they are vague, then they say what they want, bit by bit."""
    wants = [scenario.vague, *(ask.said for ask in scenario.asks)]
    lines = [f"{number}. {text}" for number, text in enumerate(wants, 1)]
    return PartnerBrief("\n".join([GOAL, *lines]), persona=scenario.persona, most_turns=len(wants) + 1)


def agents(simulation: Simulation, scenario: HandsetScenario, variant: Variant) -> list[Any]:
    """Return the owner and the assistant of a conversation."""
    schemas, context = VARIANTS[variant]
    kit = Kit("phone", schemas, larger=simulation.llm)
    habits = Habits(max_cells=4, context=context, max_tokens=300, state_tokens=2_000)
    return [
        OwnersAssistant(simulation, ASSISTANT, kit, habits=habits),
        Partner(simulation, OWNER, brief_of(scenario)),
    ]
