"""Frames as they travel: a JSON head and packed numbers behind it.

A message is: the length of its head (4 bytes, little-endian), the head, then arrays one after the other. Positions are
16-bit fractions of the map's bounds (a city of 4 km is kept to 6 cm); 65535 is nowhere. States are codes of one byte.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dashboards.live.track import Drawn, Scene, Track

NOWHERE = 65_535
MOST_POINTS_A_CHUNK = 250_000

Packed = tuple[NDArray[np.uint16], NDArray[np.uint8]]


def packed(track: Track, scene: Scene) -> Packed:
    """Return positions (movers x 2) and states (movers) of a scene as whole numbers."""
    west, east, south, north = track.bounds
    low, span = np.array([west, south]), np.array([east - west, north - south])
    where = track.positions(scene)
    known = ~np.isnan(where).any(axis=1)
    fractions = np.clip((np.where(known[:, None], where, low) - low) / span, 0, 1) * (NOWHERE - 1)
    whole = np.where(known[:, None], np.round(fractions), NOWHERE).astype(np.uint16)
    return whole, track.states(scene)


def head(scene: Scene) -> dict[str, Any]:
    """Return what a page shows of a moment besides who is where."""
    shut = [name for name, closed in scene.closed.items() if closed]
    told = {"step": scene.step, "time_s": scene.time_s, "closed": shut, "turn": scene.turn}
    return told | {"weather": dict(scene.weather)}


def message(told: dict[str, Any], arrays: Iterable[NDArray[Any]]) -> bytes:
    """Return a head and arrays as one message."""
    text = json.dumps(told, ensure_ascii=False, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 4)  # so that arrays start where browsers can map them
    return b"".join([len(text).to_bytes(4, "little"), text, *(array.tobytes() for array in arrays)])


def chunk(track: Track, first: int, count: int) -> bytes:
    """Return whole frames of steps, first to first + count - 1, as many as are sensible at once."""
    count = max(1, min(count, 240, MOST_POINTS_A_CHUNK // max(1, len(track.movers))))
    heads: list[dict[str, Any]] = []
    arrays: list[Packed] = []
    for scene in track.scenes(first, first + count - 1):
        heads.append(head(scene))
        arrays.append(packed(track, scene))
    told = {"movers": len(track.movers), "frames": heads, "version": track.version, "last": track.last.step}
    return message(told, [*(where for where, _ in arrays), *(states for _, states in arrays)])


def delta(before: Packed | None, after: Packed, told: dict[str, Any]) -> bytes:
    """Return what differs between two moments; all of it where there was none before."""
    where, states = after
    if before is None:
        rows = np.arange(len(states))
    else:
        known = min(len(before[1]), len(states))
        same = np.zeros(len(states), bool)
        same[:known] = (before[0][:known] == where[:known]).all(axis=1) & (before[1][:known] == states[:known])
        rows = np.flatnonzero(~same)
    kind = np.uint16 if len(states) < NOWHERE else np.uint32
    told = told | {"movers": len(states), "rows": len(rows), "wide": kind is np.uint32}
    return message(told, [where[rows], rows.astype(kind), states[rows]])


def roster(drawn: Iterable[Drawn]) -> Iterator[dict[str, Any]]:
    """Yield who is on the map, as the page lists them."""
    for each in drawn:
        told: dict[str, Any] = {"name": each.name, "title": each.title, "type": each.type, "step": each.step}
        if each.portrayal.role == "place":
            told |= {"kind": each.portrayal.kind, "x": each.x, "y": each.y}
        yield told
