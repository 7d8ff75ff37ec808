"""Nouns with what stands before them: ``1 run``, ``2,000 runs``, ``an int``."""

from __future__ import annotations


def counted(count: int, noun: str, nouns: str = "") -> str:
    """Return a number with its noun, as people write both.

    Args:
        count: how many.
        noun: for one of them.
        nouns: for any other number; by default with an s at its end.
    """
    return f"{count:,} {noun if count == 1 else nouns or f'{noun}s'}"


def article(noun: str) -> str:
    """Return a noun with its article."""
    return f"{'an' if noun[:1].lower() in 'aeiou' else 'a'} {noun}"
