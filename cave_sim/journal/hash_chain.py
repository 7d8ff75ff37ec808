"""The two digests of a step: its hash, the same in every run of one seed, and its seal, over every byte it left.

Each includes the one of the step before. They show accidents, and changes by whoever does not mend them; they are no
signature.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import itemgetter
from typing import Any

from cave_sim.determinism.canonical_json import to_json

Row = Sequence[Any]

GENESIS = "0" * 64
"""What stands before the first step."""

DIGEST_BYTES = 32
"""What a snapshot that was dropped leaves in its place is so long; no compressed state is."""

SEALED = ("events", "measures", "calls", "sessions", "kept")
"""The tables whose rows a seal covers; turns and changes are in the hash that it covers, too."""

_PLACE = itemgetter(0, 1)


def chain(previous: str, step: int, state_hash: str, turns: Sequence[Row], changes: Iterable[Row]) -> str:
    """Return the hash of a step: over the one before, the state, and every turn and change but wall-clock times.

    Args:
        previous: hash of the step before.
        step: its number.
        state_hash: digest of the state after it.
        turns: rows of the table, by turn.
        changes: rows of the table, in any order.
    """
    digest = hashlib.sha256(f"{previous}\n{step}\n{state_hash}\n".encode())
    digest.update(to_json([[*row[:9], row[10]] for row in turns]))
    digest.update(to_json(sorted(changes, key=_PLACE)))
    return digest.hexdigest()


def rows_digest(rows: str) -> str:
    """Return the digest by which a seal covers the rows of a session; rows that were left out have left just that.

    Args:
        rows: JSON of a list, or the digest.
    """
    return hashlib.sha256(rows.encode()).hexdigest() if rows.startswith("[") else rows


def seal(
    previous: str,
    step: Sequence[Any],
    durations_s: Sequence[float],
    rows: Mapping[str, Sequence[Row]],
    snapshot: bytes | None,
    of_session: Callable[[str], str] = rows_digest,
) -> str:
    """Return the seal of a step.

    Args:
        previous: seal of the step before.
        step: its hash, world time in seconds, last turn and last call.
        durations_s: of its turns, in order.
        rows: table -> the step's rows, in the order of the primary key; tables without any may be missing.
        snapshot: the compressed state, where one was kept, or what it left in its place.
        of_session: what is sealed of a session's rows; their digest unless given.
    """
    digest = None if snapshot is None else snapshot_digest(snapshot).hex()
    rest = [rows.get(table, ()) for table in SEALED]
    if sessions := rows.get("sessions"):
        rest[SEALED.index("sessions")] = [(*row[:-1], of_session(row[-1])) for row in sessions]
    return hashlib.sha256(to_json([previous, list(step), list(durations_s), digest, rest])).hexdigest()


def snapshot_digest(state: bytes) -> bytes:
    """Return the digest by which a seal covers a snapshot; one that was dropped has left just that."""
    return state if len(state) == DIGEST_BYTES else hashlib.sha256(state).digest()


def manifest_seal(rows: Iterable[Row]) -> str:
    """Return the digest of a manifest: over its rows by key, without the one that holds the digest."""
    return hashlib.sha256(to_json(sorted(list(row) for row in rows if row[0] != "seal"))).hexdigest()


def text_hash(text: str) -> str:
    """Return the name under which a text is kept."""
    return hashlib.sha256(text.encode()).hexdigest()[:24]
