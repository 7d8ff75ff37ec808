"""Namespaces: each agent's own variables, which persist from cell to cell and which no other agent sees."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import partial
from keyword import iskeyword
from typing import Any

from cave_sim.entity.entity import Entity
from cave_sim.errors import SchemaError
from cave_sim.policy.guards import is_facade
from cave_sim.policy.libraries.modules import ModuleProxy
from cave_sim.policy.scope import MODULES
from cave_sim.runtime.cell import CellCache
from cave_sim.runtime.serialization import Deserializer, Serializer

_RESERVED = frozenset({"me"})
_GUARD_LIKE = re.compile(r"__|_.*_\Z")  # such as _tick_, which is looked up where variables are


class Namespace:
    """The runtime stream of one agent (CaveAgent §3.1).

    Attributes:
        cells: compiles what must be defined again.
        globals: what its cells run in; world names come from the scope behind it.
        sources: the source of each function and class that its cells defined, so that they can be kept.
        serialized: variables that are here as plain data, until a cell needs them; code among them has not run here.
    """

    def __init__(self, agent: str, scope: dict[str, Any], cells: CellCache) -> None:
        self.agent = agent
        self.globals: dict[str, Any] = {"__builtins__": scope}
        self.cells = cells
        self.sources: dict[str, str] = {}
        self.serialized: dict[str, Any] = {}
        self._builtin_names = BuiltinNames(scope)

    def variables(self) -> dict[str, Any]:
        """Return the agent's own variables by name, without those that are still plain data."""
        return {name: value for name, value in self.globals.items() if is_variable(name)}

    def types(self, entities: dict[str, Entity]) -> dict[str, str]:
        """Return the name of each variable's type, by name. No code runs for those that are still plain data."""
        names = {name: type(value).__name__ for name, value in self.variables().items()}
        names.update((name, self._type_of(data, entities)) for name, data in self.serialized.items())
        return dict(sorted(names.items()))

    def _type_of(self, data: Any, entities: dict[str, Entity]) -> str:
        tag = next(iter(data), "") if isinstance(data, dict) else ""
        if tag == "$source":
            return "type" if re.match(r"(?:@.*\n)*class\b", data[tag]) else "function"
        if tag == "$object":
            return str(data[tag][0])
        if tag == "$same":
            return self._type_of(self.serialized.get(data[tag]), entities)
        if tag == "$name":
            return type(self._builtin_names.at(data[tag])).__name__
        return type(Deserializer(entities, lambda _tag, _data: None).unpack(data)).__name__

    def snapshot(self) -> tuple[dict[str, Any], list[str]]:
        """Return the variables as plain data, and the names of those that cannot be kept."""
        snapshot: dict[str, Any] = dict(self.serialized)
        lost_names: list[str] = []
        first_names: dict[int, str] = {}
        for name, value in self.variables().items():
            try:
                snapshot[name] = self._pack(name, value, first_names)
            except SchemaError:
                lost_names.append(name)
        return snapshot, lost_names

    def restore(
        self, snapshot: dict[str, Any], entities: dict[str, Entity], define: Callable[[Namespace, str], None]
    ) -> None:
        """Bind the variables that :meth:`snapshot` returned.

        Args:
            snapshot: the variables as plain data.
            entities: the world's entities by name.
            define: runs the source of a function or class in this namespace, under the world's policy.
        """
        variables = {name: data for name, data in snapshot.items() if is_variable(name)}
        for name in self._bind(variables, Deserializer(entities)):
            if "$source" in variables[name]:
                define(self, variables[name]["$source"])
                self.sources[name] = variables[name]["$source"]
        others = {name: data for name, data in variables.items() if name not in self.globals}
        for name in self._bind(others, Deserializer(entities, partial(self._unpack_other, entities))):
            if "$same" in variables[name] and variables[name]["$same"] in self.globals:
                self.globals[name] = self.globals[variables[name]["$same"]]

    def _bind(self, variables: dict[str, Any], deserializer: Deserializer) -> list[str]:
        """Bind what can be read back, and return the names of the rest."""
        rest = []
        for name, data in variables.items():
            try:
                self.globals[name] = deserializer.unpack(data)
            except SchemaError:
                rest.append(name)
        return rest

    def deserialize(self, entities: dict[str, Entity], define: Callable[[Namespace, str], None]) -> None:
        """Bind the variables that are still plain data, as :meth:`restore` does."""
        snapshot, self.serialized = self.serialized, {}
        self.restore(snapshot, entities, define)

    def store_serialized(self, variables: dict[str, Any], gone: Iterable[str] = ()) -> None:
        """Take over variables as plain data, without running code.

        Args:
            variables: by name, as :meth:`snapshot` returns them; each takes the place of one that was here.
            gone: names of variables that are here no more.
        """
        for name in filter(is_variable, (*variables, *gone)):
            self.globals.pop(name, None)
            self.sources.pop(name, None)
            self.serialized.pop(name, None)
        self.serialized.update({name: data for name, data in variables.items() if is_variable(name)})

    def peek(self, name: str, entities: dict[str, Entity]) -> Any:
        """Return a variable that is still plain data, without running code; raises KeyError if it is code."""
        data = self.serialized[name]
        if isinstance(data, dict) and "$same" in data:
            return self.peek(data["$same"], entities)
        try:
            return Deserializer(entities).unpack(data)
        except SchemaError:
            raise KeyError(f"{name} of {self.agent} is code, which stays in the process that runs cells") from None

    def _pack(self, name: str, value: Any, first_names: dict[int, str]) -> Any:
        if isinstance(value, _ALIASED) or callable(value):
            first = first_names.setdefault(id(value), name)
            if first != name:
                return {"$same": first}
        if name in self.sources and callable(value):
            return {"$source": self.sources[name]}
        return Serializer(self._pack_other).pack(value)

    def _pack_other(self, value: Any, serializer: Serializer) -> Any:
        """Pack an object of a class that is defined here, or what the scope offers by name."""
        kind = type(value)
        if self.globals.get(kind.__name__) is kind and kind.__name__ in self.sources:
            return {"$object": [kind.__name__, serializer.pack([*value] if isinstance(value, tuple) else vars(value))]}
        path = self._builtin_names.path(value)
        if path is None:
            raise SchemaError(f"a {kind.__name__} cannot be kept: only data can")
        return {"$name": path}

    def _unpack_other(self, entities: dict[str, Entity], tag: str, data: Any) -> Any:
        if tag == "$name":
            return self._builtin_names.at(data)
        name, attributes = data
        kind = self.globals.get(name)
        if not isinstance(kind, type) or name not in self.sources:
            raise SchemaError(f"{name!r} is no class of this cell's own")
        attributes = Deserializer(entities, partial(self._unpack_other, entities)).unpack(attributes)
        if issubclass(kind, tuple):
            return tuple.__new__(kind, attributes)
        instance = object.__new__(kind)
        instance.__dict__.update(attributes)
        return instance


def is_variable(name: str) -> bool:
    """Say whether cells can bind a name; what they run in has names of its own, which nobody's data may replace."""
    return name.isidentifier() and not _GUARD_LIKE.match(name) and not iskeyword(name) and name not in _RESERVED


_ALIASED = (list, dict, set, tuple)


class BuiltinNames:
    """The names of one scope, by identity: a variable that holds one of them is kept by its name."""

    def __init__(self, scope: dict[str, Any]) -> None:
        self._scope = scope
        self._paths: dict[int, list[str]] = {}
        self._names_seen = 0

    def path(self, value: Any) -> list[str] | None:
        """Return where the scope has this very object: a name, or a module and a name of it; None if it has not."""
        if self._names_seen != len(self._scope):
            self._look()
        return self._paths.get(id(value))

    def at(self, path: list[str]) -> Any:
        """Return what the scope has there; raises SchemaError if it has nothing of the kind."""
        first, *rest = path
        member = self._module(first) if first in MODULES else self._scope.get(first)
        for name in rest:
            is_offered = isinstance(member, ModuleProxy) and name in dir(member)
            member = getattr(member, name) if is_offered else None
        if member is None or first.startswith("_"):
            raise SchemaError(f"{'.'.join(path)} is nothing that cells have")
        return member

    def _look(self) -> None:
        self._names_seen = len(self._scope)
        self._paths.clear()
        for module in sorted(MODULES):
            proxy = self._module(module)
            if isinstance(proxy, ModuleProxy):
                self._paths |= {id(getattr(proxy, name)): [module, name] for name in dir(proxy)}
            self._paths[id(proxy)] = [module]
        for name, value in self._scope.items():
            if name[0] != "_" and not isinstance(value, Entity) and (callable(value) or is_facade(value)):
                self._paths[id(value)] = [name]

    def _module(self, name: str) -> Any:
        return self._scope["__import__"](name)
