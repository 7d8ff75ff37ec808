"""Texts that are cut where they are long."""

from __future__ import annotations

import inspect
import re
import unicodedata

WIDE = frozenset("mwMW@%")
MOST_MARKS = 4
"""So many stand upon one letter, as far as any script goes; more tower over the line above."""


def shortened(text: str, most_chars: int, mark: str = "…") -> str:
    """Return a text of at most so many characters; one that is longer ends in the mark."""
    return text if len(text) <= most_chars else text[: most_chars - len(mark)] + mark


def first_sentence(document: str) -> str:
    """Return what a docstring says first, in one line: the first sentence of its first paragraph."""
    paragraph, _, _ = inspect.cleandoc(document).strip().partition("\n\n")
    sentence = re.match(r".*?[.!?](?=\s+(?:[A-Z]|https?:)|\s*$)|.*", " ".join(paragraph.split()))
    return sentence[0] if sentence else ""


def fitted(text: str, most_columns: float) -> str:
    """Return a text that takes at most so many columns, each as wide as a letter; a longer one ends in an ellipsis.

    For pictures whose letters nobody can measure: a wide letter counts 1.6, an ideogram 2, and a mark upon one nothing.
    """
    text_so_far, taken, marks = "", 0.0, 0
    for char in text:
        marks = marks + 1 if unicodedata.category(char).startswith("M") else 0
        if marks > MOST_MARKS:
            continue
        taken += _columns(char)
        if taken > most_columns:
            while text_so_far and sum(map(_columns, text_so_far)) + 1 > most_columns:
                text_so_far = text_so_far[:-1]
            return f"{text_so_far}…"
        text_so_far += char
    return text_so_far


def _columns(char: str) -> float:
    if unicodedata.category(char).startswith("M"):
        return 0.0
    return 2.0 if unicodedata.east_asian_width(char) in "WF" else 1.6 if char in WIDE else 1.0
