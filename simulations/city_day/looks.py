"""How the city is drawn: the map with its corners by number, and which fields of people and places name them."""

from typing import Any

from cave_sim.worlds.city.atlas import helsinki_in
from cave_sim.worlds.town.streets import helsinki


def looks(districts: int) -> dict[str, Any]:
    """Return the entries of a manifest that say how a city of so many districts, or one of them, is drawn and told."""
    streets = helsinki()
    nodes = {str(node): list(streets.point(node)) for node in streets.graph}
    citizen = {"role": "mover", "node": "node", "state": "doing"}
    place = {"role": "place", "node": "node", "kind": "place"}
    drawn = {"map": {**streets.sketch(), "nodes": nodes}, "portrayal": {"Citizen": citizen, "CityPlace": place}}
    return drawn | {"titles": helsinki_in(districts).addresses()}
