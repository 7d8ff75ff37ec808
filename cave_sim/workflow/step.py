"""A step of a workflow: what maps a session to a session, and says beforehand what is wrong with it."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from cave_sim.errors import CaveSimError, did_you_mean
from cave_sim.session.row import Row
from cave_sim.session.session import Session
from cave_sim.simulation.agents import Agent
from cave_sim.simulation.deliberation import Cell, Deliberation, Others
from cave_sim.simulation.simulation import Simulation

Passage = Generator[Others | Cell, Any, Session]
"""A session on its way through a step: yields the agents that it goes to, and cells; comes to the session behind it."""


class WorkflowError(CaveSimError):
    """A workflow cannot work; the message names every mistake in it."""


class StepFailed(CaveSimError):
    """A step came to nothing: its model gave no answer that counts, or its cell did not land."""


@dataclass(frozen=True, slots=True)
class WorkflowSetting:
    """Where a workflow runs.

    Attributes:
        simulation: whose agents take part.
        owner: name of the agent that runs it, to whom the session belongs between two steps.
    """

    simulation: Simulation
    owner: str

    def agent(self, name: str) -> Agent:
        """Return who acts under a name; raises KeyError if nobody does."""
        agent: Agent = self.simulation.by_name[name]
        return agent

    def taking_part(self, name: str, deliberation: Deliberation) -> Deliberation:
        """Return what an agent does as a part of the workflow, for a step to yield among ``Others``."""
        return self.simulation.asked_agents.deliberating(name, deliberation)

    def heard(self, session: Session, text: str, kind: str = "user", **more: Any) -> Row:
        """Add a row of this moment."""
        clock = self.simulation.world.clock
        return session.append(kind, text, step=clock.step, time_s=clock.time_s, **more)

    def nobody(self, name: object) -> Iterator[str]:
        """Yield what is wrong with a name as that of an agent who is to take part; nothing if all is well."""
        if not isinstance(name, str) or name not in self.simulation.by_name:
            yield f"no agent is called {name!r}.{did_you_mean(str(name), self.simulation.by_name)}"
        elif name == self.owner:
            yield f"{name} runs the workflow, and cannot take part in it"


@runtime_checkable
class Step(Protocol):
    """Maps a session to a session. A session that it is given is left as it is: it goes on with a fork."""

    @property
    def name(self) -> str:
        """What it is called in messages."""

    def run(self, session: Session, setting: WorkflowSetting) -> Passage:
        """Let a session pass; raises StepFailed."""

    def problems(self, setting: WorkflowSetting) -> Iterator[str]:
        """Yield what is wrong with it, in a line each, without asking or running anything."""

    def agents(self) -> frozenset[str]:
        """Return the names of those who may take part."""


def agents_of(steps: Iterable[object]) -> frozenset[str]:
    """Return the names of those who may take part in any of the steps; what is no step is passed over."""
    return frozenset().union(*(step.agents() for step in steps if isinstance(step, Step)))
