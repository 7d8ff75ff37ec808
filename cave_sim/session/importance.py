"""Importance: how much something that happened matters to whom it befell, from 0 (nothing) to 10 (decides a life)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened, before it is committed to memory.

    Attributes:
        kind: what kind of thing it is, in the words of whoever noticed it: ``words``, ``deed``, ``notice``, ...
        text: what is to be remembered.
        about: names that it is about.
    """

    kind: str
    text: str
    about: tuple[str, ...] = ()


class Importance(Protocol):
    """A rule that says how much an event matters. It goes by the event alone, so that a replay comes to the same."""

    def __call__(self, event: Event) -> float:
        """Return a number from 0 to 10."""
