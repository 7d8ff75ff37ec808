"""Three edit a small repository in workspaces of their own: a planner, an engineer, and one who tries to break it.

After OpenRath (section 6): roles with sessions of their own, files that branch with them, and evidence of every effect.
The tests are real and run in jailed folders; the minds are scripted, and say so, unless there is a model.
"""

from typing import Literal, Unpack

from cave_sim import Entity, Refused, Simulation, World, field
from cave_sim.llm_agent.habits import Habits
from cave_sim.llm_agent.llm_agent import LLMAgent
from cave_sim.models import ScriptedModel
from cave_sim.simulation.run_options import ModelRunOptions, extended
from cave_sim.simulation.schedulers import Sequential
from cave_sim.simulations.repository_editing.repository import FILES, ISSUE
from cave_sim.simulations.repository_editing.script import reply
from cave_sim.simulations.repository_editing.summary import summary
from cave_sim.workspace.kept_process import CommandLimits
from cave_sim.workspace.workspaces import Workspaces

STEPS = 12
OPTIONS = {"require": "the least isolation of workspaces: guarded, contained or isolated"}
ROLES = {
    "planner": "You plan. Run the tests, and say what is to be done: board.plan(...). When the board says merge, take"
    " over the engineer's changes, run the tests, and board.finish().",
    "engineer": "You write. When the board says build or mend, change the files, run the tests, and board.submit().",
    "qa": "You look for what is wrong. When the board says review, copy the engineer's workspace, write tests of your"
    " own, run them, and board.complain(...) or board.approve().",
}
__all__ = ["OPTIONS", "STEPS", "JobBoard", "Member", "create", "summary"]


class JobBoard(Entity):
    """What the three agree on: whose turn it is, and why."""

    issue: str = field("", guarded=True)
    stage: str = field("plan", guarded=True, about="plan, build, review, mend, merge or done")
    said: list[str] = field([], guarded=True, about="what was said as the stage changed")

    def plan(self, text: str) -> None:
        """Say what is to be done: `board.plan("...")`."""
        self._go("plan", "build", text)

    def submit(self) -> None:
        """Hand in what was built or mended."""
        self._go("mend" if self.stage == "mend" else "build", "review", "handed in")

    def complain(self, text: str) -> None:
        """Say what is wrong with what was handed in."""
        self._go("review", "mend", text)

    def approve(self) -> None:
        """Say that nothing is wrong with it."""
        self._go("review", "merge", "approved")

    def finish(self) -> None:
        """Say that it is merged, and its tests pass."""
        self._go("merge", "done", "merged")

    def _go(self, stage: str, to: str, text: str) -> None:
        who = {"plan": "planner", "build": "engineer", "mend": "engineer", "review": "qa", "merge": "planner"}.get(
            stage
        )
        if self.stage != stage:
            raise Refused(f"the board says {self.stage}; this is for when it says {stage}")
        if self.world.actor != who:
            raise Refused(f"that is for {who} to say")
        self.stage = to
        self.said.append(f"{who}: {text}")


class Member(Entity):
    """One of the three."""

    def observe(self) -> dict[str, object]:
        """Return the issue, the stage, and what was said last."""
        board: JobBoard = self.world["board"]
        return {"issue": board.issue, "stage": board.stage, "said": list(board.said[-3:])}


class Developer(LLMAgent):
    """A mind with a role and a workspace."""

    habits: Habits = Habits(max_cells=2, context="state", menu=True)

    def identity(self) -> str:
        """Return its role."""
        return f"You are the {self.name} of three who work on a small Python repository. {ROLES[self.name]}"


def done(world: World) -> float:
    """Return 1 once the job is done, 0 before."""
    return float(world["board"].stage == "done")


def create(
    *, seed: int, require: Literal["guarded", "contained", "isolated"] = "isolated", **run: Unpack[ModelRunOptions]
) -> Simulation:
    """Return the three, their board, and a repository with a test that fails.

    Args:
        seed: of the world.
        require: the least isolation of workspaces; below it, nothing runs there.
        run: what every simulation takes, see :class:`~cave_sim.simulation.run_options.ModelRunOptions`.
    """
    world = World(seed=seed)
    world.add("board", JobBoard(issue=ISSUE))
    for name in ROLES:
        world.add(name, Member())
    workspaces = Workspaces(world, FILES, limits=CommandLimits(timeout_s=60, most_bytes=16 << 20), require=require)
    workspaces.offer("planner", takes=True)
    workspaces.offer("engineer")
    workspaces.offer("qa", copies=True)

    def developers(simulation: Simulation) -> list[Developer]:
        return [Developer(simulation, name) for name in ROLES]

    return Simulation(
        world,
        developers,
        measures={"done": done},
        **extended(run, observers=[workspaces], scheduler=Sequential(), llm=ScriptedModel(reply)),
    )
