"""Transfer: native objects on their way from one agent's namespace into another's (CaveAgent App. E.2).

They arrive as independent objects of the same type, equal to what was sent. Neither agent can then change what the
other holds, nor slip code into it; and each namespace can be kept and read back by itself, so a resumed run takes the
same course. What two agents are to share lives in the world.
"""

from __future__ import annotations

import copyreg
from collections.abc import Collection
from typing import Any

from cave_sim.entity.codecs import codec_of
from cave_sim.entity.entity import Entity
from cave_sim.entity.values import NodeCounter, StableSet, check_scalar, plain_scalar
from cave_sim.errors import SchemaError
from cave_sim.policy.attributes import ALLOWED
from cave_sim.policy.permissions import check_data


def transferred(value: Any, vouched: Collection[type]) -> Any:
    """Return a value as another agent gets it; an entity is the same for everybody.

    Args:
        value: data, entities, objects of types with a codec, or of classes that the researcher vouched for.
        vouched: those classes: of everything that was injected into the world.

    Raises:
        SchemaError: it is code or holds some, contains itself, or has no form in which it can be handed over.
    """
    return _transferred(value, vouched, NodeCounter())


def _transferred(value: Any, vouched: Collection[type], counter: NodeCounter) -> Any:
    value = plain_scalar(value)
    if isinstance(value, Entity) or check_scalar(value):
        return value
    codec = codec_of(type(value))
    if codec is not None:
        codec.snapshot(value)  # raises where it holds objects
        return codec.copy(value)
    if isinstance(value, (list, tuple, set, frozenset, dict)):
        return _container(value, vouched, counter)
    if type(value) in vouched and type(value) not in ALLOWED and not isinstance(value, type):
        return _object(value, vouched, counter)
    check_data(value, counter)
    return value


def _container(value: Any, vouched: Collection[type], counter: NodeCounter) -> Any:
    counter.enter(value)
    if isinstance(value, dict):
        pairs = [
            (_transferred(key, vouched, counter), _transferred(item, vouched, counter))
            for key, item in dict.items(value)
        ]
    else:
        items = [_transferred(item, vouched, counter) for item in value]
    counter.leave()
    if isinstance(value, dict):
        return _same_kind_of_dict(value, pairs)
    if hasattr(value, "_fields"):
        return type(value)(*items)
    return items if isinstance(value, list) else tuple(items) if isinstance(value, tuple) else StableSet(items)


def _same_kind_of_dict(value: dict[Any, Any], pairs: list[tuple[Any, Any]]) -> dict[Any, Any]:
    """Return the pairs in the same kind of dict; one that makes up missing items by code holds code."""
    items = dict(pairs)
    if type(value).__name__ == "defaultdict":
        raise SchemaError("a defaultdict holds code; make it a dict first")
    return type(value)(items) if type(value).__module__ == "collections" else items


def _object(value: Any, vouched: Collection[type], counter: NodeCounter) -> Any:
    """Return an object of a vouched class made anew from its attributes; what else it may hide has no such form."""
    kind = type(value)
    try:
        maker, arguments, state, *more = value.__reduce_ex__(4)
    except (TypeError, ValueError):
        maker, arguments, state, more = None, (), None, []
    if maker is not copyreg.__newobj__ or arguments != (kind,) or any(part is not None for part in more):  # type: ignore[attr-defined]
        raise SchemaError(f"a {kind.__name__} cannot be taken apart; register_codec says how (see its how-to page)")
    copy: Any = kind.__new__(kind)  # type: ignore[call-overload]  # of a class like any other, not of type itself
    state = _transferred(state, vouched, counter)
    if hasattr(copy, "__setstate__"):
        copy.__setstate__(state)
        return copy
    attributes, slots = state if isinstance(state, tuple) else (state, None)
    for name, attribute in {**(attributes or {}), **(slots or {})}.items():
        object.__setattr__(copy, name, attribute)
    return copy
