"""Who may write what and read what: every agent its own entity, and what it was granted; no cell can say who it is.

What everybody may read is asked of nobody; of other fields, see :mod:`cave_sim.entity.visibility`.
"""

from __future__ import annotations

import collections
import dataclasses
import datetime as dt
import decimal
import enum
import fractions
import math
import pathlib
import uuid
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import pydantic

from cave_sim.diagnostics.plurals import article
from cave_sim.entity.builtin_entities import KEPT_NAMES, is_shared
from cave_sim.entity.codecs import codec_of
from cave_sim.entity.entity import Entity
from cave_sim.entity.identity import label_of, name_of, undo_log_of
from cave_sim.entity.preparation import fields_of
from cave_sim.entity.values import LIMITS, NodeCounter, check_scalar, plain_scalar
from cave_sim.entity.visibility import SELF
from cave_sim.errors import PermissionDenied, SchemaError, WorldError, did_you_mean
from cave_sim.policy.libraries.cell_classes import OWN_CLASSES
from cave_sim.policy.libraries.drawing import is_figure
from cave_sim.policy.libraries.enum_classes import EnumClass
from cave_sim.policy.libraries.named_tuples import attributes_of

EVERYTHING = "*"
MAX_LOOKED_AT = 1_000_000
"""How many parts are looked at for code, fifty times what a field holds; what has more is taken to hold some."""
READING = "read "
"""What a grant begins with that is of reading alone."""


def check_target(target: object, entities: Mapping[str, Entity], types: Iterable[type[Entity]]) -> None:
    """Refuse a grant that names nothing in a world with these entities and classes; raises WorldError."""
    if not isinstance(target, str):
        name = getattr(target, "__name__", None) or str(target)
        raise WorldError(f"grant {target!r}: takes names of entities, fields, classes: world.grant('ann', {name!r})")
    head, _, field = target.removeprefix(READING).partition(".")
    if head == EVERYTHING and not field:
        return
    entity = entities.get(head)
    classes = {cls.__name__: cls for cls in types}
    known = type(entity) if entity is not None else classes.get(head)
    if known is None:
        near = did_you_mean(head, [*classes, *entities])
        raise WorldError(
            f"grant {target!r}: this world has neither an entity nor a class of them called {head!r}.{near}"
        )
    if field and field not in fields_of(known):
        way = f" Every field of it is {head!r}." if field == EVERYTHING else did_you_mean(field, fields_of(known))
        raise WorldError(f"grant {target!r}: {known.__name__} has no field {field!r}.{way}")


class Rights:
    """What one agent may write and read, as the undo log's guard while its cell runs.

    Attributes:
        agent: who acts.
        targets: what it may write beside its own.
        readable: what it may read beside that, where not everybody may.
        granted: the grants that this follows from, to see whether they have changed.
        allowed: what it was found to be allowed to write, which need not be asked again.
        denied: set once a write was refused; a turn that was refused anything does not land.
    """

    __slots__ = ("_everything", "_named", "_read", "agent", "allowed", "denied", "granted", "readable", "targets")

    def __init__(self, agent: str, targets: Sequence[str], granted: Sequence[str]) -> None:
        self.agent: str = agent
        self.granted: Sequence[str] = granted if not granted else list(granted)
        self.denied: PermissionDenied | None = None
        self.targets: Sequence[str] = [target for target in targets if not target.startswith(READING)]
        self.readable: Sequence[str] = [each.removeprefix(READING) for each in targets if each.startswith(READING)]
        self._named = frozenset(self.targets)
        self._read = frozenset(self.readable)
        self._everything = EVERYTHING in self._named
        self.allowed: set[tuple[Any, str]] = set()

    def may_write(self, entity: Entity, field: str) -> bool:
        """Say whether the agent may write the field."""
        if (entity, field) in self.allowed:
            return True
        if self._everything:
            return name_of(entity) not in KEPT_NAMES
        own = name_of(entity) == self.agent and not fields_of(entity)[field].guarded
        if own or is_shared(type(entity)) or _is_named(entity, field, self._named):
            self.allowed.add((entity, field))
            return True
        return False

    def read(self, entity: Entity, field: str) -> bool:
        """Note that the agent reads a field, and return whether it gets the value itself, as opposed to a copy.

        Raises:
            PermissionDenied: it may not read the field. That alone does not doom the turn: nothing was learned.
        """
        if name_of(entity) == self.agent:
            return True
        why = self._why_not(entity, field)
        if why:
            raise PermissionDenied(f"{self.agent} may not read {label_of(entity)}.{field}: {why}")
        undo_log = undo_log_of(entity)
        if undo_log is not None and not fields_of(entity)[field].is_public:
            undo_log.reads.add((label_of(entity), field))
        return bool(self._named) and self.may_write(entity, field)

    def may_read(self, entity: Entity, field: str) -> bool:
        """Say whether the agent may read the field now; who may write it may read it, too."""
        return not self._why_not(entity, field)

    def _why_not(self, entity: Entity, field: str) -> str:
        """Return why the agent may not read a field now; nothing if it may."""
        seen_by = fields_of(entity)[field].visible_to
        if seen_by.rule is None or name_of(entity) == self.agent or EVERYTHING in self._read:
            return ""
        if (self._named and self.may_write(entity, field)) or (self._read and _is_named(entity, field, self._read)):
            return ""
        undo_log = undo_log_of(entity)
        reader = None if undo_log is None else undo_log.entities.get(self.agent)
        if undo_log is not None and reader is not None:
            with undo_log.as_world():
                try:
                    if seen_by.rule(entity, reader, undo_log.world):
                        return ""
                except Exception as error:  # it lets nobody in, and what it fell over is not told
                    return f"the rule that says whom it is for failed with a {type(error).__name__}"
        return _who_may(entity, field)

    def may_change_population(self) -> bool:
        """Say whether the agent may add and remove entities."""
        return self._everything

    def write(self, entity: Entity, field: str) -> None:
        """Return if the agent may write the field; raises PermissionDenied."""
        if not self.may_write(entity, field):
            self.refuse(f"{self.agent} may not write {label_of(entity)}.{field}. {self._way_out(entity, field)}")

    def refuse(self, message: str) -> None:
        """Remember and raise a denial."""
        self.denied = PermissionDenied(message)
        raise self.denied

    def check_own_method(self, entity: Entity, method: str) -> None:
        """Return if the agent may call a method that is for the entity's own agent; raises PermissionDenied."""
        mine = name_of(entity) == self.agent or self._everything
        if not mine and self._named.isdisjoint((str(name_of(entity)), type(entity).__name__)):
            self.refuse(f"{label_of(entity)}.{method}() is for {label_of(entity)} alone to do. Yours is me.{method}()")

    def _way_out(self, entity: Entity, field: str) -> str:
        offered = {name: each for name, each in vars(type(entity)).items() if name != "observe"}  # it changes nothing
        methods = [name for name, each in offered.items() if callable(each) and not name.startswith("_")]
        if name_of(entity) == self.agent:
            return f"It is changed only by what you do: {', '.join(methods) or 'nothing you can call'}."
        granted = ", ".join(self.targets) or "nothing else"
        can = f"You can call its methods: {', '.join(methods)}." if methods else "You can read it."
        return f"{can} You may write {self.agent} and {granted}."

    def check_arguments(self, entity: Entity, method: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        """Return if a cell may hand these to a method; raises SchemaError, since no code of a cell may run in there."""
        if not hasattr(type(entity), method):
            raise SchemaError(f"a {type(entity).__name__} has no {method}(); call methods on their own entity")
        for value in (*args, *kwargs.values()):
            if type(value) not in _SIMPLE and not isinstance(value, Entity):
                try:
                    check_data(value, NodeCounter())
                except SchemaError as error:
                    raise SchemaError(f"{label_of(entity)}.{method}(): {error}") from None


def _is_named(entity: Entity, field: str, targets: frozenset[str]) -> bool:
    name, kind = name_of(entity), type(entity).__name__
    return not targets.isdisjoint((name, kind, f"{name}.{field}", f"{kind}.{field}"))


def _who_may(entity: Entity, field: str) -> str:
    """Return who may read a field, and what else there is to read, for an error text."""
    seen_by, label = fields_of(entity)[field].visible_to, label_of(entity)
    who = f"it is for {label} alone" if seen_by is SELF else f"it is seen by {seen_by.name} alone"
    public = [name for name, declared in fields_of(entity).items() if declared.is_public]
    return f"{who}. Everybody may read {', '.join(public) or 'nothing'}"


_SIMPLE = frozenset({int, float, bool, type(None)})


def check_data(value: Any, budget: NodeCounter) -> None:
    """Return if a value is data all the way down: plain, an entity, a figure, or of a type with a codec.

    Raises SchemaError where it is not.
    """
    value = plain_scalar(value)
    kind = type(value)
    if kind in OWN_CLASSES or type(kind) is EnumClass or attributes_of(kind):
        raise SchemaError(f"takes data, not {article(type(value).__name__)}, whose code is a cell's")
    if isinstance(value, Entity) or check_scalar(value):
        return
    if isinstance(value, (list, tuple, set, frozenset, dict)) and not isinstance(value, collections.defaultdict):
        budget.enter(value)
        items = (*value, *value.values()) if isinstance(value, dict) else value
        if not _are_fit_numbers(items):
            for item in items:
                check_data(item, budget)
        budget.leave()
    elif (codec := codec_of(type(value))) is not None:
        codec.snapshot(value)  # raises where it holds objects
    elif is_figure(kind):
        check_data(_listed(value.to_plotly_json()), budget)
    elif isinstance(value, pydantic.BaseModel) or _is_frozen(kind):
        attributes = _attributes(value)
        budget.enter(attributes)
        for item in attributes:
            check_data(item, budget)
        budget.leave()
    elif not isinstance(value, _VALUES):
        way_out = ": a dataclass is data where it is frozen" if dataclasses.is_dataclass(kind) else ""
        raise SchemaError(f"takes data, not {article(type(value).__name__)}{way_out}")


def _are_fit_numbers(items: Iterable[Any]) -> bool:
    """Say whether all are numbers of one kind that a world can hold; a long row of them is looked through in C."""
    kinds = set(map(type, items))
    if kinds == {float}:
        return all(map(math.isfinite, items))
    return kinds == {int} and max(map(int.bit_length, items)) <= LIMITS.integer_bits


def _is_frozen(kind: type) -> bool:
    return dataclasses.is_dataclass(kind) and bool(kind.__dataclass_params__.frozen)  # type: ignore[attr-defined]


def _attributes(value: Any) -> list[Any]:
    """Return what an instance of a model or a dataclass holds, whether its class has a field for it or not."""
    if dataclasses.is_dataclass(value):
        fields = [getattr(value, field.name, None) for field in dataclasses.fields(value)]
        return [*fields, *getattr(value, "__dict__", {}).values()]
    return [*value.__dict__.values(), *(value.__pydantic_extra__ or {}).values()]


def _listed(part: Any) -> Any:
    """Return a part of a figure with lists in place of arrays of texts, which plotly keeps as arrays of objects."""
    if isinstance(part, np.ndarray) and part.dtype.hasobject:
        return part.tolist()
    if isinstance(part, dict):
        return {name: _listed(each) for name, each in part.items()}
    return [_listed(each) for each in part] if isinstance(part, list | tuple) else part


def carries_code(values: Iterable[Any]) -> bool:
    """Say whether any of the values is, or holds, more than data: a function, an object of a cell's class."""
    try:
        for value in values:
            check_data(value, NodeCounter(MAX_LOOKED_AT))
    except SchemaError:
        return True
    return False


_VALUES = (
    *(dt.date, dt.time, dt.timedelta, enum.Enum, bytes),
    *(complex, range, fractions.Fraction, decimal.Decimal, uuid.UUID, pathlib.PurePath),
)
"""Classes of immutable values; those that a cell makes of an Enum were refused before."""
