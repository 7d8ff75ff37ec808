"""What ``world``, ``team`` and ``clock`` say in a cell of an attribute that they do not have: what there is instead."""

from __future__ import annotations

from typing import ClassVar

from cave_sim.diagnostics.attribute_hints import AttributeHints
from cave_sim.errors import did_you_mean


class CellHints(AttributeHints):
    """Says behind "has no attribute" what came nearest and all that there is, as entities do.

    Attributes:
        _besides: what else is said of what there is.
    """

    __slots__ = ()

    _besides: ClassVar[str] = ""

    def _attribute_hint(self, name: str) -> str:
        if name[:1] == "_":  # libraries ask any object for theirs
            return ""
        names = [each for each in dir(type(self)) if each[0] != "_" and each != "kept_as"]
        return f".{did_you_mean(name, names)} It has: {', '.join(names)}{self._besides}"
