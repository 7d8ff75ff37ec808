"""A rumour on the graph of who knows whom: how many never hear it, and when does it stay in its corner?

After Maki and Thompson's model (1973) of Daley and Kendall's rumours (1964), and Zanette's (2001) on small worlds.
"""

from typing import Annotated, Unpack

import networkx as nx
from pydantic import Field

from cave_sim import Simulation, World
from cave_sim.dashboards import write_report as report
from cave_sim.determinism.random_streams import RandomStream
from cave_sim.simulation.run_options import RunOptions
from cave_sim.simulations.rumour_graph.people import Acquaintance, Circle, Teller, heard, spreading, unheard

STEPS = 120
OPTIONS = {
    "people": "how many there are",
    "acquaintances": "how many each knows, an even number; 0 for everybody",
    "rewired": "what share of the ties of a ring of neighbours goes to somebody anywhere (Watts and Strogatz 1998)",
}
__all__ = ["OPTIONS", "STEPS", "Acquaintance", "Circle", "create", "report"]


def create(
    *,
    seed: int,
    people: Annotated[int, Field(ge=3, le=2000)] = 200,
    acquaintances: Annotated[int, Field(ge=0, le=200, multiple_of=2)] = 0,
    rewired: Annotated[float, Field(ge=0, le=1)] = 0.0,
    **run: Unpack[RunOptions],
) -> Simulation:
    """Return people who know each other, one of whom has a rumour.

    Args:
        seed: who knows whom, who begins and whom they tell follow from it.
        people: how many there are.
        acquaintances: how many each knows; 0 for everybody.
        rewired: share of the ties that go anywhere.
        run: what every simulation takes, see :class:`~cave_sim.simulation.run_options.RunOptions`.
    """
    world = World(seed=seed, start="2024-01-01T09:00", step_s=3600)
    names = [f"person_{number}" for number in range(1, people + 1)]
    if 0 < acquaintances < people:
        ties = RandomStream(seed, "ties").randrange(2**32)
        drawn = nx.watts_strogatz_graph(people, acquaintances, rewired, seed=ties)
    else:
        drawn = nx.complete_graph(people)
    world.add("circle", Circle(relations=nx.relabel_nodes(drawn, dict(enumerate(names)))))
    first = RandomStream(seed, "first").choice(names)
    for name in names:
        world.add(name, Acquaintance(state="spreading" if name == first else "unaware"))
    return Simulation(
        world,
        [(Teller, name) for name in names],
        measures={"never heard (share)": unheard, "heard (share)": heard, "spreading": spreading},
        config={"people": people, "acquaintances": acquaintances, "rewired": rewired},
        **run,
    )
