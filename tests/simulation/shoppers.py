"""A small market with three agents who shop in it."""

from cave_sim import Simulation
from tests.journal.test_writer import Shopper
from tests.world.market import make_market

NAMES = ("ann", "bob", "cem")


def shoppers(seed=7, **options):
    """Return a simulation of the market, ready to run."""
    return Simulation(
        make_market(seed),
        [(Shopper, name) for name in NAMES],
        measures={"apples": lambda w: w["stall"].apples},
        **options,
    )
