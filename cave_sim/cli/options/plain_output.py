"""What commands print, of which a terminal shows each character: what stands in a run of others commands nothing."""

from __future__ import annotations

import codecs
import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from cave_sim.policy.hidden_text import hidden_character


class EncodableOutput:
    """A text stream on which characters that it cannot encode come out as marks.

    Args:
        stream: where they go; all else is asked of it.
    """

    def __init__(self, stream: Any) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        """Write a text; returns its length."""
        try:
            self._stream.write(text)
        except UnicodeEncodeError:  # of a terminal that has no umlauts, or of the name of a folder that is no text
            self._stream.write(_encodable(text, self._stream.encoding))
        return len(text)

    def writelines(self, lines: Any) -> None:
        """Write several texts."""
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


class PlainOutput(EncodableOutput):
    """One on which invisible and control characters come out as marks, too."""

    def write(self, text: str) -> int:
        """Write a text; returns its length."""
        super().write(visible(text))
        return len(text)

    @property
    def commanded(self) -> EncodableOutput:
        """The same stream for what may command a terminal."""
        return EncodableOutput(self._stream)


def drawn_on() -> Any:
    """Return the stream for Rich, which draws in colours and moves the cursor where there is a terminal.

    The texts that it draws are to be :func:`visible` before.
    """
    return sys.stdout.commanded if isinstance(sys.stdout, PlainOutput) else sys.stdout


def visible(text: str) -> str:
    """Return a text in which any character that a reader would not see, or that commands a terminal, is written out."""
    while hidden := hidden_character(text):
        text = text.replace(hidden, json.dumps(hidden)[1:-1])  # so that JSON stays JSON
    return text


def _encodable(text: str, encoding: str) -> str:
    return text.encode(encoding, ESCAPED).decode(encoding)


def _escape(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeEncodeError)
    return json.dumps(error.object[error.start : error.end])[1:-1], error.end


ESCAPED = "cave_sim.escaped"
"""Encodes what an encoding lacks as JSON writes it, so that JSON stays JSON."""
codecs.register_error(ESCAPED, _escape)


@contextmanager
def plain_output() -> Iterator[None]:
    """Have what is printed meanwhile come out plainly."""
    stream = sys.stdout
    plain: Any = PlainOutput(stream)
    sys.stdout = plain
    try:
        yield
    finally:
        if sys.stdout is plain:  # it is None when there is nowhere to print any more
            sys.stdout = stream
