"""The declared types of a method's arguments, checked when a cell calls it: a wrong one is named, with what would fit.

Only annotations that say something checkable at once are looked at: scalars, choices and entities. Containers and
what has no annotation pass as they are; the method's own writes check those.
"""

from __future__ import annotations

import inspect
import typing
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from cave_sim.errors import SchemaError
from cave_sim.fields import Field
from cave_sim.nested import OptionalSpec
from cave_sim.references import RefSpec, is_entity_class
from cave_sim.schema import spec_of
from cave_sim.spec import Spec, ValueSpec, short
from cave_sim.values import Budget

Check = Callable[[Any], None]


class Arguments:
    """The checks of one method, made from its annotations.

    Args:
        method: the method.
        annotations: its annotations as types.
    """

    def __init__(self, method: Callable[..., Any], annotations: Mapping[str, Any]) -> None:
        names = [name for name in inspect.signature(method).parameters if name != "self"]
        self._checks = {name: _check_of(annotations[name]) for name in names if name in annotations}
        self._names = names

    def check(self, label: str, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> None:
        """Return if every argument fits; raises SchemaError that names the call, the argument and the rule."""
        for name, value in self._given(args, kwargs):
            check = self._checks.get(name)
            if check is not None:
                try:
                    check(value)
                except SchemaError as error:
                    raise SchemaError(f"{label}({name}=...): {error}") from None

    def _given(self, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
        yield from zip(self._names, args, strict=False)
        yield from kwargs.items()


def _check_of(annotation: Any) -> Check | None:
    """Return the check of one annotation, or None where there is nothing to say at once."""
    if annotation is Any or typing.get_origin(annotation) in (list, dict, set, tuple) or _mixes(annotation):
        return None
    try:
        spec = spec_of(annotation, Field())
    except (TypeError, NameError):
        return None
    inner = spec.inner if isinstance(spec, OptionalSpec) else spec
    if isinstance(inner, RefSpec):
        return _entity_check(inner.annotation, optional=inner is not spec)
    return _scalar_check(spec) if isinstance(spec, ValueSpec) else None


def _mixes(annotation: Any) -> bool:
    """Say whether a union offers an entity beside something else: ``Place | str``."""
    members = [each for each in typing.get_args(annotation) if each is not type(None)]
    return len(members) > 1 and any(map(is_entity_class, members))


def _entity_check(kind: type, *, optional: bool) -> Check:
    def check(value: Any) -> None:
        if not isinstance(value, kind) and not (optional and value is None):
            raise SchemaError(f"Input should be a {kind.__name__} of this world (got {short(value)})")

    return check


def _scalar_check(spec: Spec) -> Check:
    fast = spec.fast() or (lambda value: spec.admit(value, Budget()))

    def check(value: Any) -> None:
        fast(value)

    return check
