"""Where a generator of the module ``random`` stands, as bytes: read and set without the 625 numbers of ``getstate``.

Those numbers take a hundred times as long to make as the bytes do. CPython has the words side by side in the generator;
where they lie otherwise, which is tried once, the same bytes are made of the numbers.
"""

from __future__ import annotations

import ctypes
import random
from array import array
from functools import cache
from typing import Any, NamedTuple

_SIZE = 4 * 625
_OFFSET = object.__basicsize__


class GeneratorPlace(NamedTuple):
    """Where a generator stands.

    Attributes:
        words: its index and its 624 words of 32 bits, as this machine keeps them.
        next_gauss: the second number of a pair that ``gauss`` drew; None between two pairs.
    """

    words: bytes
    next_gauss: float | None


def place_of(generator: random.Random) -> GeneratorPlace:
    """Return where a generator stands."""
    if type(generator) is random.Random and _lies_as_in_cpython():
        return GeneratorPlace(ctypes.string_at(id(generator) + _OFFSET, _SIZE), _gauss_of(generator))
    return _place_by_numbers(generator)


def set_place(generator: random.Random, place: GeneratorPlace) -> None:
    """Have a generator draw on from a place."""
    if type(generator) is random.Random and _lies_as_in_cpython():
        ctypes.memmove(id(generator) + _OFFSET, place.words, _SIZE)
        generator.gauss_next = place.next_gauss  # type: ignore[attr-defined]
    else:
        index, *words = array("I", place.words)
        generator.setstate((generator.VERSION, (*words, index), place.next_gauss))


def _place_by_numbers(generator: random.Random) -> GeneratorPlace:
    state: Any = generator.getstate()
    *words, index = state[1]
    return GeneratorPlace(array("I", [index, *words]).tobytes(), state[2])


def _gauss_of(generator: Any) -> float | None:
    next_gauss: float | None = generator.gauss_next
    return next_gauss


@cache
def _lies_as_in_cpython() -> bool:
    """Say whether the words are where CPython has them, by a generator that was used a little."""
    generator = random.Random(1)
    generator.random()
    if random.Random.__basicsize__ < _OFFSET + _SIZE:
        return False
    return ctypes.string_at(id(generator) + _OFFSET, _SIZE) == _place_by_numbers(generator).words
