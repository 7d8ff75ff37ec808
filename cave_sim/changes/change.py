"""One change: what a turn wrote, as plain data.

It can be written to a journal, merged with others (:mod:`cave_sim.world.batch`), and applied to a restored world
(:mod:`cave_sim.world.apply_changes`).
"""

from __future__ import annotations

from typing import Any, NamedTuple


class Change(NamedTuple):
    """One write that a turn left behind.

    Attributes:
        entity: whose.
        path: the field, and below it the key of a dict, the item of a set, or the part of a graph.
        op: ``set``, ``delete`` (of a key), ``splice`` (of a list), ``add`` and ``discard`` (of a set), ``patch`` (of an
            array or table), ``create`` and ``remove`` (of an entity, with an empty path).
        old, new: plain data. For a splice ``{"at": index, "items": [...]}``; for create and remove
            ``{"type": name, "fields": {...}}``.
    """

    entity: str
    path: tuple[Any, ...]
    op: str
    old: Any
    new: Any

    @property
    def adds_entity(self) -> bool:
        """Whether an entity came by it."""
        return self.op == "create" and not self.path
