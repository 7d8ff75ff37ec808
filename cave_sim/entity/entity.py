"""Entity: a live typed object that a world owns. Its writes are checked and tracked; its reads are plain Python.

Fields are declared by annotation; their checks, schema and error texts are pydantic's. Public methods are the API
that agents call from cells: they run with the world's authority, so a rule such as "a sale moves money" is
written once, in the method, and no agent needs the right to write another's purse.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Container, Mapping
from typing import Any, ClassVar, NoReturn, TypeVar

from cave_sim.diagnostics.told_names import told_as
from cave_sim.entity.annotations import Arguments
from cave_sim.entity.asking import entrance
from cave_sim.entity.field import Field
from cave_sim.entity.handed_values import handed
from cave_sim.entity.preparation import (
    Declared,
    check_merge_rules,
    check_visibility,
    fields_of,
    prepare,
    resolve,
    types_of,
)
from cave_sim.entity.reference_containers import expect_same_world
from cave_sim.entity.references import name_references
from cave_sim.entity.tracked_parts import settle_in
from cave_sim.entity.undo_log import MISSING
from cave_sim.entity.values import NodeCounter
from cave_sim.entity.visibility import tellable
from cave_sim.errors import SchemaError, WorldError, did_you_mean
from cave_sim.loading.views import Viewed

OWN_NAMES = ("id", "world")
"""What every entity has by itself; no class may declare a field or a method of that name."""


Method = TypeVar("Method", bound=Callable[..., Any])


class _EntityClass(type):
    """The class of entity classes. What one declares is settled when it is made: no cell can patch it afterwards."""

    def __setattr__(cls, name: str, value: Any) -> None:
        if not name.startswith("_"):
            raise SchemaError(f"{cls.__name__}.{name}: an entity class is not changed after it was declared")
        if name == "__init__":
            raise SchemaError(f"{cls.__name__} takes its fields by name already: leave @dataclass away")
        type.__setattr__(cls, name, value)

    def __dir__(cls) -> list[str]:
        return [name for name in type.__dir__(cls) if name not in MEANT or hasattr(cls, name)]


told_as(_EntityClass, "type")


MEANT = {
    **dict.fromkeys(("to_dict", "dict", "model_dump", "as_dict", "fields"), "ann.money, each field by its name"),
    **dict.fromkeys(("set", "update", "setattr"), "ann.money = 3"),
    **dict.fromkeys(("get", "getattr"), "ann.money"),
    **dict.fromkeys(("name", "unique_id"), "ann.id"),
}
"""What others would call what is meant."""


class _Meant:
    """Stands where a name is looked up that others would use, and says the way out; what a class declares is before it.

    A ``__getattr__`` could tell more, of any name, and makes every read of a field three times as slow.
    """

    def __init__(self, name: str) -> None:
        self._name = name

    def __get__(self, entity: Entity | None, owner: type[Entity]) -> Any:
        name = self._name
        if entity is None:
            raise AttributeError(f"type object {owner.__name__!r} has no attribute {name!r}")
        message = f"{owner.__name__!r} object has no attribute {name!r}; write {MEANT[name]}"
        raise AttributeError(message, name=name, obj=entity)


class Entity(Declared, Viewed, metaclass=_EntityClass):
    """A live typed object of a world. Subclass it and annotate its fields.

    >>> class Lamp(Entity):
    ...     watts: float = field(9.0, unit="W", ge=0, le=200)
    >>> Lamp(watts=12).watts
    12.0

    Methods whose names do not start with an underscore can be called from cells. ``self.world`` is the world there
    and ``self.id`` the entity's own name in it; cells may read the name and not the world.
    """

    __slots__ = ("__dict__",)

    is_entity: ClassVar[bool] = True
    """Marks entity classes for the layers below, which cannot import this one."""

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        for name in OWN_NAMES:
            if name in vars(cls) or name in inspect.get_annotations(cls):
                meaning = "name in its world" if name == "id" else "world"
                raise SchemaError(
                    f"{cls.__name__}.{name}: every entity has {name!r} by itself, it is its {meaning}; "
                    "call what you declare otherwise"
                )
        cls._own_fields = _declared_fields(cls)
        cls._declared = {}
        for base in reversed(cls.__mro__):  # as Python looks names up, so that each of several bases has its say
            cls._declared |= vars(base).get("_own_fields", {})
        cls._prepared = False
        for name, member in list(vars(cls).items()):
            _expect_declarable(cls, name, member)
            if inspect.isfunction(member) and not name.startswith("_") and name != "observe":
                type.__setattr__(cls, name, _with_authority(member))
        check_merge_rules(cls)
        check_visibility(cls)

    def __init__(self, *unnamed: object, **values: Any) -> None:
        cls = type(self)
        if unnamed:
            first = next(iter(cls._declared), "field")
            raise SchemaError(f"{cls.__name__}({unnamed[0]!r}): fields are given by name: {cls.__name__}({first}=...)")
        if not cls._prepared:
            prepare(cls)
        _begin(self)
        for name, declared in cls._declared.items():
            given = values.pop(name, declared.default)
            if given is MISSING:
                raise SchemaError(f"{cls.__name__}.{name}: Field required; it has no default")
            setattr(self, name, given)
        if values:
            raise _no_field(cls, next(iter(values)))

    def __setattr__(self, name: str, value: Any) -> None:
        bounds = self._bounds.get(name)
        if bounds is None or type(value) is not bounds[0] or not bounds[1] <= value <= bounds[2]:
            try:
                check = self._fast.get(name)
                value = self._admit(name, value) if check is None else check(value)
            except SchemaError as error:
                raise SchemaError(f"{self._label()}.{name}: {tellable(self, name, error)}") from None
        undo_log = self._undo_log
        values = self.__dict__
        if undo_log is not None:
            guard = undo_log.guard
            if guard is not None and (self, name) not in guard.allowed:
                guard.write(self, name)
            undo_log.undo.append((self, name, values[name]))
        values[name] = value

    def __dir__(self) -> list[str]:
        return sorted(self.__dict__.keys() | set(dir(type(self))))

    def __delattr__(self, name: str) -> None:
        raise SchemaError(f"{self._label()}.{name}: a field cannot be deleted; set it to a new value")

    def __copy__(self) -> NoReturn:
        raise WorldError(
            f"{self._label()} is not copied: a new one is made from fields, {type(self).__name__}(...), and a world"
            " with the same future by world.fork(); what goes elsewhere holds an entity's name"
        )

    def __deepcopy__(self, memo: object) -> NoReturn:
        self.__copy__()

    def __reduce_ex__(self, protocol: object) -> NoReturn:
        self.__copy__()

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self._name or 'not in a world'}>"

    def __str__(self) -> str:
        return self._name or repr(self)

    @property
    def id(self) -> str:
        """The entity's name in its world; raises WorldError while it is in none."""
        if self._name is None:
            raise WorldError(f"this {type(self).__name__} is not in a world, so it has no id")
        return self._name

    @property
    def world(self) -> Any:
        """The world that the entity is in; raises WorldError while it is in none."""
        if self._undo_log is None:
            raise WorldError(f"this {type(self).__name__} is not in a world yet")
        return self._undo_log.world

    def observe(self) -> dict[str, Any]:
        """Return what is to be seen of this entity, as plain data: what its agent perceives, where it has one.

        It runs with the rights of who looks, so that nobody perceives what their cells may not read. By default: the
        fields that the looker may read.
        """
        guard = None if self._undo_log is None else self._undo_log.guard
        if guard is None:
            return encode_fields(self)
        readable = [name for name in self._field_types if guard.may_read(self, name)]
        for name in readable:
            guard.read(self, name)
        return {name: data for name, data in encode_fields(self).items() if name in readable}

    def _admit(self, name: str, value: Any) -> Any:
        """Check a value that is more than a scalar and copy it in."""
        field_type = self._field_types.get(name)
        if field_type is None:
            raise _no_field(type(self), name)
        expect_same_world(self, value)
        value = field_type.admit(value, NodeCounter())
        settle_in(value, self, name)
        if self._undo_log is not None:
            value = name_references(value)
            self._undo_log.deep = True
            self._undo_log.checkouts.pop((id(self), name), None)  # this value holds, not the one that was in hand
        return value

    def _revert(self, slot: str, old: Any) -> None:
        if old is MISSING:
            self.__dict__.pop(slot, None)
        else:
            self.__dict__[slot] = old


for _name in MEANT:
    type.__setattr__(Entity, _name, _Meant(_name))


def hint_of_attribute(error: AttributeError) -> str:
    """Return, as a sentence, which field of an entity comes nearest to an attribute that it lacks; empty if none does.

    Python itself says so where an error ends a script.
    """
    entity, name = error.obj, error.name
    if not isinstance(entity, Entity) or type(name) is not str or name[:1] == "_":
        return ""
    if error.args != (f"{type(entity).__name__!r} object has no attribute {name!r}",):  # not Python's, so it says more
        return ""
    near = did_you_mean(name, fields_of(entity))
    return near and f".{near}"


def encode_fields(entity: Entity, without: Container[str] = ()) -> dict[str, Any]:
    """Return the fields of an entity as plain data, in the order of declaration.

    Args:
        entity: whose.
        without: names of fields to leave out.
    """
    values, encoders = entity.__dict__, _encoders(type(entity))
    if without:
        encoders = {name: encode for name, encode in encoders.items() if name not in without}
    return {name: values[name] if encode is None else encode(values[name]) for name, encode in encoders.items()}


@functools.lru_cache(maxsize=512)
def _encoders(kind: type[Entity]) -> dict[str, Callable[[Any], Any] | None]:
    """Return what makes plain data of each field of a class; None where that is what is kept."""
    return {name: None if each.is_plain else each.encode for name, each in types_of(kind).items()}


def blank(cls: type[Entity]) -> Entity:
    """Return an entity in no world, without any of its fields yet."""
    entity = cls.__new__(cls)
    _begin(entity)
    return entity


def _begin(entity: Entity) -> None:
    object.__setattr__(entity, "__dict__", {})  # a dict of its own: Python reads it twice as fast as a shared-key one
    object.__setattr__(entity, "_undo_log", None)
    object.__setattr__(entity, "_name", None)


def decode_entity(cls: type[Entity], fields: Mapping[str, Any]) -> Entity:
    """Return an entity, in no world yet, with the fields that :func:`encode_fields` gave.

    Raises:
        SchemaError: a field does not fit.
    """
    if not cls._prepared:
        prepare(cls)
    entity = blank(cls)
    values = entity.__dict__
    fast, field_types = cls._fast, cls._field_types
    for name, data in fields.items():
        check = fast.get(name)
        if check is not None:
            values[name] = check(data)
            continue
        values[name] = settle_in(field_types[name].decode(data), entity, name)
    return entity


def _declared_fields(cls: type) -> dict[str, Field]:
    """Collect the fields annotated in a class body; their defaults leave the class, so that reads find the value."""
    fields: dict[str, Field] = {}
    for name, annotation in inspect.get_annotations(cls).items():
        if name.startswith("_") or "ClassVar" in str(annotation):
            continue
        default = vars(cls).get(name, MISSING)
        if default is not MISSING:
            delattr(cls, name)
        fields[name] = default if isinstance(default, Field) else Field(default)
    return fields


def _expect_declarable(cls: type[Entity], name: str, member: Any) -> None:
    """Refuse, as a class is declared, what would come to nothing or fail much later."""
    if isinstance(member, Field):
        raise SchemaError(f"{cls.__name__}.{name} = field(...) has no type: annotate it, {name}: int = field(...)")
    if name == "__init__":
        raise SchemaError(
            f"{cls.__name__}.__init__: an entity is made again from its fields, and no __init__ runs then; give the"
            " fields defaults, and make one in a function beside the class"
        )
    if isinstance(member, functools.cached_property):
        raise SchemaError(f"{cls.__name__}.{name}: a cache outlives the fields that it was made of; use @property")
    if inspect.iscoroutinefunction(member) and not name.startswith("_"):
        raise SchemaError(f"{cls.__name__}.{name}: what entities do happens within a turn; write def, not async def")


def own_agent_only(method: Method) -> Method:
    """Mark a method that only the agent of the entity may call from a cell: nobody walks, pays or speaks for another.

    The world's own code may call it, and so may agents that were granted the entity.
    """
    if not inspect.isfunction(method):
        raise SchemaError(f"own_agent_only({method!r}): marks a method, as @own_agent_only in the line above its def")
    method.is_deed = True  # type: ignore[attr-defined]
    return method


def _with_authority(method: Callable[..., Any]) -> Callable[..., Any]:
    """Let a public method run with the world's rights when a cell calls it, on data that has been checked."""
    is_deed = getattr(method, "is_deed", False)
    declared: list[Arguments] = []  # resolved at the first call, when every entity class is known

    @functools.wraps(method)
    def call(self: Entity, *args: Any, **kwargs: Any) -> Any:
        undo_log = self._undo_log
        if undo_log is None or undo_log.guard is None:
            return method(self, *args, **kwargs)
        guard = undo_log.guard
        if is_deed:
            guard.check_own_method(self, method.__name__)
        guard.check_arguments(self, method.__name__, args, kwargs)
        if not declared:
            declared.append(Arguments(method, resolve(inspect.get_annotations(method), type(self))))
        fitted, named = declared[0].fitted(f"{self._label()}.{method.__name__}", args, kwargs)
        if undo_log.checkouts:
            undo_log.write_through()
        recorder = undo_log.world.recorder
        if recorder is not None:
            recorder.call(self, method.__name__, args, kwargs)
        mark = undo_log.border()
        with undo_log.as_world():
            try:
                return handed(method(self, *fitted, **named), method.__name__)
            except BaseException:
                undo_log.revert(mark)  # a cell that catches the error must not keep half of what the method did
                raise
            finally:
                if undo_log.checkouts:
                    undo_log.write_through()
                if recorder is not None:
                    recorder.returned()

    return entrance(call)


def _no_field(cls: type[Entity], name: str) -> SchemaError:
    if name in vars(cls) and not callable(getattr(cls, name)):
        annotated = f"{name}: {type(getattr(cls, name)).__name__} = ..."
        return SchemaError(f"{cls.__name__}.{name} is no field, because it has no type: annotate it, {annotated}")
    hint = did_you_mean(name, cls._field_types)
    there = ", ".join(cls._field_types) or "none; annotate them, as in `lives: int = 9`"
    return SchemaError(f"{cls.__name__} has no field {name!r}.{hint} It has: {there}")
