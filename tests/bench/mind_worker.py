"""Runs a hundred minds of one engine and prints what a step of one costs as a line of JSON; see `peer_minds`."""

import json
import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

MINDS = 100
WARM_UP, EARLY, LATE = 2, 4, 30
"""Steps before the first that counts, how many count each time, and at which the late ones begin."""
SYSTEM, ASKED = "You live here.", "What do you do?"


def cave_sim(folder: str) -> Callable[[], object]:
    """Return what takes a step of our minds: each writes a cell, and everything is journaled."""
    from cave_sim import Entity, Simulation, World, field
    from cave_sim.llm_agent.habits import Habits
    from cave_sim.llm_agent.llm_agent import LLMAgent
    from cave_sim.models import ESTIMATE, ScriptedModel

    class Resident(Entity):
        """Somebody who can rest."""

        energy: float = field(0.5, ge=0, le=1)

        def rest(self) -> str:
            """Rest for a while."""
            self.energy = 0.25
            return "rested"

    class Mind(LLMAgent):
        """Acts once a step."""

        habits = Habits(max_cells=1)

    world = World(seed=1)
    for number in range(MINDS):
        world.add(f"n{number}", Resident())
    llm = ScriptedModel(lambda request: "I am tired.\n```python\nme.rest()\n```", counter=ESTIMATE)
    minds = [(Mind, f"n{number}") for number in range(MINDS)]
    return Simulation(world, minds, llm=llm, out=Path(folder) / "run").step


def mesa_llm() -> Callable[[], object]:
    """Return what takes a step of mesa-llm's minds, with a model in the place of the provider's."""
    os.environ |= {"LITELLM_LOCAL_MODEL_COST_MAP": "True", "OPENAI_API_KEY": "none"}  # so that it asks no network
    import mesa
    from litellm import ModelResponse
    from mesa_llm import module_llm
    from mesa_llm.llm_agent import LLMAgent
    from mesa_llm.reasoning.react import ReActReasoning
    from mesa_llm.tools.tool_decorator import tool

    def completion(**asked: Any) -> object:
        if asked.get("tools") and asked.get("tool_choice") != "none":
            act = {"id": "call_1", "type": "function", "function": {"name": "rest", "arguments": "{}"}}
            message = {"role": "assistant", "content": None, "tool_calls": [act]}
        else:
            message = {"role": "assistant", "content": json.dumps({"reasoning": "I am tired.", "action": "I rest."})}
        return ModelResponse(choices=[{"message": message}])

    module_llm.completion = completion

    @tool
    def rest(agent: Any) -> str:
        """Rest for a while.

        Args:
            agent: who rests.
        """
        agent.energy = 0.25
        return "rested"

    class Resident(LLMAgent):  # type: ignore[misc]
        def __init__(self, model: mesa.Model) -> None:
            super().__init__(model, ReActReasoning, llm_model="openai/none", system_prompt=SYSTEM, step_prompt=ASKED)
            self.memory.display = False  # what it prints is not timed
            self.energy = 0.5

        def step(self) -> None:
            self.apply_plan(self.reasoning.plan(obs=self.generate_obs()))

    town = mesa.Model()
    for _ in range(MINDS):
        Resident(town)
    return lambda: town.agents.do("step")


def main(engine: str) -> None:
    """Measure one engine."""
    with tempfile.TemporaryDirectory() as folder:
        step = cave_sim(folder) if engine == "cave_sim" else mesa_llm()
        costs = {}
        done = 0
        for name, begin in {"early in a run": WARM_UP, f"after {LATE} steps": LATE}.items():
            for _ in range(begin - done):
                step()
            began_s = time.process_time()
            for _ in range(EARLY):
                step()
            costs[name] = (time.process_time() - began_s) / EARLY / MINDS * 1e6
            done = begin + EARLY
        print(json.dumps(costs))


if __name__ == "__main__":
    main(sys.argv[1])
