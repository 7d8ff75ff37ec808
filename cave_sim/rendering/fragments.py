"""What is made by blocks of ours and looks active, such as a drawing: kept apart while a template's work is checked."""

from __future__ import annotations

import re
from collections.abc import Callable

from cave_sim.rendering import escaping
from cave_sim.rendering.escaping import SAFE
from cave_sim.rendering.limits import Meter

EDGE = "\x1f"
"""Stands around the number of a fragment; no text of data and no template can hold it."""
PLACE = re.compile(f"{EDGE}([0-9]{{1,9}}){EDGE}")


class Fragments:
    """Those of one document.

    Args:
        meter: counts what they take.
    """

    def __init__(self, meter: Meter) -> None:
        self._meter = meter
        self._texts: list[str] = []
        self._chars = 0

    def keep(self, text: str) -> SAFE:
        """Take in a text, and return what stands for it."""
        self._texts.append(text)
        self._count(text)
        return SAFE(f"{EDGE}{len(self._texts) - 1}{EDGE}")

    def put_back(self, body: str, check: Callable[[str], None]) -> str:
        """Return a body with the fragments in their places, once the rest of it has passed a check."""
        parts = PLACE.split(body)  # what is between, and numbers
        between = [escaping.clean(part) for part in parts[::2]]
        check(" ".join(between))
        self._chars = sum(map(len, between))
        texts = [self._text(int(number)) for number in parts[1::2]]
        for text in texts:
            self._count(text)
        return "".join(piece for pair in zip(between, [*texts, ""], strict=True) for piece in pair)

    def _text(self, place: int) -> str:
        return self._texts[place] if place < len(self._texts) else ""

    def _count(self, text: str) -> None:
        self._chars += len(text)
        if self._chars > self._meter.limits.chars:
            raise self._meter.too_long()
