"""How an entity is drawn on the map: as somebody who moves, as a place, as the weather, or not at all.

A world whose entities have `lon` and `lat`, `x` and `y`, a `pos`, or stand at a place is drawn without being told how.
For any other, pass a function of your own.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import msgspec

from cave_sim.errors import JournalError
from cave_sim.history.wording import title_text
from cave_sim.loading.converted_types import converted_to

PAIRS = (("lon", "lat"), ("x", "y"), ("column", "row"))
POINTS = ("pos", "position", "xy")
NODES = ("location", "node", "at", "cell", "site")
TITLES = ("title", "full_name")
STATES = ("activity", "state", "status", "mood", "kind")
SIGNS = {"ill_until_s": "ill"}
"""Fields that hold people by name, and the word for what those have."""

Role = Literal["mover", "place", "weather", "sign"]
Fields = Mapping[str, Any]


@converted_to
@dataclass(frozen=True)
class Portrayal:
    """Which fields of an entity say where it is and how it looks.

    Attributes:
        role: a mover is drawn moving, a place stands still, the weather is the page's banner;
            a sign is nowhere itself, and marks those whom it holds.
        across, up: the number fields of its position.
        point: or the one field that holds both, as `[across, up]`.
        node: or the field that names where it is: a place, or a node of the manifest's `map["nodes"]`.
        state: the field whose word colours it.
        kind: what kind of place it is, for its symbol.
        word: what colours it where no field does; of a sign, the word for what people have.
        holders: the field of a sign that holds them: a list of names, or a dict by name.
        tile: whether a mover is a cell of a board itself, such as a patch of grass: a square below all others.
    """

    role: Role
    across: str = ""
    up: str = ""
    point: str = ""
    node: str = ""
    state: str = ""
    kind: str = ""
    word: str = ""
    holders: str = ""
    tile: bool = False


Portray = Callable[[str, str, Fields, bool], Portrayal | None]


def portray(_: str, type_name: str, fields: Fields, acts: bool) -> Portrayal | None:
    """Return how an entity is drawn, told by the names of its fields; None for one that is not on the map.

    Args:
        _: the entity's name.
        type_name: its class.
        fields: what it came into the world with.
        acts: whether entities of its class run cells.
    """
    if "temperature_c" in fields and not acts:
        return Portrayal("weather")
    if not acts and (sign := next((field for field in SIGNS if isinstance(fields.get(field), dict)), "")):
        return Portrayal("sign", holders=sign, word=SIGNS[sign])
    where = _position(fields)
    state = next((field for field in STATES if isinstance(fields.get(field), str)), "")
    if acts or "activity" in fields:
        return Portrayal("mover", **where, state=state)
    kind = str(fields.get("kind") or type_name).replace("_", " ")
    return Portrayal("place", **where, state="closed" if "closed" in fields else "", kind=kind) if where else None


def portray_as_told(manifest: Mapping[str, Any]) -> Portray:
    """Return how entities are drawn by what a run says of its classes, ``"*"`` for those that it does not name.

    An entity without the fields that are told of its class is drawn by the names of those that it has.

    Raises:
        JournalError: what is told is no portrayal.
    """
    try:
        looks = msgspec.convert(manifest.get("portrayal") or {}, dict[str, Portrayal])
    except msgspec.ValidationError as error:
        raise JournalError(f"its portrayal is none of ours: {error}") from None

    def look_up(name: str, type_name: str, fields: Fields, acts: bool) -> Portrayal | None:
        look = looks.get(type_name) or looks.get("*")
        fits = look is not None and all(field in fields for field in (look.across, look.up, look.node) if field)
        return look if fits else portray(name, type_name, fields, acts)

    return look_up


def _position(fields: Fields) -> dict[str, Any]:
    """Return which fields hold the position, as arguments of a portrayal."""
    for across, up in PAIRS:
        if all(isinstance(fields.get(axis), (int, float)) for axis in (across, up)):
            return {"across": across, "up": up}
    for field in POINTS:
        if as_point(fields.get(field)) is not None:
            return {"point": field}
    node = next((field for field in NODES if _names_something(fields.get(field))), "")
    return {"node": node} if node else {}


def _names_something(value: Any) -> bool:
    """Say whether a value is a name or a reference; an array is kept as a dict as well."""
    return isinstance(value, str) or (isinstance(value, dict) and "$ref" in value)


def as_point(value: Any) -> tuple[float, float] | None:
    """Return the two numbers of a position that is kept in one field, or None if it is none."""
    if isinstance(value, dict):
        value = value.get("$tuple")
    if isinstance(value, list) and len(value) == 2 and all(isinstance(part, (int, float)) for part in value):
        return float(value[0]), float(value[1])
    return None


def as_number(value: Any) -> float:
    """Return one of the two numbers of a position; NaN, which is nowhere, if it is none."""
    return float(value) if isinstance(value, int | float) else math.nan


def title(name: str, fields: Fields) -> str:
    """Return how an entity is called."""
    text = next(filter(None, map(fields.get, TITLES)), None)
    return title_text(str(text or name.replace("_", " ").capitalize()))
