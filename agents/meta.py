"""Meta-agents: minds that operate other agents through their runtimes, and may change the world (CaveAgent App. E).

A meta-agent speaks to nobody. It sets variables of others, runs cells as them, reads what came of it, and hands native
objects from one to the next; pipelines, refinement loops and branches are plain Python in its cells.
"""

import json
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from cave_sim import Simulation
from cave_sim.llm_agent.feedback import quote
from cave_sim.llm_agent.habits import Habits
from cave_sim.llm_agent.llm_agent import LLMAgent
from cave_sim.models.base import Model
from cave_sim.simulation.deliberation import Deliberation
from cave_sim.world.api_menu import call_of
from cave_sim.world.api_reference import signature_text
from cave_sim.world.cell_api import AgentHandle

TASK, RESULT = "task", "result"
"""The variables through which an :class:`Assistant` is given work, and through which it hands it over."""

POWERS = """\
You are a meta-agent. `team["name"]` is a handle to another agent:
{handle}
Nothing needs a message: set a variable, run a cell as them, branch on its `turn.status` or on what you retrieve, and
inject the result where it is needed next. If your own cell fails, all that it ran is undone.
You may add to the world: `world.add("name", Class(...))`. A newcomer whose class somebody acts for acts from the next
step on. Only use names that you are shown here; ask `team` and `world` for others."""
BRIEFLY = """\
You are a meta-agent. `world.add("name", Class(...))` adds to the world; such a newcomer acts from the next step on. If
your cell fails, all that it ran is undone."""
HANDLE = """\
`team["name"]` is another agent: {handle}; `team.spawn(name, role or class, like)` makes one, `help(team["name"])` tells
more."""


RUNTIMES = ("run", "inject", "retrieve", "variables")
"""What a meta-agent can do with the runtimes of others."""
MINDS = ("ask", "transcript", "pause", "resume", "rewire", "grant")
"""What it can do with their minds."""


def powers(text: str = POWERS, calls: Sequence[str] = RUNTIMES) -> str:
    """Return what a meta-agent can do beside what anyone can, with the signatures of these methods of its handles."""
    stubs = [f"    {signature_text(name, getattr(AgentHandle, name))}" for name in calls]
    state = f"    state: dict  # {AgentHandle.state.__doc__}"
    return text.replace("{handle}", "\n".join([*stubs, state]))


class LLMMetaAgent(LLMAgent):
    """Operates other agents and the world; grant it ``"*"``.

    Args:
        simulation: the model it belongs to, in Mesa's sense of the word.
        name: under which it acts.
        role: who it is and what it is there for.
        sees: the parts of what it observes that it is told; all of them if empty.
        calls: the methods of its handles that it is told of; none, with the habit of a menu: of no handles.
        llm: the language model it asks; that of the simulation unless given.
        habits: how it goes about its loop.
    """

    habits: Habits = Habits(max_cells=4, context="step", max_tokens=800)

    def __init__(
        self,
        simulation: Simulation,
        name: str,
        *,
        role: str = "",
        sees: Collection[str] = (),
        calls: Sequence[str] = RUNTIMES,
        llm: Model | None = None,
        habits: Habits | None = None,
    ) -> None:
        super().__init__(simulation, name, llm=llm, habits=habits)
        self.role = role
        self.sees: tuple[str, ...] = tuple(sees)
        self.calls: tuple[str, ...] = tuple(calls)
        self.logs_only_changes: bool = bool(self.habits.menu)  # who is there, that says where to look for

    def identity(self) -> str:
        """Return its name and its role."""
        return f"You are {self.name}. {self.role}".strip()

    def remind(self) -> Mapping[str, str]:
        """Return its own variables, and who is there unless a menu says where to look."""
        return {**super().remind(), **({"names": ""} if self.habits.menu else {})}

    def instructions(self) -> str:
        """Return how minds act, and what meta-agents can do beside it."""
        if self.habits.menu:
            handle = ", ".join([*(call_of(AgentHandle, name) for name in self.calls), "state"])
            can = BRIEFLY if not self.calls else f"{BRIEFLY}\n{HANDLE}"
            return f"{super().instructions()}\n{self.wording('powers', can).replace('{handle}', handle)}"
        return f"{super().instructions()}\n\n{powers(self.wording('powers', POWERS), self.calls)}"

    def perceive(self, observation: Mapping[str, Any]) -> str:
        """Return what it is told of an observation, a line for each part."""
        parts = self.sees or tuple(observation)
        return "\n".join(f"{name}: {_compact_json(observation[name])}" for name in parts if name in observation)


class Assistant(LLMAgent):
    """Works for a meta-agent: when its variable ``task`` holds a text, it works on that until it has set ``result``.

    Nobody calls it. Work comes and goes through its namespace, so that the hand-over is state: typed, and checkable.
    """

    habits: Habits = Habits(max_cells=4, context="step")

    def identity(self) -> str:
        """Return who it is, and how it gets and gives work."""
        return (
            f"You are {self.name}. You do the task that you are given with the variables that you hold. When it is"
            f" done, set `{RESULT}` to what was asked for, a native Python object, and say so without code."
        )

    def deliberate(self, observation: dict[str, Any]) -> Deliberation:
        """Work if there is a task without a result; what was said of it before is not repeated."""
        variables = self.model.world.variable_types(self.name)
        if variables.get(TASK) == "str" and RESULT not in variables:
            yield from super().deliberate(observation)

    def perceive(self, _observation: Mapping[str, Any]) -> str:
        """Return the task."""
        return f"Your task: {quote(self.retrieve(TASK))}"


def _compact_json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
