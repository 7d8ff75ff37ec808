"""What everybody in a city knows: places by name, and which corner is in which district. Constant, so never saved."""

from collections import Counter
from dataclasses import dataclass
from functools import cache, cached_property

from cave_sim.worlds.city.partition import cut
from cave_sim.worlds.town.kinds import KINDS, Kind
from cave_sim.worlds.town.names import key_of
from cave_sim.worlds.town.streets import StreetMap, helsinki

DWELLINGS = ("apartments", "residential", "block", "yes")
FOOD = ("meal", "coffee")
FOOD_KNOWN = 8  # places to eat that people think of, whether they are open or not


@dataclass(frozen=True, slots=True)
class Site:
    """Where a place of the city is.

    Attributes:
        name: by which the whole city calls it.
        title: what is written above its door.
        kind: one of the town's kinds.
        node: the corner of the map it lies at.
        district: the number of its district.
    """

    name: str
    title: str
    kind: str
    node: int
    district: int

    @property
    def about(self) -> Kind:
        """What there is to know of its kind."""
        return KINDS[self.kind]


class Atlas:
    """The city as a map of sites in districts.

    Args:
        streets: the street map.
        districts: how many parts it is cut into.

    Attributes:
        district_of: corner of the map -> number of its district.
        sites: name -> site.
    """

    def __init__(self, streets: StreetMap, districts: int) -> None:
        self.streets = streets
        self.districts = districts
        places = [spot for spot in streets.places if spot.kind in KINDS]
        dwellings = [spot for spot in streets.buildings if spot.kind in DWELLINGS]
        weights = Counter(streets.graph) + Counter(spot.node for spot in (*places, *dwellings))
        self.district_of: dict[int, int] = cut(streets.graph, districts, weights)
        self.sites: dict[str, Site] = {}
        self._food: dict[tuple[int, int], tuple[Site, ...]] = {}
        for spot in places:
            self._add(spot.name, spot.kind, spot.node)
        for number, spot in enumerate(dwellings, start=1):
            self._add(f"House {number}", "home", spot.node)

    def addresses(self) -> dict[str, str]:
        """Return what people call each house: its street, and its number among the houses there."""
        by_address: dict[str, str] = {}
        houses: Counter[str] = Counter()
        for site in self.sites.values():
            if site.about.use == "home" and (street := self.streets.street(site.node)):
                houses[street] += 1
                by_address[site.name] = f"{street} {houses[street]}"
        return by_address

    def within(self, district: int, *uses: str) -> list[Site]:
        """Return the sites of a district for these uses, in the order of the map."""
        return [site for site in self._by_district[district] if site.about.use in uses]

    def workplaces(self, district: int) -> list[Site]:
        """Return the sites of a district that have staff."""
        return [site for site in self._by_district[district] if site.about.staff]

    def distance_m(self, one: int, other: int) -> float:
        """Return the straight distance between two corners in metres."""
        return self.streets.distance_m(self.streets.point(one), self.streets.point(other))

    def food_near(self, node: int, district: int) -> tuple[Site, ...]:
        """Return the sites of a district that serve food, the nearest to a corner first."""
        if (node, district) not in self._food:
            sites = self.within(district, *FOOD)
            nearest = sorted(sites, key=lambda site: (self.distance_m(node, site.node), site.name))
            self._food[node, district] = tuple(nearest[:FOOD_KNOWN])
        return self._food[node, district]

    @cached_property
    def _by_district(self) -> list[list[Site]]:
        sites: list[list[Site]] = [[] for _ in range(self.districts)]
        for site in self.sites.values():
            sites[site.district].append(site)
        return sites

    def _add(self, title: str, kind: str, node: int) -> None:
        name = key_of(title, self.sites)
        self.sites[name] = Site(name, title, kind, node, self.district_of[node])


@cache
def helsinki_in(districts: int) -> Atlas:
    """Return the centre of Helsinki, cut into so many districts."""
    return Atlas(helsinki(), districts)
