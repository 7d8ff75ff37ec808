"""Story: the life of an entity, chapter by chapter, as its run tells it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from heapq import merge
from itertools import groupby
from typing import Any

from cave_sim.diagnostics.plurals import counted
from cave_sim.diagnostics.short_texts import shortened
from cave_sim.history.blame import FieldWrite, blame
from cave_sim.history.branches import parent_of
from cave_sim.history.wording import change_text
from cave_sim.journal.opened import of_run
from cave_sim.journal.queries import last_turn_of, last_turns
from cave_sim.journal.reader import Run, open_run

BY_ITSELF = "world"
LONGEST = 160


@dataclass(frozen=True, slots=True)
class Chapter:
    """What one turn did to an entity; or what several of the world did by themselves, or all came to nothing alike.

    Attributes:
        time, until: world time of the first and the last turn, as ISO text.
        turns: their numbers.
        agent: who.
        code: the cell; empty if there was none.
        changes: in words, one for each place that was written; of cells of its own that did not land, why.
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
    vain = _vain(run, entity, 2**62 if at is None else last_turn_of(run, at))
    events: Iterator[FieldWrite | _Vain] = merge(writes, vain, key=lambda event: event.turn)
    return [_chapter(run, list(group)) for _, group in groupby(events, _border)]


@dataclass(frozen=True, slots=True)
class _Vain:
    """A cell of an entity that did not land."""

    run: str
    turn: int
    step: int
    time: str
    agent: str
    code: str
    why: str


def _vain(run: Run, entity: str, until: int) -> Iterator[_Vain]:
    """Yield the cells that an entity ran in vain, up to a turn, oldest first; of a branch, those of its parent too."""
    parent = parent_of(run)
    begun = -1 if parent is None else next(iter(last_turns(run).values()))
    if parent is not None:
        folder, step = parent
        with open_run(folder) as earlier:
            yield from _vain(earlier, entity, last_turn_of(earlier, step))
    for turn in run.turns(entity, between=(begun, until)):
        if turn.status != "committed":
            why = shortened((turn.error or turn.status).strip().splitlines()[-1].strip(), LONGEST)
            yield _Vain(run.folder.name, turn.turn, turn.step, run.time_at(turn.step), entity, turn.code, why)


def _border(event: FieldWrite | _Vain) -> Any:
    """Return what differs between two chapters: turns of the world in a row are one, and such as fail alike."""
    if isinstance(event, _Vain):
        return event.run, event.why
    return BY_ITSELF if event.agent == BY_ITSELF and event.path else (event.run, event.turn)


def _chapter(run: Run, events: list[FieldWrite | _Vain]) -> Chapter:
    first, last = events[0], events[-1]
    turns = tuple(dict.fromkeys(event.turn for event in events))
    changes = tuple(_net_changes([event for event in events if isinstance(event, FieldWrite)]))
    if isinstance(first, _Vain):
        often = f", {counted(len(turns), 'time')}" if len(turns) > 1 else ""
        changes = (f"in vain{often}: {first.why}",)
    return Chapter(first.time, run.time_at(last.step), turns, first.agent, first.code, changes)


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
