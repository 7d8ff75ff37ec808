"""What a scope offers by name that is code: builtins, modules and their members, tools, entity classes."""

from __future__ import annotations

from typing import Any

from cave_sim.entity import Entity
from cave_sim.errors import SchemaError
from cave_sim.policy.facades import Facade
from cave_sim.policy.guards import is_facade
from cave_sim.policy.scope import MODULES


class Offered:
    """The names of one scope, by identity: a variable that holds one of them is kept by its name."""

    def __init__(self, scope: dict[str, Any]) -> None:
        self._scope = scope
        self._paths: dict[int, list[str]] = {}
        self._known = 0

    def path(self, value: Any) -> list[str] | None:
        """Return where the scope has this very object: a name, or a module and a name of it; None if it has not."""
        if self._known != len(self._scope):
            self._look()
        return self._paths.get(id(value))

    def at(self, path: list[str]) -> Any:
        """Return what the scope has there; raises SchemaError if it has nothing of the kind."""
        first, *rest = path
        found = self._module(first) if first in MODULES else self._scope.get(first)
        for name in rest:
            found = found._members.get(name) if isinstance(found, Facade) else None
        if found is None or first.startswith("_"):
            raise SchemaError(f"{'.'.join(path)} is nothing that cells have")
        return found

    def _look(self) -> None:
        self._known = len(self._scope)
        self._paths.clear()
        for module in sorted(MODULES):
            facade = self._module(module)
            if isinstance(facade, Facade):
                self._paths |= {id(member): [module, name] for name, member in facade._members.items()}
            self._paths[id(facade)] = [module]
        for name, value in self._scope.items():
            if name[0] != "_" and not isinstance(value, Entity) and (callable(value) or is_facade(value)):
                self._paths[id(value)] = [name]

    def _module(self, name: str) -> Any:
        return self._scope["__import__"](name)
