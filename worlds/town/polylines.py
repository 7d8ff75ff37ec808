"""Lines and rings as short texts: the Encoded Polyline Algorithm Format, as published by Google, with six digits.

A map has tens of thousands of corners. Each costs four letters on average here, where JSON takes twenty.
"""

from collections.abc import Iterable, Iterator

DIGITS = 6
_SCALE = 10**DIGITS


def encoded(points: Iterable[tuple[float, float]]) -> str:
    """Return points (x, y) as a text of printable ASCII without spaces or quotes' troubles for JSON."""
    letters: list[str] = []
    before = (0, 0)
    for point in points:
        whole = (round(point[0] * _SCALE), round(point[1] * _SCALE))
        for new, old in zip(whole, before, strict=True):
            letters.extend(_number(new - old))
        before = whole
    return "".join(letters)


def decoded(text: str) -> list[tuple[float, float]]:
    """Return the points of an encoded text.

    Raises:
        ValueError: the text ends within a number, or has a letter that no encoding has.
    """
    numbers = list(_numbers(text))
    if len(numbers) % 2:
        raise ValueError("an encoded line holds pairs of numbers")
    points, x, y = [], 0, 0
    for dx, dy in zip(numbers[::2], numbers[1::2], strict=True):
        x, y = x + dx, y + dy
        points.append((x / _SCALE, y / _SCALE))
    return points


def _number(value: int) -> Iterator[str]:
    rest = ~(value << 1) if value < 0 else value << 1
    while rest >= 0x20:
        yield chr((0x20 | (rest & 0x1F)) + 63)
        rest >>= 5
    yield chr(rest + 63)


def _numbers(text: str) -> Iterator[int]:
    rest = shift = 0
    for letter in text:
        part = ord(letter) - 63
        if not 0 <= part < 64:
            raise ValueError(f"{letter!r} is in no encoded line")
        rest |= (part & 0x1F) << shift
        shift += 5
        if part < 0x20:
            yield ~(rest >> 1) if rest & 1 else rest >> 1
            rest = shift = 0
    if shift:
        raise ValueError("the encoded line breaks off")
