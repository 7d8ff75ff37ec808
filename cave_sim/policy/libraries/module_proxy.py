"""What stands for a module in a cell, and what is said of a name that it does not offer."""

from __future__ import annotations

from collections.abc import Callable
from difflib import get_close_matches
from typing import Any

from cave_sim.diagnostics.told_names import told_as
from cave_sim.errors import Blocked
from cave_sim.policy.libraries.ways_out import instead_of_name

MAX_LISTED = 40
"""Of a module with more names, what comes near a wrong one is said: hundreds would fill the next prompt."""


class ModuleProxy:
    """Stands for a module. Reading a name that it does not offer is an AttributeError that says what was meant.

    Args:
        title: what the module is called.
        members: what it offers, by name; or what makes that when a cell first asks for any of it.
    """

    __slots__ = ("_members", "_title")

    def __init__(self, title: str, members: dict[str, Any] | Callable[[], dict[str, Any]]) -> None:
        object.__setattr__(self, "_title", title)
        object.__setattr__(self, "_members", members)

    def __getattr__(self, name: str) -> Any:
        try:
            return _made(self)[name]
        except KeyError:
            raise AttributeError(f"{self._title}.{name} is not for cells.{meant_of(self, name)}") from None

    def __setattr__(self, name: str, value: Any) -> None:
        raise Blocked(f"{self._title}.{name} cannot be changed")

    def __dir__(self) -> list[str]:
        return sorted(_made(self))

    def __repr__(self) -> str:
        return f"<module {self._title}>"


told_as(ModuleProxy, "module")


def _made(proxy: ModuleProxy) -> dict[str, Any]:
    """Return what a module offers, made now if nobody has asked for it yet: most worlds never ask for most modules."""
    members = object.__getattribute__(proxy, "_members")
    if type(members) is not dict:
        members = members()
        object.__setattr__(proxy, "_members", members)
    offered: dict[str, Any] = members
    return offered


def meant_of(proxy: ModuleProxy, name: str) -> str:
    """Return, as sentences, what a name that a module does not offer was meant for, and what the module offers."""
    title, known = object.__getattribute__(proxy, "_title"), dir(proxy)
    instead = instead_of_name(title, name)
    if len(known) <= MAX_LISTED:
        return f"{instead} {title} offers: {', '.join(known)}"
    near = get_close_matches(name, known, 6, 0.5)
    return instead or f" {title} offers {len(known)} names" + (f"; near it: {', '.join(near)}" if near else "")


def title_of(proxy: ModuleProxy) -> str:
    """Return what a module is called."""
    title: str = object.__getattribute__(proxy, "_title")
    return title


def members_of(proxy: ModuleProxy) -> dict[str, Any]:
    """Return what a module offers, by name in alphabetical order."""
    members = _made(proxy)
    return {name: members[name] for name in sorted(members)}
