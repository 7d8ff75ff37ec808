"""Rows of tables and what they stand for: turns, changes, steps and model calls, written and read in one place."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, count, repeat
from typing import Any, get_args

import msgspec

from cave_sim.changes.change import Change
from cave_sim.changes.turn import Status, Turn
from cave_sim.determinism.canonical_json import from_json, to_json
from cave_sim.errors import JournalError, did_you_mean
from cave_sim.journal.hash_chain import text_hash
from cave_sim.loading.converted_types import converted_to

Row = tuple[Any, ...]
STATUSES: tuple[str, ...] = get_args(Status)

MANY = 8
"""Changes of which it is quicker to write all values at once than one by one."""
_LINES = msgspec.json.Encoder()


@converted_to
@dataclass(frozen=True, slots=True)
class TurnRow:
    """One turn as the journal keeps it; the fields are those of :class:`cave_sim.Turn`."""

    turn: int
    step: int
    agent: str
    parent: int | None
    kind: str
    code: str
    status: str
    output: str
    error: str | None
    duration_s: float
    usage: dict[str, Any]


@dataclass(frozen=True, slots=True)
class ChangeRow:
    """One change as the journal keeps it, with the step, agent and kind of its turn."""

    turn: int
    step: int
    agent: str
    kind: str
    entity: str
    path: tuple[Any, ...]
    op: str
    old: Any
    new: Any


@dataclass(frozen=True, slots=True)
class StepRow:
    """One step: world time, the digest of the state after it, and its place in the hash chain."""

    step: int
    time_s: float
    state_hash: str
    hash: str


ANSWER_COLUMNS = ("survey", "step", "agent", "item", "place", "question", "value", "text", "tries")


def row_of_answer(answer: Mapping[str, Any]) -> Row:
    """Return an answer's row of ``answers``; its value is JSON."""
    data = {name: answer[name] for name in ANSWER_COLUMNS}
    return tuple({**data, "value": to_text(data["value"])}.values())


EFFECT_COLUMNS = ("step", "ticket", "agent", "tool", "arguments", "status", "result", "error", "reused")
EFFECT_KEY = ("step", "ticket", "tool", "arguments")
"""What tells one request from another."""


def row_of_effect(effect: Mapping[str, Any]) -> Row:
    """Return a row of ``effects`` without its number; arguments and result are JSON."""
    data = {name: effect[name] for name in EFFECT_COLUMNS}
    data |= {"arguments": to_json(data["arguments"], sort=True).decode(), "reused": int(data["reused"])}
    if data["status"] in ("done", "approved"):
        data["result"] = to_json(data["result"]).decode()
    return tuple(data.values())


def effect_of_row(row: Sequence[Any]) -> dict[str, Any]:
    """Return what a row of ``effects``, without its number, says."""
    data = dict(zip(EFFECT_COLUMNS, row, strict=True))
    data |= {"arguments": from_json(data["arguments"]), "reused": bool(data["reused"])}
    return {**data, "result": from_text(data["result"])}


def to_text(data: Any) -> str | None:
    """Return plain data as the JSON of a column; None stays NULL."""
    if data is None:
        return None
    return str(data) if type(data) is int else to_json(data).decode()


def from_text(text: str | None) -> Any:
    """Return the plain data that the JSON of a column holds; raises ValueError or TypeError if it holds none."""
    return None if text is None else from_json(text)


def _texts(values: Sequence[Any]) -> Sequence[str | None]:
    """Return what :func:`to_text` makes of each; JSON breaks no line itself."""
    try:
        texts = _LINES.encode_lines(values).decode().split("\n")
    except (TypeError, OverflowError, UnicodeEncodeError):  # what the standard library writes
        return list(map(to_text, values))
    if None not in values:
        return texts[:-1]  # which stands behind the last line
    return [None if value is None else text for value, text in zip(values, texts, strict=False)]


def row_of_turn(turn: Turn, cell: str | None) -> Row:
    """Return a turn's row of ``turns``; ``cell`` is the hash of its code."""
    return (
        turn.id,
        turn.step,
        turn.agent,
        turn.parent,
        turn.kind,
        cell,
        turn.status,
        turn.output,
        turn.error,
        turn.duration_s,
        to_text(turn.usage or None),
    )


def turn_of_row(row: Sequence[Any]) -> TurnRow:
    """Return the turn of a row whose columns are the fields of :class:`TurnRow`.

    Raises:
        ValueError: a column holds something else than its field says, such as bytes for a name.
    """
    columns = dict(zip(TurnRow.__slots__, [*row[:-1], from_text(row[-1]) or {}], strict=True))
    return msgspec.convert(columns, TurnRow)


def rows_of_changes(*turns: Turn) -> list[Row]:
    """Return the rows of ``changes`` of turns: from some on, their values are written as JSON all at once."""
    changes: Sequence[Change]
    numbers: Iterable[int]
    positions: Iterable[int]
    if len(turns) == 1:
        changes, numbers, positions = turns[0].changes, repeat(turns[0].id), count()
    else:
        changes = list(chain.from_iterable([turn.changes for turn in turns]))
        numbers = [turn.id for turn in turns for _ in turn.changes]
        positions = chain.from_iterable([range(len(turn.changes)) for turn in turns])
    if len(changes) < MANY:
        columns = map(columns_of_change, changes)
        return [(number, position, *row) for row, number, position in zip(columns, numbers, positions, strict=False)]
    entities, paths, ops, *values = zip(*changes, strict=True)
    return list(zip(numbers, positions, entities, _path_texts(paths), ops, *map(_texts, values), strict=False))


def data_of_reads(turn: Turn) -> dict[str, Any]:
    """Return what a turn read of others as the data of its event: ``{"turn": 7, "read": {"bob": ["diary"]}}``."""
    read: dict[str, list[str]] = {}
    for entity, field in turn.reads:
        read.setdefault(entity, []).append(field)
    return {"turn": turn.id, "read": read}


def columns_of_change(change: Change) -> tuple[str, str, str, str | None, str | None]:
    """Return entity, path, op, old and new as the columns of ``changes`` hold them."""
    entity, path, op, old, new = change
    return entity, _path_text(path), op, to_text(old), to_text(new)


def _path_texts(paths: Sequence[tuple[Any, ...]]) -> Iterable[str]:
    if set(map(len, paths)) == {1}:
        text_of = {path: _field_text(path) for path in set(paths)}
        return map(text_of.__getitem__, paths)
    return map(_path_text, paths)


def _path_text(path: tuple[Any, ...]) -> str:
    return _field_text(path) if len(path) == 1 else to_json(path).decode()


@lru_cache(4096)
def _field_text(path: tuple[str]) -> str:
    """Return the path of a whole field, as most paths are, in JSON."""
    return to_json(path).decode()


def change_of_columns(entity: str, path: str, op: str, old: str | None, new: str | None) -> Change:
    """Return the change that stands in the columns of ``changes``; raises ValueError where a name is no text."""
    if type(entity) is not str or type(op) is not str:
        raise ValueError(f"a change of {type(entity).__name__} by {type(op).__name__}: both are texts")
    return Change(entity, tuple(from_json(path)), op, from_text(old), from_text(new))


def row_of_call(call: Mapping[str, Any], reused: bool) -> tuple[Row, dict[str, str]]:
    """Return a model call's row of ``calls`` without its number, and the texts that the row names, by their hash."""
    texts: dict[str, str] = {}

    def by_hash(message: Mapping[str, Any]) -> dict[str, Any]:
        name = text_hash(message["text"])
        texts[name] = message["text"]
        return {**message, "text": name}

    request = {**call["request"], "messages": [by_hash(message) for message in call["request"]["messages"]]}
    if "parts" in call:  # beside what was asked, of which they tell
        request["parts"] = call["parts"]
    key = (call["run"], call["step"], call["agent"], call["attempt"], call["retry"], call["hash"])
    columns = (to_text(call["model"]), to_text(request), to_text(call["reply"]), to_text(call["error"]))
    return (*key, *columns, int(reused)), texts


def call_of_row(row: Sequence[Any], text: Callable[[str], str]) -> dict[str, Any]:
    """Return the model call of a row of ``calls``, its number left out; ``text`` finds a text by its hash."""
    run, step, agent, attempt, retry, request_hash, *columns, reused = row
    model, request, reply, error = map(from_text, columns)
    messages = [{**message, "text": text(message["text"])} for message in request["messages"]]
    parts = request.pop("parts", None)
    return {
        "run": run,
        "agent": agent,
        "step": step,
        "attempt": attempt,
        "retry": retry,
        "hash": request_hash,
        "model": model,
        "request": {**request, "messages": messages},
        "reply": reply,
        "error": error,
        "reused": bool(reused),
        **({} if parts is None else {"parts": parts}),
    }


def expect_status(status: str | None) -> None:
    """Raise JournalError for what no turn's status can be; None is any."""
    if status is not None and status not in STATUSES:
        near = did_you_mean(status, STATUSES)
        raise JournalError(f"status {status!r}: no turn ends so.{near} There are {', '.join(STATUSES)}")
