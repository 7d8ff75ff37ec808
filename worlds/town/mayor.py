"""The mayor: a resident who answers for the town."""

from typing import Any

from cave_sim.world.glance import Sight
from cave_sim.worlds.town.resident import Resident

PARKS, SHELTERS = 8, 4


class Mayor(Resident):
    """The mayor, who may close places (`place.closed = True`), build new ones and put notices on the town's board."""

    def observe(self) -> dict[str, Any]:
        """Return what the mayor perceives, and how the town is: its parks and shelters."""
        return self._sight().at_once()

    def _sight(self) -> Sight:
        entity, parts = super()._sight()
        return Sight(entity, {**parts, "town": _town})


def _town(mayor: Mayor) -> dict[str, Any]:
    town, world = mayor.world["town"], mayor.world
    public = [world[name] for name in town.landmarks if name in world]
    with world.undo_log.as_world():  # how many are where is reported to the mayor, wherever they are
        return {
            "announcements": list(town.announcements),
            "parks": [_overview(place) for place in public if place.kind == "park"][:PARKS],
            "shelters": [_overview(place) for place in public if place.kind == "shelter"][:SHELTERS],
        }


def _overview(place: Any) -> dict[str, Any]:
    return {
        "name": place.id,
        "title": place.title,
        "closed": place.closed,
        "guests": len(place.guests),
        "node": place.node,
        "lon": place.lon,
        "lat": place.lat,
    }
