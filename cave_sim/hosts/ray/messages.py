"""What travels between a driver and a world's actor: turns as bytes, which cost a tenth of a pickled object graph."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from typing import Any

import msgspec

from cave_sim.canonical_json import to_json
from cave_sim.changes.change import Change
from cave_sim.changes.turn import Turn


class CellMessage(msgspec.Struct, array_like=True, frozen=True):
    """A cell on its way to the world, with the number that its driver gave it."""

    sequence: int
    agent: str
    code: str


_FIELDS = tuple(field.name for field in fields(Turn) if field.name != "code")
_ACTS = msgspec.json.Decoder(list[CellMessage])


def pack_acts(acts: Sequence[CellMessage]) -> bytes:
    """Return acts as bytes."""
    return msgspec.json.encode(list(acts))


def unpack_acts(data: bytes) -> list[CellMessage]:
    """Return the acts of :func:`pack_acts`."""
    return _ACTS.decode(data)


def pack_turns(turns: Sequence[Turn]) -> bytes:
    """Return turns as bytes; their code stays behind, since whoever asked has it."""
    return to_json([[getattr(turn, name) for name in _FIELDS] for turn in turns])


def unpack_turns(data: bytes, codes: Sequence[str]) -> list[Turn]:
    """Return the turns of :func:`pack_turns`, with their code."""
    return [_turn(each, code) for each, code in zip(msgspec.json.decode(data), codes, strict=True)]


def _turn(values: list[Any], code: str) -> Turn:
    values_by_name = dict(zip(_FIELDS, values, strict=True))
    changes = [
        Change(entity, tuple(path), op, old, new) for entity, path, op, old, new in values_by_name.pop("changes")
    ]
    reads = [(entity, field) for entity, field in values_by_name.pop("reads")]
    return Turn(code=code, changes=changes, reads=reads, **values_by_name)
