"""``bytearray`` in a cell: bytes that change, and no more of them than of anything else."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from cave_sim.errors import Blocked
from cave_sim.policy.libraries.stand_ins import StandIn

MAX_LENGTH = 5_000_000


class _ByteArrayClass(StandIn):
    stands_for = bytearray

    def __call__(self, *args: Any, **named: Any) -> bytearray:
        return byte_array(*args, **named)


class ByteArray(metaclass=_ByteArrayClass):
    """``bytearray`` in a cell wherever it may be called."""

    @staticmethod
    def fromhex(text: str) -> bytearray:
        """Return the bytes that pairs of hexadecimal digits mean."""
        return bytearray.fromhex(text)


ByteArray.__name__ = ByteArray.__qualname__ = "bytearray"


def byte_array(source: Any = b"", *coding: str, **named: Any) -> bytearray:
    """``bytearray(...)``: of a text, of bytes, of numbers, or of so many zeros."""
    if "source" in named:
        source = named.pop("source")
    if type(source) is int:
        if source > MAX_LENGTH:
            raise Blocked(f"a bytearray of {source:,} bytes; at most {MAX_LENGTH:,} can be made")
    elif not isinstance(source, (str, bytes, bytearray)):
        source = list(source)
    return bytearray(source, *coding, **named)


def extending(value: bytearray, _name: str) -> Callable[[Any], None]:
    """``bytearray.extend``, up to the bound."""

    def extend(more: Any) -> None:
        extension = byte_array(more)
        if len(value) + len(extension) > MAX_LENGTH:
            raise Blocked(f"a bytearray of more than {MAX_LENGTH:,} bytes")
        value.extend(extension)

    return extend


METHODS = frozenset(
    "append clear copy count decode endswith find hex index insert isalnum isalpha isdigit islower isspace isupper "
    "lower lstrip partition pop remove removeprefix removesuffix replace reverse rfind rindex rpartition rsplit rstrip "
    "split splitlines startswith strip swapcase title upper capitalize".split()
)
"""What a cell may read on one, beside ``extend``."""
