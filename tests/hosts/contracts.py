"""What the contract of hosts is tried on: worlds, minds that ask a model, and stories."""

from cave_sim.models.from_cli import ModelChoice
from cave_sim.replay.recipe import Recipe
from cave_sim.testing import HostContract

STORM = {"seed": 11, "residents": 3, "storm_h": "10.5", "hours": "0.5", "cafe_h": "11.25"}
RECIPES = {
    "Town": Recipe("town_day", {"seed": 7, "residents": 3}),
    "TownOfMinds": Recipe("town_day", {"seed": 7, "residents": 2}, ModelChoice()),
    "Village": Recipe("village_day", {"seed": 7, "residents": 3}),
    "Storm": Recipe("storm_warning", STORM, ModelChoice()),
}


def contracts(host, names=tuple(RECIPES)):
    """Return the classes of tests for a host, by name."""
    titles = {f"Test{name}On{host.title()}": RECIPES[name] for name in names}
    return {title: type(title, (HostContract,), {"recipe": recipe, "host": host}) for title, recipe in titles.items()}
