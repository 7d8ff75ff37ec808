"""What travels between a driver and a world's actor: turns as bytes, which cost a tenth of a pickled object graph."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from operator import attrgetter
from typing import Any

import msgspec

from cave_sim.changes.change import Change
from cave_sim.changes.turn import Status, Turn
from cave_sim.determinism.canonical_json import to_json

LARGE_BYTES = 50_000
"""From so many on turns are compressed: what is larger than 100,000, Ray takes a millisecond longer to hand over."""


class CellMessage(msgspec.Struct, array_like=True, frozen=True):
    """A cell on its way to the world, with the number that its driver gave it."""

    sequence: int
    agent: str
    code: str


class TurnMessage(msgspec.Struct, array_like=True, frozen=True):
    """What came of it, on its way back: the fields of a :class:`~cave_sim.Turn` but the code, which its driver has."""

    id: int
    step: int
    agent: str
    status: Status
    changes: list[Change]
    output: str
    error: str | None
    duration_s: float
    usage: dict[str, Any]
    parent: int | None
    kind: str
    reads: list[tuple[str, str]]


_ACTS = msgspec.json.Decoder(list[CellMessage])
_TURNS = msgspec.json.Decoder(list[TurnMessage])
_FIELDS = attrgetter(*TurnMessage.__struct_fields__)


def pack_acts(acts: Sequence[CellMessage]) -> bytes:
    """Return acts as bytes."""
    return msgspec.json.encode(list(acts))


def unpack_acts(data: bytes) -> list[CellMessage]:
    """Return the acts of :func:`pack_acts`."""
    return _ACTS.decode(data)


def pack_turns(turns: Sequence[Turn]) -> bytes:
    """Return turns as bytes; their code stays behind, since whoever asked has it."""
    data = to_json(list(map(_FIELDS, turns)))
    return data if len(data) < LARGE_BYTES else zlib.compress(data, 1)


def unpack_turns(data: bytes, codes: Sequence[str]) -> list[Turn]:
    """Return the turns of :func:`pack_turns`, with their code."""
    packed = _TURNS.decode(data if data.startswith(b"[") else zlib.decompress(data))
    return [_turn(each, code) for each, code in zip(packed, codes, strict=True)]


def _turn(message: TurnMessage, code: str) -> Turn:
    return Turn(
        message.id,
        message.step,
        message.agent,
        code,
        message.status,
        message.changes,
        message.output,
        message.error,
        message.duration_s,
        message.usage,
        message.parent,
        message.kind,
        message.reads,
    )
