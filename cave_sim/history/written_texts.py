"""Texts that a cell put together while it ran, as with a number in them: told as they were written, by its changes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from cave_sim.history.narrator import LONGEST, UNTOLD, Sentence
from cave_sim.journal.reader import Run

LEAST = 8
"""So many letters of a text must be known for what was written to be known by them."""


def completed(sentences: list[Sentence], run: Run, turn: int) -> list[Sentence]:
    """Return sentences in which texts that running a cell filled in are those that its turn wrote.

    Args:
        sentences: of the cell, as :meth:`~cave_sim.history.narrator.Narrator.tell` returns them.
        run: where the turn is.
        turn: its number.
    """
    if not any(_is_open(segment) for sentence in sentences for segment in sentence):
        return sentences
    rows = run.query("SELECT new FROM changes WHERE turn = ? AND new LIKE '%\"%'", turn)
    texts = [text for (new,) in rows for text in _texts(run.data(new))]
    return [[_filled(segment, texts) for segment in sentence] for sentence in sentences]


def _is_open(segment: Any) -> bool:
    return isinstance(segment, str) and UNTOLD in segment and len(segment) >= LEAST


def _filled(segment: Any, texts: list[str]) -> Any:
    if not _is_open(segment):
        return segment
    opened, text, closed = re.fullmatch(r"(.*“)?(.*?)(”.*)?", segment, re.DOTALL).groups("")  # type: ignore[union-attr]
    pattern = re.compile(".+?".join(map(re.escape, text.split(UNTOLD))), re.DOTALL)
    found = {each for each in texts if pattern.fullmatch(" ".join(each.split()))}
    if len(found) != 1:
        return segment
    whole = " ".join(found.pop().split())
    return f"{opened}{whole if len(whole) <= LONGEST else f'{whole[: LONGEST - 1]}…'}{closed}"


def _texts(value: Any) -> Iterator[str]:
    """Yield the texts in plain data."""
    if isinstance(value, str):
        yield value
    for part in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _texts(part)
