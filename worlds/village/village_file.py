"""The village file: one JSON file that draws a village in tiles and tells who lives there.

    name, attribution   texts
    tile_m              the side of a tile in metres
    open, blocked       the signs for ground that one can walk on, and for what is in the way
    rows                the map, one text per row of tiles; a place is drawn with its own mark
    places              by key: mark, title, kind; optional opens_h, closes_h, weekends, capacity, price_cents
    people              by key: title, age, job, traits, biography, home, workplace, shift_h, works_weekends, wakes_h,
                        sleeps_h, money_cents, plan: [["07:30", place, what], ...]
    relations           optional: [[person, person, kind, strength from 0 to 1], ...]
    mayor               optional: the person who may change the village
    looks               optional: what the signs of the ground look like: {".": "grass", "=": "road", ...}; of grass,
                        road, water, wall, door, tree, floor, home, lawn

Keys are the names that code uses: lower-case letters, digits, underscores.
"""

import keyword
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Annotated, Literal, NoReturn

from pydantic import Field, StringConstraints

from cave_sim.worlds.village.blueprint import RESERVED, Blueprint, Bond, Fittings, PersonPlan, PlacePlan, Text
from cave_sim.worlds.village.checked import Frozen, read, refuse
from cave_sim.worlds.village.tiles import Tile, TileMap

HOLLINWEIR = Path(__file__).parent / "data" / "hollinweir.json"

Look = Literal["grass", "road", "water", "wall", "door", "tree", "floor", "home", "lawn"]
OF_PLACES: dict[str, Look] = {"home": "home", "park": "lawn"}
"""What the tiles of a place look like by its kind; a floor where nothing is said."""

Mark = Annotated[str, StringConstraints(min_length=1, max_length=1)]


class _Place(Fittings):
    mark: Mark


class _File(Frozen):
    name: Text
    attribution: Text
    tile_m: Annotated[float, Field(gt=0)]
    open: str
    blocked: str
    rows: Annotated[list[str], Field(min_length=1)]
    places: dict[str, _Place]
    people: dict[str, PersonPlan]
    relations: tuple[Bond, ...] = ()
    mayor: str | None = None
    looks: dict[Mark, Look] = Field(default_factory=dict)


def load(path: str | Path) -> Blueprint:
    """Read a village file.

    Raises:
        WorldError: the file is missing or breaks a rule of the format; one line with file, place in it, rule, way out.
    """
    path = Path(path)
    return _Draughtsman(path.name, read(path, _File)).blueprint()


@cache
def hollinweir() -> Blueprint:
    """Return the village that comes with cave_sim: 60 x 40 tiles, 26 places, 24 people."""
    return load(HOLLINWEIR)


class _Draughtsman:
    """Checks what a shape cannot say: that the rows fit, names lead somewhere and every door can be reached."""

    def __init__(self, file: str, data: _File) -> None:
        self.file, self.data = file, data

    def blueprint(self) -> Blueprint:
        self._check_keys()
        drawn = self._drawn()
        tiles = self._tiles()
        places = {
            key: PlacePlan(tile=tiles.middle_of(drawn[place.mark]), **place.model_dump(exclude={"mark"}))
            for key, place in self.data.places.items()
        }
        self._check_ways(tiles, places)
        for key, person in self.data.people.items():
            self._check_life(f"people.{key}", person)
        self._check_relations()
        if self.data.mayor is not None:
            self._check_named("mayor", self.data.mayor)
        return Blueprint(tiles, places, dict(self.data.people), self.data.relations, self.data.mayor)

    def _check_keys(self) -> None:
        if not self.data.places:
            self._refuse("places", "must hold at least one place")
        for section, keys in (("places", self.data.places), ("people", self.data.people)):
            for key in keys:
                if not re.fullmatch(r"[a-z][a-z0-9_]*", key) or keyword.iskeyword(key) or key in RESERVED:
                    self._refuse(
                        f"{section}.{key}",
                        "a key must be lower-case letters, digits and underscores, "
                        f"and none of Python's own words or {', '.join(sorted(RESERVED))}",
                    )
        for key in self.data.people:
            if key in self.data.places:
                self._refuse(f"people.{key}", "must differ from the place of that key")

    def _drawn(self) -> dict[str, list[Tile]]:
        """Return the tiles of each sign, having checked that every sign means one thing and every place is drawn."""
        drawn, width = defaultdict(list), len(self.data.rows[0])
        for row, line in enumerate(self.data.rows):
            if len(line) != width:
                self._refuse(f"rows[{row}]", f"must have {width} tiles like the first row, not {len(line)}")
            for column, sign in enumerate(line):
                drawn[sign].append((column, row))
        meanings = dict.fromkeys(self.data.open + self.data.blocked, "the ground")
        for key, place in self.data.places.items():
            if place.mark in meanings:
                self._refuse(f"places.{key}.mark", f"must be its own; {place.mark!r} means {meanings[place.mark]}")
            if place.mark not in drawn:
                self._refuse(f"places.{key}.mark", f"must be drawn in rows, but no tile there is {place.mark!r}")
            meanings[place.mark] = key
        for sign, tiles in drawn.items():
            if sign not in meanings:
                column, row = tiles[0]
                self._refuse(f"rows[{row}]", f"column {column} must be ground or a place's mark, not {sign!r}")
        return drawn

    def _tiles(self) -> TileMap:
        blocked = set(self.data.blocked)
        walkable = [[sign not in blocked for sign in line] for line in self.data.rows]
        looks = dict(self.data.looks) and self._looks()
        return TileMap(self.data.name, self.data.attribution, walkable, self.data.tile_m, looks or None)

    def _looks(self) -> list[list[str]]:
        """Return what each tile looks like: as its sign's ground does, or as the kind of its place."""
        marks = {place.mark: OF_PLACES.get(place.kind, "floor") for place in self.data.places.values()}
        of_sign = {**marks, **self.data.looks}
        blocked = dict.fromkeys(self.data.blocked, "wall")
        return [[of_sign.get(sign, blocked.get(sign, "grass")) for sign in row] for row in self.data.rows]

    def _check_ways(self, tiles: TileMap, places: dict[str, PlacePlan]) -> None:
        first, *others = places
        reached = tiles.reached_from(places[first].tile)
        for key in others:
            if tiles.node(places[key].tile) not in reached:
                self._refuse(f"places.{key}", f"must be reached on foot from {first}, but there is no way; draw a door")

    def _check_life(self, where: str, person: PersonPlan) -> None:
        for name, place in _whereabouts(person):
            if place not in self.data.places:
                self._refuse(f"{where}.{name}", f"must name one of the places, not {place!r}")
        if self.data.places[person.home].kind != "home":
            self._refuse(f"{where}.home", f"must be a place of the kind home, not {person.home!r}")
        if (person.workplace is None) != (person.shift_h is None):
            self._refuse(f"{where}.shift_h", "must be given for those who have a workplace, and for nobody else")
        if len({errand.at for errand in person.plan}) < len(person.plan):
            self._refuse(f"{where}.plan", "must have one thing at a time")
        if person.shift_h is not None and person.shift_h[0] >= person.shift_h[1]:
            self._refuse(f"{where}.shift_h", f"must end after it begins, not {list(person.shift_h)}")

    def _check_relations(self) -> None:
        for index, bond in enumerate(self.data.relations):
            for name in (bond.one, bond.other):
                self._check_named(f"relations[{index}]", name)
            if bond.one == bond.other:
                self._refuse(f"relations[{index}]", f"must join two different people, not {bond.one!r} with themselves")

    def _check_named(self, where: str, name: str) -> None:
        if name not in self.data.people:
            self._refuse(where, f"must name one of the people, not {name!r}")

    def _refuse(self, place: str, rule: str) -> NoReturn:
        refuse(self.file, place, rule)


def _whereabouts(person: PersonPlan) -> Iterator[tuple[str, str]]:
    yield "home", person.home
    if person.workplace is not None:
        yield "workplace", person.workplace
    yield from ((f"plan[{index}]", errand.place) for index, errand in enumerate(person.plan))
