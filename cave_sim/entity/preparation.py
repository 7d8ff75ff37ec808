"""What a class of entities declares, made ready: its annotations resolved, its checks and descriptors built."""

from __future__ import annotations

import inspect
import sys
import typing
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, ClassVar

from cave_sim.entity.annotations import field_type_of
from cave_sim.entity.class_lookup import nearest_class
from cave_sim.entity.codec import Codec
from cave_sim.entity.field import Field
from cave_sim.entity.graphs import TrackedGraph
from cave_sim.entity.guarded_reads import guarded_read
from cave_sim.entity.identity import EntityBase, undo_log_of
from cave_sim.entity.lent_copies import lend_opaque
from cave_sim.entity.merge_rules import MergeRule
from cave_sim.entity.nested_types import OpaqueType, inner_type
from cave_sim.entity.references import RefField, RefSetField, RefSetType, RefType, is_entity_class
from cave_sim.entity.types import FieldType, ValueType
from cave_sim.entity.visibility import HOOKS
from cave_sim.errors import SchemaError, WorldError


class Declared(EntityBase):
    """An entity, as far as its class declares what it holds; :class:`~cave_sim.Entity` is the whole of it."""

    __slots__ = ()

    _own_fields: ClassVar[dict[str, Field]] = {}
    _declared: ClassVar[dict[str, Field]] = {}
    _fast: ClassVar[dict[str, Callable[[Any], Any]]] = {}
    _bounds: ClassVar[dict[str, tuple[Any, float, float]]] = {}
    _field_types: ClassVar[dict[str, FieldType]] = {}
    _prepared: ClassVar[bool] = False

    def _settle(self, name: str, working: Any) -> None:
        """Take over a working copy of an opaque value if it was changed."""
        opaque = inner_type(self._field_types[name])
        assert isinstance(opaque, OpaqueType)
        try:
            is_same = opaque.codec.same(self.__dict__[name], working)
        except SchemaError:  # it holds what cannot be kept; writing it says so, and where
            is_same = False
        if not is_same:
            setattr(self, name, working)


class OpaqueField:
    """The descriptor that hands out a working copy of an array, a table, or a value of a registered class.

    An agent that may not write the field gets a copy that it may not write to.
    """

    def __init__(self, name: str, field_type: OpaqueType) -> None:
        self.name: str = name
        self.codec: Codec = field_type.codec

    def __get__(self, entity: Declared | None, owner: type) -> Any:
        if entity is None:
            raise AttributeError(self.name)
        value, undo_log = entity.__dict__[self.name], undo_log_of(entity)
        if undo_log is None or value is None or isinstance(value, TrackedGraph):
            return value
        may_write = undo_log.guard is None or undo_log.guard.may_write(entity, self.name)
        if not may_write:
            return lend_opaque(undo_log, entity, self.name, value, self.codec)
        place = (id(entity), self.name)
        if place not in undo_log.checkouts:
            undo_log.checkouts[place] = (entity, self.name, self.codec.copy(value))
        return undo_log.checkouts[place][2]

    def __set__(self, entity: Declared, value: Any) -> None:
        """Never reached: Entity.__setattr__ writes. Being there gives this descriptor precedence over the dict."""
        raise AttributeError(self.name)


def prepare(cls: type[Declared]) -> None:
    """Resolve a class's annotations and build its checks; done once, by when its first entity is made.

    Raises:
        TypeError: an annotation names a type that may not enter a world; the message says which and why.
        SchemaError: a field's merge rule does not fit its type.
    """
    if cls._prepared:
        return
    hints = _hints(cls)
    cls._field_types, cls._fast, cls._bounds = {}, {}, {}
    for name, declared in cls._declared.items():
        try:
            field_type = field_type_of(hints[name], declared)
        except TypeError as error:
            raise TypeError(f"{cls.__name__}.{name}: {error}") from None
        _check_merge_rule(cls, name, field_type)
        cls._field_types[name] = field_type
        if (check := field_type.fast()) is not None:
            cls._fast[name] = check
        if isinstance(field_type, ValueType) and (bounds := field_type.bounds()) is not None:
            cls._bounds[name] = bounds
        attribute = _attribute(name, field_type)
        if not declared.is_public:
            read = None if attribute is None else partial(attribute.__get__, owner=cls)
            attribute = guarded_read(name, read)
        if attribute is not None:
            type.__setattr__(cls, name, attribute)
    cls._prepared = True


def _attribute(name: str, field_type: FieldType) -> Any:
    """Return the descriptor that reads a field; None where the value is read as it is kept."""
    inner = inner_type(field_type)
    if isinstance(inner, RefType):
        return RefField(name, optional=inner is not field_type)
    if isinstance(inner, RefSetType):
        return RefSetField(name)
    return OpaqueField(name, inner) if isinstance(inner, OpaqueType) else None


def fields_of(kind: type[Declared] | Declared) -> Mapping[str, Field]:
    """Return the declared fields of an entity or its class, in the order of declaration."""
    return kind._declared


def types_of(kind: type[Declared] | Declared) -> Mapping[str, FieldType]:
    """Return the types of the fields of an entity or its class; raises TypeError or SchemaError as `prepare` does."""
    if isinstance(kind, type):
        prepare(kind)
    return kind._field_types


def checks_of(kind: type[Declared] | Declared) -> Mapping[str, Callable[[Any], Any]]:
    """Return the quick checks of those fields that hold scalars, kept as they are written."""
    return kind._fast


def check_merge_rules(cls: type[Declared]) -> None:
    """Refuse rules that do not fit at declaration; those of types that are unknown so far wait for `prepare`."""
    for name, annotation in inspect.get_annotations(cls).items():
        declared = cls._declared.get(name)
        if declared is not None and declared.merge.takes != MergeRule.takes:
            try:
                hints = typing.get_type_hints(
                    _holder({name: annotation}), vars(sys.modules.get(cls.__module__, typing))
                )
                field_type = field_type_of(hints[name], declared)
            except (NameError, TypeError):
                continue
            _check_merge_rule(cls, name, field_type)


def _check_merge_rule(cls: type[Declared], name: str, field_type: FieldType) -> None:
    rule = field_type.field.merge
    if not rule.fits(field_type):
        kind = getattr(field_type.annotation, "__name__", None) or str(field_type.annotation)
        raise SchemaError(
            f"{cls.__name__}.{name}: {rule!r} does not fit {kind}; it fits {rule.takes}. Give merge= a function "
            "(start, current, written), or 'last', or leave it away: one writer per batch"
        )


def check_visibility(cls: type[Declared]) -> None:
    """Refuse at declaration what rules of visibility could not ask; raises SchemaError."""
    for name, declared in cls._declared.items():
        hook = declared.visible_to.hook
        if hook and not hasattr(cls, hook):
            raise SchemaError(
                f"{cls.__name__}.{name}: it is seen by {declared.visible_to.name}, so its class must {HOOKS[hook]}"
            )
    if hasattr(vars(cls).get("observe"), "is_deed"):
        raise SchemaError(f"{cls.__name__}.observe runs with the rights of who looks: leave own_agent_only away")


def _holder(annotations: dict[str, Any]) -> type:
    """Return a class with these annotations, for typing to resolve."""
    return type("holder", (), {"__annotations__": annotations})


def _hints(cls: type[Declared]) -> dict[str, Any]:
    """Resolve the annotations of every field, each in the module that declares it."""
    hints: dict[str, Any] = {}
    for base in reversed(cls.__mro__):
        if is_entity_class(base):
            declared = {
                name: annotation for name, annotation in inspect.get_annotations(base).items() if name in cls._declared
            }
            hints.update(resolve(declared, base))
    return hints


def resolve(annotations: dict[str, Any], owner: type[Declared]) -> dict[str, Any]:
    """Return annotations as types: names of the owner's module first, then entity classes wherever they are.

    Raises:
        TypeError: an annotation names something that is neither.
    """
    scope = {**vars(sys.modules.get(owner.__module__, typing)), owner.__name__: owner}
    while True:
        try:
            return typing.get_type_hints(_holder(annotations), globalns=scope, localns={})
        except NameError as error:
            scope[str(error.name)] = _meant(str(error.name), owner)


def _meant(name: str, owner: type[Declared]) -> Any:
    """Return the entity class, or else what of typing, that an annotation means which its module does not know."""
    try:
        meaning = nearest_class(_root(owner), name, owner) or vars(typing).get(name)
    except WorldError as error:
        raise TypeError(f"{owner.__name__}: an annotation says too little: {error}") from None
    if meaning is None:
        raise TypeError(f"{owner.__name__}: an annotation names an unknown type: name {name!r} is not defined")
    return meaning


def _root(owner: type[Declared]) -> type[Declared]:
    return next(base for base in reversed(owner.__mro__) if is_entity_class(base))
