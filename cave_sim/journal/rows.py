"""Turns and model calls as rows of tables, and calls back from them."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from cave_sim.canonical_json import to_json
from cave_sim.changes.turn import Turn
from cave_sim.journal.hash_chain import text_hash

Row = tuple[Any, ...]


def turn_row(turn: Turn, cell: str | None) -> Row:
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
        to_json(turn.usage).decode() if turn.usage else None,
    )


def change_rows(turn: Turn) -> list[Row]:
    """Return a turn's rows of ``changes``."""
    return [
        (turn.id, position, entity, as_text(path), op, as_text(old), as_text(new))
        for position, (entity, path, op, old, new) in enumerate(turn.changes)
    ]


def as_text(data: Any) -> str | None:
    """Return plain data as the JSON of a column; None stays NULL."""
    return None if data is None else to_json(data).decode()


def call_row(call: Mapping[str, Any], reused: bool) -> tuple[Row, dict[str, str]]:
    """Return a model call's row of ``calls`` without its number, and the texts that the row names, by their hash."""
    texts: dict[str, str] = {}

    def named(message: Mapping[str, Any]) -> dict[str, Any]:
        name = text_hash(message["text"])
        texts[name] = message["text"]
        return {**message, "text": name}

    request = {**call["request"], "messages": [named(message) for message in call["request"]["messages"]]}
    key = (call["run"], call["step"], call["agent"], call["attempt"], call["retry"], call["hash"])
    told = (as_text(call["model"]), as_text(request), as_text(call["reply"]), as_text(call["error"]))
    return (*key, *told, int(reused)), texts


def row_call(row: Row, text: Callable[[str], str]) -> dict[str, Any]:
    """Return the model call of a row of ``calls``, its number left out; ``text`` finds a text by its hash."""
    run, step, agent, attempt, retry, request_hash, *told, reused = row
    model, request, reply, error = map(_data, told)
    messages = [{**message, "text": text(message["text"])} for message in request["messages"]]
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
    }


def _data(text: str | None) -> Any:
    return None if text is None else json.loads(text)
