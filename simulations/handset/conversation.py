"""One conversation: in each step the owner says something, and the assistant acts and answers."""

from __future__ import annotations

from typing import Any, Literal

from cave_sim import Simulation
from cave_sim.agents.tool_user import Kit, ToolUser
from cave_sim.experiment.partner import Partner, PartnerBrief
from cave_sim.experiment.talk_judge import JudgedTalk, TalkJudge
from cave_sim.llm_agent.habits import Habits
from cave_sim.llm_agent.tool_texts import Schemas
from cave_sim.models.base import Context
from cave_sim.session.session import Session
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
OWNER, ASSISTANT, JUDGE = "owner", "assistant", "judge"


class OwnersAssistant(ToolUser):
    """Hears the owner once a step, until they say that they have what they wanted."""

    session: Session

    def deliberate(self, observation: dict[str, Any]) -> Deliberation:
        """Let the owner speak; act, and answer. What was said is in the sessions, so a resumed run goes on."""
        owner = self.model.by_name[OWNER]
        assert isinstance(owner, Partner)
        if is_over(owner):
            return
        answers = [row.text for row in self.session if row.kind == "assistant"]
        request = yield from owner.respond(answers[-1] if answers else "What can I do for you?")
        if request and not owner.stops(request):
            self._hear(request)
            self.session = yield from self.converse(self.session)


def is_over(owner: Partner) -> bool:
    """Say whether an owner has what they wanted, or has said as much as they may."""
    words = [row.text for row in owner.session if row.kind == "assistant"]
    return bool(words) and (owner.stops(words[-1]) or len(words) >= owner.brief.most_turns)


def brief_of(scenario: HandsetScenario) -> PartnerBrief:
    """Return what an owner is told: at first they are vague, then they say what they want, bit by bit."""
    wants = [scenario.vague, *(ask.said for ask in scenario.asks)]
    lines = [f"{number}. {text}" for number, text in enumerate(wants, 1)]
    return PartnerBrief("\n".join([GOAL, *lines]), persona=scenario.persona, most_turns=len(wants) + 1)


def agents(
    simulation: Simulation,
    scenario: HandsetScenario,
    variant: Variant,
    *,
    judged: bool = False,
    tracker: Literal["rules", "model"] = "rules",
) -> list[Any]:
    """Return the owner and the assistant of a conversation, and who judges it if it is to be judged."""
    schemas, context = VARIANTS[variant]
    kit = Kit("phone", schemas, larger=simulation.llm)
    habits: Habits = Habits(max_cells=4, context=context, max_tokens=300, state_tokens=2_000, tracker=tracker)
    assistant = OwnersAssistant(simulation, ASSISTANT, kit, habits=habits)
    owner = Partner(simulation, OWNER, brief_of(scenario))

    def talk() -> JudgedTalk | None:
        return judged_talk(scenario, assistant, owner.brief.goal) if is_over(owner) else None

    return [assistant, owner, *([TalkJudge(simulation, JUDGE, talk)] if judged else [])]


def judged_talk(scenario: HandsetScenario, assistant: ToolUser, wants: str) -> JudgedTalk:
    """Return what a judge reads of a conversation: what was said and called, and not the schemas in between."""
    roles = {"user": "user", "assistant": "assistant", "tool_result": "tool"}
    rows = [row for row in assistant.session if row.kind in roles and "schema" not in row.data]
    refused = [ask.said for ask in scenario.asks if ask.fails]
    return JudgedTalk(
        f"The person is {scenario.persona}. {wants}",
        f"the device refuses this, however it is asked for: {' '.join(refused)}" if refused else "",
        scenario.sequence,
        [{"role": roles[row.kind], "content": row.text} for row in rows],
        assistant.tool_names,
    )
