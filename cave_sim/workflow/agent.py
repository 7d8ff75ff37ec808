"""The agent that runs a workflow: a step of it in each step of the world, so that each is journaled by itself."""

from __future__ import annotations

from typing import Any

from cave_sim.diagnostics.raised import said_of
from cave_sim.errors import CaveSimError
from cave_sim.session.session import Session
from cave_sim.simulation.agents import Agent
from cave_sim.simulation.deliberation import Deliberation
from cave_sim.simulation.simulation import Simulation
from cave_sim.workflow.step import Step, StepFailed, WorkflowSetting
from cave_sim.workflow.workflow import Workflow


class WorkflowAgent(Agent):
    """Lets a session go through a workflow.

    In each step of the world it takes the next step of the workflow, those of child workflows counted singly. So the
    journal has each; a run that was killed in the middle goes on at the step that it was in: replies that were paid for
    come from the journal, and nothing of the step had landed. One that ended because a step failed takes that step
    again where it is resumed with ``retry``. Before the first step, everything is validated.

    The other agents act when the workflow asks them to, if the scheduler lets this one act alone
    (:class:`~cave_sim.simulation.schedulers.Only`).

    Args:
        simulation: the model it belongs to.
        name: under which it acts, and runs the cells of the workflow.
        workflow: what it runs.
        begin: what the session begins with, "" for nothing.

    Attributes:
        workflow: what it runs.
        at: how many plain steps have been taken.
        failure: why it stopped; "" if it did not.
        session: what came of it so far.
    """

    session: Session

    def __init__(self, simulation: Simulation, name: str, *, workflow: Workflow, begin: str = "") -> None:
        super().__init__(simulation, name)
        self.workflow = workflow
        self.at: int = 0
        self.failure: str = ""
        self._setting = WorkflowSetting(simulation, name)
        self._is_valid = False
        self.session: Session = Session(name, placement="world")
        if begin:
            self._setting.heard(self.session, begin)

    @property
    def is_done(self) -> bool:
        """Whether all steps were taken."""
        return self.at >= len(self._steps)

    @property
    def _steps(self) -> tuple[Step, ...]:
        return tuple(self.workflow.plain_steps())

    def validate(self) -> None:
        """Raise WorkflowError, which names every mistake in the workflow, if there is one."""
        self.workflow.validate(self._setting)

    def deliberate(self, observation: dict[str, Any]) -> Deliberation:
        """Take the next step."""
        if not self._is_valid:
            self.validate()
            self._is_valid = True
        if self.failure or self.is_done:
            return
        step = self._steps[self.at]
        try:
            self.session = yield from step.run(self.session, self._setting)
            self.at += 1
        except StepFailed as failed:
            self._fail(step, str(failed))
        except CaveSimError:
            raise
        except Exception as error:  # of a function or a step of the researcher's; the run has its journal to keep
            self._fail(step, said_of(error))

    def _fail(self, step: Step, why: str) -> None:
        self.failure = f"step {self.at + 1}, {step.name}: {why}"
        self._setting.heard(self.session, self.failure, "error")

    def keep(self) -> Any:
        """Return how far it is."""
        return {"at": self.at, "failure": self.failure}

    def restore(self, state: Any) -> None:
        """Go on from there."""
        self.at, self.failure = (state["at"], state["failure"]) if state else (0, "")

    def retry(self) -> bool:
        """Take the step that failed once more, with the session as it was before it and the row that says why."""
        failed, self.failure = bool(self.failure), ""
        return failed
