"""The town of the Generative Agents study: its people, its rooms and its tiles become a `Blueprint`.

Each arena becomes a place. What the study tells in prose (hours of sleep, work, opening hours, who knows whom) is read
from the prose.
"""

import re
from collections.abc import Collection, Iterator, Mapping
from itertools import combinations
from typing import Annotated, Any, ClassVar

from pydantic import ConfigDict, Field

from cave_sim.worlds.town.kinds import kind_of
from cave_sim.worlds.town.names import key_of
from cave_sim.worlds.village.blueprint import RESERVED, Blueprint, Bond, PersonPlan, PlacePlan, SeedMemory, Text
from cave_sim.worlds.village.checked import Frozen, refuse
from cave_sim.worlds.village.prose import hour_after, job_in, mentioned, shift_in
from cave_sim.worlds.village.tiles import Tile, TileMap

KINDS = (  # the first of these words in the names of an arena and its sector says what kind of place it is
    ("cafe", "cafe"),
    ("pub", "pub"),
    ("bar", "bar"),
    ("library", "library"),
    ("park", "park"),
    ("market", "supermarket"),
    ("store", "convenience"),
    ("clinic", "clinic"),
    ("school", "school"),
    ("college", "university"),
)
LEISURE = ("cafe", "pub", "bar", "park")  # nobody works there whose plan does not say that they open it
USUAL_SHIFT_H = (9.0, 17.0)
USUAL_NIGHT_H = (22.5, 7.0)
SAME_ROOM, SAME_HOUSE, SAME_WORK, SPOKEN_OF = 0.9, 0.6, 0.5, 0.5

_Work = tuple[str, tuple[float, float]]  # an address, and from which hour to which


TILE_M = 1.0  # the study does not say; a bed there is two tiles
ATTRIBUTION = "town data derived from joonspk-research/generative_agents (Apache-2.0)"


class Foreign(Frozen):
    """A part of a file of others, of which we read what we know."""

    model_config: ClassVar[ConfigDict] = ConfigDict(extra="ignore")


class StudyPersona(Foreign):
    """Somebody, as the study tells of them.

    `memories` are what they begin with; `known` the addresses that they know, none if the source does not say.
    """

    name: Text
    age: Annotated[int, Field(ge=0, le=120)]
    traits: tuple[Text, ...]
    background: str
    currently: str
    lifestyle: str
    daily_plan: str
    living_area: Text
    start_tile: Tile
    memories: tuple[SeedMemory, ...] = ()
    known: tuple[str, ...] = ()


class Arena(Foreign):
    """A room: the tile that one goes to, and all of its tiles as rows of `[y, x_first, x_last]`."""

    tile: Tile
    runs: list[tuple[int, int, int]]

    def holds(self, tile: Tile) -> bool:
        """Say whether a tile is part of the room."""
        column, row = tile
        return any(y == row and first <= column <= last for y, first, last in self.runs)


class Sector(Foreign):
    """A house with its rooms."""

    arenas: dict[str, Arena]


class AddressTree(Foreign):
    """All houses of a town."""

    world: Text
    sectors: dict[str, Sector]


class Census:
    """Turns addresses into keys, arenas into places and personas into people.

    Args:
        tiles: the map.
        tree: the houses.
        personas: the people.
        files: what to call the sources of houses and people in errors.
    """

    def __init__(
        self,
        tiles: TileMap,
        tree: AddressTree,
        personas: list[StudyPersona],
        files: tuple[str, str] = ("places.json", "personas.json"),
    ) -> None:
        self.tiles = tiles
        self.personas = personas
        self._places_file, self._people_file = files
        self.arenas: dict[str, Arena] = {
            f"{tree.world}:{sector}:{name}": arena
            for sector, parts in tree.sectors.items()
            for name, arena in parts.arenas.items()
        }
        self.titles: dict[str, str] = {
            f"{tree.world}:{sector}:{name}": _title(sector, name, len(parts.arenas))
            for sector, parts in tree.sectors.items()
            for name in parts.arenas
        }
        self.keys: dict[str, str] = _keys(self.titles)
        self.dwellings: set[str] = {_sector(persona.living_area) for persona in personas}

    def blueprint(self) -> Blueprint:
        """Return the town; raises WorldError for what does not fit together."""
        self._check()
        works = {persona.name: self._work(persona) for persona in self.personas}
        opened = self._opening_hours(works)
        names = _keys({persona.name: persona.name for persona in self.personas}, taken=self.keys.values())
        places = {
            self.keys[address]: PlacePlan(
                title=self.titles[address], kind=self._kind(address), tile=arena.tile, **opened.get(address, {})
            )
            for address, arena in self.arenas.items()
        }
        people = {names[persona.name]: self._life(persona, works[persona.name]) for persona in self.personas}
        memories = {names[persona.name]: self._with_keys(persona, names) for persona in self.personas}
        return Blueprint(
            self.tiles,
            places,
            people,
            tuple(self._bonds(names, works)),
            memories={name: texts for name, texts in memories.items() if texts},
        )

    def _with_keys(self, persona: StudyPersona, names: Mapping[str, str]) -> tuple[SeedMemory, ...]:
        """Return somebody's memories, about people by their keys."""
        return tuple(
            memory._replace(about=tuple(names[name] for name in memory.about if name in names))
            for memory in persona.memories
        )

    def _check(self) -> None:
        for address, arena in self.arenas.items():
            if not self.tiles.is_open(arena.tile):
                refuse(self._places_file, address, f"tile must be an open tile of the map, not {list(arena.tile)}")
        for index, persona in enumerate(self.personas):
            self._check_persona(f"[{index}] ({persona.name})", persona)
        self._check_ways()

    def _check_persona(self, where: str, persona: StudyPersona) -> None:
        bed = list(persona.start_tile)
        if sum(other.name == persona.name for other in self.personas) > 1:
            refuse(self._people_file, where, "name must be nobody else's")
        if persona.living_area not in self.arenas:
            refuse(
                self._people_file,
                where,
                f"living_area must be an arena of {self._places_file}, not {persona.living_area!r}",
            )
        if not self.arenas[persona.living_area].holds(persona.start_tile):
            refuse(self._people_file, where, f"start_tile must lie in {persona.living_area!r}, not at {bed}")
        if not self.tiles.is_open(persona.start_tile):
            refuse(self._people_file, where, f"start_tile must be open, but the map is blocked at {bed}")

    def _check_ways(self) -> None:
        first = self.personas[0]
        reached = self.tiles.reached_from(first.start_tile)
        goals = {address: (self._places_file, arena.tile) for address, arena in self.arenas.items()}
        goals |= {persona.name: (self._people_file, persona.start_tile) for persona in self.personas}
        for name, (file, tile) in goals.items():
            if self.tiles.node(tile) not in reached:
                refuse(file, name, f"{list(tile)} must be reached on foot from {first.name}'s start_tile")

    def _kind(self, address: str) -> str:
        if _sector(address) in self.dwellings:
            return "home"
        words = re.findall(r"\w+", address.partition(":")[2].lower())
        return next((kind for word, kind in KINDS if word in words), "shelter")

    def _work(self, persona: StudyPersona) -> _Work | None:
        """Return the address where somebody works or studies, and from when to when, by their daily plan."""
        rooms = {address: address.split(":")[1:] for address in self.arenas if _sector(address) not in self.dwellings}
        houses = {address: room[:1] for address, room in rooms.items()}
        for address in [*mentioned(rooms, persona.daily_plan), *mentioned(houses, persona.daily_plan)]:
            if _opens(persona) or self._kind(address) not in LEISURE:
                return address, shift_in(persona.daily_plan, USUAL_SHIFT_H)
        return None

    def _opening_hours(self, works: dict[str, _Work | None]) -> dict[str, dict[str, Any]]:
        """Return the hours of the places that somebody opens: from the first one's hour to the last one's."""
        opened: dict[str, dict[str, Any]] = {}
        for persona in self.personas:
            work = works[persona.name]
            if work and _opens(persona):
                address, (begin_h, end_h) = work
                hours = opened.get(address, {"opens_h": begin_h, "closes_h": end_h})
                opened[address] = {"opens_h": min(begin_h, hours["opens_h"]), "closes_h": max(end_h, hours["closes_h"])}
        return opened

    def _life(self, persona: StudyPersona, work: _Work | None) -> PersonPlan:
        sleeps_h = hour_after(r"\bbed\b", persona.lifestyle)
        wakes_h = hour_after(r"\bwakes?\b|\bawakes?\b|\bgets? up\b", persona.lifestyle)
        return PersonPlan(
            title=persona.name,
            age=persona.age,
            job=job_in(persona.background),
            traits=persona.traits,
            biography=f"{persona.background} {persona.currently}".strip(),
            home=self.keys[persona.living_area],
            bed=persona.start_tile,
            workplace=self.keys[work[0]] if work else None,
            shift_h=work[1] if work else None,
            haunts=tuple(self.keys[address] for address in persona.known if self._is_haunt(address)),
            wakes_h=USUAL_NIGHT_H[1] if wakes_h is None else wakes_h,
            sleeps_h=USUAL_NIGHT_H[0] if sleeps_h is None else min(sleeps_h + 24 * (sleeps_h < 12), 30),
        )

    def _is_haunt(self, address: str) -> bool:
        return address in self.keys and kind_of(self._kind(address)).use not in ("home", "office", "park", "shelter")

    def _bonds(self, names: dict[str, str], works: dict[str, _Work | None]) -> Iterator[Bond]:
        """Yield who knows whom: those who share a room, a house or work, and those whose texts name the other."""
        for one, other in combinations(self.personas, 2):
            pair = names[one.name], names[other.name]
            if one.living_area == other.living_area:
                yield Bond(*pair, "share a room", SAME_ROOM)
            elif _sector(one.living_area) == _sector(other.living_area):
                yield Bond(*pair, "share a house", SAME_HOUSE)
            elif _share_work(works[one.name], works[other.name]):
                yield Bond(*pair, "work together", SAME_WORK)
            elif other.name in _texts(one) or one.name in _texts(other):
                yield Bond(*pair, "acquainted", SPOKEN_OF)


def _sector(address: str) -> str:
    return address.partition(":")[2].partition(":")[0]


def _opens(persona: StudyPersona) -> bool:
    return re.search(r"\bopens?\b", persona.daily_plan) is not None


def _texts(persona: StudyPersona) -> str:
    texts = [memory.text for memory in persona.memories]
    return " ".join([persona.background, persona.currently, persona.daily_plan, *texts])


def _title(sector: str, arena: str, rooms: int) -> str:
    """Return what people would call a room: by its owner's name, by the house's if it is all of it, or by both."""
    if "'s " in arena:
        return arena
    return sector if rooms == 1 else f"{sector}, {arena}"


def _keys(titles: dict[str, str], taken: Collection[str] = ()) -> dict[str, str]:
    """Return a key for every title: names that code can use, all different."""
    keys: dict[str, str] = {}
    for name, title in titles.items():
        keys[name] = key_of(title.replace("'", "").replace("’", ""), {*taken, *keys.values(), *RESERVED})
    return keys


def _share_work(one: _Work | None, other: _Work | None) -> bool:
    return one is not None and other is not None and one[0] == other[0]
