"""A workshop: within single cells, a chief has others think, looks at what they made, and has them do it again.

The chief is a meta-agent (CaveAgent, App. E.1). It asks two minds until a check holds, then pauses one, gives the other
another role and a right, reads its transcript, and spawns a third. What a cell of the chief does lands whole or not at
all, the thoughts of others included: one of its cells fails on purpose.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated, Any, Unpack

from pydantic import Field

from cave_sim import Agent, Entity, Simulation, World, field
from cave_sim.agents.meta import MINDS, RUNTIMES, Assistant, LLMMetaAgent
from cave_sim.models import ScriptedModel
from cave_sim.simulation.run_options import ModelRunOptions, extended
from cave_sim.simulations.workshop.script import reply
from cave_sim.simulations.workshop.summary import summary

STEPS = 4
OPTIONS = {
    "tolerance": "how far a point may lie off the line that is delivered",
    "outlier": "how far one point lies off",
}
ROLE = "You run a workshop with two assistants, ann and bob. You have one job in each step, done in one cell."
JOBS = (
    """Fill `order.line` with (slope, start) of a line through `order.points`. Ask ann for it and have bob find the
largest distance of a point that the line keeps to; ask ann again, with what bob found, until it is at most
`order.tolerance`. Set `order.rounds` to how often ann was asked.""",
    """Pause ann. Read bob's transcript into `order.said`. Make bob the clerk: a role, one cell at a time, and the right
to write `order.price_cents`. Spawn cem, an auditor, of a class that you make.""",
    "Have bob set `order.price_cents` to the price of 7 pieces, and stop with an error if it is under 1000 cents.",
    "Have bob set `order.price_cents` to the price of 7 pieces, and cem check the price before you resume ann.",
)
"""What the chief is told in each step, and no sooner."""
__all__ = ["OPTIONS", "STEPS", "Craftsman", "Order", "create", "summary"]


class Craftsman(Entity):
    """Works for the chief; its variables are its bench."""

    jobs: int = field(0, ge=0, about="how many it has finished")

    def finish(self) -> None:
        """Count another job that is done."""
        self.jobs += 1


class Order(Entity):
    """What the workshop is to deliver."""

    points: list[list[float]] = field([], about="x and y of each")
    tolerance: float = field(0.1, ge=0)
    line: list[float] = field([], about="slope and start")
    rounds: int = field(0, ge=0)
    said: list[str] = field([])
    price_cents: int = field(0, ge=0)


class WorkshopChief(LLMMetaAgent):
    """Leads the workshop: is told of a job when it is due."""

    def perceive(self, observation: Mapping[str, Any]) -> str:
        """Return the job of this step."""
        return JOBS[observation["step"]] if observation["step"] < len(JOBS) else "All jobs are done."


def jobs(world: World) -> float:
    """Return how many jobs craftsmen have done."""
    return float(sum(worker.jobs for worker in world.all(Craftsman)))


def create(
    *,
    seed: int,
    tolerance: Annotated[float, Field(gt=0)] = 0.5,
    outlier: Annotated[float, Field(ge=0)] = 9.0,
    **run: Unpack[ModelRunOptions],
) -> Simulation:
    """Return a workshop with a chief and two assistants.

    Args:
        seed: the same seed and the same replies give the same work, turn by turn.
        tolerance: how far a point may lie off the line that is delivered.
        outlier: how far one point lies off.
        run: what every simulation takes, see :class:`~cave_sim.simulation.run_options.ModelRunOptions`.
    """
    world = World(seed=seed)
    rng = world.rng("points")
    points = [[float(x), round(1.5 * x + 2 + rng.uniform(-0.2, 0.2), 3)] for x in range(8)]
    points[5][1] += outlier
    world.add("order", Order(points=points, tolerance=tolerance))
    for name in ("ann", "bob"):
        world.add(name, Craftsman())
    world.grant("chief", "*")

    def chief(simulation: Simulation) -> list[Agent]:
        habits = replace(LLMMetaAgent.habits, menu=True)
        return [WorkshopChief(simulation, "chief", role=ROLE, calls=(*RUNTIMES, *MINDS), habits=habits)]

    return Simulation(
        world,
        chief,
        agent_factories={Craftsman: Assistant},
        measures={"jobs": jobs},
        config={"tolerance": tolerance, "outlier": outlier},
        **extended(run, llm=ScriptedModel(reply)),
    )
