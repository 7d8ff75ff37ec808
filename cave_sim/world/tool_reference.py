"""What a model is told of an injected function, class or object: Python stubs, one line for each thing to know.

Only what its class declares is told, and of values only short plain ones, as they were when the object was injected:
no ``repr`` of anybody's runs, so there is no address, and what an object says of itself is one line that cannot pass
for a word of ours. What would take more than ``BUDGET_CHARS`` is cut, and says so.
"""

from __future__ import annotations

import dataclasses
import enum
import inspect
from collections.abc import Iterator, Mapping
from functools import lru_cache, partial
from typing import Any

import pydantic

from cave_sim.world.docstrings import arguments, document, first_line
from cave_sim.world.effects import EffectTool
from cave_sim.world.signatures import comment, keyword, line, shown, signature, type_text

BUDGET_CHARS = 2_000
"""Of one injected object: about 500 tokens."""
EFFECTS_NOTE = "{names}: done once your turn stands; return a ticket; NAME.outcome(ticket) in a later step tells"
"""Of several, said once."""
EFFECT_NOTE = "is done once your turn stands; returns a ticket; {name}.outcome(ticket) in a later step tells"
_OURS = (object, enum.Enum, pydantic.BaseModel, tuple)
"""Classes whose members are everybody's, and are not told again."""


def tool_text(
    name: str,
    value: Any,
    about: str,
    values: Mapping[str, str],
    budget_chars: int = BUDGET_CHARS,
    *,
    notes_effects: bool = True,
) -> str:
    """Return what is told of an injected function, class or object.

    Args:
        name: under which cells find it.
        value: what was injected.
        about: what it is; the first line of its docstring unless given.
        values: its attributes as code, as :func:`short_values` returned them when it was injected.
        budget_chars: what it may take; 0 for no limit.
        notes_effects: whether it is said of a tool with effects when it is done; :data:`EFFECTS_NOTE` says it of many.
    """
    if isinstance(value, EffectTool):
        lines = _function(name, value.function, about)
        lines += [f"    # {EFFECT_NOTE.format(name=name)}"] if notes_effects else []
    elif inspect.isroutine(value):
        lines = _function(name, value, about)
    elif isinstance(value, type):
        lines = _class(name, value, about)
    else:
        lines = _object(name, value, about, values)
    return "\n".join(_within(budget_chars, lines, name))


def _function(name: str, function: Any, about: str) -> list[str]:
    """Return ``def name(x: int = 3) -> str  # what it does``, and a line for each argument that is explained."""
    text = document(function)
    head = f"{keyword(function)} {name}{signature(function)}{comment(about or text.partition(chr(10))[0])}"
    explained = [f"    # {each}: {explanation}" for each, explanation in arguments(text)]
    return [head, *explained]


def _class(name: str, kind: type, about: str) -> list[str]:
    """Return a class as stubs: how it is made, its fields with types and defaults, properties, methods, members."""
    members = [f"{each} = {shown(member.value) or '...'}" for each, member in _enum_members(kind)]
    parts = (*members, *_making(kind), *_declared(kind, {}), *_behaviour(kind))
    return [f"{_title(kind, name)}:{comment(about or first_line(kind))}", *(f"    {part}" for part in parts)]


def _object(name: str, value: Any, about: str, values: Mapping[str, str]) -> list[str]:
    """Return ``name: Class``, its fields with the values they had, properties and methods."""
    kind = type(value)
    parts = (*_declared(kind, values), *_behaviour(kind), *_calling(value))
    return [f"{name}: {kind.__name__}{comment(about)}", *(f"    {part}" for part in parts)]


def _calling(value: Any) -> Iterator[str]:
    """Yield how an object is called like a function, where it can be; what stands in for one has the latter's."""
    call = value.func if type(value) is partial else inspect.getattr_static(type(value), "__call__", None)
    if type(value) is partial:
        yield f"def __call__{signature(value)}{comment(first_line(call))}"
    elif inspect.isfunction(call):
        yield f"{keyword(call)} __call__{signature(call)}{comment(first_line(call))}"


def short_values(value: Any) -> dict[str, str]:
    """Return the public attributes that an object has of its own, as code; "" for what is neither plain nor short."""
    attributes = getattr(value, "__dict__", None)
    own = dict(attributes) if type(attributes) is dict else {}
    for name in _slots(type(value)):
        descriptor = inspect.getattr_static(type(value), name, None)
        if inspect.ismemberdescriptor(descriptor) or isinstance(value, tuple):
            try:
                own[name] = getattr(value, name)
            except AttributeError:
                continue
    return {name: shown(each) for name, each in own.items() if type(name) is str and _is_public(name)}


def _title(kind: type, name: str) -> str:
    if dataclasses.is_dataclass(kind):
        return f"@dataclass\nclass {name}"
    for base in (enum.Flag, enum.Enum, pydantic.BaseModel):  # members of the first are put together with |
        if issubclass(kind, base):
            return f"class {name}({base.__name__})"
    return f"class {name}(NamedTuple)" if _is_named_tuple(kind) else f"class {name}"


def _making(kind: type) -> Iterator[str]:
    """Yield how an object is made, where its fields do not say so."""
    says_by_fields = (
        dataclasses.is_dataclass(kind) or _is_named_tuple(kind) or issubclass(kind, (enum.Enum, pydantic.BaseModel))
    )
    maker = inspect.getattr_static(kind, "__init__")
    if not says_by_fields and inspect.isfunction(maker):
        yield f"def __init__{signature(maker).removesuffix(' -> None')}"


def _enum_members(kind: type) -> list[tuple[str, enum.Enum]]:
    return list(kind.__members__.items()) if issubclass(kind, enum.Enum) else []


def _declared(kind: type, values: Mapping[str, str]) -> Iterator[str]:
    """Yield fields with their types, and the value in hand or else the default; then attributes of no declared type."""
    types = {} if issubclass(kind, enum.Enum) else _annotations(kind)
    for name, annotation in types.items():
        value = values[name] if name in values else _default(kind, name)
        yield f"{name}: {type_text(annotation)}" + (f" = {value}" if value else "")
    for name, value in values.items():
        if name not in types:
            yield f"{name} = {value or '...'}"


def _annotations(kind: type) -> dict[str, Any]:
    """Return the public fields of a class, those of its bases first; constants of the class are none."""
    fields: dict[str, Any] = {}
    for base in reversed(kind.__mro__):
        if base not in _OURS:
            own = inspect.get_annotations(base)
            fields |= {name: each for name, each in own.items() if _is_public(name) and "ClassVar" not in str(each)}
    return fields


def _default(kind: type, name: str) -> str:
    if issubclass(kind, pydantic.BaseModel) and name in kind.model_fields:
        field = kind.model_fields[name]
        if field.is_required():
            return ""
        return "..." if field.default_factory is not None else shown(field.default) or "..."
    if dataclasses.is_dataclass(kind) and (own := {each.name: each for each in dataclasses.fields(kind)}.get(name)):
        if own.default_factory is not dataclasses.MISSING:
            return shown([]) if own.default_factory is list else shown({}) if own.default_factory is dict else "..."
        return "" if own.default is dataclasses.MISSING else shown(own.default) or "..."
    if _is_named_tuple(kind):
        defaults = kind._field_defaults  # type: ignore[attr-defined]
        return shown(defaults[name]) or "..." if name in defaults else ""
    plain = inspect.getattr_static(kind, name, dataclasses.MISSING)
    return "" if plain is dataclasses.MISSING or inspect.ismemberdescriptor(plain) else shown(plain)


class _Members(dict[str, Any]):
    """Members of a class by name: the same as others whose objects are the very same."""

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(tuple(self))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Members) and [*self] == [*other] and all(self[each] is other[each] for each in self)


def _behaviour(kind: type) -> tuple[str, ...]:
    """Return properties and public methods, those of its bases first, with the first lines of their docstrings."""
    members = _Members()
    for base in reversed(kind.__mro__):
        if base not in _OURS and base.__module__ != "builtins":
            members |= {name: each for name, each in vars(base).items() if _is_public(name)}
    return _stubs(members)


@lru_cache(128)  # each prompt of each agent tells of every class, and some have hundreds of methods
def _stubs(members: _Members) -> tuple[str, ...]:
    return tuple(_stubs_of(members))


def _stubs_of(members: Mapping[str, Any]) -> Iterator[str]:
    for name, member in members.items():
        if isinstance(member, property) or type(member).__name__ == "cached_property":
            getter = getattr(member, "fget", None) or getattr(member, "func", None)
            returns = getattr(getter, "__annotations__", {}).get("return")
            yield f"{name}{f': {type_text(returns)}' if returns else ''}  # property{_after(first_line(member))}"
        elif isinstance(member, (staticmethod, classmethod)) or inspect.isfunction(member):
            plain = getattr(member, "__func__", member)
            mark = "@classmethod " if isinstance(member, classmethod) else ""
            mark = "@staticmethod " if isinstance(member, staticmethod) else mark
            yield f"{mark}{keyword(plain)} {name}{signature(plain)}{comment(first_line(plain))}"


def _after(text: str) -> str:
    return f": {line(text)}" if text else ""


def _is_named_tuple(kind: type) -> bool:
    return issubclass(kind, tuple) and hasattr(kind, "_field_defaults")


def _slots(kind: type) -> list[str]:
    if _is_named_tuple(kind):
        return list(kind._fields)  # type: ignore[attr-defined]
    named = [vars(base).get("__slots__", ()) for base in kind.__mro__]
    return [name for each in named for name in ([each] if isinstance(each, str) else each)]


def _is_public(name: str) -> bool:
    return not name.startswith("_") and name.isidentifier()


def _within(budget_chars: int, lines: list[str], name: str) -> list[str]:
    """Return as many lines as a budget has room for, and how the others are seen."""
    used, fitting = 0, list[str]()
    for each in lines:
        used += len(each) + 1
        if budget_chars and used > budget_chars and fitting:
            return [*fitting, f"    # {len(lines) - len(fitting)} more lines: help({name})"]
        fitting.append(each)
    return fitting
