"""Packed texts: zlib with a dictionary of what the texts of a run repeat, which its manifest keeps."""

from __future__ import annotations

import base64
import json
import sqlite3
import zlib

DICTIONARY = "dictionary"
"""The entry of the manifest that holds what texts are likely to repeat."""
TEXT_BYTES = 2**28
"""A text that unpacks to more is taken for an attack."""


class TextCompressor:
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

    def plain(self, column: str | bytes) -> str:
        """Return the text that a column holds, packed or not; raises ValueError or zlib.error if it holds none."""
        if not isinstance(column, bytes):
            return column
        unpacker = zlib.decompressobj(zdict=self._dictionary)
        text = unpacker.decompress(column, TEXT_BYTES)
        if not unpacker.eof or unpacker.unused_data:
            raise ValueError("a packed text is cut off, too long, or followed by something else")
        return text.decode()


def register_plain(connection: sqlite3.Connection) -> TextCompressor:
    """Let queries say ``plain(text)`` for what a column holds, packed or not; returns how the run's texts are packed.

    Raises:
        ValueError, TypeError: what the run keeps as its dictionary is none.
    """
    row = connection.execute("SELECT value FROM manifest WHERE key = ?", (DICTIONARY,)).fetchone()
    compressor = TextCompressor(base64.b64decode(json.loads(row[0])) if row else b"")
    connection.create_function("plain", 1, compressor.plain, deterministic=True)
    return compressor


def dictionary_entry(dictionary: bytes) -> tuple[str, str]:
    """Return the row of the manifest for a dictionary."""
    return DICTIONARY, json.dumps(base64.b64encode(dictionary).decode())
