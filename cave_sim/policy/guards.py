"""The guards that a cell's rewritten code calls: reading and writing attributes, and making classes."""

from __future__ import annotations

import enum
import sys
import types
import typing
from collections.abc import Callable, Iterable
from typing import Any, NoReturn, TypeVar

import pandas as pd

from cave_sim.entity.asking import entrance
from cave_sim.entity.codecs import VOUCHED
from cave_sim.entity.entity import Entity
from cave_sim.entity.handed_values import handed
from cave_sim.entity.identity import label_of
from cave_sim.entity.preparation import fields_of
from cave_sim.entity.undo_log import MISSING
from cave_sim.entity.values import StableSet
from cave_sim.errors import Blocked, did_you_mean
from cave_sim.policy.attributes import ALLOWED, UNBOUND, class_of, entity_names
from cave_sim.policy.getters import FORMATS, TextFormat, UnboundMethod, check_arguments_of_getattr
from cave_sim.policy.libraries import class_tools, named_tuples
from cave_sim.policy.libraries.adapters import ADAPTERS, OF_CLASSES, adapted
from cave_sim.policy.libraries.cell_classes import OWN_CLASSES, adopt, hash_under, is_own_function
from cave_sim.policy.libraries.databases import Cursor, Database
from cave_sim.policy.libraries.decimals import Context
from cave_sim.policy.libraries.descriptors import Dispatch
from cave_sim.policy.libraries.differences import SequenceMatcher
from cave_sim.policy.libraries.digests import Digest
from cave_sim.policy.libraries.drawing import drawn, is_figure, of_figure
from cave_sim.policy.libraries.enum_classes import ENUM_BASES, EnumClass
from cave_sim.policy.libraries.estimators import is_estimator
from cave_sim.policy.libraries.kept_classes import KEPT_ATTRIBUTES
from cave_sim.policy.libraries.learning import Draw, of_estimator
from cave_sim.policy.libraries.managers import FATAL
from cave_sim.policy.libraries.module_proxy import ModuleProxy
from cave_sim.policy.libraries.modules import Distribution
from cave_sim.policy.libraries.networkx_api import Matrix
from cave_sim.policy.libraries.number_classes import is_number_class
from cave_sim.policy.libraries.numpy_api import Ufunc
from cave_sim.policy.libraries.numpy_parts import Grid
from cave_sim.policy.libraries.pandas_forms import Labels
from cave_sim.policy.libraries.pandas_functions import Options
from cave_sim.policy.libraries.pandas_texts import describing
from cave_sim.policy.libraries.queues import QUEUES
from cave_sim.policy.libraries.scipy_draws import DRAWN_BY, drawing
from cave_sim.policy.libraries.shown_names import BuiltinFunction, CalledClass
from cave_sim.policy.libraries.user_containers import INHERITED, INHERITED_SPECIAL, USER_BASES
from cave_sim.policy.libraries.ways_out import (
    instead_of_attribute,
    instead_of_base,
    refuse_of_class,
    refuse_writing,
)
from cave_sim.policy.open_objects import DataAttributes, read_open
from cave_sim.policy.syntax import METADATA, READABLE_DUNDERS, is_reserved


class Guards:
    """The attribute guards of one world.

    Args:
        open_types: types whose whole public surface the researcher opened to cells by injecting an object.
        note_read: told of every name that a cell reads of an entity; None where nobody asks.
        print_: takes what a cell prints.
        draw: draws a seed from the acting agent's stream.
    """

    def __init__(
        self,
        open_types: set[type],
        note_read: Callable[[Entity, str], None] | None = None,
        print_: Callable[..., None] = print,
        draw: Draw = lambda: 0,
    ) -> None:
        self._open_types = open_types
        self._note_read = note_read
        self._print, self._draw = print_, draw

    def read(self, holder: Any, name: str) -> Any:  # noqa: C901 -- one line for each kind of holder
        """Return an attribute if the holder's type lets cells read it; ``_attr_`` in a cell.

        Raises:
            Blocked: it is there, but not for cells.
            AttributeError: there is no such attribute.
        """
        kind = type(holder)
        if name[:1] == "_" and name not in READABLE_DUNDERS:
            return self._private(holder, kind, name)
        allowed = ALLOWED.get(kind)
        if allowed is not None:
            if name in allowed:
                return getattr(holder, name)
            if kind is str and name in FORMATS:
                return TextFormat(self.get, holder, name)
            if name in READABLE_DUNDERS and kind in _NAMED:
                return getattr(holder, name)
            if name == "info" and (kind is pd.DataFrame or kind is pd.Series):
                return describing(holder, self._print)
            if is_own_function(holder) and name in holder.__dict__:
                return holder.__dict__[name]
            adapter = adapted(holder, kind, name)
            return _refuse(kind, name) if adapter is MISSING else adapter
        if isinstance(holder, Entity):
            return self._of_entity(holder, name)
        if kind in _FACADE_TYPES:
            if name in DRAWN_BY and (draws := drawing(holder, name, self._draw)) is not None:
                return draws
            return getattr(holder, name)  # no underscore name comes here, so this is its public surface
        if kind in OWN_CLASSES or type(kind) is EnumClass:
            return self._own(holder, kind, name)
        if isinstance(holder, type):
            return self._of_class(holder, name)
        if (kind in self._open_types and not drawn(kind)) or kind in VOUCHED:
            return read_open(holder, name)
        if is_figure(kind):
            return of_figure(holder, name, self._print)
        if is_estimator(kind):
            return of_estimator(holder, name, self._draw)
        if kind is super:
            return _inherited(holder, name)
        if name in class_of(kind) or name in named_tuples.attributes_of(kind):
            return read_open(holder, name)
        return _refuse(kind, name)

    def write(self, holder: Any) -> Any:
        """Return the holder if cells may write its attributes; ``_write_`` in a cell. Raises Blocked."""
        kind = type(holder)
        if isinstance(holder, Entity):
            return holder
        if self._is_open(kind) or (type(kind) is EnumClass and is_number_class(kind)):
            return DataAttributes(holder)
        if kind in OWN_CLASSES or type(kind) is EnumClass or is_own_function(holder):
            return holder
        if (isinstance(holder, type) and holder in OWN_CLASSES) or kind in (Context, Options):
            return DataAttributes(holder) if is_number_class(holder) else holder
        if isinstance(holder, (pd.DataFrame, pd.Series, pd.Index)):
            return Labels(holder)
        if holder is None:
            raise Blocked("None has no attributes to write: whoever is no entity of the world has no `me`; name one")
        return refuse_writing(kind, is_drawn=bool(drawn(kind)))

    def get(self, holder: Any, name: Any, *default: Any) -> Any:
        """``getattr`` in a cell: the same guard as a written-out read."""
        check_arguments_of_getattr(name, default)
        if type(name) is not str or (is_reserved(name) and name != "__notes__"):
            raise Blocked(f"getattr: {name!r} is no name that cells may read")
        try:
            return self.read(holder, name)
        except AttributeError:
            if default:
                return default[0]
            raise

    def has(self, holder: Any, name: Any) -> bool:
        """``hasattr`` in a cell: False for what a cell may not read."""
        try:
            self.get(holder, name)
        except (AttributeError, Blocked):
            return False
        return True

    def set(self, holder: Any, name: Any, value: Any) -> None:
        """``setattr`` in a cell."""
        if type(name) is not str or is_reserved(name):
            raise Blocked(f"setattr: {name!r} is no name that cells may write")
        setattr((self.write_own if name[:1] == "_" else self.write)(holder), name, value)

    def write_own(self, holder: Any) -> Any:
        """Return the holder if it is of a class of the cell, or such a class: it may have private attributes."""
        if type(holder) in OWN_CLASSES or (isinstance(holder, type) and holder in OWN_CLASSES):
            return holder
        if type(type(holder)) is EnumClass or is_own_function(holder):
            return holder
        raise Blocked(f"private attributes of a {type(holder).__name__} are not written by cells")

    def _private(self, holder: Any, kind: type, name: str) -> Any:
        """A private attribute: of an object of the cell's own class, or of that class itself."""
        if name == "__notes__" and isinstance(holder, BaseException):
            return list(getattr(holder, name))  # so that nothing but texts is noted on an error
        if kind in OWN_CLASSES and (name in getattr(holder, "__dict__", ()) or _defines(kind, name)):
            return getattr(holder, name)
        if isinstance(holder, type) and holder in OWN_CLASSES and _defines(holder, name):
            return getattr(holder, name)
        if kind is super:
            return _inherited(holder, name)
        if name == "_field_defaults" and (named_tuples.is_namedtuple(kind) or named_tuples.of_class(holder)):
            return dict(getattr(holder, name))
        if name in _TUPLE_METHODS and issubclass(kind, tuple) and hasattr(kind, "_fields"):
            return getattr(holder, name)
        if name in named_tuples.attributes_of(kind) or (is_own_function(holder) and name in holder.__dict__):
            return getattr(holder, name)
        if isinstance(holder, type) and name in named_tuples.of_class(holder):
            return getattr(holder, name)
        if kind in OWN_CLASSES:
            raise AttributeError(f"{kind.__name__!r} object has no attribute {name!r}")
        if kind is ModuleProxy and name in METADATA:
            return getattr(holder, name)
        return _refuse(kind, name)

    @entrance
    def _of_entity(self, holder: Entity, name: str) -> Any:
        if name == "world":  # for methods: it is the World itself, with every right
            return _refuse(type(holder), name)
        try:
            value = getattr(holder, name)
        except AttributeError:
            raise AttributeError(no_attribute(holder, name)) from None
        if self._note_read is not None:
            self._note_read(holder, name)
        if name in fields_of(type(holder)):
            return value
        return handed(value, name)

    def _is_open(self, kind: type) -> bool:
        """Say whether the researcher vouched for a class, by injecting it or an object of it or by registering it."""
        vouched = kind in self._open_types or kind in VOUCHED
        return vouched and kind not in ALLOWED and kind is not type and not drawn(kind)

    def _own(self, holder: Any, kind: type, name: str) -> Any:
        """An object of a cell's class has what the cell gave it, and what its built-in base allows."""
        if name in getattr(holder, "__dict__", ()) or _defines(kind, name):
            return getattr(holder, name)
        for base in kind.__mro__:
            if name in ALLOWED.get(base, ()) or (base is enum.Enum and name in ("name", "value")):
                return getattr(holder, name)
        return _refuse(kind, name)

    def _of_class(self, holder: type, name: str) -> Any:
        if name == "__name__" or name in UNBOUND.get(holder, ()):
            return getattr(holder, name)
        if (constructor := OF_CLASSES.get((holder, name))) is not None:
            return constructor
        if _defines(holder, name) or self._is_open(holder) or _is_value_class(holder, name):
            return (read_open if self._is_open(holder) else getattr)(holder, name)
        kind = getattr(type(holder), "stands_for", holder)
        return UnboundMethod(self.get, kind, name) if _is_method(kind, name) else refuse_of_class(holder, name)


def _defines(kind: type, name: str) -> bool:
    """Say whether a class of a cell, or one of its own bases, has the attribute from the cell."""
    return any(name in vars(base) for base in kind.__mro__ if base in OWN_CLASSES)


def _is_method(kind: type, name: str) -> bool:
    """Say whether objects of a class of Python or of a library offer a method to cells, in whatever form."""
    offered = name in ALLOWED.get(kind, ()) or (kind, name) in ADAPTERS or (kind is str and name in FORMATS)
    return offered and isinstance(getattr(kind, name, None), (types.MethodDescriptorType, types.FunctionType))


def _is_value_class(kind: type, name: str) -> bool:
    """Say whether a class shows a name as a field of its named tuples or a member of its Enum."""
    if issubclass(kind, enum.Enum):
        return name in kind.__members__
    return issubclass(kind, tuple) and (name in getattr(kind, "_fields", ()) or name in named_tuples.of_class(kind))


def _inherited(parent: Any, name: str) -> Any:
    """``super().name``: what the cell's own classes further up define."""
    above = _above(parent)
    if any(_defines(base, name) or name in INHERITED.get(base, ()) for base in above):
        return getattr(parent, name)
    return _refuse(super, name)


def _above(parent: Any) -> tuple[type, ...]:
    """Return the classes that ``super()`` looks into: those after its own in the order of the object's class."""
    order: tuple[type, ...] = parent.__self_class__.__mro__
    return order[order.index(parent.__thisclass__) + 1 :]


def super_special(parent: Any, name: str) -> Any:
    """``super().__setitem__`` and its kin: what classes further up have, the cell's own and those meant for that."""
    if type(parent) is not super or parent.__thisclass__ not in OWN_CLASSES:  # type: ignore[attr-defined]
        raise Blocked(f"super().{name} is for classes that the cell defined")
    above = _above(parent)
    if name == "__hash__" and not is_own_function(hash_under(getattr(parent, name).__func__)):
        raise Blocked(
            "super().__hash__: the hash that Python gives is another in each process; make one of what it holds"
        )
    if any((base in OWN_CLASSES and name in vars(base)) or name in INHERITED_SPECIAL.get(base, ()) for base in above):
        return getattr(parent, name)
    raise Blocked(f"super().{name}: no class above has one from a cell; leave it out")


def super_init(parent: Any) -> Any:
    """``super().__init__`` of a cell's class; whatever else a cell calls ``super`` has none."""
    if type(parent) is not super or parent.__thisclass__ not in OWN_CLASSES:  # type: ignore[attr-defined]
        raise Blocked("super().__init__() is for classes that the cell defined")
    return parent.__init__  # type: ignore[misc]


def is_calm() -> bool:
    """Say whether a ``finally`` is reached by the cell's own doing, so that its body may run."""
    return not isinstance(sys.exception(), FATAL)


Kind = TypeVar("Kind")

_TUPLE_METHODS = frozenset({"_asdict", "_replace", "_fields"})
_NAMED = (types.FunctionType, types.MethodType, types.BuiltinFunctionType, BuiltinFunction, CalledClass)
_FACADE_TYPES: set[type] = {
    *(ModuleProxy, Distribution, Context, Digest, SequenceMatcher, Ufunc),
    *(Grid, Options, Matrix, Database, Cursor, *QUEUES.values(), *KEPT_ATTRIBUTES),
}


def facade_type(kind: type[Kind]) -> type[Kind]:
    """Declare a class of ours whose public names are all meant for cells."""
    _FACADE_TYPES.add(kind)
    return kind


def _refuse(kind: type, name: str) -> NoReturn:
    title = kind.__name__
    if name.startswith("_") or hasattr(kind, name):
        raise Blocked(f"{title}.{name} is not for cells{instead_of_attribute(kind, name)}")
    fields = f". It has: {', '.join(vars(kind)['_fields'])}" if named_tuples.is_namedtuple(kind) else ""
    raise AttributeError(f"{title!r} object has no attribute {name!r}{fields}")


def no_attribute(entity: Entity, name: str) -> str:
    """Return the message for an attribute that an entity lacks, with what was probably meant."""
    names = sorted(entity_names(type(entity)))
    hint = did_you_mean(name, names)
    there = ", ".join(names) or "nothing that cells may read or call"
    return f"{type(entity).__name__} {label_of(entity)!r} has no {name!r}.{hint} It has: {there}"


def stable_set(items: Iterable[Any] = ()) -> StableSet:
    """``set`` displays in a cell: sets that are read in sorted order."""
    return StableSet(items)


def whole(iterable: Any) -> Any:
    """What ``yield from`` goes through: an iterator that is not told when the generator around it is thrown away."""
    return iterable if type(iterable) in ALLOWED else map(_same, iterable)


def _same(item: Any) -> Any:
    return item


def build_class(body: Callable[..., Any], name: str, *bases: Any) -> Any:
    """``class`` statements in a cell: small classes of its own, errors of its own, and nothing that reaches further."""
    if bases in (_NAMED_TUPLE, _TYPED_DICT):
        fields: type = __build_class__(body, name)
        return named_tuples.value_class(name, fields, is_tuple=bases == _NAMED_TUPLE)
    declared, bases = bases, tuple(base for base in bases if not class_tools.is_abstract(base))
    for base in bases:
        if base not in OWN_CLASSES and base not in _PLAIN_BASES and not _is_error(base):
            title = getattr(base, "__name__", base)
            raise Blocked(f"class {name}: {title!r} cannot be a base; {instead_of_base(str(title))}")
    built: type = __build_class__(body, name, *bases)
    class_tools.note_declared(built, declared)
    adopt(built)
    return built


_PLAIN_BASES = (object, *ENUM_BASES, *USER_BASES)
_NAMED_TUPLE, _TYPED_DICT = (typing.NamedTuple,), (typing.TypedDict,)


def subject(value: Any, *kinds: Any) -> Any:
    """Return what a ``match`` looks at; raises Blocked where a pattern would read past the guards."""
    for kind, *names in kinds:
        if isinstance(kind, type) and named_tuples.is_namedtuple(kind) and set(names) <= set(kind._fields):  # type: ignore[attr-defined]
            continue
        if not isinstance(kind, type) or kind not in OWN_CLASSES:
            title = getattr(kind, "__name__", kind)
            raise Blocked(f"a pattern reads attributes of {title!r}, no class of the cell; compare them in an `if`")
        if any(hasattr(type, name) for name in names):
            raise Blocked(f"a pattern reads what every class has: {', '.join(names)}")
    return value


def dispatches(holder: Any) -> bool:
    """Say whether ``register`` of something takes the type from the first annotation of what it decorates."""
    return isinstance(holder, Dispatch)


def _is_error(base: Any) -> bool:
    return isinstance(base, type) and issubclass(base, Exception) and not issubclass(base, ExceptionGroup)
