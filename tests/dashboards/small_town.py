"""Writes the journal of an invented town by the documented tables: reports are tested without a live world."""

import json
import math
import random
import sqlite3
from datetime import datetime
from pathlib import Path

from cave_sim.journal.tables import TABLES

START = datetime(2012, 6, 1, 6)
ACTIVITIES = ("walking", "working", "eating", "talking", "resting")
KINDS = ("cafe", "shop", "park", "school", "office", "library", "clinic")
STEPS = "step, time_s, last_turn, state_hash, previous, hash"
REFUSAL = "line 2, in me.eat(): Refused: Cafe <1> is closed until 7:00. Try a later hour."


class SmallTown:
    """A made-up day on a grid of streets; `axes` names the two fields of a position, () makes a world without places.

    What happens: residents sleep until about seven, walk a street each, are refused now and then; at noon of the run
    the mayor announces rain, closes a park and opens a shelter.
    """

    def __init__(self, residents: int = 6, steps: int = 36, axes: tuple[str, ...] = ("lon", "lat")) -> None:
        self.residents, self.steps, self.axes = residents, steps, axes
        self.dice = random.Random(7)
        self.turns = self.written = 0

    def write(self, folder: Path) -> Path:
        """Write run.sqlite and manifest.json into the folder and return it."""
        folder.mkdir(parents=True)
        self.db = sqlite3.connect(folder / "run.sqlite")
        self.db.executescript(TABLES)
        manifest = self.manifest()
        self.db.executemany(
            "INSERT INTO manifest VALUES (?, ?)", [(key, json.dumps(manifest[key])) for key in manifest]
        )
        (folder / "manifest.json").write_text(json.dumps(manifest))
        self.record_founding()
        for step in range(1, self.steps + 1):
            self.step(step)
        self.db.commit()
        self.db.close()
        return folder

    def manifest(self) -> dict:
        lines = [
            line for at in range(11) for line in ([self.at(at, 0), self.at(at, 10)], [self.at(0, at), self.at(10, at)])
        ]
        drawn = {"name": "Gridham", "attribution": "Gridham & <sons>", "axes": "".join(self.axes), "lines": lines}
        told = {"simulation": "small_town", "seed": 7, "start": START.isoformat(), "step_s": 600, "cave_sim": "0.1.0"}
        return told | ({"map": drawn} if self.axes else {})

    def at(self, column: float, row: float) -> list[float]:
        if self.axes == ("x", "y"):
            return [column * 4, row * 4]
        return [round(24.93 + column * 0.0018, 6), round(60.165 + row * 0.0009, 6)]

    def position(self, column: float, row: float) -> dict[str, float]:
        return dict(zip(self.axes, self.at(column, row), strict=False))

    def home(self, number: int) -> tuple[float, float]:
        return number * 37 % 101 / 10, number * 5 % 11

    def turn(
        self, step: int, agent: str, kind: str, code: str = "", status: str = "committed", error: str = ""
    ) -> None:
        self.turns += 1
        if code:
            self.db.execute("INSERT OR IGNORE INTO cells VALUES (?, ?)", (f"cell {code}", code))
        row = (self.turns, step, agent, None, kind, f"cell {code}" if code else None, status, "", error, 0.0005, None)
        self.db.execute("INSERT INTO turns VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", row)

    def change(self, entity: str, new: object, *path: str, op: str = "set", old: object = None) -> None:
        self.written += 1
        old = {"at": 0, "items": []} if op == "splice" else old
        values = [None if value is None else json.dumps(value) for value in (old, new)]
        row = (self.turns, self.written, entity, json.dumps(path), op, *values)
        self.db.execute("INSERT INTO changes VALUES (?, ?, ?, ?, ?, ?, ?)", row)

    def create(self, name: str, entity_type: str, /, **fields: object) -> None:
        self.change(name, {"type": entity_type, "fields": fields}, op="create")

    def record_founding(self) -> None:
        self.turn(0, "outside", "outside")
        self.create("weather", "Weather", kind="sun", temperature_c=12.0, precipitation_mm=0.0)
        self.create("town", "Town", announcements=[], treasury_cents=5_000_000)
        self.db.execute("INSERT INTO steps VALUES (0, 0.0, 1, 'state0', '', 'chain0', 0, '')")
        for number, kind in enumerate(KINDS * 3):
            where = self.position(number * 7 % 11, number * 3 % 11)
            self.create(
                f"place_{number}", "Place", kind=kind, title=f"{kind.title()} <{number}>", closed=False, **where
            )
        for number in range(self.residents):
            feels = {"activity": "sleeping", "mood": 0.5, "energy": 0.6, "money_cents": 20_000}
            where = self.position(*self.home(number))
            self.create(f"resident_{number}", "Resident", title=f"Resident {number}", location=None, **feels, **where)

    def step(self, step: int) -> None:
        hour = (6 + step / 6) % 24
        self.turn(step, "world", "world")
        self.change("weather", round(13 + 6 * math.sin((hour - 9) / 24 * 2 * math.pi), 1), "temperature_c")
        if step == self.steps // 3:
            self.change("weather", "rain", "kind")
            self.change("weather", 2.5, "precipitation_mm")
        for number in range(self.residents):
            self.resident(step, hour, number)
        if step == self.steps // 2:
            self.mayor(step)
        self.db.execute(
            "INSERT INTO steps VALUES (?, ?, ?, ?, '', '', 0, '')", (step, step * 600.0, self.turns, f"state{step}")
        )
        self.db.execute("INSERT INTO measures VALUES (?, 'mean_wind_ms', ?)", (step, self.dice.random()))

    def resident(self, step: int, hour: float, number: int) -> None:
        name, asleep = f"resident_{number}", hour < 6.5 + number % 5 / 4 or hour > 22
        if not asleep and self.dice.random() < 0.05:
            self.turn(step, name, "cell", "me.go(cafe)\nme.eat()", "failed", f"Traceback:\n{REFUSAL}")
            return
        self.turn(step, name, "cell", "me.sleep()" if asleep else f"me.go(place_{(step + number) % 42})")
        self.change(name, "sleeping" if asleep else ACTIVITIES[(step // 7 + number) % 5], "activity")
        self.change(name, round(0.5 + 0.3 * math.sin(step / 20 + number), 2), "mood")
        self.change(name, round(0.5 + 0.4 * math.cos(step / 30 + number / 9), 2), "energy")
        if not asleep:
            column, row = self.home(number)
            self.change(name, 20_000 - 40 * step + number, "money_cents")
            self.change(name, {"$ref": f"place_{number}"} if step % 2 else None, "location")
            for axis, value in self.position(column, abs((row + step / 9) % 20 - 10)).items():
                self.change(name, value, axis)

    def mayor(self, step: int) -> None:
        self.turn(step, "mayor", "cell", "town.announcements.append('Rain!')\nworld.add('shelter', Place())")
        self.change("town", {"at": 0, "items": ["Rain at three: the park closes."]}, "announcements", op="splice")
        self.change("place_2", True, "closed")
        self.create("shelter", "Place", kind="shelter", title="Shelter", closed=False, **self.position(5, 5.5))
