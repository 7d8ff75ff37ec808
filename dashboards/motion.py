"""What the page plays: where everyone is, what they do and how they feel at each frame, packed small.

Numbers travel as 16-bit fractions of their range (a city of 4 km is kept to 6 cm), frame after frame, in base64.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator
from typing import Any

import numpy as np

from cave_sim.dashboards.palette import activity_colours, split_unit
from cave_sim.dashboards.record import Born, Numbers, Record

NOWHERE = 65_535  # the packed value for "no value", so ranges use 0..65534


def motion(record: Record) -> dict[str, Any]:
    """Return the playable part of a run as plain JSON data; parts that this run does not have are left out."""
    played: dict[str, Any] = {
        "times": times_ms(record),
        "steps": record.frames.steps.tolist(),
        "hours": _hours(record),
        "opening": opening(record),
    }
    if record.residents:
        played |= _people(record)
    if record.weather:
        played["weather"] = _weather(record, record.weather)
    if record.axes:
        played["marks"] = list(_marks(record, record.axes))
    return played


def times_ms(record: Record) -> list[int]:
    """Return each frame's world time as milliseconds since 1970, read as if the world's clock were UTC."""
    instants = np.array([time.replace(tzinfo=None) for time in record.frames.times], dtype="datetime64[ms]")
    return list(instants.astype(np.int64).tolist())


def pack(values: Numbers) -> dict[str, Any]:
    """Return entities x numbers over time as base64 of little-endian 16-bit fractions, frame by frame."""
    known = ~np.isnan(values)
    low, high = (float(values[known].min()), float(values[known].max())) if known.any() else (0.0, 0.0)
    scale = (NOWHERE - 1) / (high - low) if high > low else 0.0
    fractions = np.where(known, np.round((np.nan_to_num(values) - low) * scale), NOWHERE)
    return {"low": low, "high": high, "data": b64encode(fractions.T.astype("<u2").tobytes()).decode("ascii")}


def opening(record: Record) -> int:
    """Return the frame that the page opens at: the one in which residents do the most different things."""
    codes, words = record.activities
    crowds = np.array([(codes == index).sum(axis=0) for index in range(len(words))])
    return int(crowds.max(axis=0).argmin()) if crowds.size else 0


def _people(record: Record) -> dict[str, Any]:
    codes, words = record.activities
    people = record.residents
    played: dict[str, Any] = {
        "names": [born.name for born in people],
        "titles": [born.title for born in people],
        "activities": [{"name": word, "colour": colour} for word, colour in activity_colours(words).items()],
        "activity": pack(np.where(codes < 0, np.nan, codes)),
        "levels": [
            dict(zip(("name", "unit"), split_unit(field), strict=True)) | pack(values)
            for field, values in record.levels.items()
        ],
    }
    if record.axes:
        played |= {"x": pack(record.numbers(record.axes[0], people)), "y": pack(record.numbers(record.axes[1], people))}
    if any("location" in born.fields for born in people):
        where, names = record.words("location", people)
        played["locations"] = [record.title(name) for name in names]
        played["location"] = pack(np.where(where < 0, np.nan, where))
    return played


def _hours(record: Record) -> list[float]:
    return [round(time.hour + time.minute / 60, 2) for time in record.frames.times]


def _weather(record: Record, weather: Born) -> dict[str, Any]:
    kinds, words = record.words("kind", [weather])
    shown = {"kinds": words, "kind": kinds[0].tolist()}
    for field in ("temperature_c", "precipitation_mm"):
        if field in weather.fields:
            shown[field] = [
                None if np.isnan(value) else round(value, 2) for value in record.numbers(field, [weather])[0]
            ]
    return shown


def _marks(record: Record, axes: tuple[str, str]) -> Iterator[dict[str, Any]]:
    """Yield what the map marks for a while: places that came later, and places while they are closed."""
    late = [place for place in record.places if record.late(place)]
    for place in late:
        yield _mark(place, axes, "new", int(record.frames.after([place.turn])[0]), len(record.frames) - 1)
    closable = [place for place in record.places if "closed" in place.fields]
    closed = record.numbers("closed", closable) == 1
    for place, row in zip(closable, closed, strict=True):
        for first, last in stretches(row):
            if last - first < len(record.frames) - 1:  # closed all along is no news
                yield _mark(place, axes, "closed", first, last)


def _mark(place: Born, axes: tuple[str, str], kind: str, first: int, last: int) -> dict[str, Any]:
    return {
        "kind": kind,
        "title": place.title,
        "x": place.fields[axes[0]],
        "y": place.fields[axes[1]],
        "first": first,
        "last": last,
    }


def stretches(row: np.ndarray[Any, np.dtype[np.bool_]]) -> Iterator[tuple[int, int]]:
    """Yield (first, last) of each unbroken stretch of True."""
    edges = np.flatnonzero(np.diff(np.concatenate(([0], row.astype(np.int8), [0]))))
    for first, after in zip(edges[::2], edges[1::2], strict=True):
        yield int(first), int(after) - 1
