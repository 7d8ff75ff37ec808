"""How a value of one declared type enters a field, is written as plain data, and is read back.

Types, bounds and error texts are pydantic's, always in strict mode: no text becomes a number. The common scalars
are checked by a closure first, so that a good write costs a comparison, and only a bad one asks pydantic why.
"""

from __future__ import annotations

import types
import typing
from collections.abc import Callable, Set
from typing import Annotated, Any, Literal

import pydantic

from cave_sim.codecs import Codec, codec_of
from cave_sim.containers import Tracked, TrackedDict, TrackedList, TrackedSet
from cave_sim.errors import SchemaError
from cave_sim.fields import Field
from cave_sim.values import MAX_FLOAT, Budget, StableSet, check_scalar, plain_scalar

STRICT = pydantic.ConfigDict(strict=True, allow_inf_nan=False, arbitrary_types_allowed=True)
LARGEST_INT = 2**256


class Spec:
    """One declared type."""

    kind = "value"

    def __init__(self, annotation: Any, field: Field) -> None:
        self.annotation = annotation
        self.field = field

    def admit(self, value: Any, budget: Budget) -> Any:
        """Return the value as it is kept, copied in if it is a container; raises SchemaError."""
        raise NotImplementedError

    def encode(self, value: Any) -> Any:
        """Return the kept value as plain JSON data."""
        return value

    def decode(self, data: Any) -> Any:
        """Return the kept value for what :meth:`encode` gave."""
        return data

    def fast(self) -> Callable[[Any], Any] | None:
        """Return a quick check for values that need no owner, or None if there is none."""
        return None


class ValueSpec(Spec):
    """Immutable values that pydantic knows: scalars, Literal, Enum, tuples, frozen models, dates, unions of them."""

    def __init__(self, annotation: Any, field: Field) -> None:
        super().__init__(annotation, field)
        bounds = pydantic.Field(ge=field.ge, le=field.le) if field.ge is not None or field.le is not None else None
        bounded: Any = Annotated[annotation, bounds] if bounds else annotation
        config = None if _is_model(annotation) else STRICT
        self._adapter: pydantic.TypeAdapter[Any] = pydantic.TypeAdapter(bounded, config=config)
        self._plain = _is_scalar(annotation)

    def admit(self, value: Any, budget: Budget) -> Any:
        value = plain_scalar(value)
        if isinstance(value, str) and type(value) is not str and self._plain:
            raise SchemaError(f"Input should be a plain text, not {type(value).__name__}")
        try:
            kept = self._adapter.validate_python(value, strict=True)
        except pydantic.ValidationError as error:
            raise SchemaError(first_error(error, value)) from None
        if not check_scalar(kept) and not self._plain:
            check_deep(self._adapter.dump_python(kept, mode="json"))
        return kept

    def encode(self, value: Any) -> Any:
        return value if self._plain else self._adapter.dump_python(value, mode="json")

    def decode(self, data: Any) -> Any:
        if self._plain:
            return data
        try:
            return self._adapter.validate_python(data, strict=False)
        except pydantic.ValidationError as error:
            raise SchemaError(first_error(error, data)) from None

    def bounds(self) -> tuple[Any, float, float] | None:
        """Return the type, the least and the largest value of a bare number; every finite one lies between them."""
        largest = {float: MAX_FLOAT, int: LARGEST_INT}.get(self.annotation)
        if largest is None:
            return None
        low, high = self.field.ge, self.field.le
        return self.annotation, -largest if low is None else low, largest if high is None else high

    def fast(self) -> Callable[[Any], Any] | None:
        if (bounds := self.bounds()) is not None:
            return _fast_number(*bounds, self)
        if self.annotation is bool:
            return _fast_choice({True, False}, bool, self)
        if self.annotation is str:
            return _fast_text(self)
        if typing.get_origin(self.annotation) is Literal:
            choices = typing.get_args(self.annotation)
            if all(type(choice) is str for choice in choices):
                return _fast_choice(set(choices), str, self)
        return None


def _fast_number(kind: Any, low: float, high: float, spec: Spec) -> Callable[[Any], Any]:
    def check(value: Any) -> Any:
        if type(value) is kind and low <= value <= high:
            return value
        return spec.admit(value, Budget())

    return check


def _fast_text(spec: Spec) -> Callable[[Any], Any]:
    def check(value: Any) -> Any:
        if type(value) is str and len(value) < 1000 and value.isascii() and " at 0x" not in value:
            return value
        return spec.admit(value, Budget())

    return check


def _fast_choice(choices: set[Any], kind: type, spec: Spec) -> Callable[[Any], Any]:
    def check(value: Any) -> Any:
        if type(value) is kind and value in choices:
            return value
        return spec.admit(value, Budget())

    return check


class PlainSpec(Spec):
    """Any plain data (``Any``, ``object``, a bare ``list`` or ``dict``); containers are tracked all the way down."""

    def admit(self, value: Any, budget: Budget) -> Any:
        value = plain_scalar(value)
        if check_scalar(value):
            return value
        for spec, kinds in self._containers():
            if isinstance(value, kinds):
                return spec.admit(value, budget)
        if isinstance(value, tuple):
            budget.enter(value)
            kept = tuple(self.admit(item, budget) for item in value)
            budget.leave()
            return kept
        raise SchemaError(f"{type(value).__name__} objects cannot be kept in the world: only plain data can")

    def _containers(self) -> list[tuple[Spec, Any]]:
        key = ValueSpec(str | int | float | bool | None, Field())
        return [
            (ListSpec(self.annotation, self.field, self), list),
            (DictSpec(self.annotation, self.field, key, self), dict),
            (SetSpec(self.annotation, self.field, self), (set, frozenset)),
        ]

    def encode(self, value: Any) -> Any:
        if isinstance(value, dict):
            return _encode_dict(value, self, self)
        if isinstance(value, (list, tuple)):
            return (
                [self.encode(item) for item in list.__iter__(value)]
                if isinstance(value, list)
                else {"$tuple": [self.encode(item) for item in value]}
            )
        return {"$set": [self.encode(item) for item in value]} if isinstance(value, (set, frozenset)) else value

    def decode(self, data: Any) -> Any:
        if isinstance(data, list):
            return TrackedList([self.decode(item) for item in data], self)
        if isinstance(data, dict):
            if "$tuple" in data:
                return tuple(self.decode(item) for item in data["$tuple"])
            if "$set" in data:
                return TrackedSet([self.decode(item) for item in data["$set"]], self)
            return TrackedDict(
                _decode_dict(data, self, self), self, ValueSpec(str | int | float | bool | None, Field())
            )
        return data


class ListSpec(Spec):
    """``list[T]``."""

    kind = "list"
    build: Callable[..., Any] = TrackedList

    def __init__(self, annotation: Any, field: Field, items: Spec) -> None:
        super().__init__(annotation, field)
        self.items = items

    def admit(self, value: Any, budget: Budget) -> Any:
        if not isinstance(value, (list, tuple)):
            raise SchemaError(f"Input should be a valid list (got {short(value)})")
        budget.enter(value)
        kept = self.build([self.items.admit(item, budget) for item in value], self.items)
        budget.leave()
        return kept

    def encode(self, value: Any) -> Any:
        return [self.items.encode(item) for item in list.__iter__(value)]

    def decode(self, data: Any) -> Any:
        if not isinstance(data, list):
            raise SchemaError(f"Input should be a valid list (got {short(data)})")
        return self.build([self.items.decode(item) for item in data], self.items)


class DictSpec(Spec):
    """``dict[K, V]`` with plain keys."""

    kind = "dict"
    build: Callable[..., Any] = TrackedDict

    def __init__(self, annotation: Any, field: Field, keys: Spec, items: Spec) -> None:
        super().__init__(annotation, field)
        self.keys, self.items = keys, items

    def admit(self, value: Any, budget: Budget) -> Any:
        if not isinstance(value, dict):
            raise SchemaError(f"Input should be a valid dictionary (got {short(value)})")
        budget.enter(value)
        pairs = {self.keys.admit(key, budget): self.items.admit(item, budget) for key, item in value.items()}
        budget.leave()
        return self.build(pairs, self.items, self.keys)

    def encode(self, value: Any) -> Any:
        return _encode_dict(value, self.keys, self.items)

    def decode(self, data: Any) -> Any:
        if not isinstance(data, dict):
            raise SchemaError(f"Input should be a valid dictionary (got {short(data)})")
        return self.build(_decode_dict(data, self.keys, self.items), self.items, self.keys)


class SetSpec(Spec):
    """``set[T]``; read and written in sorted order."""

    kind = "set"
    build: Callable[..., Any] = TrackedSet

    def __init__(self, annotation: Any, field: Field, items: Spec) -> None:
        super().__init__(annotation, field)
        self.items = items

    def admit(self, value: Any, budget: Budget) -> Any:
        if not isinstance(value, Set):
            raise SchemaError(f"Input should be a valid set (got {short(value)})")
        budget.enter(value)
        kept = self.build([self.items.admit(item, budget) for item in value], self.items)
        budget.leave()
        return kept

    def encode(self, value: Any) -> Any:
        return [self.items.encode(item) for item in StableSet(set.__iter__(value))]

    def decode(self, data: Any) -> Any:
        if not isinstance(data, list):
            raise SchemaError(f"Input should be a valid list (got {short(data)})")
        return self.build([self.items.decode(item) for item in data], self.items)


class OptionalSpec(Spec):
    """``T | None`` where T is a container, a reference or an opaque value."""

    def __init__(self, annotation: Any, field: Field, inner: Spec) -> None:
        super().__init__(annotation, field)
        self.inner, self.kind = inner, inner.kind

    def admit(self, value: Any, budget: Budget) -> Any:
        return None if value is None else self.inner.admit(value, budget)

    def encode(self, value: Any) -> Any:
        return None if value is None else self.inner.encode(value)

    def decode(self, data: Any) -> Any:
        return None if data is None else self.inner.decode(data)


class OpaqueSpec(Spec):
    """A type with a codec: arrays, tables, graphs, and what the host registers."""

    kind = "opaque"

    def __init__(self, annotation: Any, field: Field, codec: Codec) -> None:
        super().__init__(annotation, field)
        self.codec = codec

    def admit(self, value: Any, budget: Budget) -> Any:
        if not isinstance(value, self.codec.type):
            raise SchemaError(f"Input should be a {self.codec.name} (got {short(value)})")
        return self.codec.copy(value)

    def encode(self, value: Any) -> Any:
        return self.codec.snapshot(value)

    def decode(self, data: Any) -> Any:
        return self.codec.restore(data)


def spec_of(annotation: Any, field: Field) -> Spec:
    """Return the spec for an annotation; raises TypeError for a type that may not enter a world."""
    from cave_sim.references import reference_spec  # references build on specs

    if (reference := reference_spec(annotation, field)) is not None:
        return reference
    origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
    if annotation in (Any, object):
        return PlainSpec(annotation, field)
    if origin in (typing.Union, types.UnionType) and type(None) in arguments and len(arguments) == 2:
        inner = spec_of(next(each for each in arguments if each is not type(None)), field)
        if not isinstance(inner, ValueSpec):
            return OptionalSpec(annotation, field, inner)
    container = origin or annotation
    if container in (list, dict, set):
        parts = [spec_of(each, _items_of(field)) for each in arguments or (Any,) * (2 if container is dict else 1)]
        build: Any = {list: ListSpec, dict: DictSpec, set: SetSpec}[container]
        found: Spec = build(annotation, field, *parts)
        return found
    if isinstance(annotation, type) and (codec := codec_of(annotation)) is not None:
        return OpaqueSpec(annotation, field, codec)
    return _value_spec(annotation, field)


def _items_of(field: Field) -> Field:
    """The bounds of a container's field are meant for its items."""
    return Field(ge=field.ge, le=field.le)


def _value_spec(annotation: Any, field: Field) -> ValueSpec:
    if _is_model(annotation) and not annotation.model_config.get("frozen"):
        raise TypeError(f"{annotation.__name__} can change without the world noticing: make it frozen, or an Entity")
    if isinstance(annotation, type) and not _is_model(annotation) and not _pydantic_knows(annotation):
        raise TypeError(
            f"{annotation.__name__} may not enter a world. Use plain data, a frozen pydantic model, another Entity, "
            f"or register_codec({annotation.__name__}, snapshot, restore)"
        )
    return ValueSpec(annotation, field)


def _pydantic_knows(annotation: type) -> bool:
    try:
        pydantic.TypeAdapter(annotation)
    except pydantic.PydanticSchemaGenerationError:
        return False
    return True


def _is_model(annotation: Any) -> bool:
    return isinstance(annotation, type) and issubclass(annotation, pydantic.BaseModel)


def _is_scalar(annotation: Any) -> bool:
    if typing.get_origin(annotation) is Literal:
        return all(isinstance(choice, (str, int, bool, type(None))) for choice in typing.get_args(annotation))
    if typing.get_origin(annotation) in (typing.Union, types.UnionType):
        return all(_is_scalar(each) for each in typing.get_args(annotation))
    return annotation in (int, float, bool, str, type(None))


def _encode_dict(value: dict[Any, Any], keys: Spec, items: Spec) -> Any:
    if all(type(key) is str and not key.startswith("$") for key in value):
        return {key: items.encode(item) for key, item in dict.items(value)}
    return {"$items": [[keys.encode(key), items.encode(item)] for key, item in dict.items(value)]}


def _decode_dict(data: dict[str, Any], keys: Spec, items: Spec) -> dict[Any, Any]:
    if "$items" in data:
        return {keys.decode(key): items.decode(item) for key, item in data["$items"]}
    return {key: items.decode(item) for key, item in data.items()}


def check_deep(data: Any) -> None:
    """Check the parts of an immutable value as plain data."""
    if isinstance(data, dict):
        data = [*data, *data.values()]
    if isinstance(data, list):
        for item in data:
            check_deep(item)
    else:
        check_scalar(data)


def first_error(error: pydantic.ValidationError, value: Any) -> str:
    """Return pydantic's own words for the first thing that is wrong, with the value that was given."""
    found = error.errors(include_url=False)[0]
    where = ".".join(str(part) for part in found["loc"])
    return f"{where + ': ' if where else ''}{found['msg']} (got {short(found.get('input', value))})"


def short(value: Any) -> str:
    """Return the value's text for a message: its type where it has no plain text, 60 characters at most."""
    if not isinstance(value, (str, int, float, bool, type(None), list, dict, tuple)) or isinstance(value, Tracked):
        return f"a {type(value).__name__}"
    if isinstance(value, (list, dict, tuple)) and len(value) > 20:
        return f"a {type(value).__name__} of {len(value)}"
    text = f"{value!r}" if not isinstance(value, (list, dict, tuple)) else f"a {type(value).__name__}"
    return text if len(text) <= 60 else text[:57] + "..."
