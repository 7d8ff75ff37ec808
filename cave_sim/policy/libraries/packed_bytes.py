"""``struct`` in a cell: numbers and texts as bytes, in layouts that are the same on every machine."""

from __future__ import annotations

import re
import struct
from typing import Any

from cave_sim.diagnostics.plurals import article
from cave_sim.errors import Blocked
from cave_sim.policy.libraries.kept_classes import kept_class

MAX_PACKED_BYTES = 5_000_000
MAX_PARTS = 100_000
_PART = re.compile(r"\s*(\d*)([xcbB?hHiIlLqQefdsp])")


def checked_layout(layout: Any) -> str:
    """Return a layout as it is packed everywhere; raises Blocked where it would follow the machine, or is too large."""
    text = layout.decode("ascii") if isinstance(layout, (bytes, bytearray)) else layout
    if not isinstance(text, str):
        raise TypeError(f"a layout is a text, not {article(type(layout).__name__)}")
    if len(text) > 1_000:
        raise Blocked("struct: a layout of more than 1,000 characters")
    order, rest = (text[0], text[1:]) if text[:1] in tuple("<>!=@") else ("@", text)
    if order in "@=":
        if not set(re.sub(r"[\s\d]", "", rest)) <= _ALIKE:
            raise Blocked(f"struct: the layout {text!r:.40} follows the machine; begin it with '<' or '>'")
        order = "<"
    parts = sum(int(count[:8] or 1) for count, kind in _PART.findall(rest) if kind not in "sp")
    size = struct.calcsize(order + rest) if max((len(run) for run in re.findall(r"\d+", rest)), default=0) < 8 else None
    if size is None or size > MAX_PACKED_BYTES or parts > MAX_PARTS:
        raise Blocked(f"struct: more than {MAX_PACKED_BYTES:,} bytes, or {MAX_PARTS:,} parts")
    return order + rest


_ALIKE = frozenset("xcbB?sp")
"""What one byte holds has no order of bytes, and no gap before it."""


@kept_class("format")
class Struct:
    """``struct.Struct``: a layout."""

    __slots__ = ("format",)

    def __init__(self, layout: Any) -> None:
        checked_layout(layout)
        self.format: str = layout if isinstance(layout, str) else bytes(layout).decode("ascii")

    @property
    def size(self) -> int:
        """How many bytes it takes."""
        return calcsize(self.format)

    def pack(self, *values: Any) -> bytes:
        """Return values as bytes."""
        return pack(self.format, *values)

    def unpack(self, buffer: Any) -> tuple[Any, ...]:
        """Return what bytes hold."""
        return unpack(self.format, buffer)

    def unpack_from(self, buffer: Any, offset: int = 0) -> tuple[Any, ...]:
        """Return what bytes hold from a place on."""
        return unpack_from(self.format, buffer, offset)

    def iter_unpack(self, buffer: Any) -> Any:
        """Return what bytes hold, piece by piece."""
        return iter_unpack(self.format, buffer)


def calcsize(layout: Any) -> int:
    """``struct.calcsize``."""
    return struct.calcsize(checked_layout(layout))


def pack(layout: Any, *values: Any) -> bytes:
    """``struct.pack``."""
    return struct.pack(checked_layout(layout), *values)


def unpack(layout: Any, buffer: Any) -> tuple[Any, ...]:
    """``struct.unpack``."""
    return struct.unpack(checked_layout(layout), _bytes(buffer))


def unpack_from(layout: Any, /, buffer: Any, offset: int = 0) -> tuple[Any, ...]:
    """``struct.unpack_from``."""
    return struct.unpack_from(checked_layout(layout), _bytes(buffer), offset)


def iter_unpack(layout: Any, buffer: Any) -> Any:
    """``struct.iter_unpack``, as a list to go through."""
    return iter(list(struct.iter_unpack(checked_layout(layout), _bytes(buffer))))


def _bytes(buffer: Any) -> Any:
    if not isinstance(buffer, (bytes, bytearray)):
        raise TypeError(f"a bytes-like object is required, not '{type(buffer).__name__}'")
    return buffer


STRUCT: dict[str, Any] = {
    "Struct": Struct,
    "calcsize": calcsize,
    "pack": pack,
    "unpack": unpack,
    "unpack_from": unpack_from,
    "iter_unpack": iter_unpack,
    "error": struct.error,
}
"""What ``struct`` offers."""
