"""Classes that plain data is converted to, in programs that have threads."""

from __future__ import annotations

from typing import TypeVar

import msgspec

Kind = TypeVar("Kind")


def converted_to(kind: type[Kind]) -> type[Kind]:
    """Have msgspec read what a class is made of when it is declared, and return it.

    Else it does so at the first conversion, and two threads that are the first, at once, end the process by a
    segmentation fault (msgspec 0.22).
    """
    msgspec.json.Decoder(kind)
    return kind
