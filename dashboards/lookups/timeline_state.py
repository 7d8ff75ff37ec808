"""Where everybody is and what they do, at any step: key frames in memory, everything between them from the journal.

What is kept here is bounded: one key frame for every thousand changes, or more where frames are large.
"""

from __future__ import annotations

import json
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from contextlib import suppress
from itertools import compress
from typing import Any

import numpy as np
from msgspec import DecodeError
from msgspec.json import Decoder, decode
from numpy.typing import NDArray

from cave_sim import Run
from cave_sim.dashboards.lookups.liveliest import Liveliest
from cave_sim.dashboards.lookups.map_bounds import map_bounds
from cave_sim.dashboards.lookups.moves import IN_ORDER, marks, moves_between
from cave_sim.dashboards.lookups.portrayal import Portray, Portrayal, as_number, as_point, title
from cave_sim.dashboards.lookups.scene import ACROSS, COLUMNS, STATE, UP, Frame, MapEntity, Scene

KEY_EVERY_CHANGES = 1_000
MOST_WORDS = 250  # a state travels as one byte
NUMBERS = Decoder(list[float])


class TimelineState:
    """A run's motion.

    Attributes:
        movers: by row of a frame.
        places: by name.
        words: the states by their code.
        last: the scene after the newest step that was read.
        bounds: (west, east, south, north) that positions are packed within; widened when somebody leaves them.
        liveliest: the step at which most is going on.
        version: counts what pages must fetch anew: newcomers, new words, new bounds.
        stale: True once the roster must be built anew, because a class began to act that had not.
    """

    def __init__(self, run: Run, portray: Portray) -> None:
        self.run = run
        self.portray = portray
        self.movers: list[MapEntity] = []
        self.places: dict[str, MapEntity] = {}
        self.weather: str | None = None
        self._signs: dict[str, Portrayal] = {}
        self.words: list[str] = []
        self.types: dict[str, str] = {}
        self.stale: bool = False
        self.bounds: tuple[float, float, float, float] = (0.0, 1.0, 0.0, 1.0)
        self.version: int = 0
        self._codes: dict[str, int] = {}
        self._rows: dict[str, int] = {}
        self._at_nodes: list[int] = []
        self._slots: dict[tuple[str, str], int] = {}
        self._raw_codes: dict[str, float] = {}
        self._paths: set[str] = set()
        self._spots: dict[str, int] = {}
        self.spots: list[tuple[float, float] | None] = []
        for node, spot in ((run.manifest.get("map") or {}).get("nodes") or {}).items():
            self._spot(str(node), (float(spot[0]), float(spot[1])))
        self._acting = self._actors()
        self._idle = 0, "[]"  # who is of a class that has not acted, when so many were known
        self.last: Scene = Scene(-1, 0.0, 0, np.empty((0, 3)))
        self._keys: list[Scene] = []
        self._since_key = 0
        self.liveliest: Liveliest = Liveliest(run.manifest.get("start", ""))
        self._known = (0, 0, 0, 0)
        self.advance()

    def advance(self) -> list[int]:
        """Read what was committed since the last call; returns the new steps."""
        sql = "SELECT step, time_s, last_turn FROM steps WHERE step > ? ORDER BY step"
        steps = self.run.query(sql, self.last.step)
        self.stale = self.stale or self._somebody_began(self.last.turn)
        for step, time_s, turn in steps:
            self._since_key += self._fold(self.last, turn)
            self.last.step, self.last.time_s = step, time_s
            self.liveliest.count(step, time_s, self.states(self.last))
            if not self._keys or self._since_key >= max(KEY_EVERY_CHANGES, 2 * self.last.rows.size):
                self._keys.append(self.last.copy())
                self._since_key = 0
        if steps:
            self._look_around()
        return [step for step, _, _ in steps]

    def _look_around(self) -> None:
        """Widen the bounds if somebody left them; count a version if pages know too little now."""
        where = self.positions(self.last)
        west, east, south, north = self.bounds
        with np.errstate(invalid="ignore"):
            low, high = np.array([west, south]), np.array([east, north])
            left = bool(((where < low) | (where > high)).any())
        known = len(self.movers), len(self.places), len(self.words), len(self.types)
        if left or (not self._known[0] and self._known != known):
            places = [(place.x, place.y) for place in self.places.values()]
            points = [(x, y) for x, y in places if x is not None and y is not None]
            spots = [spot for spot in self.spots if spot is not None]
            ground = self.run.manifest.get("map") or {}
            self.bounds = map_bounds(ground, [*points, *spots], where)
        if left or known != self._known:
            self.version += 1
        self._known = known

    @property
    def drawn(self) -> bool:
        """Whether anything at all has, or can have, a position."""
        known = any(spot is not None for spot in self.spots)
        looks = [mover.portrayal for mover in self.movers]
        return known or any(look.across or look.point for look in looks)

    def at(self, step: int) -> Scene:
        """Return the scene after a step, or the nearest there is."""
        return next(self.scenes(step, step))

    def scenes(self, first: int, last: int) -> Iterator[Scene]:
        """Yield the scene after each step from first to last; each is valid until the next is asked for."""
        first, last = max(0, min(first, self.last.step)), max(0, min(last, self.last.step))
        if first == self.last.step or not self._keys:
            yield self.last
            return
        key = bisect_right(self._keys, first, key=lambda scene: scene.step) - 1
        scene = self._keys[max(0, key)].copy()
        if scene.step >= first:
            yield scene
        steps = "SELECT step, time_s, last_turn FROM steps WHERE step > ? AND step <= ? ORDER BY step"
        coming = self.run.query(steps, scene.step, last)
        begin = max(0, bisect_left(coming, first, key=lambda row: int(row[0])) - 1)  # all before it is read at once
        for step, time_s, turn in coming[begin:]:
            self._fold(scene, turn)
            scene.step, scene.time_s = step, time_s
            if step >= first:
                yield scene

    def positions(self, scene: Scene) -> Frame:
        """Return across and up per mover; NaN for those who are nowhere."""
        where = np.full((len(self.movers), 2), np.nan)
        known = scene.rows[:, :2]
        where[: len(known)] = np.where(np.isfinite(known), known, np.nan)
        for row in self._at_nodes:
            if row < len(known):
                spot = None if np.isnan(known[row, ACROSS]) else self.spots[int(known[row, ACROSS])]
                where[row] = spot or (np.nan, np.nan)
        return where

    def states(self, scene: Scene) -> NDArray[np.uint8]:
        """Return the code of each mover's state; 255 for none."""
        codes = np.full(len(self.movers), 255, np.uint8)
        known = scene.rows[:, STATE]
        codes[: len(known)] = np.where(np.isnan(known), 255, known).astype(np.uint8)
        return codes

    def _actors(self) -> set[str]:
        """Return the classes whose entities run cells, as far as the run has come."""
        agents = {agent for (agent,) in self.run.query("SELECT DISTINCT agent FROM turns WHERE kind = 'cell'")}
        sql = "SELECT entity, json_extract(new, '$.type') FROM changes WHERE op = 'create'"
        return {type_name for entity, type_name in self.run.query(sql) if entity in agents}

    def _somebody_began(self, turn: int) -> bool:
        """Say whether, behind a turn, an entity of a class that had not acted so far ran a cell."""
        if self._idle[0] != len(self.types):
            known = self._acting | {mover.type for mover in self.movers}
            names = [name for name, type_name in self.types.items() if type_name not in known]
            self._idle = len(self.types), json.dumps(names)
        sql = """SELECT 1 FROM turns WHERE turn > ? AND kind = 'cell'
                 AND agent IN (SELECT value FROM json_each(?)) LIMIT 1"""
        return bool(self.run.query(sql, turn, self._idle[1]))

    def _fold(self, scene: Scene, until: int) -> int:
        """Bring a scene up to a turn; returns how many changes mattered."""
        counted = self._move(scene, until)
        if counted is None:
            counted = self._fold_in_order(scene, until)
        scene.turn = until
        return counted

    def _move(self, scene: Scene, until: int) -> int | None:
        """Fold a stretch in which nobody came or went, all at once; do nothing to any other."""
        known = self._slots, self._paths, self._signs
        moves = moves_between(self.run, scene.turn, until, slots=known[0], paths=known[1], entities=known[2])
        if moves is None:
            return None
        try:
            scene.rows.reshape(-1)[moves.slots] = self._values(moves.slots, moves.texts)
        except (ValueError, IndexError, DecodeError):  # what is no number, or of somebody who is not there
            return None
        for entity, path, op, new, step in moves.others:
            self._apply(scene, entity, path, op, new, step)
        return moves.count

    def _fold_in_order(self, scene: Scene, until: int) -> int:
        paths = self._paths
        rows = self.run.query(
            IN_ORDER.format(marks(paths), marks(self._signs)), scene.turn, until, *paths, *self._signs
        )
        if any(row[2] == "create" and row[0] not in self.types for row in rows):
            self._meet(scene, rows)
            if self._paths != paths:  # somebody of a new kind came: read again with the fields that matter now
                return self._fold_in_order(scene, until)
        for entity, path, op, new, step in rows:
            if not self._put(scene, entity, path, op, new):
                self._apply(scene, entity, path, op, new, step)
        return len(rows)

    def _meet(self, scene: Scene, rows: list[tuple[Any, ...]]) -> None:
        """Enter newcomers into the roster before anything is applied, places first: others may stand at them."""
        born = [(row[0], decode(row[3]), row[4]) for row in rows if row[2] == "create" and row[0] not in self.types]
        newcomers = []
        for name, creation, step in born:
            self.types[name] = creation["type"]
            portrayal = self.portray(name, creation["type"], creation["fields"], creation["type"] in self._acting)
            if portrayal is not None:
                newcomers.append(
                    (
                        MapEntity(name, creation["type"], title(name, creation["fields"]), portrayal, step),
                        creation["fields"],
                    )
                )
        for entity, fields in sorted(newcomers, key=lambda newcomer: newcomer[0].portrayal.role == "mover"):
            self._enter(entity, fields)

    def _enter(self, entity: MapEntity, fields: dict[str, Any]) -> None:
        portrayal = entity.portrayal
        if portrayal.role == "weather":
            self.weather = entity.name
            self._paths = self._paths | {json.dumps([name]) for name in ("kind", "temperature_c", "precipitation_mm")}
            return
        if portrayal.role == "sign":
            self._signs[entity.name] = portrayal
            self._paths = self._paths | {json.dumps([portrayal.holders])}
            return
        if portrayal.role == "place":
            point = (
                as_point(fields.get(portrayal.point))
                if portrayal.point
                else (fields.get(portrayal.across), fields.get(portrayal.up))
            )
            if portrayal.node:
                point = self._at_node(fields.get(portrayal.node))
            across, up = map(as_number, point or (None, None))
            if np.isfinite((across, up)).all():
                entity.x, entity.y = across, up
                self._spot(entity.name, (across, up))
            self.places[entity.name] = entity
        else:
            self._rows[entity.name] = len(self.movers)
            if portrayal.node:
                self._at_nodes.append(len(self.movers))
            for column, name in enumerate((portrayal.across, portrayal.up, portrayal.state)):
                if name:
                    path = json.dumps([name])
                    self._slots[entity.name, path] = len(self.movers) * COLUMNS + column
            self.movers.append(entity)
        watched = {portrayal.across, portrayal.up, portrayal.point, portrayal.node, portrayal.state} - {""}
        self._paths = self._paths | {json.dumps([name]) for name in watched}

    def _put(self, scene: Scene, entity: str, path: str, op: str, new: str | None) -> bool:
        """Write a mover's number or word, which nearly every change is; returns False for anything else."""
        slot = self._slots.get((entity, path))
        if slot is None or op != "set" or new is None:
            return False
        try:
            scene.rows[divmod(slot, COLUMNS)] = self._value(slot, new)
        except (ValueError, IndexError):
            return False
        return True

    def _values(self, slots: NDArray[np.intp], texts: list[str]) -> NDArray[np.float64]:
        """Return what slots hold for texts of JSON, as one by one does; nearly all words have been met before."""
        values, are_words = np.empty(len(slots)), slots % COLUMNS == STATE
        of, words = slots[are_words].tolist(), list(compress(texts, are_words.tolist()))
        values[~are_words] = NUMBERS.decode(f"[{','.join(compress(texts, (~are_words).tolist()))}]")
        codes = list(map(self._raw_codes.get, words))
        values[are_words] = list(map(self._value, of, words)) if None in codes else codes
        return values

    def _value(self, slot: int, new: str) -> float:
        """Return the number, or the code of a word, that a slot holds for a text of JSON."""
        if slot % COLUMNS != STATE:
            return float(new)
        name = self.movers[slot // COLUMNS].portrayal.state
        key = new if new[:1] == '"' else name + new  # a text says the same whatever field it is in
        code = self._raw_codes.get(key)
        if code is None:
            code = self._code(_word(name, _read(new)))
            if not np.isnan(code):
                self._raw_codes[key] = code
        return code

    def _apply(self, scene: Scene, entity: str, path: str, op: str, new: str | None, step: int) -> None:
        if op == "create":
            self._appear(scene, entity, decode(new or "{}")["fields"])
            return
        if entity in self._rows:
            row = self._rows[entity]
            if row >= len(scene.rows):
                return  # of somebody who is not there yet
            if op == "remove":
                scene.rows[row] = np.nan
            elif op == "set":
                self._write(scene, row, path[2:-2], _read(new))
        elif entity in self._signs:
            self._mark(scene, self._signs[entity], op, decode(path), new)
        elif entity == self.weather and op == "set":
            scene.weather[path[2:-2]] = _read(new)
        elif entity in self.places:
            if op == "remove":
                scene.closed[entity] = True
            elif path == '["closed"]':
                scene.closed[entity] = new == "true"

    def _mark(self, scene: Scene, sign: Portrayal, op: str, path: list[Any], new: str | None) -> None:
        """Write who has a sign: all of them at once, or one who gets or loses it."""
        if op == "remove":
            scene.signs[sign.word] = ()
        elif path == [sign.holders]:
            scene.signs[sign.word] = tuple(decode(new or "[]"))
        elif len(path) == 2 and path[0] == sign.holders and isinstance(path[1], str):
            others = tuple(name for name in scene.signs.get(sign.word, ()) if name != path[1])
            scene.signs[sign.word] = others if op == "delete" else (*others, path[1])

    def _appear(self, scene: Scene, entity: str, fields: dict[str, Any]) -> None:
        if entity in self._rows:
            row = self._rows[entity]
            if len(scene.rows) <= row:
                more = np.full((len(self.movers) - len(scene.rows), 3), np.nan)
                scene.rows = np.concatenate([scene.rows, more])
            if word := self.movers[row].portrayal.word:
                scene.rows[row, STATE] = self._code(word)
            for name in self.movers[row].portrayal.__dict__.values():
                if name in fields:
                    self._write(scene, row, name, fields[name])
        elif entity in self._signs:
            sign = self._signs[entity]
            scene.signs[sign.word] = tuple(fields.get(sign.holders, ()))
        elif entity == self.weather:
            scene.weather |= {k: fields[k] for k in ("kind", "temperature_c", "precipitation_mm") if k in fields}
        elif entity in self.places and fields.get("closed"):
            scene.closed[entity] = True

    def _write(self, scene: Scene, row: int, name: str, value: Any) -> None:
        portrayal, here = self.movers[row].portrayal, scene.rows[row]
        if name == portrayal.state:
            here[STATE] = self._code(_word(name, value))
        if name == portrayal.across:
            here[ACROSS] = as_number(value)
        elif name == portrayal.up:
            here[UP] = as_number(value)
        elif name == portrayal.point:
            here[:2] = as_point(value) or (np.nan, np.nan)
        elif name == portrayal.node:
            node = value.get("$ref") if isinstance(value, dict) else value
            here[ACROSS] = np.nan if node is None else self._spot(str(node))

    def _at_node(self, node: Any) -> tuple[float, float] | None:
        """Return where a place is that names a node of the map."""
        return None if node is None or str(node) not in self._spots else self.spots[self._spots[str(node)]]

    def _spot(self, node: str, where: tuple[float, float] | None = None) -> int:
        if node not in self._spots:
            self._spots[node] = len(self.spots)
            self.spots.append(where)
        elif where is not None:
            self.spots[self._spots[node]] = where
        return self._spots[node]

    def _code(self, word: str) -> float:
        if not word:
            return np.nan
        if word not in self._codes:
            if len(self.words) >= MOST_WORDS:
                return np.nan
            self._codes[word] = len(self.words)
            self.words.append(word)
        return self._codes[word]


def _read(new: str | None) -> Any:
    """Return what a change wrote; None where that is nothing, or no JSON."""
    with suppress(DecodeError):
        return None if new is None else decode(new)
    return None


def _word(name: str, value: Any) -> str:
    """Return what the legend says of a field's value: a text is a word by itself, a number is not."""
    title = name.replace("_", " ")
    if isinstance(value, bool):
        return title if value else f"not {title}"
    return value if isinstance(value, str) else f"{title} {value}" if isinstance(value, int | float) else ""
