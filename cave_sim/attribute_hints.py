"""What objects that newcomers hold say of an attribute that they do not have: Python's words, and the way out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cave_sim.errors import did_you_mean


class AttributeHints:
    """Says behind "has no attribute" what was meant. An error within a property stays the error that it is."""

    __slots__ = ()

    if not TYPE_CHECKING:  # checkers shall go on finding what is misspelt

        def __getattr__(self, name: str) -> Any:
            if hasattr(type(self), name):
                return object.__getattribute__(self, name)  # a property failed within, and says why
            hint = self._attribute_hint(name)
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}{hint}", name=name, obj=self)

    def _attribute_hint(self, name: str) -> str:
        """Return, with what sets it off in front, what was meant by a name; the public one that comes nearest."""
        near = did_you_mean(name, [each for each in dir(type(self)) if each[0] != "_"])
        return near and f".{near}"
