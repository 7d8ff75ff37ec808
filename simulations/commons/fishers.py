"""Who fishes: scripted policies from the literature on commons, and a mind that asks a model.

A script is no finding about people or models: what it wants is written here. What a lake full of them comes to is not.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cave_sim import Agent
from cave_sim.llm_agent.habits import Habits
from cave_sim.llm_agent.llm_agent import LLMAgent
from cave_sim.simulations.commons.lake import FISHING, Fisher, Lake

GUESS = (0.5, 2.0)
"""What somebody takes for everybody's limit who does not know how fish multiply, in shares of what it is."""


class ScriptedFisher(Agent):
    """Does in each half of a month what its policy says; the text of the subclass says which that is."""

    def act(self, observation: dict[str, Any]) -> str:
        """Return the cell to run."""
        lake: Lake = self.model.world["lake"]
        if lake.collapsed:
            return ""
        if lake.phase == FISHING:
            return f"me.fish({min(self.wants_t(observation, lake), lake.stock_t)})"
        return self.harbour(observation, lake) if lake.talk else ""

    def wants_t(self, observation: Mapping[str, Any], lake: Lake) -> int:
        """Return for how many tons to go out."""
        raise NotImplementedError

    def harbour(self, observation: Mapping[str, Any], lake: Lake) -> str:
        """Return what to do in the harbour; by default nothing."""
        return ""

    def dares(self, observation: Mapping[str, Any]) -> bool:
        """Say whether to risk a fine: the less often, the more often it was fined."""
        fined: int = observation["me"]["fined"]
        return self.rng.random() < 1 / (1 + fined)


class Greedy(ScriptedFisher):
    """Takes its part of all the fish there are (Hardin 1968), if it dares."""

    def wants_t(self, observation: Mapping[str, Any], lake: Lake) -> int:
        return lake.stock_t // len(lake.world.all(Fisher)) if self.dares(observation) else lake.limit_t


class Sustainable(ScriptedFisher):
    """Knows how fish multiply, and takes no more than everybody may."""

    def wants_t(self, observation: Mapping[str, Any], lake: Lake) -> int:
        return lake.limit_t


class Enforcer(Sustainable):
    """Keeps to the limit, says it, and fines whoever took more (a norm with sanctions, Ostrom 1990)."""

    def harbour(self, observation: Mapping[str, Any], lake: Lake) -> str:
        limit_t = lake.limit_t
        cells = [f'me.say("{limit_t} t each, no more.")']
        cells += [f"me.fine({name})" for name, other in observation["others"].items() if other["catch_t"] > limit_t]
        return "\n".join(cells)


class Imitator(ScriptedFisher):
    """Takes the share of the lake that the others took on average (a conditional cooperator, Fischbacher 2001).

    Who sees nobody's catch guesses what all may take, anew each month. Who was told keeps to it; so does who was fined
    and does not dare.
    """

    def wants_t(self, observation: Mapping[str, Any], lake: Lake) -> int:
        if "limit_t" in observation:
            return int(observation["limit_t"])
        if "others" not in observation or lake.months == 0:
            return round(lake.limit_t * self.rng.uniform(*GUESS))
        if not self.dares(observation):
            return lake.limit_t
        catches: list[int] = [other["catch_t"] for other in observation["others"].values()]
        return round(sum(catches) / len(catches) / lake.last_month_t * lake.month_began_t)


POLICIES: dict[str, type[ScriptedFisher]] = {
    "greedy": Greedy,
    "sustainable": Sustainable,
    "enforcer": Enforcer,
    "imitator": Imitator,
}

IDENTITY = """You are {name}, a fisher at a lake, with {others} others. You act in a live Python world by Python code.
Each month has two halves. While `lake.phase` is "fishing", call `me.fish(tons)` once: all do so at once, and none sees
what the others want. While it is "harbour", you may talk with `me.say(text)`. What is left in the lake at the end of a
month is multiplied by {growth:g}, up to {capacity} tons; with less than {collapse} tons left the fish die out for ever.
You live by what you catch, this year and the years to come."""


class Mind(LLMAgent):
    """Asks a language model how much to take and what to say."""

    habits: Habits = Habits(max_cells=3, until_landed=True, only_first=True)

    def identity(self) -> str:
        lake: Lake = self.model.world["lake"]
        others = len(lake.world.all(Fisher)) - 1
        terms = {"others": others, "growth": lake.growth, "capacity": lake.capacity_t, "collapse": lake.collapse_t}
        return self.wording("fisher", IDENTITY).format(name=self.name, **terms)
