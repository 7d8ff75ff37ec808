"""The names that a scope offers, by identity: a variable that holds one of their objects is kept by its name."""

from __future__ import annotations

import builtins
import types
from collections.abc import Container, Mapping
from functools import reduce
from typing import Any

from cave_sim import errors
from cave_sim.determinism.random_streams import RandomStream
from cave_sim.entity.entity import Entity
from cave_sim.errors import SchemaError
from cave_sim.policy.attributes import ALLOWED
from cave_sim.policy.libraries.databases import Database
from cave_sim.policy.libraries.iterators import Chain
from cave_sim.policy.libraries.module_proxy import ModuleProxy, members_of
from cave_sim.policy.libraries.modules import make_facades
from cave_sim.policy.scope import MODULES

_GENERATOR = ["numpy", "random", "Generator"]
_TEXT = ["str"]
_OF_CHAIN = "from_iterable"
_METHODS = (types.MethodType, types.BuiltinMethodType)
_ATOMS = (str, int, float, bool, type(None), list, dict, set)
_NO_NAMES = (Entity, *_ATOMS)


class TeamMember:
    """An agent in the hands of another; a variable that holds one is kept by the agent's name."""

    __slots__ = ()

    def kept_as(self) -> str:
        """Return the agent's name."""
        raise NotImplementedError


def name_of_draw(value: Any) -> str | None:
    """Return what a method of an agent's random stream is called; None for anything else."""
    stream = getattr(value, "__self__", None) if type(value) in _METHODS else None
    is_draw = isinstance(stream, RandomStream) and value.__name__ in ALLOWED[RandomStream]
    return value.__name__ if is_draw else None


def _walk(facades: Mapping[str, Any]) -> dict[int, list[str]]:
    """Return where modules have their members, by identity: under the first name in alphabetical order."""
    paths: dict[int, list[str]] = {}

    def look_into(proxy: ModuleProxy, path: list[str], depth: int) -> None:
        paths[id(proxy)] = path
        for name, member in members_of(proxy).items():
            if isinstance(member, ModuleProxy) and depth:
                look_into(member, [*path, name], depth - 1)
            elif not isinstance(member, _ATOMS):
                paths.setdefault(id(member), [*path, name])
            if isinstance(member, Chain):
                paths[id(member.from_iterable)] = [*path, name, _OF_CHAIN]

    for name, facade in facades.items():
        if isinstance(facade, ModuleProxy):
            look_into(facade, [name], 2)
    return paths


class _Modules:
    """Where the modules of cells have their members: thousands that all worlds share, and a few of each world's own.

    Args:
        facades: of the first world that asks, by name.
    """

    def __init__(self, facades: Mapping[str, Any]) -> None:
        others = make_facades({}, {}, _nothing, None, float, _nothing, [])
        elsewhere = _walk({name: others[name] for name in facades if name in others})
        paths = _walk(facades)
        self.shared = {identity: path for identity, path in paths.items() if identity in elsewhere}
        self.own = [path for identity, path in paths.items() if identity not in elsewhere]


_modules: list[_Modules] = []


def _nothing(*_: Any) -> None:
    """Stand in for what a world does when cells call it."""


class ScopeNames:
    """The names of one scope.

    Args:
        scope: what it offers, by name.
        passing: names of it whose objects are others from turn to turn: no variable is kept by one of them.
    """

    def __init__(self, scope: dict[str, Any], passing: Container[str]) -> None:
        self._scope, self._passing = scope, passing
        self._paths: dict[int, list[str]] = {}
        self._of_modules: dict[int, list[str]] = {}
        self._is_known = False

    def path(self, value: Any) -> list[str] | None:
        """Return where the scope has this very object: a name, or a module and a name of it; None if it has not."""
        if not self._is_known:
            self._look()
        path = self._paths.get(id(value)) or _modules[0].shared.get(id(value))
        # an object that is gone may have left its place in memory, and so its identity, to this one
        return path if path is not None and self._has(path, value) else None

    def look_again(self) -> None:
        """Note that the scope has got a class, a function or another object with a name."""
        self._is_known = False

    def _has(self, path: list[str], value: Any) -> bool:
        if value is str:
            return path == _TEXT
        try:
            return self.at(path) is value
        except SchemaError:
            return False

    def at(self, path: Any) -> Any:
        """Return what the scope has there; raises SchemaError if it has nothing of the kind."""
        if type(path) is not list or not path or not all(type(name) is str and name[:1] != "_" for name in path):
            raise SchemaError(f"{str(path)[:80]} is no name that cells have")
        first, *rest = path
        member = self._module(first) if first in MODULES else self._scope.get(str(first))
        if path == _GENERATOR:
            return self._generator()
        for name in rest:
            is_offered = isinstance(member, ModuleProxy) and name in dir(member)
            is_offered |= isinstance(member, Chain) and name == _OF_CHAIN
            member = getattr(member, name) if is_offered else None
        if member is None or isinstance(member, Entity):
            raise SchemaError(f"{'.'.join(path)} is nothing that cells have")
        return member

    def is_database(self, path: Any) -> bool:
        """Say whether a path is the name of an injected database; nothing is loaded to find out."""
        is_name = type(path) is list and len(path) == 1 and type(path[0]) is str
        return is_name and type(self._scope.get(path[0])) is Database

    def draw(self, name: Any) -> Any:
        """Return a method of the random stream of the turn under way; raises AttributeError if it has none such."""
        return getattr(self._scope["rng"], str(name))

    def member(self, agent: Any) -> Any:
        """Return an agent of the team; raises WorldError if there is none of that name."""
        return self._scope["team"][agent]

    def error(self, name: Any) -> type[Exception]:
        """Return a class of errors that Python has; raises SchemaError if it has none of that name."""
        is_text = type(name) is str
        kind = (getattr(builtins, name, None) or getattr(errors, name, None)) if is_text else None
        if not isinstance(kind, type) or not issubclass(kind, Exception):
            raise SchemaError(f"{str(name)[:80]} is no error")
        return kind

    def _look(self) -> None:
        self._is_known = True
        self._of_modules = self._of_modules or self._look_into_modules()
        self._paths = dict(self._of_modules)
        for name, value in self._scope.items():
            if name[0] != "_" and not isinstance(value, _NO_NAMES) and name not in self._passing:
                self._paths[id(value)] = [name]

    def _look_into_modules(self) -> dict[int, list[str]]:
        facades = {name: self._module(name) for name in sorted(MODULES)}
        if not _modules:
            _modules.append(_Modules(facades))
        paths = {id(reduce(getattr, rest, facades[name])): [name, *rest] for name, *rest in _modules[0].own}
        paths[id(self._generator())] = _GENERATOR
        paths[id(str)] = _TEXT  # typing hands out the original for the one that cells have
        return paths

    def _generator(self) -> Any:
        """Return what ``np.random.default_rng()`` gives, always the same."""
        return self._module("numpy").random.default_rng()

    def _module(self, name: str) -> Any:
        return self._scope["__import__"](name)
