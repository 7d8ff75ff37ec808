"""A city of districts as one map: the motion of every district's journal, laid together by the names of people.

Whoever crosses from one district into the next leaves one journal and appears in another; here they are one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cave_sim import Run, open_run
from cave_sim.dashboards.lookups.liveliest import Liveliest
from cave_sim.dashboards.lookups.portrayal import Portray
from cave_sim.dashboards.lookups.scene import Frame, MapEntity, Scene
from cave_sim.dashboards.lookups.timeline_state import TimelineState


@dataclass
class CityScene(Scene):
    """A moment of every district."""

    parts: list[Scene] = field(default_factory=list)


class CityTimeline(TimelineState):
    """The motion of many journals, as if it were that of one; attributes as for a timeline of one."""

    def __init__(self, folders: list[Path], portray: Portray) -> None:
        self.runs: list[Run] = [open_run(folder) for folder in folders]
        self.shards: list[TimelineState] = [TimelineState(run, portray) for run in self.runs]
        self.movers: list[MapEntity] = []
        self.places: dict[str, MapEntity] = {}
        self.words: list[str] = []
        self.types: dict[str, str] = {}
        self.spots: list[tuple[float, float] | None] = []
        self._rows: dict[str, int] = {}
        self._lay_together()

    def _lay_together(self) -> None:
        for shard in self.shards:
            self.places |= shard.places
            self.types |= shard.types
            self.words += [word for word in shard.words if word not in self.words]
            for mover in shard.movers:
                if mover.name not in self._rows:
                    self._rows[mover.name] = len(self.movers)
                    self.movers.append(mover)
        self._where = [np.array([self._rows[mover.name] for mover in shard.movers], int) for shard in self.shards]
        self._codes_of = [np.array([self.words.index(word) for word in shard.words], np.uint8) for shard in self.shards]
        sides = np.array([shard.bounds for shard in self.shards])
        west, east, south, north = sides[:, 0].min(), sides[:, 1].max(), sides[:, 2].min(), sides[:, 3].max()
        self.bounds: tuple[float, float, float, float] = (float(west), float(east), float(south), float(north))
        self.liveliest: Liveliest = max(self.shards, key=lambda shard: len(shard.movers)).liveliest
        self.version: int = sum(shard.version for shard in self.shards)
        self.stale: bool = any(shard.stale for shard in self.shards)
        self.last: CityScene = _together([shard.last for shard in self.shards])

    @property
    def drawn(self) -> bool:
        """Whether anything in any district can have a position."""
        return any(shard.drawn for shard in self.shards)

    def advance(self) -> list[int]:
        """Read what was committed since the last call; returns the steps that every district has come to."""
        steps = [set(shard.advance()) for shard in self.shards]
        self._lay_together()
        return sorted(set.intersection(*steps)) if steps else []

    def scenes(self, first: int, last: int) -> Iterator[Scene]:
        """Yield the scene after each step; each is valid until the next is asked for."""
        for parts in zip(*(shard.scenes(first, last) for shard in self.shards), strict=False):
            yield _together(list(parts))

    def positions(self, scene: Scene) -> Frame:
        """Return across and up per mover; NaN for those who are nowhere."""
        where = np.full((len(self.movers), 2), np.nan)
        for shard, rows, part in self._parts(scene):
            known = shard.positions(part)
            there = ~np.isnan(known).any(axis=1)
            where[rows[there]] = known[there]
        return where

    def states(self, scene: Scene) -> NDArray[np.uint8]:
        """Return the code of each mover's state; 255 for none."""
        codes = np.full(len(self.movers), 255, np.uint8)
        for at, (shard, rows, part) in enumerate(self._parts(scene)):
            known = shard.states(part)
            there = known < len(self._codes_of[at])
            codes[rows[there]] = self._codes_of[at][known[there]]
        return codes

    def close(self) -> None:
        """Let go of the districts' files."""
        for run in self.runs:
            run.close()

    def _parts(self, scene: Scene) -> Iterator[tuple[TimelineState, Any, Scene]]:
        assert isinstance(scene, CityScene)
        yield from zip(self.shards, self._where, scene.parts, strict=True)


def _together(parts: list[Scene]) -> CityScene:
    first = parts[0]
    closed = {name: shut for part in parts for name, shut in part.closed.items()}
    signs = {word: names for part in parts for word, names in part.signs.items()}
    for word in signs:
        signs[word] = tuple(name for part in parts for name in part.signs.get(word, ()))
    step = min(part.step for part in parts)
    return CityScene(step, first.time_s, first.turn, first.rows, first.weather, closed, signs, parts)
