"""How a value of one declared type enters a field, is written as plain data, and is read back.

Types, bounds and error texts are pydantic's, always in strict mode: no text becomes a number. The common scalars
are checked by a closure first, so that a good write costs a comparison, and only a bad one asks pydantic why.
"""

from __future__ import annotations

import json
import types
import typing
from collections.abc import Callable, Mapping
from typing import Annotated, Any, Literal

import pydantic
import pydantic_core

from cave_sim.diagnostics.short_texts import shortened
from cave_sim.entity.containers import Tracked
from cave_sim.entity.field import Field
from cave_sim.entity.frozen import frozen
from cave_sim.entity.strict_adapter import strict_adapter
from cave_sim.entity.values import LIMITS, MAX_FLOAT, NodeCounter, check_scalar, plain_scalar
from cave_sim.errors import SchemaError

LARGEST_INT = 2**LIMITS.integer_bits - 1
_PLAIN_FORMS = (str, int, float, bool, list, tuple, dict)


class FieldType:
    """One declared type."""

    kind = "value"
    is_number = False
    """Whether values are bare numbers, whose differences can be added up."""
    grows = False
    """Whether values can take in more without losing what they hold."""
    is_plain: bool = False
    """Whether values are scalars that are plain data as they are kept."""

    def __init__(self, annotation: Any, field: Field) -> None:
        self.annotation = annotation
        self.field = field

    def admit(self, value: Any, budget: NodeCounter) -> Any:
        """Return the value as it is kept, copied in if it is a container; raises SchemaError."""
        raise NotImplementedError

    def encode(self, value: Any) -> Any:
        """Return the kept value as plain JSON data."""
        return value

    def decode(self, data: Any) -> Any:
        """Return the kept value for what :meth:`encode` gave."""
        return data

    def native(self, data: Any, entities: Mapping[str, Any]) -> Any:
        """Return the value that plain data stands for, in the form in which a cell would hand it in.

        Raises:
            KeyError: it refers to an entity that is not among these.
            SchemaError, TypeError, ValueError: it is malformed.
        """
        return self.decode(data)

    def fast(self) -> Callable[[Any], Any] | None:
        """Return a quick check for values that need no owner, or None if there is none."""
        return None


class ValueType(FieldType):
    """Immutable values that pydantic knows: scalars, Literal, Enum, tuples, frozen models, dates, unions of them."""

    def __init__(self, annotation: Any, field: Field) -> None:
        super().__init__(annotation, field)
        bounds = pydantic.Field(ge=field.ge, le=field.le) if field.ge is not None or field.le is not None else None
        bounded: Any = Annotated[annotation, bounds] if bounds else annotation
        self._adapter = strict_adapter(bounded)
        self.is_plain: bool = is_scalar(annotation)
        self.is_number: bool = annotation in (int, float)

    def admit(self, value: Any, budget: NodeCounter) -> Any:
        value = plain_scalar(value)
        if isinstance(value, str) and type(value) is not str and self.is_plain:
            raise SchemaError(f"Input should be a plain text, not {type(value).__name__}")
        try:
            result = self._adapter.validate_python(value, strict=True)
        except pydantic.ValidationError as error:
            result = self._meant(value, error)
        if not check_scalar(result) and not self.is_plain:
            try:
                check_deep(self._adapter.dump_python(result, mode="json"))
            except pydantic_core.PydanticSerializationError:
                raise SchemaError(
                    f"{short(result)} holds what is no plain data, and cannot be kept in the world"
                ) from None
            except UnicodeDecodeError:
                raise SchemaError(
                    f"Input should be text, or bytes that are; keep an array of np.uint8 (got {short(result)})"
                ) from None
            return frozen(result)
        return result

    def _meant(self, value: Any, error: pydantic.ValidationError) -> Any:
        """Return what a plain value stands for, as a text for a date or for a member of an Enum; raises SchemaError.

        Cells, files and command lines have no other words for such values. The rules are those of pydantic for JSON
        in its strict mode, by which no text becomes a number.
        """
        if not self.is_plain and type(value) in _PLAIN_FORMS:
            try:
                return self._adapter.validate_json(json.dumps(value, allow_nan=False), strict=True)
            except pydantic.ValidationError as json_error:
                error = json_error
            except (TypeError, ValueError, RecursionError):  # it holds what JSON has no notation for
                pass
        raise SchemaError(first_error(error, value)) from None

    def encode(self, value: Any) -> Any:
        return value if self.is_plain else self._adapter.dump_python(value, mode="json")

    def decode(self, data: Any) -> Any:
        if self.is_plain:
            return data
        try:
            return frozen(self._adapter.validate_python(data, strict=False))
        except pydantic.ValidationError as error:
            raise SchemaError(first_error(error, data)) from None

    def bounds(self) -> tuple[Any, float, float] | None:
        """Return the type, the least and the largest value of a bare number; every finite one lies between them."""
        largest = {float: MAX_FLOAT, int: LARGEST_INT}.get(self.annotation)
        if largest is None:
            return None
        low, high = self.field.ge, self.field.le
        least = -largest if low is None else max(low, -largest)
        return self.annotation, least, largest if high is None else min(high, largest)

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
        if self.is_plain and typing.get_origin(self.annotation) in (typing.Union, types.UnionType):
            return self._fast_union(typing.get_args(self.annotation))
        return None

    def _fast_union(self, kinds: tuple[Any, ...]) -> Callable[[Any], Any] | None:
        """Return a quick check for one of several scalar types; None where there are bounds, or choices among them."""
        if self.field.ge is not None or self.field.le is not None or not all(type(kind) is type for kind in kinds):
            return None
        checks = {kind: ValueType(kind, self.field).fast() for kind in kinds if kind is not types.NoneType}
        nothing = types.NoneType in kinds

        def check(value: Any) -> Any:
            if value is None and nothing:
                return None
            of_kind = checks.get(type(value))
            return self.admit(value, NodeCounter()) if of_kind is None else of_kind(value)

        return check


def _fast_number(kind: Any, low: float, high: float, field_type: FieldType) -> Callable[[Any], Any]:
    def check(value: Any) -> Any:
        if type(value) is kind and low <= value <= high:
            return value
        return field_type.admit(value, NodeCounter())

    return check


def _fast_text(field_type: FieldType) -> Callable[[Any], Any]:
    def check(value: Any) -> Any:
        if type(value) is str and len(value) < 1000 and value.isascii() and " at 0x" not in value:
            return value
        return field_type.admit(value, NodeCounter())

    return check


def _fast_choice(choices: set[Any], kind: type, field_type: FieldType) -> Callable[[Any], Any]:
    def check(value: Any) -> Any:
        if type(value) is kind and value in choices:
            return value
        return field_type.admit(value, NodeCounter())

    return check


def is_scalar(annotation: Any) -> bool:
    """Say whether an annotation is a plain scalar, a choice of them, or a union of them."""
    if typing.get_origin(annotation) is Literal:
        return all(isinstance(choice, (str, int, bool, type(None))) for choice in typing.get_args(annotation))
    if typing.get_origin(annotation) in (typing.Union, types.UnionType):
        return all(is_scalar(member) for member in typing.get_args(annotation))
    return annotation in (int, float, bool, str, type(None))


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
    detail = error.errors(include_url=False)[0]
    where = ".".join(str(part) for part in detail["loc"])
    return f"{where + ': ' if where else ''}{detail['msg']} (got {short(detail.get('input', value))})"


def short(value: Any) -> str:
    """Return the value's text for a message: its type where it has no plain text, 60 characters at most."""
    if not isinstance(value, (str, int, float, bool, type(None), list, dict, tuple)) or isinstance(value, Tracked):
        return f"a {type(value).__name__}"
    if isinstance(value, (list, dict, tuple)) and len(value) > 20:
        return f"a {type(value).__name__} of {len(value)}"
    text = f"{value!r}" if not isinstance(value, (list, dict, tuple)) else f"a {type(value).__name__}"
    return shortened(text, 60, "...")
