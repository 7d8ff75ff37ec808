"""Tables of runs: every field that holds a number, a word or a truth, for every entity, after every step."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from keyword import iskeyword
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from cave_sim.diagnostics.plurals import article
from cave_sim.entity.json_form import ITEMS, SET, TUPLE, referenced
from cave_sim.errors import JournalError
from cave_sim.history.evaluation import FUNCTIONS
from cave_sim.history.looking_back import EARLIER, WAS
from cave_sim.history.panel import SCALARS, states
from cave_sim.journal.queries import state_hashes
from cave_sim.journal.reader import Run

MOST_LABELS = 8
"""A field with more different words is no category."""
TAGS = (ITEMS, TUPLE, SET)
MOST_NUMBERS = 100_000_000
"""How many numbers a table has at most."""
ABSENT = np.nan
Floats = npt.NDArray[np.float64]
Truths = npt.NDArray[np.bool_]
Form = Literal["value", "len", "none"]


@dataclass(frozen=True, order=True)
class ColumnKey:
    """What a column is of.

    Attributes:
        subject: the name of an entity; or of a class, for each of its entities.
        is_class: which of both.
        field: the name of the field.
        form: its value; ``len`` of it; or whether it is None.
    """

    subject: str
    is_class: bool
    field: str
    form: Form = "value"

    @property
    def phrase(self) -> str:
        """What it is called in a sentence."""
        owner = f"{article(self.subject)}’s" if self.is_class else f"{self.subject}’s"
        return f"the length of {owner} {self.field}" if self.form == "len" else f"{owner} {self.field}"

    def text(self) -> str:
        """Return it in the language of conditions; ``p`` is the entity of a class."""
        owner = "p" if self.is_class else subject_text(self.subject)
        text = f"{owner}.{self.field}"
        return f"len({text})" if self.form == "len" else text

    def like(self, value: Any) -> str:
        """Return that it has a value, in the language of conditions."""
        if value is False:
            return self.unlike(True)
        if self.form == "none" or value is None:
            return f"{self.text()} is None"
        return self.text() if value is True else f"{self.text()} == {value!r}"

    def unlike(self, value: Any) -> str:
        """Return that it has another one."""
        if value is False:
            return self.like(True)
        if self.form == "none" or value is None:
            return f"{self.text()} is not None"
        return f"not {self.text()}" if value is True else f"{self.text()} != {value!r}"


def subject_text(entity: str) -> str:
    """Return an entity in the language of conditions."""
    is_word = entity.isidentifier() and entity.isascii() and not iskeyword(entity)
    return entity if is_word and entity not in {"world", "p", WAS, EARLIER, *FUNCTIONS} else f"world[{entity!r}]"


@dataclass(frozen=True)
class Column:
    """One field of entities, a row for each of them.

    Attributes:
        key: what it is of.
        values: shape (entities, steps): numbers, or places of labels; NaN where the entity is not there.
        labels: what the field's values may be; None for a field of numbers.
        is_whole: whether all numbers are whole.
    """

    key: ColumnKey
    values: Floats
    labels: tuple[Any, ...] | None = None
    is_whole: bool = False

    def is_at(self, label: Any) -> Truths:
        """Return where it has a label; nowhere, if it never had it."""
        places = [place for place, each in enumerate(self.labels or ()) if _same(each, label)]
        where: Truths = self.values == places[0] if places else np.zeros(self.values.shape, bool)
        return where


@dataclass(frozen=True)
class Frame:
    """Columns whose rows are of the same entities, or, of single entities, of the same runs.

    Attributes:
        units: run, by its place, and entity of each row.
        columns: by their keys.
        steps: shape (rows, steps): which step each value is of.
    """

    units: tuple[tuple[int, str], ...]
    columns: Mapping[ColumnKey, Column]
    steps: npt.NDArray[np.int64]


@dataclass(frozen=True)
class RunTable:
    """What runs hold; a rule is one of all of them.

    Attributes:
        runs: the names of their folders.
        frames: ``""`` for all entities that are the only one of their class, each under its name; and one for each
            other class, by its name.
        single: the classes with one entity.
    """

    runs: tuple[str, ...]
    frames: Mapping[str, Frame]
    single: frozenset[str] = frozenset()

    def frame_of(self, keys: Iterable[ColumnKey]) -> Frame | None:
        """Return the frame that has all of some columns; None if none has."""
        keys = tuple(keys)
        for frame in self.frames.values():
            if all(key in frame.columns for key in keys):
                return frame
        return None


def read_table(runs: Sequence[Run], like: RunTable | None = None) -> RunTable:
    """Return what runs hold; what a run has in common with an earlier one, as the same state at the same step, once.

    Args:
        runs: what :func:`cave_sim.open_run` returns.
        like: a table whose rules are to be asked of them: single entities are those of it.

    Raises:
        JournalError: a run has no step yet, or none that an earlier one does not have; or there is too much in them.
    """
    if not isinstance(runs, Iterable):
        raise JournalError(f"read_table({runs!r}): takes a list of what open_run returns")
    known: set[tuple[int, str]] = set()
    reads = []
    for run in runs:
        hashes = list(state_hashes(run).items())
        shared = list(takewhile(known.__contains__, hashes)) if like is None else []
        if shared and len(shared) == len(hashes):
            raise JournalError(f"{run.folder} is step by step what another of these runs is, and would count twice")
        reads.append(_Read(run, since=shared[-1][0] if shared else 0))
        known.update(hashes)
    kinds: dict[str, set[str]] = {}
    for each in reads:
        for name, kind in each.kinds.items():
            kinds.setdefault(kind, set()).add(name)
    alone = frozenset(kind for kind, names in kinds.items() if len(names) == 1) if like is None else like.single
    frames = {kind: _frame(reads, kind, alone) for kind in ("", *sorted(kinds.keys() - alone))}
    names = tuple(run.folder.resolve().name for run in runs)
    return RunTable(names, {kind: frame for kind, frame in frames.items() if frame.columns}, alone)


class _Read:
    """One run, field by field: the steps after which each has another value, from one step on."""

    def __init__(self, run: Run, since: int) -> None:
        self.steps: list[int] = []
        self.kinds: dict[str, str] = {}
        self.fields: dict[tuple[str, str], list[tuple[int, Any]]] = {}
        latest: dict[str, dict[str, Any]] = {}
        for step, entities, touched in states(run):
            if step < since:
                continue
            place, present = len(self.steps), touched if self.steps else entities
            self.steps.append(step)
            for name in sorted(each for each in present if not each.startswith("$")):
                known = latest.setdefault(name, {})
                if name in entities:
                    self.kinds[name] = entities[name]["type"]
                    self._note(name, known, place, entities[name]["fields"])
                else:
                    self._note(name, known, place, dict.fromkeys(known, ABSENT))
        if not self.steps:
            raise JournalError(f"{run.folder} has no step yet, so it has no rules")

    def _note(self, name: str, known: dict[str, Any], place: int, fields: Mapping[str, Any]) -> None:
        """Note which fields of an entity are another now."""
        for field, value in fields.items():
            shown = value if type(value) in SCALARS else _shown(value)
            old = known.get(field, ABSENT)
            if old is not shown and (type(old) is not type(shown) or old != shown):
                known[field] = shown
                self.fields.setdefault((name, field), []).append((place, shown))


def _frame(reads: Sequence[_Read], kind: str, alone: Collection[str]) -> Frame:
    """Return the columns of one class; for ``""`` those of all classes with a single entity, a row for each run."""
    length = max(len(each.steps) for each in reads)
    named = [
        (run, name, field)
        for run, each in enumerate(reads)
        for name, field in each.fields
        if (each.kinds[name] in alone if kind == "" else each.kinds[name] == kind)
    ]
    units = [(run, "") for run in range(len(reads))] if kind == "" else sorted({(run, name) for run, name, _ in named})
    row_of = {unit: row for row, unit in enumerate(units)}
    if len(named) * length > MOST_NUMBERS:
        raise JournalError(f"{len(named) * length:,} numbers are too many to look for rules in: take fewer runs")
    rows: dict[tuple[str, str], list[tuple[int, list[tuple[int, Any]], int]]] = {}
    for run, name, field in named:
        place = row_of[run, "" if kind == "" else name]
        values = reads[run].fields[name, field]
        rows.setdefault((name if kind == "" else kind, field), []).append((place, values, len(reads[run].steps)))
    columns = {}
    for (subject, field), parts in rows.items():
        for column in _columns(ColumnKey(subject, kind != "", field), parts, (len(units), length)):
            columns[column.key] = column
    steps = np.array(
        [[*reads[run].steps, *[-1] * (length - len(reads[run].steps))] for run, _ in units], dtype=np.int64
    ).reshape(len(units), length)
    return Frame(tuple(units), dict(sorted(columns.items())), steps)


def _columns(
    key: ColumnKey, parts: Sequence[tuple[int, list[tuple[int, Any]], int]], shape: tuple[int, int]
) -> Iterator[Column]:
    """Yield what can be said of a field: its numbers, its words, how long it is, whether it is None."""
    seen = [value for _, values, _ in parts for _, value in values if not _is_absent(value)]
    kinds = {type(value) for value in seen}
    if kinds and kinds <= {int, float}:
        matrix = _filled(parts, shape, float)
        if np.isfinite(matrix[~np.isnan(matrix)]).all():
            yield Column(key, matrix, is_whole=kinds == {int})
    elif kinds == {_Length}:
        yield Column(replace(key, form="len"), _filled(parts, shape, float), is_whole=True)
    elif kinds and kinds <= {str, bool, type(None)} and len(set(seen)) <= MOST_LABELS:
        labels = sorted(set(seen), key=repr)
        yield Column(key, _filled(parts, shape, labels.index), tuple(labels))
    elif type(None) in kinds:
        yield Column(replace(key, form="none"), _filled(parts, shape, lambda value: value is None), (False, True))


def _filled(
    parts: Sequence[tuple[int, list[tuple[int, Any]], int]], shape: tuple[int, int], number: Callable[[Any], float]
) -> Floats:
    """Return a field as numbers, each value from the step after which it was there to the next one's."""
    matrix = np.full(shape, ABSENT)
    for row, values, steps in parts:
        ends = [*(place for place, _ in values[1:]), steps]
        for (begin, value), end in zip(values, ends, strict=True):
            if not _is_absent(value):
                matrix[row, begin:end] = number(value)
    return matrix


class _Length(int):
    """How long a value is of which only that counts."""


class _Name:
    """A reference to an entity: of it, only whether there is one counts."""


A_NAME = _Name()


def _shown(value: Any) -> Any:
    """Return what a table keeps of a value of a journal."""
    if isinstance(value, dict) and referenced(value) is not None:
        return A_NAME
    if isinstance(value, dict | list):
        inner = value if isinstance(value, list) else next((value[tag] for tag in TAGS if tag in value), value)
        return _Length(len(inner))
    return value


def _is_absent(value: Any) -> bool:
    return value is ABSENT


def _same(one: Any, other: Any) -> bool:
    return one is other or (type(one) is type(other) and bool(one == other))
