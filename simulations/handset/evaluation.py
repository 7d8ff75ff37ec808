"""The paper's measures of one conversation, and of many: precision, recall, F1, a judge's score, lengths of prompts.

"Efficient on-device agents" §4.2: precision is right calls of all calls made, recall required calls that were made. A
call is right that is one of those required which are left, whichever is next: its arguments are those of the truth, by
kind, too (``7.0`` is not ``7``). The words of a query that is handed on are free.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from cave_sim import Simulation
from cave_sim.agents.delegation import FORM
from cave_sim.agents.tool_user import ToolUser
from cave_sim.analysis.statistics import mean_interval
from cave_sim.determinism.canonical_json import from_json, to_json
from cave_sim.experiment.talk_judge import TalkJudge
from cave_sim.llm_agent.tool_texts import DELEGATE
from cave_sim.models import Model
from cave_sim.models.tokens import offline_counter
from cave_sim.models.wrapped import Wrapped
from cave_sim.simulations.handset.conversation import ASSISTANT, JUDGE, VARIANTS, Variant, agents
from cave_sim.simulations.handset.scenarios import HandsetScenario
from cave_sim.worlds.handset import build_handset


class Listening(Wrapped):
    """Notes how many tokens each request of the assistant has, by step."""

    def __init__(self, model: Model) -> None:
        super().__init__(model)
        self.tokens: dict[int, list[int]] = defaultdict(list)

    async def reply(self, request: Any) -> Any:
        if request.key.agent == ASSISTANT and "tools" in request.parts:
            self.tokens[request.key.step].append(offline_counter().of_request(request))
        return await self.model.reply(request)


@dataclass(frozen=True)
class HandsetOutcome:
    """What came of one conversation.

    Attributes:
        scenario: which.
        variant: how the assistant was prompted.
        precision, recall, f1: of its calls; 1.0 where none was required and none made.
        context: tokens of the first request of each turn.
        sent: how many queries left the device.
        quality: how a judge rated the talk, 1 to 5; None if nobody did, or in a way that cannot be read.
    """

    scenario: str
    variant: Variant
    precision: float
    recall: float
    f1: float
    context: tuple[int, ...]
    sent: int
    quality: int | None = None

    @property
    def growth(self) -> int:
        """Tokens by which the prompt grew, from the first turn to the last."""
        return self.context[-1] - self.context[0]


def live(
    scenario: HandsetScenario, variant: Variant, model: Model, *, judged: bool = False
) -> tuple[Simulation, HandsetOutcome]:
    """Let an owner and an assistant talk, measure it, and have it judged if it is to be."""
    listening = Listening(model)
    world = build_handset(int(scenario.id.rpartition("-")[2]))
    simulation = Simulation(world, lambda sim: agents(sim, scenario, variant, judged=judged), llm=listening)
    simulation.run(until=len(scenario.asks) + 3)
    assistant = simulation.by_name[ASSISTANT]
    assert isinstance(assistant, ToolUser)
    session = assistant.session
    calls = [(row.data["name"], row.data["arguments"]) for row in session if row.kind == "tool_call"]
    sent = sum(1 for row in session if row.data.get("sent"))
    context = tuple(tokens[0] for _, tokens in sorted(listening.tokens.items()))
    judge = simulation.by_name.get(JUDGE)
    quality = judge.rating.score if isinstance(judge, TalkJudge) and judge.rating else None
    return simulation, HandsetOutcome(scenario.id, variant, *scores(scenario, calls), context, sent, quality)


def scores(scenario: HandsetScenario, calls: Sequence[tuple[str, str]]) -> tuple[float, float, float]:
    """Return precision, recall and F1 of some calls, name and arguments as JSON each."""
    left = [(ask.tool, dict(ask.arguments)) for ask in scenario.asks if ask.tool]
    required, right = len(left), 0
    for name, arguments in calls:
        try:
            values = from_json(arguments)
        except ValueError:
            continue
        for want in left:
            if want[0] == name and _is_right(name, want[1], values):
                left.remove(want)
                right += 1
                break
    precision = right / len(calls) if calls else float(not required)
    recall = right / required if required else 1.0
    return precision, recall, 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def _is_right(tool: str, wanted: dict[str, Any], value: Any) -> bool:
    if tool != DELEGATE:
        return to_json(value, sort=True) == to_json(wanted, sort=True)
    words = FORM["function"]["parameters"]["required"]
    return (
        isinstance(value, dict)
        and value.keys() == set(words)
        and all(isinstance(value[word], str) and any(map(str.isalnum, value[word])) for word in words)
    )


def table(outcomes: Iterable[HandsetOutcome]) -> list[dict[str, Any]]:
    """Return a row for each category and variant: scores and tokens, as means with 95 % t intervals."""
    order: dict[str, int] = {name: place for place, name in enumerate(VARIANTS)}
    groups: dict[tuple[str, str], list[HandsetOutcome]] = defaultdict(list)
    for each in outcomes:
        groups[each.scenario.rpartition("-")[0], each.variant].append(each)
    return [
        {
            "category": category,
            "variant": variant,
            "n": len(group),
            **{
                name: mean_interval([getattr(each, name) for each in group], share=True)
                for name in ("precision", "recall", "f1")
            },
            "quality": mean_interval([each.quality for each in group if each.quality is not None]),
            "first": mean_interval([each.context[0] for each in group]),
            "growth": mean_interval([each.growth for each in group]),
        }
        for (category, variant), group in sorted(groups.items(), key=lambda item: (item[0][0], order[item[0][1]]))
    ]
