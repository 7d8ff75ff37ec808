"""Texts that are cut where they are long."""

from __future__ import annotations


def shortened(text: str, most_chars: int, mark: str = "…") -> str:
    """Return a text of at most so many characters; one that is longer ends in the mark."""
    return text if len(text) <= most_chars else text[: most_chars - len(mark)] + mark
