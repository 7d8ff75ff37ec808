"""A village before anyone lives in it: what a map file, of whatever format, has to say."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, NamedTuple

from pydantic import AfterValidator, Field, StringConstraints

from cave_sim.worlds.village.checked import Frozen
from cave_sim.worlds.village.tiles import Tile, TileMap


def _time(text: str) -> str:
    if re.fullmatch(r"([01]\d|2[0-3]):[0-5]\d", text):
        return text
    raise ValueError("must be a time of day such as 07:30")


Text = Annotated[str, StringConstraints(min_length=1, strip_whitespace=True)]
Hour = Annotated[float, Field(ge=0, le=24)]
LateHour = Annotated[float, Field(ge=0, le=30)]  # 26 is 2 o'clock the next morning
Time = Annotated[str, AfterValidator(_time)]
Cents = Annotated[int, Field(ge=0)]
RESERVED = frozenset({"clock", "me", "rng", "town", "weather", "world"})  # these mean something else to a cell


class ErrandPlan(NamedTuple):
    """One line of somebody's daily plan: from when ("07:30"), at which place (its key), to do what."""

    at: Time
    place: str
    what: Text


class Bond(NamedTuple):
    """Two people (their keys), what they are to each other, and how well they know each other from 0 to 1."""

    one: str
    other: str
    kind: Text
    strength: Annotated[float, Field(gt=0, le=1)]


class SeedMemory(NamedTuple):
    """Something that somebody remembers as the story begins.

    `hours_ago` is counted from then; `of` says what it is a memory of: an `event`, a `chat` or a `thought`. `because`
    are the places in the same list of what it follows from.
    """

    text: Text
    importance: Annotated[float, Field(ge=0, le=10)] = 5.0
    hours_ago: Annotated[float, Field(ge=0)] = 0.0
    of: str = "event"
    about: tuple[str, ...] = ()
    because: tuple[int, ...] = ()


class Fittings(Frozen):
    """A place, wherever it lies. What is None is as usual for its kind (`worlds.town.kinds`)."""

    title: Text
    kind: Text
    opens_h: Hour | None = None
    closes_h: LateHour | None = None
    weekends: bool | None = None
    capacity: Cents | None = None
    price_cents: Cents | None = None


class PlacePlan(Fittings):
    """A place and the tile one goes to."""

    tile: Tile


class PersonPlan(Frozen):
    """Somebody's life: home and workplace are keys of places; `shift_h` is from which hour to which they work.

    `bed` is the tile of their home where the story finds them; None is where everybody enters. `haunts` are the keys of
    the public places that they know; none means those nearest to their home.
    """

    title: Text
    age: Annotated[int, Field(ge=0, le=120)]
    job: str = ""
    traits: tuple[Text, ...] = ()
    biography: str = ""
    home: str
    bed: Tile | None = None
    workplace: str | None = None
    shift_h: tuple[Hour, LateHour] | None = None
    works_weekends: bool = False
    wakes_h: Hour = 7.0
    sleeps_h: LateHour = 22.5
    money_cents: Cents = 20000
    plan: tuple[ErrandPlan, ...] = ()
    haunts: tuple[str, ...] = ()


@dataclass(frozen=True)
class Blueprint:
    """A village on paper: its map, its places and people by key, who knows whom, and who is mayor, if anyone.

    `memories` are what people remember as the story begins, by their keys; `start` is when that is, if the source says.
    """

    tiles: TileMap
    places: dict[str, PlacePlan]
    people: dict[str, PersonPlan]
    bonds: tuple[Bond, ...]
    mayor: str | None = None
    memories: Mapping[str, tuple[SeedMemory, ...]] = field(default_factory=dict)
    start: str | None = None
