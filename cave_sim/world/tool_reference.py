"""What a model is told of an injected function, class or object: Python stubs, one line for each thing to know.

Only what its class declares is told, and of values only short plain ones, as they were when the object was injected:
no ``repr`` of anybody's runs, so there is no address, and what an object says of itself is one line that cannot pass
for a word of ours. What would take more than ``BUDGET_CHARS`` is cut, and says so.
"""

from __future__ import annotations

import dataclasses
import enum
import inspect
import sys
import typing
from collections.abc import Iterator, Mapping
from functools import lru_cache, partial
from typing import Any

import pydantic

from cave_sim.world.docstrings import arguments, attributes, document, first_line
from cave_sim.world.effects import EffectTool
from cave_sim.world.signatures import (
    comment,
    keyword,
    line,
    names_in,
    resolved,
    said_of,
    shown,
    signature,
    type_text,
)

BUDGET_CHARS = 2_000
"""Of one injected object: about 500 tokens."""
EFFECTS_NOTE = "Done once your turn stands; each returns a ticket, of which NAME.outcome(ticket) tells in a later step:"
"""Of several, said once, in front of them."""
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
    said = {name: line(words) for name, each in _annotations_of(function).items() if (words := said_of(each))}
    return [head, *(f"    # {name}: {explanation}" for name, explanation in (said | dict(arguments(text))).items())]


def _annotations_of(function: Any) -> Mapping[str, Any]:
    """Return the annotations of a function's parameters."""
    known, names = getattr(function, "__annotations__", None), names_in(function)
    own = known if isinstance(known, dict) else {}
    return {name: resolved(each, names) for name, each in own.items() if name != "return"}


def _class(name: str, kind: type, about: str) -> list[str]:
    """Return a class as stubs: how it is made, its fields with types and defaults, properties, methods, members."""
    members = [f"{each} = {shown(member.value) or '...'}" for each, member in _enum_members(kind)]
    parts = (*members, *_making(kind), *_declared(kind, None), *_behaviour(kind))
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
    if typing.is_typeddict(kind):
        return f"class {name}(TypedDict{'' if kind.__total__ else ', total=False'})"  # type: ignore[attr-defined]
    if dataclasses.is_dataclass(kind):
        options = ["frozen=True"] if kind.__dataclass_params__.frozen else []  # type: ignore[attr-defined]
        options += ["kw_only=True"] if _is_by_name(kind) else []
        return f"@dataclass{'(' * bool(options)}{', '.join(options)}{')' * bool(options)}\nclass {name}"
    if getattr(kind, "_is_protocol", False):
        return f"class {name}(Protocol)"
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
    if not says_by_fields and inspect.isfunction(maker) and maker.__module__ != "typing":  # as that of a protocol
        yield f"def __init__{signature(maker).removesuffix(' -> None')}"


def _enum_members(kind: type) -> list[tuple[str, enum.Enum]]:
    return list(kind.__members__.items()) if issubclass(kind, enum.Enum) else []


def _declared(kind: type, of: Mapping[str, str] | None) -> Iterator[str]:
    """Yield fields with their types, and the value in hand or else the default; then attributes of no declared type.

    Args:
        kind: a class.
        of: the attributes of an object of it, as code; None where it is the class that is told of.
    """
    values: Mapping[str, str] = of or {}
    types = {} if issubclass(kind, enum.Enum) else _annotations(kind)
    if of is not None:  # what its class takes to make one, and does not keep
        types = {name: each for name, each in types.items() if not isinstance(each, dataclasses.InitVar)}
    notes = _notes(kind, types)
    for name, annotation in types.items():
        value = values[name] if name in values else _default(kind, name, is_made=of is not None)
        yield f"{name}: {type_text(annotation)}" + (f" = {value}" if value else "") + comment(notes.get(name, ""))
    for name, value in values.items():
        if name not in types:
            yield f"{name} = {value or '...'}{comment(notes.get(name, ''))}"
    for name in notes:
        if name not in types and name not in values and not hasattr(kind, name):  # what it gets when it is made
            yield f"{name}{comment(notes[name])}"


def _notes(kind: type, types: Mapping[str, Any]) -> dict[str, str]:
    """Return what is said of public attributes: by their types, and in the docstrings of the class and its bases."""
    notes = {name: text for name, each in types.items() if (text := said_of(each))}
    if issubclass(kind, pydantic.BaseModel):
        notes |= {name: each.description for name, each in kind.model_fields.items() if each.description}
    for base in reversed(kind.__mro__):
        if base not in _OURS and "__doc__" in vars(base):
            notes |= {name: text for name, text in attributes(document(base)) if _is_public(name)}
    return notes


def _annotations(kind: type) -> dict[str, Any]:
    """Return the public fields of a class, those of its bases first; constants of the class are none."""
    fields: dict[str, Any] = {}
    for base in reversed(kind.__mro__):
        if base not in _OURS:
            own, names = inspect.get_annotations(base), getattr(sys.modules.get(base.__module__), "__dict__", {})
            public = {name: each for name, each in own.items() if _is_public(name) and "ClassVar" not in str(each)}
            fields |= {name: resolved(each, names) for name, each in public.items()}
    return fields


def _default(kind: type, name: str, *, is_made: bool) -> str:
    """Return the default of a field as code; of a class that is told of with how it is made, unless one is made."""
    if issubclass(kind, pydantic.BaseModel) and name in kind.model_fields:
        field = kind.model_fields[name]
        if field.is_required():
            return ""
        return "..." if field.default_factory is not None else shown(field.default) or "..."
    if dataclasses.is_dataclass(kind) and (own := {each.name: each for each in dataclasses.fields(kind)}.get(name)):
        return _of_dataclass(own, says_how=not is_made, all_by_name=_is_by_name(kind))
    if _is_named_tuple(kind):
        defaults = kind._field_defaults  # type: ignore[attr-defined]
        return shown(defaults[name]) or "..." if name in defaults else ""
    plain = inspect.getattr_static(kind, name, dataclasses.MISSING)
    return "" if plain is dataclasses.MISSING or inspect.ismemberdescriptor(plain) else shown(plain)


def _is_by_name(kind: type) -> bool:
    """Say whether all that a data class takes is given by name."""
    given = [each.kw_only for each in dataclasses.fields(kind) if each.init]
    return all(given) and bool(given)


def _of_dataclass(field: dataclasses.Field[Any], *, says_how: bool, all_by_name: bool) -> str:
    """Return the default of a field, within ``field(...)`` where it is not given, or only by its name."""
    default = "" if field.default is dataclasses.MISSING else shown(field.default) or "..."
    if (make := field.default_factory) is not dataclasses.MISSING:
        default = shown([]) if make is list else shown({}) if make is dict else "..."
    options = [] if field.init else ["init=False"]
    options += ["kw_only=True"] if field.kw_only and not all_by_name and field.init else []
    options += [f"default={default}"] if default and options else []
    return f"field({', '.join(options)})" if options and says_how else default


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
            returns = resolved(getattr(getter, "__annotations__", {}).get("return"), names_in(getter))
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
