"""A lake that several fish in: does it last the year? After GovSim's fishery (Piatti and others 2024).

Fishers are scripted: greedy ones, enforcers of a norm, sustainable ones, and for the rest imitators. With ``--model``
the imitators ask a language model instead.
"""

from typing import Annotated, Any, Unpack

from annotated_types import Unit
from pydantic import Field

from cave_sim import Agent, Simulation, World, WorldError
from cave_sim.dashboards import write_report as report
from cave_sim.simulation.observers import Observer
from cave_sim.simulation.run_options import ModelRunOptions, extended
from cave_sim.simulation.schedulers import Simultaneous
from cave_sim.simulations.commons.accounts import MEASURES
from cave_sim.simulations.commons.fishers import POLICIES, Mind
from cave_sim.simulations.commons.lake import Fisher, Lake, settle

STEPS = 24
OPTIONS = {
    "greedy": "how many take their part of all the fish there are",
    "enforcers": "how many keep to the limit, and fine whoever does not",
    "sustainable": "how many keep to the limit",
    "talk": "whether people meet in the harbour and see what others landed",
    "advice": "whether it is posted what everybody may take (GovSim's universalization)",
    "capacity_t": "fish that the lake can feed",
    "growth": "by what the fish left in a month are multiplied",
}
NAMES = ("ann", "bob", "cem", "dora", "eli", "fay", "gus", "hana", "ivo", "jun", "kim", "lou")
Count = Annotated[int, Field(ge=0, le=len(NAMES))]
__all__ = ["OPTIONS", "STEPS", "Fisher", "Lake", "create", "report"]


class _EndOfLake(Observer):
    """Ends a run with the last fish."""

    def on_start(self, simulation: Any, until: int) -> None:
        self.on_step(simulation)

    def on_step(self, simulation: Any) -> None:
        simulation.over = simulation.world["lake"].collapsed


def create(
    *,
    seed: int,
    residents: Annotated[int, Field(ge=1, le=len(NAMES))] = 5,
    greedy: Count = 1,
    enforcers: Count = 0,
    sustainable: Count = 0,
    talk: bool = True,
    advice: bool = False,
    capacity_t: Annotated[int, Field(ge=10), Unit("t")] = 100,
    growth: Annotated[float, Field(gt=1, title="Growth in a month"), Unit("times")] = 2.0,
    **run: Unpack[ModelRunOptions],
) -> Simulation:
    """Return a lake with people who live by it.

    Args:
        seed: the same seed gives the same year, turn by turn.
        residents: how many fish.
        greedy: how many take their part of all the fish there are.
        enforcers: how many keep to the limit, and fine whoever does not.
        sustainable: how many keep to the limit.
        talk: whether people meet in the harbour.
        advice: whether it is posted what everybody may take.
        capacity_t: fish that the lake can feed, which are in it at the start.
        growth: by what the fish left in a month are multiplied.
        run: what every simulation takes, see :class:`~cave_sim.simulation.run_options.ModelRunOptions`.

    Raises:
        WorldError: more people were cast than live there, or than have a name.
    """
    if residents > len(NAMES):
        raise WorldError(f"residents={residents}: there is room for {len(NAMES)} at this lake")
    cast = ["greedy"] * greedy + ["enforcer"] * enforcers + ["sustainable"] * sustainable
    if len(cast) > residents:
        raise WorldError(f"{len(cast)} fishers are cast by greedy, enforcers and sustainable: {residents} live there")
    cast += ["imitator"] * (residents - len(cast))
    world = World(seed=seed, start="2024-01-01T06:00", step_s=15 * 24 * 3600)
    shares = {"capacity_t": capacity_t, "stock_t": capacity_t, "month_began_t": capacity_t, "last_month_t": capacity_t}
    world.add("lake", Lake(**shares, growth=growth, talk=talk, advice=advice))
    for name in NAMES[:residents]:
        world.add(name, Fisher())
    world.dynamics(settle)

    def people(simulation: Simulation) -> list[Agent]:
        asks = [run.get("llm") is not None and policy == "imitator" for policy in cast]
        return [
            Mind(simulation, name) if mind else POLICIES[policy](simulation, name)
            for name, policy, mind in zip(NAMES[:residents], cast, asks, strict=True)
        ]

    return Simulation(
        world,
        people,
        measures=MEASURES,
        config={"residents": residents, "cast": cast, "talk": talk, "advice": advice}
        | {"capacity_t": capacity_t, "growth": growth},
        **extended(run, observers=[_EndOfLake()], scheduler=Simultaneous()),
    )
