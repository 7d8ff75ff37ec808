"""The mayor: a resident who answers for the town."""

from typing import Any

from cave_sim.world.glance import Sight
from cave_sim.worlds.town.resident import Resident

NEWS, PUBLIC = 3, 12


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
    public = [world[name] for name in town.landmarks if name in world][:PUBLIC]
    with world.undo_log.as_world():  # how many are where is reported to the mayor, wherever they are
        return {
            "announcements": list(town.announcements[-NEWS:]),
            "parks": {place.id: _overview(place) for place in public if place.kind == "park"},
            "shelters": {place.id: _overview(place) for place in public if place.kind == "shelter"},
        }


def _overview(place: Any) -> str:
    return f"{'closed' if place.closed else 'open'}, {len(place.guests)} inside"
