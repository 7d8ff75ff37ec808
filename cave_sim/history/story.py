"""Story: the life of an entity, chapter by chapter, as its run tells it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from itertools import groupby
from typing import Any

from cave_sim.history.blame import Written, blame, world_time
from cave_sim.history.target import told
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


def story(run: Run, entity: str, *, at: int | None = None) -> list[Chapter]:
    """Return the life of an entity up to a step (or the end), in order.

    Raises:
        JournalError: the run has no such entity or step.
    """
    written = blame(run, f"world[{_quoted(entity)}]", at=at, explain=False)
    return [_chapter(run, list(group)) for _, group in groupby(written, _border)]


def _border(written: Written) -> Any:
    """What the world does by itself is told in one go; everybody else gets a chapter for each turn."""
    return BY_ITSELF if written.agent == BY_ITSELF and written.path else (written.run, written.turn)


def _chapter(run: Run, written: list[Written]) -> Chapter:
    first, last = written[0], written[-1]
    turns = tuple(dict.fromkeys(each.turn for each in written))
    return Chapter(first.time, world_time(run, last.step), turns, first.agent, first.code, tuple(_net(written)))


def _net(written: list[Written]) -> Iterator[str]:
    """Yield each place once, from its first old value to its last new one; parts that came and went one by one."""
    firsts: dict[str, Any] = {}
    lasts: dict[str, Written] = {}
    for number, each in enumerate(written):
        place = repr(each.path) if each.op == "set" else f"{number}"
        firsts.setdefault(place, each.old)
        lasts[place] = each
    for place, each in lasts.items():
        if each.op != "set" or firsts[place] != each.new:
            yield told(each.path, each.op, firsts[place], each.new)


def _quoted(entity: str) -> str:
    return f"'{entity}'" if '"' in entity else f'"{entity}"'
