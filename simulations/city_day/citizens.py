"""Who acts for the residents of a city: scripted ones, and minds whose scripted model writes the same cells."""

import json
import re
from typing import Any

from cave_sim import Agent
from cave_sim.llm_agent.habits import Habits
from cave_sim.llm_agent.llm_agent import LLMAgent
from cave_sim.models import Request

NIGHT_H, MORNING_H = 22.0, 6.0
HUNGRY_H, STARVING_H = 5.0, 9.0
REST_BETWEEN_SHIFTS_H = 12.0
SHIFT_H = 8.0


def choose(observation: dict[str, Any]) -> str:
    """Return the cell of a citizen who works regular hours, eats when hungry and sleeps at night; "" to carry on."""
    me, hour = observation["me"], observation["hour"]
    if me["doing"] in ("walking", "working", "sleeping", "eating"):
        return ""
    if observation["here"] and observation["heard"] == []:
        return f"me.say('Good day, {observation['here'][0]}!')\n" + (_urge(me, hour, observation["food"]) or "pass")
    return _urge(me, hour, observation["food"])


def _urge(me: dict[str, Any], hour: float, food: list[str]) -> str:
    works = me["since_work_h"] > REST_BETWEEN_SHIFTS_H and me["shift_starts_h"] <= hour < me["shift_starts_h"] + 4
    if me["hungry_h"] > (STARVING_H if works else HUNGRY_H) and food and me["money_cents"] > 2_000:
        return "me.eat()" if me["at"] in food else f"me.go({food[0]!r})"
    if works:
        return f"me.work({SHIFT_H:g})" if me["at"] == me["workplace"] else f"me.go({me['workplace']!r})"
    if me["at"] != me["home"]:
        return f"me.go({me['home']!r})"
    return "me.sleep(7)" if hour >= NIGHT_H or hour < MORNING_H - 2 else ""


class ScriptedCitizen(Agent):
    """Lives by :func:`choose`, and tries its meal elsewhere where one place refused it."""

    def act(self, observation: dict[str, Any]) -> str:
        """Return the cell to run."""
        return choose(observation)


class LLMCitizen(LLMAgent):
    """A resident with a language model."""

    habits: Habits = Habits(max_cells=1, context="step")

    def identity(self) -> str:
        """Return who they are."""
        return (
            f"You are {self.name} and live in Helsinki. Keep your working hours, eat when you are hungry, go home to"
            " sleep. Places may be in any district; go to them by name."
        )


def reply(request: Request) -> str:
    """Answer like a citizen, for :class:`~cave_sim.models.ScriptedModel`: from the observation in the request."""
    observation_text = next(message.text for message in reversed(request.messages) if '"me":' in message.text)
    match = re.search(r"\{.*\}", observation_text, re.DOTALL)
    cell = choose(json.loads(match[0])) if match else ""
    return f"```python\n{cell}\n```" if cell else "I carry on."
