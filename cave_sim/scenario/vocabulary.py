"""What a scenario of a simulation can name, read from its world: measures, classes with fields and acts, entities."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin

from cave_sim.entity.entity import Entity
from cave_sim.entity.preparation import fields_of, types_of
from cave_sim.history.measures_by_name import as_named
from cave_sim.simulation.simulation import Simulation
from cave_sim.world.api_menu import call_of
from cave_sim.world.api_reference import bounds_text, method_names
from cave_sim.world.docstrings import first_line
from cave_sim.world.registry import HIDDEN
from cave_sim.world.signatures import shown
from cave_sim.world.type_text import type_text

SCALARS = frozenset({bool, int, float, str, NoneType})


@dataclass(frozen=True)
class NamedMeasure:
    """A measure that a simulation takes of itself.

    Attributes:
        name: of it.
        written: how an expression names it.
        about: what it is, in a line; empty if nobody says so.
        at_start: what it comes to before the first step; None if there is nothing to measure.
    """

    name: str
    written: str
    about: str
    at_start: float | None


@dataclass(frozen=True)
class NamedField:
    """A field of a class of entities.

    Attributes:
        name: of it.
        type: what it holds, as Python writes it; texts that it is one of are written out.
        bounds: of a number, with its unit.
        about: what it means, in a line.
        example: what the class's example holds, as code; empty where that is long.
    """

    name: str
    type: str
    bounds: str
    about: str
    example: str


@dataclass(frozen=True)
class NamedAct:
    """A method that an intervention's ``act`` or a cell may call.

    Attributes:
        name: of it.
        call: how it is called.
        about: what it does, in a line.
    """

    name: str
    call: str
    about: str


@dataclass(frozen=True)
class NamedClass:
    """A class of entities.

    Attributes:
        name: of it.
        about: what it is, in a line.
        base: the class above it that is named as well, whose fields and acts it has, too; empty if there is none.
        count: how many there are of it at the start.
        example: how an expression writes one of them.
        fields, acts: its own.
    """

    name: str
    about: str
    base: str
    count: int
    example: str
    fields: tuple[NamedField, ...]
    acts: tuple[NamedAct, ...]


@dataclass(frozen=True)
class Vocabulary:
    """What a scenario of one simulation can name.

    Attributes:
        measures: in their order.
        classes: first those of the simulation's own package.
    """

    measures: tuple[NamedMeasure, ...]
    classes: tuple[NamedClass, ...]

    def to_data(self) -> dict[str, Any]:
        """Return it as plain data."""
        return asdict(self)


def vocabulary_of(simulation: Simulation, package: str) -> Vocabulary:
    """Return what a scenario of a simulation can name, as its world is now.

    Args:
        simulation: made, with no step taken.
        package: the module that made it, whose classes come first.
    """
    told = simulation.about["measured"]
    measures = tuple(
        NamedMeasure(name, as_named(name), str(told.get(name, "")), simulation.latest_measures.get(name))
        for name in simulation.measures
    )
    kinds = visible_classes(simulation, package)
    return Vocabulary(measures, tuple(_class(kind, entities, kinds) for kind, entities in kinds.items()))


def visible_classes(simulation: Simulation, package: str) -> dict[type[Entity], dict[str, Entity]]:
    """Return the entities that expressions can name, by class: first those that the simulation's package declares."""
    kinds = {
        kind: {name: each for name, each in entities.items() if name[:1] != HIDDEN}
        for kind, entities in simulation.world.registry.by_type.items()
    }
    there = [(kind, entities) for kind, entities in kinds.items() if entities]
    return dict(sorted(there, key=lambda each: not f"{each[0].__module__}.".startswith(f"{package}.")))


def as_expression(name: str) -> str:
    """Return how an expression names an entity."""
    return name if name.isidentifier() else f"world[{json.dumps(name, ensure_ascii=False)}]"


def _class(kind: type[Entity], entities: Mapping[str, Entity], kinds: Iterable[type[Entity]]) -> NamedClass:
    known = set(kinds)
    base = next((each for each in kind.__mro__[1:] if each in known), None)
    above = {} if base is None else fields_of(base)
    example = next(iter(entities))
    fields = tuple(
        NamedField(
            name,
            _type(types_of(kind)[name].annotation, name, entities.values()),
            " ".join(filter(None, [bounds_text(declared), declared.unit])),
            declared.about,
            _shown(entities[example].__dict__.get(name), types_of(kind)[name].annotation),
        )
        for name, declared in fields_of(kind).items()
        if above.get(name) is not declared
    )
    acts = tuple(_acts(kind, base))
    about = first_line(kind)
    name_of_base = "" if base is None else base.__name__
    return NamedClass(kind.__name__, about, name_of_base, len(entities), as_expression(example), fields, acts)


def _shown(value: Any, annotation: Any) -> str:
    """Return a value as code; empty for one that is long, or the name of an entity that the field refers to."""
    refers = any(isinstance(each, type) and issubclass(each, Entity) for each in (annotation, *get_args(annotation)))
    return "" if refers else shown(value)


def _acts(kind: type[Entity], base: type[Entity] | None) -> Iterator[NamedAct]:
    for name in method_names(kind):
        method = getattr(kind, name)
        if method is not getattr(base, name, None):
            yield NamedAct(name, call_of(kind, name), first_line(method))


def _type(annotation: Any, name: str, entities: Iterable[Entity]) -> str:
    """Return what a field holds; of one that may hold any scalar, as those of Mesa's agents, which it does hold."""
    if get_origin(annotation) is Literal:
        return " | ".join(map(repr, get_args(annotation)))
    kinds = get_args(annotation) if get_origin(annotation) in (Union, UnionType) else ()
    if len(kinds) > 2 and SCALARS.issuperset(kinds):
        held = {type(each.__dict__.get(name)) for each in entities}
        return " | ".join(sorted(kind.__name__ for kind in held - {NoneType})) or "None"
    return type_text(annotation)
