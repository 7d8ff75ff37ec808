"""Classes that stand in a cell for Python's own wherever these may be asked for and not be called as they are."""

from __future__ import annotations

from typing import Any

from cave_sim.diagnostics.told_names import told_as


class StandIn(type):
    """The class of such a class: to those who ask it is what it stands for, and equal to that."""

    stands_for: type

    def __init_subclass__(cls) -> None:
        told_as(cls, "type")

    def __instancecheck__(cls, value: Any) -> bool:
        return isinstance(value, cls.stands_for)

    def __subclasscheck__(cls, kind: type) -> bool:
        return kind is cls or issubclass(kind, cls.stands_for)

    def __eq__(cls, other: object) -> bool:
        return other is cls or other is cls.stands_for

    def __hash__(cls) -> int:
        return hash(cls.stands_for)

    def __repr__(cls) -> str:
        return repr(cls.stands_for)


told_as(StandIn, "type")
