"""What variables refer to that is none: entities, the names that cells see, and the classes of the researcher."""

from __future__ import annotations

import enum
import importlib
import sys
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from types import CodeType
from typing import Any

from cave_sim.entity.codecs import VOUCHED
from cave_sim.entity.entity import Entity
from cave_sim.policy.attributes import ALLOWED
from cave_sim.runtime.cell import CellCache
from cave_sim.runtime.graph.errors import Malformed
from cave_sim.runtime.scope_names import ScopeNames

_PACKAGES: set[str] = set()


def vouch(package: str) -> None:
    """Let objects of a library's classes be kept among agents' variables, for the whole process.

    They are taken apart by what they say of themselves (``__reduce_ex__``), without pickle, and put together again by
    classes of the same package alone. By this you vouch for the package: reading a run back, which somebody else may
    have written, calls the constructors of its classes.

    >>> from cave_sim import vouch
    >>> vouch("statistics")

    Args:
        package: the name of a top-level package, such as ``"sklearn"``.

    Raises:
        ValueError: it is no name of a top-level package.
    """
    if not isinstance(package, str) or not package.isidentifier():
        raise ValueError(f"vouch({package!r}): takes the name of a top-level package, like 'sklearn'")
    _PACKAGES.add(package)


@dataclass(slots=True)
class Surroundings:
    """Where the variables of one agent live.

    Attributes:
        entities: of the world, by name.
        names: what the scope offers to every cell.
        find_cells: returns what compiles the statements that made functions.
        open_types: classes that the researcher injected, or of which an object was.
        globals: what the agent's cells run in.
        own: objects that were injected for this agent alone and have no form, by name.
        came: names of entities that the turn under way added, while it fails.
        left: names of those that it removed, by identity, while it fails.
        held: what fields that it set anew held before, by the identity of their entity and by name, while it fails.
        missed: names of those that came and that variables held, which are None from then on.
    """

    entities: Mapping[str, Entity]
    names: ScopeNames
    find_cells: Callable[[], CellCache]
    open_types: Collection[type]
    globals: dict[str, Any]
    own: dict[str, Any] = field(default_factory=dict)
    came: frozenset[str] = frozenset()
    left: Mapping[int, str] = field(default_factory=dict)
    held: Mapping[tuple[int, str], Any] | None = None
    missed: set[str] = field(default_factory=set)

    @property
    def cells(self) -> CellCache:
        """What compiles the statements that made functions."""
        return self.find_cells()

    def entity(self, name: Any) -> Entity | None:
        """Return an entity, None if it is no more; raises Malformed for those that belong to the world alone."""
        if type(name) is not str or name[:1] == "$":
            raise Malformed(f"{str(name)[:40]} belongs to the world alone")
        return self.entities.get(name)

    def functions(self, statement: str) -> list[CodeType]:
        """Return the code of each function that a statement makes, in order; raises Blocked if the gate refuses it."""
        return self.cells.functions(statement)

    def is_known(self, kind: type) -> bool:
        """Say whether objects of a class may be among variables because the researcher vouched for it."""
        if kind in ALLOWED or not isinstance(kind, type):
            return False
        return kind in self.open_types or kind in VOUCHED or is_vouched(kind) or self._is_of_world(kind)

    def _is_of_world(self, kind: type) -> bool:
        """Say whether a class is plain data, or an Enum, from a module that has entities of this world."""
        plain = issubclass(kind, (enum.Enum, tuple)) or hasattr(kind, "__dataclass_fields__")
        if not plain or not any(type(entity).__module__ == kind.__module__ for entity in self.entities.values()):
            return False
        named: Any = sys.modules.get(kind.__module__)
        for part in kind.__qualname__.split("."):  # one that a cell made says that it is of `__main__`, as a script's
            named = getattr(named, part, None)
        return named is kind

    def class_at(self, path: Any) -> type:
        """Return the class of the researcher's that a path names; raises Malformed if nobody vouched for it."""
        module, _, name = str(path).partition(":")
        for kind in (*self.open_types, *VOUCHED):
            if path_of(kind) == path:
                return kind
        member: Any = sys.modules.get(module)
        if member is None and module.partition(".")[0] in _PACKAGES:
            member = importlib.import_module(module)
        for part in name.split("."):
            member = getattr(member, part, None)
        if isinstance(member, type) and self.is_known(member):
            return member
        if is_vouched(member) and getattr(member, "__name__", "").startswith(("__pyx_unpickle", "_reconstruct")):
            return member  # type: ignore[no-any-return]
        raise Malformed(f"{path!r} is nothing that the researcher vouched for: inject it, or vouch for its package")


def path_of(kind: Any) -> str:
    """Return the path under which a class is found again."""
    return f"{kind.__module__}:{kind.__qualname__}"


def is_vouched(kind: Any) -> bool:
    """Say whether a class or function is from a package that was vouched for."""
    module = getattr(kind, "__module__", None)
    return type(module) is str and module.partition(".")[0] in _PACKAGES
