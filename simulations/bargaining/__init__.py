"""A market day by bargaining: how much of what trade can gain do traders gain who know nothing, or learn a little?

After the double auctions of Smith (1962), with the zero-intelligence traders of Gode and Sunder (1993) and a simple
kind of those of Cliff (1997). Every offer is a cell: whether it stands is for the exchange to say.
"""

from typing import Annotated, Literal, Unpack

from pydantic import Field

from cave_sim import Simulation, World
from cave_sim.dashboards import write_report as report
from cave_sim.determinism.random_streams import RandomStream
from cave_sim.simulation.run_options import RunOptions
from cave_sim.simulations.bargaining.exchange import (
    BUYER,
    SELLER,
    Pit,
    Trader,
    alpha,
    efficiency,
    equilibrium,
    pass_time,
    trades,
)
from cave_sim.simulations.bargaining.traders import KINDS

STEPS, ROUNDS = 100, 20
OPTIONS = {
    "kind": "who bargains: zi_unconstrained, zi_constrained or learning",
    "pairs": "how many buyers there are, and as many sellers",
}
VALUES_C, COSTS_C = (155, 65), (45, 135)
"""The highest and the lowest value, the lowest and the highest cost; the others lie evenly between."""
__all__ = ["OPTIONS", "STEPS", "Pit", "Trader", "create", "report"]


def _spread(ends: tuple[int, int], count: int) -> list[int]:
    first, last = ends
    return [round(first + (last - first) * place / max(1, count - 1)) for place in range(count)]


def create(
    *,
    seed: int,
    kind: Annotated[
        Literal["zi_unconstrained", "zi_constrained", "learning"], Field(title="Who trades")
    ] = "zi_constrained",
    pairs: Annotated[int, Field(ge=2, le=50, title="Pairs of traders")] = 10,
    **run: Unpack[RunOptions],
) -> Simulation:
    """Return an exchange with traders, for market days of 20 rounds.

    Args:
        seed: the same seed gives the same bargains, turn by turn.
        kind: who bargains.
        pairs: how many buyers there are, and as many sellers.
        run: what every simulation takes, see :class:`~cave_sim.simulation.run_options.RunOptions`.
    """
    world = World(seed=seed, start="2024-01-01T09:00", step_s=60)
    values_c, costs_c = _spread(VALUES_C, pairs), _spread(COSTS_C, pairs)
    price_c, most_c = equilibrium(values_c, costs_c)
    guarded = kind != "zi_unconstrained"
    world.add("exchange", Pit(rounds=ROUNDS, guarded_budget=guarded, equilibrium_c=price_c, most_c=most_c))
    for side, worths_c in ((BUYER, values_c), (SELLER, costs_c)):
        for number, worth_c in enumerate(worths_c, 1):
            name = f"{side}_{number}"
            margin = round(RandomStream(seed, "margin", name).uniform(0.05, 0.35), 4) if kind == "learning" else 0.0
            world.add(name, Trader(side=side, worth_c=worth_c, margin=margin))
    world.dynamics(pass_time)
    return Simulation(
        world,
        [(KINDS[kind], trader.id) for trader in world.all(Trader)],
        measures={"efficiency (share)": efficiency, "alpha (%)": alpha, "trades": trades},
        config={"kind": kind, "pairs": pairs},
        **run,
    )
