"""The entities of one class in the order of their names, kept up to date as a few of them come and go."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

from cave_sim.entity.entity import Entity

AT_ONCE = 16
"""Comings and goings that are put in their places one by one; with more, sorting everybody anew costs less."""


class SortedMembers:
    """A list that was asked for once, and may be asked for again.

    Args:
        members: names and entities, sorted by name.
    """

    __slots__ = ("_entities", "_names", "_news")

    def __init__(self, members: Sequence[tuple[str, Entity]]) -> None:
        self._names = [name for name, _ in members]
        self._entities = tuple(entity for _, entity in members)
        self._news: list[tuple[str, Entity, bool]] = []

    def note(self, name: str, entity: Entity, *, comes: bool) -> bool:
        """Take in that an entity comes or goes; returns False if the list is better made anew."""
        self._news.append((name, entity, comes))
        return len(self._news) <= AT_ONCE

    def entities(self) -> tuple[Entity, ...]:
        """Return the entities, sorted by name."""
        if self._news:
            names, entities = self._names, list(self._entities)
            for name, entity, comes in self._news:
                at = bisect_left(names, name)
                is_there = at < len(names) and names[at] == name
                if comes and is_there:
                    entities[at] = entity
                elif comes:
                    names.insert(at, name)
                    entities.insert(at, entity)
                elif is_there:
                    del names[at], entities[at]
            self._entities = tuple(entities)
            self._news.clear()
        return self._entities
