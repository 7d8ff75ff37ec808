"""How the city is drawn: the map with its corners by number, and which fields of people and places name them."""

from typing import Any

from cave_sim.worlds.town.streets import helsinki


def looks() -> dict[str, Any]:
    """Return the entries of a manifest that say how a city, or a district of it, is drawn."""
    streets = helsinki()
    nodes = {str(node): list(streets.point(node)) for node in streets.graph}
    citizen = {"role": "mover", "node": "node", "state": "doing"}
    place = {"role": "place", "node": "node", "kind": "place"}
    return {"map": {**streets.sketch(), "nodes": nodes}, "portrayal": {"Citizen": citizen, "CityPlace": place}}
