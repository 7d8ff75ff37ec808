"""What objects that newcomers hold say of an attribute that they do not have, or that is set in vain: the way out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from cave_sim.errors import WorldError, did_you_mean

Fitting = tuple[Callable[[Any], bool], str]
"""Which values an attribute may be set to, and what is said of others."""


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


def never(_: Any) -> bool:
    """Say of any value that an attribute is not set to it: something else is done in its place."""
    return False


class SettingHints(AttributeHints):
    """Refuses, once it is made, what it would not act on or could not work with, and says what is meant by it.

    Its methods stay what they are. What a subclass of one's own keeps in itself is its own affair.

    Attributes:
        _fitting: name -> what it may be set to.
        _keeps_nothing_more: what is said of a name that is not there; looked for in the very class of an object.
    """

    _fitting: ClassVar[Mapping[str, Fitting]] = {}
    _keeps_nothing_more: ClassVar[str]
    _is_made = False
    _looked_at: ClassVar[frozenset[str]] = frozenset()

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        methods = {name for name in dir(cls) if name[0] != "_" and callable(getattr(cls, name, None))}
        cls._looked_at = frozenset(methods | cls._fitting.keys())

    def __setattr__(self, name: str, value: Any) -> None:
        if self._is_made and (name in self._looked_at or not hasattr(self, name)):
            self._expect_settable(name, value)
        super().__setattr__(name, value)

    def _expect_settable(self, name: str, value: Any) -> None:
        fits, way_out = self._fitting.get(name, (never, ""))
        if name[0] == "_" or fits(value):
            return
        kind = type(self).__name__.lower()
        if not way_out and name in self._looked_at:
            way_out = f"that is a method, and is called: {kind}.{name}(...)"
        if not way_out and (kept_elsewhere := vars(type(self)).get("_keeps_nothing_more", "")):
            way_out = kept_elsewhere + self._attribute_hint(name)
        if way_out:
            raise WorldError(f"{kind}.{name} = {value!r}: {way_out}")
