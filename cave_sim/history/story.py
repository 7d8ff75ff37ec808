"""Story: the life of an entity, chapter by chapter, as its run tells it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from itertools import groupby
from typing import Any

from cave_sim.history.blame import FieldWrite, blame
from cave_sim.history.wording import change_text
from cave_sim.journal.opened import of_run
from cave_sim.journal.reader import Run

BY_ITSELF = "world"


@dataclass(frozen=True, slots=True)
class Chapter:
    """What one turn did to an entity; or what several turns of the world did, one after the other, by themselves.

    Attributes:
        time, until: world time of the first and the last turn, as ISO text.
        turns: their numbers.
        agent: who.
        code: the cell; empty if there was none.
        changes: in words, one for each place that was written.
    """

    time: str
    until: str
    turns: tuple[int, ...]
    agent: str
    code: str
    changes: tuple[str, ...]

    def to_data(self) -> dict[str, Any]:
        """Return it as plain data."""
        return asdict(self)


@of_run
def story(run: Run, entity: str, *, at: int | None = None) -> list[Chapter]:
    """Return the life of an entity up to a step (or the end), in order.

    Raises:
        JournalError: the run has no such entity or step.
    """
    writes = blame(run, f"world[{_quoted(entity)}]", at=at, explain=False)
    return [_chapter(run, list(group)) for _, group in groupby(writes, _border)]


def _border(write: FieldWrite) -> Any:
    """Return what differs between two chapters: the world's own turns in a row are one, every other turn is one."""
    return BY_ITSELF if write.agent == BY_ITSELF and write.path else (write.run, write.turn)


def _chapter(run: Run, writes: list[FieldWrite]) -> Chapter:
    first, last = writes[0], writes[-1]
    turns = tuple(dict.fromkeys(write.turn for write in writes))
    return Chapter(first.time, run.time_at(last.step), turns, first.agent, first.code, tuple(_net_changes(writes)))


def _net_changes(writes: list[FieldWrite]) -> Iterator[str]:
    """Yield each place once, from its first old value to its last new one; parts that came and went one by one."""
    firsts: dict[str, Any] = {}
    lasts: dict[str, FieldWrite] = {}
    for number, write in enumerate(writes):
        place = repr(write.path) if write.op == "set" else f"{number}"
        firsts.setdefault(place, write.old)
        lasts[place] = write
    for place, write in lasts.items():
        if write.op != "set" or firsts[place] != write.new:
            yield change_text(write.path, write.op, firsts[place], write.new)


def _quoted(entity: str) -> str:
    return f"'{entity}'" if '"' in entity else f'"{entity}"'
