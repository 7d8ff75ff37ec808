"""Who knows of the party, from whom, and who came: measured from the state in a run's journal, asking no model."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from cave_sim import Run
from cave_sim.entity.json_form import referenced
from cave_sim.simulations.valentine_party.script import PARTY

LASTS_H = 2.0
_SPEAKER = re.compile(r"\((\w+)\): ")


@dataclass
class Spread:
    """How far an invitation went.

    Attributes:
        host: whose party it is.
        knows: who knows of it -> (step at which they first heard, read or wrote of it; who told them, "" if unknown).
        present: everybody who was in the place while the party lasted.
    """

    host: str
    knows: dict[str, tuple[int, str]] = field(default_factory=dict)
    present: set[str] = field(default_factory=set)

    @property
    def invited(self) -> set[str]:
        """Everybody but the host who knows of the party."""
        return self.knows.keys() - {self.host}

    @property
    def came(self) -> set[str]:
        """Those who knew of the party, and were there; the host is not counted."""
        return self.present & self.invited


def measure(run: Run) -> Spread:
    """Return how far the invitation of a run of this simulation went.

    Args:
        run: a journal as `cave_sim.open_run` returns it.
    """
    config = run.manifest["config"]
    spread = Spread(config["host"])
    for step, entity, text in _texts(run):
        if PARTY in text and entity not in spread.knows:
            speaker = _SPEAKER.search(text)
            spread.knows[entity] = step, speaker[1] if speaker else ""
    begins, ends = _steps(run, config["at"])
    spread.present = set(_present(run, config["venue"], begins, ends))
    return spread


def _texts(run: Run) -> Iterator[tuple[int, str, str]]:
    """Yield (step, entity, text) of everything that was heard, noted or planned, in order."""
    for change in run.changes():
        if change.op == "create":
            values = [change.new["fields"].get(field) for field in ("plan", "diary")]
        else:
            values = [change.new] if change.path[0] in ("heard", "diary", "plan") else []
        for value in filter(None, values):
            yield change.step, change.entity, json.dumps(value, ensure_ascii=False)


def _steps(run: Run, at: str) -> tuple[int, int]:
    """Return the steps between which the party lasts."""
    start, step_s = datetime.fromisoformat(run.manifest["start"]), float(run.manifest["step_s"])
    hour, minute = map(int, at.split(":"))
    begins = start.replace(hour=hour, minute=minute)
    steps = [(time - start).total_seconds() / step_s for time in (begins, begins + timedelta(hours=LASTS_H))]
    return int(steps[0]), int(steps[1])


def _present(run: Run, venue: str, begins: int, ends: int) -> Iterator[str]:
    """Yield who was in the place at any time between two steps."""
    inside: dict[str, int] = {}
    for change in run.changes(field="location"):
        since = inside.pop(change.entity, None)
        if since is not None and change.step > begins and since <= ends:
            yield change.entity
        if referenced(change.new) == venue:
            inside[change.entity] = change.step
    yield from (entity for entity, since in inside.items() if since <= ends)
