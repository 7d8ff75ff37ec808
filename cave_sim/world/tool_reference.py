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
from functools import partial
from types import UnionType
from typing import Any

import pydantic

from cave_sim.entity.codecs import codec_of
from cave_sim.world.docstrings import attributes, document, first_line
from cave_sim.world.effects import EffectTool
from cave_sim.world.function_stubs import definition, is_public, members_of
from cave_sim.world.signatures import comment, resolved, said_of, shown, signature, type_text

BUDGET_CHARS = 2_000
"""Of one injected object: about 500 tokens."""
EFFECTS_NOTE = "Done once your turn stands; each returns a ticket, of which NAME.outcome(ticket) tells in a later step:"
"""Of several, said once, in front of them."""
EFFECT_NOTE = "is done once your turn stands; returns a ticket; {name}.outcome(ticket) in a later step tells"
_OURS = (object, enum.Enum, enum.Flag, enum.IntEnum, enum.StrEnum, enum.IntFlag, pydantic.BaseModel, tuple)
"""Classes whose members are everybody's, and are not told again."""
_TOLD_BASES = (enum.IntFlag, enum.Flag, enum.IntEnum, enum.StrEnum, enum.Enum, pydantic.BaseModel)
"""What says how members go together: flags by |, and those of an IntEnum are numbers."""
_EMPTY = ((list, "[]"), (dict, "{}"), (set, "set()"), (frozenset, "frozenset()"), (tuple, "()"))


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
    try:
        lines = _lines(name, value, about, values, notes_effects)
    except Exception:  # code of its class runs where it is looked at: one that is odd is told by its name
        lines = [f"{f'class {name}' if isinstance(value, type) else f'{name}: {type(value).__name__}'}{comment(about)}"]
    return "\n".join(_within(budget_chars, lines, name))


def _lines(name: str, value: Any, about: str, values: Mapping[str, str], notes_effects: bool) -> list[str]:
    if isinstance(value, EffectTool):
        note = [f"    # {EFFECT_NOTE.format(name=name)}"] if notes_effects else []
        return [*definition(name, value.function, about), *note]
    if inspect.isroutine(value):
        return definition(name, value, about)
    if typing.get_origin(value) is not None or isinstance(value, UnionType | typing.NewType):
        return _alias(name, value, about)
    return _class(name, value, about) if isinstance(value, type) else _object(name, value, about, values)


def _alias(name: str, value: Any, about: str) -> list[str]:
    """Return ``name = Box[int]``, and what its class has where that is somebody's."""
    if isinstance(value, typing.NewType):
        return [f'{name} = NewType("{name}", {type_text(value.__supertype__)}){comment(about)}']
    origin = typing.get_origin(value)
    known = not isinstance(origin, type) or origin.__module__ in ("builtins", "types", "typing", "collections.abc")
    parts = () if known else _parts(origin)
    return [f"{name} = {type_text(value)}{comment(about)}", *(f"    {part}" for part in parts)]


def _class(name: str, kind: type, about: str) -> list[str]:
    """Return a class as stubs: how it is made, its fields with types and defaults, properties, methods, members."""
    return [f"{_title(kind, name)}:{comment(about or first_line(kind))}", *(f"    {part}" for part in _parts(kind))]


def _parts(kind: type) -> Iterator[str]:
    members = _enum_members(kind)
    yield from (f"{each} = {shown(member.value) or '...'}" for each, member in members)
    if members and (own := [each for each in vars(members[0][1]) if is_public(each)]):
        yield f"{', '.join(own)}  # of each member"
    yield from _making(kind)
    yield from _declared(kind, None)
    yield from members_of(kind, _OURS)


def _object(name: str, value: Any, about: str, values: Mapping[str, str]) -> list[str]:
    """Return ``name: Class``, its fields with the values they had, properties and methods."""
    kind = type(value)
    head = f"{name}: {kind.__name__}{f' = {shown(value)}' if isinstance(value, enum.Enum) else ''}{comment(about)}"
    parts = (*_declared(kind, values), *members_of(kind, _OURS), *_calling(value))
    return [head, *(f"    {part}" for part in parts)]


def _calling(value: Any) -> list[str]:
    """Return how an object is called like a function, where it can be; what stands in for one has the latter's."""
    if type(value) is partial:
        return [f"def __call__{signature(value)}{comment(first_line(value.func))}"]
    call = next((vars(base)["__call__"] for base in type(value).__mro__ if "__call__" in vars(base)), None)
    return definition("__call__", call) if inspect.isfunction(call) else []


def is_known_by_heart(value: Any) -> bool:
    """Say whether a value is of a class of Python's own or of a library's, of which no model needs a word."""
    has_stub = inspect.isroutine(value) or isinstance(value, type)
    return codec_of(type(value)) is not None or (type(value).__module__ == "builtins" and not has_stub)


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
    return {name: shown(each) for name, each in own.items() if is_public(name)}


def _title(kind: type, name: str) -> str:
    head = f"class {name}{_variables(kind)}"
    if typing.is_typeddict(kind):
        return f"{head}(TypedDict{'' if kind.__total__ else ', total=False'})"  # type: ignore[attr-defined]
    if dataclasses.is_dataclass(kind):
        options = ["frozen=True"] if kind.__dataclass_params__.frozen else []  # type: ignore[attr-defined]
        options += ["kw_only=True"] if _is_by_name(kind) else []
        return f"@dataclass{'(' * bool(options)}{', '.join(options)}{')' * bool(options)}\n{head}"
    if getattr(kind, "_is_protocol", False):
        return f"{head}(Protocol)"
    for base in _TOLD_BASES:
        if issubclass(kind, base):
            return f"{head}({base.__name__})"
    if issubclass(kind, BaseException):
        known = next(base for base in kind.__mro__ if base.__module__ == "builtins")
        return f"{head}({known.__name__})"
    return f"{head}(NamedTuple)" if _is_named_tuple(kind) else f"{head}{'(ABC)' * inspect.isabstract(kind)}"


def _variables(kind: type) -> str:
    """Return the variables of a generic class, as Python 3.12 writes them: ``[T, K: Shape]``."""
    variables = inspect.getattr_static(kind, "__parameters__", ())
    told = [
        f"{each.__name__}{f': {type_text(bound)}' if (bound := getattr(each, '__bound__', None)) else ''}"
        for each in (variables if isinstance(variables, tuple) else ())
    ]
    return f"[{', '.join(told)}]" if told else ""


def _making(kind: type) -> Iterator[str]:
    """Yield how an object is made, where its fields do not say so."""
    says_by_fields = (
        dataclasses.is_dataclass(kind) or _is_named_tuple(kind) or issubclass(kind, (enum.Enum, pydantic.BaseModel))
    )
    maker = inspect.getattr_static(kind, "__init__")
    if not says_by_fields and inspect.isfunction(maker) and maker.__module__ != "typing":  # as that of a protocol
        head, *explained = definition("__init__", maker, explained=kind)
        yield head.replace(" -> None", "", 1)
        yield from explained


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
            notes |= {name: text for name, text in attributes(document(base)) if is_public(name)}
    return notes


def _annotations(kind: type) -> dict[str, Any]:
    """Return the public fields of a class, those of its bases first; constants of the class are none."""
    fields: dict[str, Any] = {}
    for base in reversed(kind.__mro__):
        if base not in _OURS:
            own, names = inspect.get_annotations(base), getattr(sys.modules.get(base.__module__), "__dict__", {})
            public = {name: each for name, each in own.items() if is_public(name) and "ClassVar" not in str(each)}
            fields |= {name: resolved(each, names) for name, each in public.items()}
    kept = vars(kind).get("__dataclass_fields__", {})  # a class of cells keeps its types there, as text
    return {name: kept[name].type if name in kept and each is object else each for name, each in fields.items()}


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
        default = next((text for kind, text in _EMPTY if make is kind), "...")
    options = [] if field.init else ["init=False"]
    options += ["kw_only=True"] if field.kw_only and not all_by_name and field.init else []
    options += [f"default={default}"] if default and options else []
    return f"field({', '.join(options)})" if options and says_how else default


def _is_named_tuple(kind: type) -> bool:
    return issubclass(kind, tuple) and hasattr(kind, "_field_defaults")


def _slots(kind: type) -> list[str]:
    if _is_named_tuple(kind):
        return list(kind._fields)  # type: ignore[attr-defined]
    named = [vars(base).get("__slots__", ()) for base in kind.__mro__]
    return [name for each in named for name in ([each] if isinstance(each, str) else each)]


def _within(budget_chars: int, lines: list[str], name: str) -> list[str]:
    """Return as many lines as a budget has room for, and how the others are seen."""
    used, fitting = 0, list[str]()
    for each in lines:
        used += len(each) + 1
        if budget_chars and used > budget_chars and fitting:
            return [*fitting, f"    # {len(lines) - len(fitting)} more lines: help({name})"]
        fitting.append(each)
    return fitting
