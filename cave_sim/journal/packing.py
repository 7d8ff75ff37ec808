"""Long texts of a run that was compacted: compressed against a dictionary of the run's own, which its manifest holds.

Prompts and sessions say the same things over and over, so each shrinks to a fraction of what it takes alone.
"""

from __future__ import annotations

import base64
import json
import sqlite3
import zlib

DICTIONARY = "dictionary"
"""The entry of the manifest."""
TEXT_BYTES = 2**28
"""A text that unpacks to more is taken for an attack."""


class Packing:
    """Packs texts, and unpacks them.

    Args:
        dictionary: what texts are likely to repeat, of which zlib uses the last 32 KiB; empty for none.
    """

    def __init__(self, dictionary: bytes = b"") -> None:
        self._dictionary = dictionary

    def pack(self, text: str) -> str | bytes:
        """Return a text packed, or as it is if that is shorter."""
        packer = zlib.compressobj(zdict=self._dictionary)
        packed = packer.compress(text.encode()) + packer.flush()
        return packed if len(packed) < len(text) else text

    def plain(self, kept: str | bytes) -> str:
        """Return the text that a column holds, packed or not; raises ValueError or zlib.error if it holds none."""
        if not isinstance(kept, bytes):
            return kept
        unpacker = zlib.decompressobj(zdict=self._dictionary)
        text = unpacker.decompress(kept, TEXT_BYTES)
        if not unpacker.eof or unpacker.unused_data:
            raise ValueError("a packed text is cut off, too long, or followed by something else")
        return text.decode()


def teach(connection: sqlite3.Connection) -> Packing:
    """Let queries say ``plain(text)`` for what a column holds, packed or not; returns how the run's texts are packed.

    Raises:
        ValueError, TypeError: the dictionary of the run is none.
    """
    found = connection.execute("SELECT value FROM manifest WHERE key = ?", (DICTIONARY,)).fetchone()
    packing = Packing(base64.b64decode(json.loads(found[0])) if found else b"")
    connection.create_function("plain", 1, packing.plain, deterministic=True)
    return packing


def entry(dictionary: bytes) -> tuple[str, str]:
    """Return the row of the manifest for a dictionary."""
    return DICTIONARY, json.dumps(base64.b64encode(dictionary).decode())
