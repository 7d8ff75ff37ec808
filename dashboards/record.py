"""A run as its journal tells it, folded into the arrays and lists that the report draws."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cave_sim import Run
from cave_sim.dashboards.palette import split_unit

AXES = (("lon", "lat"), ("x", "y"))
MOMENT_BUDGET = 300_000  # residents x frames, about 30 bytes each; keeps every report under 15 MB
FRAME_BUDGET = 1_500
MOST_ACTIVITIES = 12

Numbers = NDArray[np.float64]
Codes = NDArray[np.int16]


@dataclass(frozen=True)
class Born:
    """An entity as it came into the world: who created it, in which turn and step, with which fields."""

    name: str
    type: str
    fields: Mapping[str, Any]
    turn: int
    step: int
    agent: str

    @property
    def title(self) -> str:
        return str(self.fields.get("title") or self.fields.get("full_name") or self.name.replace("_", " ").capitalize())


class Frames:
    """The steps a report shows, all or evenly many, with their world times; never none: a world has a beginning."""

    def __init__(self, start: datetime, steps: Sequence[tuple[int, float, int]], most: int) -> None:
        stride = -(-len(steps) // most)
        shown = [steps[index] for index in sorted({*range(0, len(steps), stride), len(steps) - 1})]
        self.steps = np.array([step for step, _, _ in shown], dtype=np.int64)
        self.times = [start + timedelta(seconds=time_s) for _, time_s, _ in shown]
        self.labels = [time.isoformat() for time in self.times]
        self._last_turns = np.array([last_turn for _, _, last_turn in shown], dtype=np.int64)

    def __len__(self) -> int:
        return len(self.times)

    def clock(self, frame: int) -> str:
        """Return a frame's time of day, with the day in front where a run goes on past the second morning."""
        time, longest = self.times[frame], timedelta(hours=36)
        day = f"{time:%a} {time.day} " if self.times[-1] - self.times[0] > longest else ""
        return f"{day}{time:%H:%M}"

    def at(self, step: int) -> int:
        """Return the first frame that is not before the step."""
        return min(int(np.searchsorted(self.steps, step)), len(self) - 1)

    def after(self, turns: Sequence[int]) -> NDArray[np.int64]:
        """Return, for each of the turns, the first frame that shows what it wrote."""
        found = np.searchsorted(self._last_turns, np.asarray(turns, dtype=np.int64))
        return np.minimum(found, len(self) - 1).astype(np.int64)


class Record:
    """One run: its manifest, its frames, everything that was ever created, and any field over time."""

    def __init__(self, run: Run) -> None:
        self.run = run
        self.manifest = run.manifest
        self.born = {born.name: born for born in _births(run)}
        steps = run.query("SELECT step, time_s, last_turn FROM steps ORDER BY step")
        most = max(2, min(FRAME_BUDGET, MOMENT_BUDGET // max(1, len(self.residents))))
        self.step_count = steps[-1][0] if steps else 0
        self.frames = Frames(self.start, steps or [(0, 0.0, 0)], most)

    @property
    def start(self) -> datetime:
        return datetime.fromisoformat(str(self.manifest.get("start", "2000-01-01T00:00")))

    @cached_property
    def axes(self) -> tuple[str, str] | None:
        """The two position fields that this world's entities have, or None: a world without a map."""
        for across, up in AXES:
            if any(_placed(born, (across, up)) for born in self.born.values()):
                return across, up
        return None

    @cached_property
    def residents(self) -> list[Born]:
        """Entities of the types that act and have an activity or a place, by title."""
        actors = [agent for (agent,) in self.run.query("SELECT DISTINCT agent FROM turns WHERE kind = 'cell'")]
        types = {self.born[agent].type for agent in actors if agent in self.born}
        living = [born for born in self.born.values() if born.type in types and self._lives(born)]
        return sorted(living, key=lambda born: (born.title, born.name))

    def _lives(self, born: Born) -> bool:
        return "activity" in born.fields or (self.axes is not None and _placed(born, self.axes))

    @cached_property
    def places(self) -> list[Born]:
        """Entities with a position that are no residents, by name."""
        people = {born.name for born in self.residents}
        if self.axes is None:
            return []
        axes = self.axes
        return [born for name, born in sorted(self.born.items()) if name not in people and _placed(born, axes)]

    @cached_property
    def weather(self) -> Born | None:
        return next((born for _, born in sorted(self.born.items()) if "temperature_c" in born.fields), None)

    def late(self, born: Born) -> bool:
        """Say whether an entity came after the first frame."""
        return bool(self.frames.after([born.turn])[0] > 0)

    def title(self, name: str) -> str:
        """Return how an entity is called, or the name itself where it names none (the world, the researcher)."""
        return self.born[name].title if name in self.born else name

    @cached_property
    def removed(self) -> dict[str, int]:
        """Entity -> the turn in which it left the world."""
        sql = """SELECT c.entity, c.turn FROM changes c JOIN turns t ON t.turn = c.turn
                 WHERE c.op = 'remove' AND t.parent IS NULL ORDER BY c.turn"""
        return dict(self.run.query(sql))

    @cached_property
    def activities(self) -> tuple[Codes, list[str]]:
        """Residents x frames of indices into the returned activities.

        Activities that carry detail ("walking to the bakery") are known by their first word when there are too many.
        """
        codes, words = self.words("activity", self.residents)
        if len(words) <= MOST_ACTIVITIES:
            return codes, words
        heads = list(dict.fromkeys(word.partition(" ")[0] for word in words))
        merged = [heads.index(word.partition(" ")[0]) for word in words]
        return np.array([*merged, -1], np.int16)[codes], heads

    @cached_property
    def levels(self) -> dict[str, Numbers]:
        """The residents' fields that are shares (0 to 1) or money and do change, each as residents x frames."""
        fields = dict.fromkeys(
            field for born in self.residents for field, value in born.fields.items() if _level(field, value)
        )
        series = {field: self.numbers(field, self.residents) for field in fields}
        return {field: values for field, values in series.items() if _changes(values)}

    def numbers(self, field: str, entities: Sequence[Born]) -> Numbers:
        """Return entities x frames of a number field; NaN where an entity or its value is not there."""
        return self._over_time(field, entities, _number, np.dtype(np.float64), np.nan)

    def words(self, field: str, entities: Sequence[Born]) -> tuple[Codes, list[str]]:
        """Return entities x frames of indices into the returned words, most frequent first; -1: no value."""
        seen: dict[str, int] = {}
        codes = self._over_time(field, entities, lambda value: _code(value, seen), np.dtype(np.int16), -1)
        order = np.argsort(-np.bincount(codes[codes >= 0], minlength=len(seen)), kind="stable")
        rank = np.append(np.argsort(order), -1).astype(np.int16)
        words = list(seen)
        return rank[codes], [words[index] for index in order]

    def _over_time(
        self, field: str, entities: Sequence[Born], read: Callable[[Any], float], dtype: np.dtype[Any], absent: float
    ) -> NDArray[Any]:
        row = {born.name: index for index, born in enumerate(entities)}
        born = [(born.turn, born.name, read(born.fields.get(field))) for born in entities]
        written = [
            (turn, name, read(new and json.loads(new))) for turn, name, new in self._writes(field) if name in row
        ]
        gone = [(turn, name, absent) for name, turn in self.removed.items() if name in row]
        turns, names, read_values = zip(*born, *written, *gone, strict=True) if row else ((), (), ())
        at = [row[name] for name in names], self.frames.after(turns)
        values = np.full((len(entities), len(self.frames)), absent, dtype=dtype)
        known = np.zeros(values.shape, dtype=bool)
        values[at], known[at] = read_values, True  # of several writes within one frame the last one stays
        return _carried_forward(values, known)

    def _writes(self, field: str) -> list[tuple[int, str, str]]:
        sql = """SELECT c.turn, c.entity, c.new FROM changes c JOIN turns t ON t.turn = c.turn
                 WHERE c.path = ? AND c.op = 'set' AND t.parent IS NULL ORDER BY c.turn, c.position"""
        return self.run.query(sql, json.dumps([field]))


def _births(run: Run) -> list[Born]:
    sql = """SELECT c.entity, c.new, c.turn, t.step, t.agent FROM changes c JOIN turns t ON t.turn = c.turn
             WHERE c.op = 'create' AND t.parent IS NULL ORDER BY c.turn, c.position"""
    births = []
    for entity, new, turn, step, agent in run.query(sql):
        made = json.loads(new)
        births.append(Born(entity, made["type"], made["fields"], turn, step, agent))
    return births


def _placed(born: Born, axes: tuple[str, str]) -> bool:
    return all(isinstance(born.fields.get(axis), (int, float)) for axis in axes)


def _number(value: Any) -> float:
    return float(value) if isinstance(value, (int, float)) else float("nan")


def _code(value: Any, seen: dict[str, int]) -> int:
    value = value.get("$ref") if isinstance(value, dict) else value  # a reference is read as the name it holds
    return -1 if value is None else seen.setdefault(str(value), len(seen))


def _carried_forward(values: NDArray[Any], known: NDArray[np.bool_]) -> NDArray[Any]:
    """Return values with every unknown cell replaced by the last known one to its left."""
    last = np.maximum.accumulate(np.where(known, np.arange(values.shape[1]), 0), axis=1)
    return np.take_along_axis(values, last, axis=1)


def _level(field: str, value: Any) -> bool:
    stem, unit = split_unit(field)
    share = isinstance(value, float) and 0 <= value <= 1 and not unit and stem not in sum(AXES, ())
    return share or (unit == "cents" and isinstance(value, int))


def _changes(values: Numbers) -> bool:
    known = values[~np.isnan(values)]
    return bool(known.size) and bool((known != known[0]).any())
