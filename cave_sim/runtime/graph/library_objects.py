"""Forms of objects whose classes the researcher injected or vouched for: taken apart by what they say of themselves.

It is the protocol of pickle without pickle: what puts an object together again must itself be vouched for.
"""

from __future__ import annotations

import copyreg
import enum
from collections.abc import Callable
from typing import Any

from cave_sim.errors import SchemaError
from cave_sim.runtime.graph.errors import Malformed
from cave_sim.runtime.graph.node import Form, See
from cave_sim.runtime.graph.surroundings import is_vouched, path_of

_NEW = "new"


def _write_object(value: Any, see: See) -> Any:
    kind = type(value)
    if isinstance(value, enum.Enum):
        return {"class": path_of(kind), "member": value.name}
    maker, arguments, *rest = _taken_apart(value)
    state, items, pairs = (*rest, None, None, None)[:3]
    if maker is copyreg.__newobj__:  # type: ignore[attr-defined]
        maker_name, (made_kind, *arguments) = _NEW, arguments
        if made_kind is not kind:
            raise SchemaError(f"a {kind.__name__} cannot be taken apart")
    else:
        maker_name = _maker_path(maker, kind)
    content: dict[str, Any] = {"class": path_of(kind), "by": maker_name, "from": [see(part) for part in arguments]}
    if state is not None:
        content["state"] = see(state)
    if items is not None:
        content["items"] = [see(item) for item in items]
    if pairs is not None:
        content["pairs"] = [[see(key), see(item)] for key, item in pairs]
    return content


def _taken_apart(value: Any) -> tuple[Any, ...]:
    try:
        taken = value.__reduce_ex__(2)
    except Exception as error:
        raise SchemaError(f"a {type(value).__name__} cannot be taken apart: {error}") from None
    if not isinstance(taken, tuple) or len(taken) < 2 or type(taken[1]) is not tuple:
        raise SchemaError(f"a {type(value).__name__} cannot be taken apart")
    return taken


def _maker_path(maker: Callable[..., Any], kind: type) -> str:
    if maker is kind or (isinstance(maker, type) and is_vouched(maker)) or is_vouched(maker):
        return path_of(maker)
    raise SchemaError(
        f"a {kind.__name__} is put together by {getattr(maker, '__name__', maker)}, which nobody vouched for"
    )


def make_library_object(content: Any, reader: Any) -> Any:
    """Return the object of a form; raises Malformed where nobody vouched for what would make it."""
    kind = reader.surroundings.class_at(content["class"])
    if "member" in content:
        if not issubclass(kind, enum.Enum):
            raise Malformed("a member of no Enum")
        return kind[content["member"]]
    arguments = [reader.read(part) for part in content["from"]]
    if content["by"] == _NEW:
        value = kind.__new__(kind, *arguments)
    else:
        value = reader.surroundings.class_at(content["by"])(*arguments)
    if type(value) is not kind:
        raise Malformed(f"{content['class']} came back as a {type(value).__name__}")
    if "state" in content:
        state = reader.read(content["state"])
        reader.later(lambda: _set_state(value, state), last=True)
    if "items" in content:
        reader.later(lambda: value.extend([reader.read(item) for item in content["items"]]))
    if "pairs" in content:
        reader.later(lambda: value.update(_pairs(content["pairs"], reader)))
    return value


def _pairs(content: Any, reader: Any) -> list[tuple[Any, Any]]:
    pairs = [(reader.read(key), reader.read(item)) for key, item in content]
    reader.check_keys([key for key, _ in pairs])
    return pairs


def _set_state(value: Any, state: Any) -> None:
    if hasattr(value, "__setstate__"):
        value.__setstate__(state)
        return
    attributes, slots = state if isinstance(state, tuple) and len(state) == 2 else (state, None)
    for name, attribute in {**(attributes or {}), **(slots or {})}.items():
        object.__setattr__(value, name, attribute)


LIBRARY = Form("$library", _write_object, make_library_object)
