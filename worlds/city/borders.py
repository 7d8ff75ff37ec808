"""What passes the borders of a district: residents on their way, the weather, and what is added up for the city."""

from collections.abc import Iterator, Mapping
from typing import Any

from cave_sim import World
from cave_sim.worlds.city.atlas import Atlas
from cave_sim.worlds.city.citizen import Citizen
from cave_sim.worlds.city.money import total_cents

SKY = ("kind", "temperature_c", "precipitation_mm", "wind_m_s")


class CityBorders:
    """Says for a district's world who leaves it, what it tells the others, and hears what they told.

    Args:
        atlas: the city.
    """

    def __init__(self, atlas: Atlas) -> None:
        self._atlas = atlas

    def leaving(self, world: World) -> Iterator[tuple[str, int]]:
        """Yield who has come to a corner of another district, and its number."""
        here, district_of = world["borough"].number, self._atlas.district_of
        for citizen in world.all(Citizen):
            there = district_of[citizen.node]
            if there != here:
                yield citizen.id, there

    def arrived(self, world: World, name: str) -> None:
        """Note that somebody came over the border."""
        world[name].crossings += 1

    def counts(self, world: World) -> dict[str, float]:
        """Return what is added up over all districts."""
        citizens, borough = world.all(Citizen), world["borough"]
        return {
            "people": len(citizens),
            "crowd": world["crowd"].size(),
            "money_cents": total_cents(world),
            "meals": borough.meals,
            "worked_h": borough.worked_h,
            "crossings": sum(citizen.crossings for citizen in citizens),
        }

    def news(self, world: World) -> dict[str, Any]:
        """Return what all districts should see alike: the weather, from where it is made."""
        weather = world["weather"]
        return {} if world["borough"].number else {"weather": {name: getattr(weather, name) for name in SKY}}

    def publish(self, world: World, totals: Mapping[str, float], news: Mapping[str, Any]) -> None:
        """Write the city's book and the news into a district's copy of them."""
        ledger = world["ledger"]
        for name, total in totals.items():
            if ledger.totals.get(name) != total:
                ledger.totals[name] = total
        if world["borough"].number:
            for name, reading in news["weather"].items():
                if getattr(world["weather"], name) != reading:
                    setattr(world["weather"], name, reading)
