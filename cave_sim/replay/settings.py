"""What a simulation takes, read from its ``create``: names, types and defaults; and values that fit them."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Mapping, Set
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from enum import Enum
from functools import cached_property, lru_cache
from types import ModuleType, NoneType, UnionType
from typing import Any, Literal, Self, Union, Unpack, get_args, get_origin, get_type_hints

from annotated_types import Ge, Gt, Le, Lt, Unit
from pydantic import ConfigDict, TypeAdapter, ValidationError
from pydantic.errors import PydanticUserError
from pydantic.fields import FieldInfo
from pydantic_core import PydanticSerializationError

from cave_sim.determinism.canonical_json import to_json
from cave_sim.errors import WorldError, did_you_mean

GIVEN = {"seed", "residents", "out", "manifest", "observers", "scheduler", "llm", "budgets", "minds", "control"}
"""Parameters of ``create`` that have options of their own, or that a recipe hands over itself."""
OF_EVERY = {"residents": "how many people live there"}
"""Those of them that a simulation may bound by its annotation, and what they mean."""
KINDS: dict[type, str] = {int: "a whole number", float: "a number", bool: "yes or no", str: "a text"}
MORE_KINDS: dict[type, str] = {
    timedelta: "how long, as PT15M or 00:15:00",
    datetime: "a moment, as 2012-06-01T15:00",
    date: "a day, as 2012-06-01",
}
BOUNDS: dict[type, str] = {Ge: "{} or more", Gt: "more than {}", Le: "at most {}", Lt: "less than {}"}
FORMS: dict[type, str] = {float: "number", int: "whole", bool: "yes"}
ENDS = {"ge": "low", "gt": "low", "le": "high", "lt": "high"}
"""What a form takes for the end of a slider; the bound that is left out is refused where the value is read."""
FITTING = ConfigDict(coerce_numbers_to_str=True, arbitrary_types_allowed=True)


@dataclass(frozen=True)
class Setting:
    """One option of a simulation.

    Attributes:
        name: of the parameter.
        annotation: its type.
        default: its value unless given; ``inspect.Parameter.empty`` if it has to be.
        about: what it means, in a line.
    """

    name: str
    annotation: Any
    default: Any
    about: str

    @property
    def takes(self) -> str:
        """What values it takes, in words: ``a whole number, 1 or more``."""
        return _in_words(self.annotation)

    @property
    def usual(self) -> str:
        """Its default in words; empty if there is nothing to say."""
        if self.default is inspect.Parameter.empty:
            return "needed"
        if self.default is None or self.default == "":
            return ""
        if isinstance(self.default, bool):
            return f"default: {'yes' if self.default else 'no'}"
        return f"default: {self.default:g}" if isinstance(self.default, float) else f"default: {self.default}"

    @property
    def unit(self) -> str:
        """What it is counted in, such as `s`, by a ``Unit`` of its annotation; empty if that names none."""
        return next(
            (each.unit for each in FieldInfo.from_annotation(self.annotation).metadata if isinstance(each, Unit)), ""
        )

    @property
    def label(self) -> str:
        """What a form calls it: the title of a ``Field`` of its annotation, or its name in words, without its unit."""
        title = FieldInfo.from_annotation(self.annotation).title
        return title or self.name.removesuffix(f"_{self.unit}").replace("_", " ").capitalize()

    @property
    def shape(self) -> dict[str, Any]:
        """What a form asks for: `kind`, one of whole, number, yes, choice, text; `choices`; bounds as `low`, `high`."""
        field = FieldInfo.from_annotation(self.annotation)
        kinds = [each for each in _alternatives(field.annotation) if each is not NoneType]
        words = [word for each in kinds if get_origin(each) is Literal for word in get_args(each)]
        if words and len(kinds) == 1:
            return {"kind": "choice", "choices": words}
        kind = next((form for each, form in FORMS.items() if each in kinds), "text")
        if not set(kinds) <= FORMS.keys():
            return {"kind": "text"}
        bounds = [(end, getattr(each, name, None)) for each in field.metadata for name, end in ENDS.items()]
        return {"kind": kind} | {end: bound for end, bound in bounds if bound is not None}

    def fit(self, value: Any) -> Any:
        """Return a value, or the one that a text stands for, as ``create`` takes it.

        Raises:
            WorldError: it does not fit.
        """
        if self._adapter is None:
            return value
        try:
            return _read(self._adapter, value)
        except ValidationError:
            raise WorldError(f"{self.name}={value!r}: takes {self.takes}{self._as_one_text(value)}") from None

    def _as_one_text(self, value: Any) -> str:
        """Return how a list of words is written where a text is taken, as a simulation takes several in one."""
        words = value if isinstance(value, list | tuple) and all(isinstance(each, str) for each in value) else ()
        is_text = str in _alternatives(FieldInfo.from_annotation(self.annotation).annotation)
        return f"; several go in one text: {','.join(words)!r}" if words and is_text else ""

    @cached_property
    def _adapter(self) -> TypeAdapter[Any] | None:
        """What reads its values; None for a type that has its own config, or that nothing can be said of."""
        try:
            return TypeAdapter(self.annotation, config=FITTING)
        except PydanticUserError:
            return None

    def plain(self, given: Any) -> Any:
        """Return a value, or the one that a text stands for, as plain data to be kept, which :meth:`fit` reads again.

        Raises:
            WorldError: it does not fit.
        """
        value = self.fit(given)
        if value is None or type(value) in KINDS or self._adapter is None:
            return value
        try:
            data = self._adapter.dump_python(value, mode="json")
        except PydanticSerializationError:  # of a class that only its author knows how to write
            return given
        return sorted(data, key=to_json) if isinstance(value, Set) else data


def settings(module: ModuleType) -> dict[str, Setting]:
    """Return what the ``create`` of a simulation takes beside what all take, in its order.

    Types are those of the annotations, or else of the defaults; ``OPTIONS`` or the docstring's ``Args`` say what each
    means.
    """
    return dict(_Taken.of(module, module.create).settings)


def defaults_of(module: ModuleType) -> dict[str, Any]:
    """Return what the ``create`` of a simulation takes for options that are not given, where that is plain data."""
    plain = (NoneType, bool, int, float, str)
    return {name: each.default for name, each in settings(module).items() if type(each.default) in plain}


def with_residents(module: ModuleType) -> dict[str, Setting]:
    """Return the same, and before it how many residents there are, of a simulation that takes that."""
    return _Taken.of(module, module.create).of_every | settings(module)


def parameters(module: ModuleType) -> dict[str, inspect.Parameter]:
    """Return what the ``create`` of a simulation takes, with what its ``**run: Unpack[RunOptions]`` stands for."""
    return dict(_Taken.of(module, module.create).parameters)


@dataclass(frozen=True)
class _Taken:
    """What one ``create`` takes: read once, however many recipes are made of it."""

    parameters: dict[str, inspect.Parameter]
    settings: dict[str, Setting]
    of_every: dict[str, Setting]

    @classmethod
    @lru_cache(maxsize=64)
    def of(cls, module: ModuleType, create: Callable[..., Any]) -> Self:
        """Return what the ``create`` of a module takes; a module that is loaded anew has another one."""
        taken = _parameters(module, create)
        descriptions = _args(inspect.getdoc(create) or "") | dict(getattr(module, "OPTIONS", {}))
        own = {
            each.name: _setting(each, module, descriptions)
            for each in taken.values()
            if each.name not in GIVEN and each.kind not in (each.VAR_POSITIONAL, each.VAR_KEYWORD)
        }
        return cls(taken, own, {name: _setting(taken[name], module, OF_EVERY) for name in OF_EVERY & taken.keys()})


def _parameters(module: ModuleType, create: Callable[..., Any]) -> dict[str, inspect.Parameter]:
    parameters: dict[str, inspect.Parameter] = {}
    for each in inspect.signature(create).parameters.values():
        annotation = _annotation(each, module) if each.kind is each.VAR_KEYWORD else None
        if get_origin(annotation) is not Unpack:
            parameters[each.name] = each
            continue
        for name, kind in get_type_hints(*get_args(annotation)).items():
            parameters[name] = inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=kind)
    return parameters


def _setting(parameter: inspect.Parameter, module: ModuleType, descriptions: Mapping[str, str]) -> Setting:
    name = parameter.name
    return Setting(name, _annotation(parameter, module), parameter.default, descriptions.get(name, ""))


def what_it_takes(known: Mapping[str, Setting]) -> str:
    """Return the end of an error about an option that a simulation does not have."""
    takes = "; ".join(f"{each.name}: {(each.about or each.takes).rstrip('.')}" for each in known.values())
    return f"It takes {takes or 'nothing more'}"


def fitted(module: ModuleType, create: Mapping[str, Any]) -> dict[str, Any]:
    """Return keyword arguments of a ``create`` in the types that it takes.

    Raises:
        WorldError: it does not take one, or one does not fit; with what it takes.
    """
    return _each(module, create, Setting.fit)


def kept(module: ModuleType, create: Mapping[str, Any]) -> dict[str, Any]:
    """Return keyword arguments of a ``create`` as files have them: plain data; raises as :func:`fitted`."""
    return _each(module, create, Setting.plain)


def _each(module: ModuleType, create: Mapping[str, Any], read: Callable[[Setting, Any], Any]) -> dict[str, Any]:
    known, bounded = settings(module), with_residents(module)
    taken = parameters(module)
    name = module.__name__.rpartition(".")[2]
    if not any(each.kind is each.VAR_KEYWORD for each in taken.values()):
        for key in (each for each in create if each not in taken):
            raise WorldError(f"{name} has no option {key!r}.{did_you_mean(key, taken)} {what_it_takes(known)}")
    try:
        return {key: read(bounded[key], value) if key in bounded else value for key, value in create.items()}
    except WorldError as error:
        raise WorldError(f"{name}: {error}") from None


def _read(adapter: TypeAdapter[Any], value: Any) -> Any:
    if not isinstance(value, str):
        return adapter.validate_python(value)
    try:
        return adapter.validate_strings(value)
    except ValidationError:
        if value[:1] not in ("[", "{"):
            raise
        return adapter.validate_json(value)


def _annotation(parameter: inspect.Parameter, module: ModuleType) -> Any:
    """Return a parameter's type; what cannot be known here may be anything."""
    annotation = parameter.annotation
    if isinstance(annotation, str):
        alone = type("Alone", (), {"__annotations__": {parameter.name: annotation}})
        try:
            annotation = get_type_hints(alone, vars(module), include_extras=True)[parameter.name]
        except (NameError, AttributeError, TypeError, SyntaxError):  # a name that is there for type checkers alone
            return Any
    if annotation is not parameter.empty:
        return annotation
    return type(parameter.default) if type(parameter.default) in KINDS else Any


def _in_words(annotation: Any) -> str:
    field = FieldInfo.from_annotation(annotation)
    kinds = [each for each in _alternatives(field.annotation) if each is not NoneType]
    if float in kinds and int in kinds:
        kinds.remove(int)
    words = " or ".join(dict.fromkeys(_kind(each) for each in kinds))
    limits = {type(each): each for each in field.metadata}
    bounds = {kind: getattr(limits[kind], kind.__name__.lower()) for kind in BOUNDS if kind in limits}
    if {Ge, Le} <= bounds.keys():
        return f"{words} from {bounds[Ge]:g} to {bounds[Le]:g}"
    return ", ".join([words, *(BOUNDS[kind].format(f"{limit:g}") for kind, limit in bounds.items())])


def _alternatives(annotation: Any) -> tuple[Any, ...]:
    return get_args(annotation) if get_origin(annotation) in (Union, UnionType) else (annotation,)


def _kind(annotation: Any) -> str:
    if get_origin(annotation) is Literal:
        return _one_of(word for word in get_args(annotation) if word != "")
    if isinstance(annotation, type) and issubclass(annotation, Enum):
        return _one_of(each.value for each in annotation)
    if get_origin(annotation) in (list, tuple, set, dict):
        parts = [each for each in get_args(annotation) if each is not Ellipsis]
        each = f", of which each takes {_in_words(parts[0])}" if len(parts) == 1 else ""
        return "a JSON object" if get_origin(annotation) is dict else f"a JSON list{each}"
    if annotation is Any:
        return "anything"
    return KINDS.get(annotation) or MORE_KINDS.get(annotation) or str(getattr(annotation, "__name__", "a value"))


def _one_of(values: Iterable[Any]) -> str:
    words = [*map(str, values)]
    return " or ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def _args(docstring: str) -> dict[str, str]:
    """Return what a docstring says of each argument, in a line."""
    section = re.search(r"^Args:\n((?:[ \t]+.*\n?|\n)+)", docstring, re.MULTILINE)
    if section is None:
        return {}
    entries = re.findall(r"^ {4}(\w+):\s*(.*(?:\n {5,}.*)*)", section[1], re.MULTILINE)
    return {name: " ".join(text.split()) for name, text in entries}
