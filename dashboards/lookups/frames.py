"""Frames as they travel: a JSON head and packed numbers behind it.

A message is: the length of its head (4 bytes, little-endian), the head, then arrays one after the other. Positions are
16-bit fractions of the map's bounds (a city of 4 km is kept to 6 cm); 65535 is nowhere. States are codes of one byte.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import zip_longest
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cave_sim.dashboards.lookups.page_json import page_json
from cave_sim.dashboards.lookups.scene import MapEntity, Scene
from cave_sim.dashboards.lookups.timeline_state import TimelineState

NOWHERE = 65_535
MOST_POINTS_A_CHUNK = 250_000

Packed = tuple[NDArray[np.uint16], NDArray[np.uint8]]


def packed(timeline: TimelineState, scene: Scene) -> Packed:
    """Return positions (movers x 2) and states (movers) of a scene as whole numbers."""
    west, east, south, north = timeline.bounds
    low, span = np.array([west, south]), np.array([east - west, north - south])
    where = timeline.positions(scene)
    known: NDArray[np.bool_] = np.logical_not(np.isnan(where).any(axis=1))
    fractions = np.clip((np.where(known[:, None], where, low) - low) / span, 0, 1) * (NOWHERE - 1)
    whole = np.where(known[:, None], np.round(fractions), NOWHERE).astype(np.uint16)
    return whole, timeline.states(scene)


def head(scene: Scene) -> dict[str, Any]:
    """Return what a page shows of a moment besides who is where."""
    shut = [name for name, closed in scene.closed.items() if closed]
    signs = {word: list(names) for word, names in scene.signs.items() if names}
    moment = {"step": scene.step, "time_s": scene.time_s, "closed": shut, "signs": signs, "turn": scene.turn}
    return moment | {"weather": dict(scene.weather)}


def message(about: dict[str, Any], arrays: Iterable[NDArray[Any]]) -> bytes:
    """Return a head and arrays as one message."""
    text = page_json(about)
    text += b" " * (-len(text) % 4)  # so that arrays start where browsers can map them
    return b"".join([len(text).to_bytes(4, "little"), text, *(array.tobytes() for array in arrays)])


def chunk(timeline: TimelineState, first: int, count: int) -> bytes:
    """Return whole frames of steps, first to first + count - 1, as many as are sensible at once."""
    count = max(1, min(count, 240, MOST_POINTS_A_CHUNK // max(1, len(timeline.movers))))
    heads: list[dict[str, Any]] = []
    arrays: list[Packed] = []
    for scene in timeline.scenes(first, first + count - 1):
        heads.append(head(scene))
        arrays.append(packed(timeline, scene))
    about = {"movers": len(timeline.movers), "frames": heads, "version": timeline.version, "last": timeline.last.step}
    return message(about, [*(where for where, _ in arrays), *(states for _, states in arrays)])


def delta(before: Packed | None, after: Packed, about: dict[str, Any]) -> bytes:
    """Return what differs between two moments; all of it where there was none before.

    Across, up and state travel apart, each as a bit for every mover and the values of those whose bit is set: whoever
    walks along a street, or sits down to eat, changes one of the three.
    """
    columns: list[NDArray[Any]] = [after[0][:, 0], after[0][:, 1], after[1]]
    known: list[NDArray[Any]] = [] if before is None else [before[0][:, 0], before[0][:, 1], before[1]]
    changed = [_changed(old, new) for old, new in zip_longest(known, columns)]
    values = [column[rows] for column, rows in zip(columns, changed, strict=True)]
    about = about | {"movers": len(after[1]), "rows": [len(rows) for rows in values]}
    if before is None:
        about["whole"] = True
    partly = [rows for rows in changed if rows.any() and not rows.all()]
    return message(about, [*values, *(np.packbits(rows, bitorder="little") for rows in partly)])


def _changed(old: NDArray[Any] | None, new: NDArray[Any]) -> NDArray[np.bool_]:
    changed = np.ones(len(new), bool)
    if old is not None:
        known = min(len(old), len(new))
        changed[:known] = old[:known] != new[:known]
    return changed


def roster(entities: Iterable[MapEntity]) -> Iterator[dict[str, Any]]:
    """Yield who is on the map, as the page lists them."""
    for entity in entities:
        data: dict[str, Any] = {"name": entity.name, "title": entity.title, "type": entity.type, "step": entity.step}
        if entity.portrayal.role == "place":
            data |= {"kind": entity.portrayal.kind, "x": entity.x, "y": entity.y}
        elif entity.portrayal.tile:
            data["tile"] = True
        yield data
