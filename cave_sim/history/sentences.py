"""Sentences: what a cell did, in pieces of text and names of entities; and what of its turn's writes would show it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any

from cave_sim.history.cell_branches import Branch

Segment = str | dict[str, str]
"""A piece of a sentence: text, or ``{"entity": name}``."""
Sign = str | tuple[str, str, Any]
"""What a turn wrote if it did this: a text or the name of an entity; or entity, field and value."""
UNTOLD = "…"
LONGEST = 200


class Sentence(list[Segment]):
    """What one call or statement of a cell does.

    Args:
        segments: its words.
        branch: where in the cell it stands; () if it was done for certain.
        signs: what is among the writes of the turn if it was done.
        if_written: what is told in its place if a text is among the writes of the turn.
    """

    def __init__(
        self,
        segments: Iterable[Segment],
        branch: Branch = (),
        signs: tuple[Sign, ...] = (),
        if_written: Mapping[str, Iterable[Segment]] = MappingProxyType({}),
    ) -> None:
        super().__init__(segments)
        self.branch: Branch = branch
        self.signs: tuple[Sign, ...] = signs
        self.if_written = if_written


def text_of(sentence: Iterable[Segment], titles: Mapping[str, str] | None = None) -> str:
    """Return a sentence as text, entities by their titles if these are given."""
    names = titles or {}
    return "".join(
        segment if isinstance(segment, str) else names.get(segment["entity"], segment["entity"]) for segment in sentence
    )
