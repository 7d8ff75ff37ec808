"""Classes of entities that show what a Mesa class has: one for each class of agents, and one for the model."""

from __future__ import annotations

import enum
import math
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from cave_sim.entity.entity import OWN_NAMES, Entity
from cave_sim.entity.field import field
from cave_sim.loading.quick_mesa import mesa

Scalar = bool | int | float | str | None
"""What an attribute may hold that entities tell."""

OTHERS = "others"
"""The field for attributes that an agent got after its class was first seen."""

_SKIPPED = frozenset({"model", "unique_id", "pos"})
_TAKEN = frozenset({*OWN_NAMES, "observe", "is_entity", OTHERS})


class MesaRun(Entity):
    """What a model's further course follows from, beside its class, arguments and seed; hidden from cells.

    How many steps it was taken says the clock of its world.
    """

    model: str = field(..., about="module and name of the class")
    arguments: dict[str, Any] = field(..., about="what it was made with")
    made_with_seed: int = field(..., about="the seed that it was made with")
    seed: int = field(..., about="the seed that it draws by now")
    agent_entities: bool = field(True, about="whether its agents are entities")
    digest: str = field("", about="of its generators, its clock and the layers of its spaces, at every tenth step")
    interventions: list[dict[str, Any]] = field([], about="what was written into it, and before which step")


@cache
def counterpart_class(
    name: str, fields: tuple[str, ...], abouts: tuple[tuple[str, str], ...] = (), about: str = ""
) -> type[Entity]:
    """Return the class of entities of that name with these fields, and what is said of them and of itself."""
    annotations: dict[str, Any] = {each: Scalar for each in fields if each != OTHERS}
    told = {OTHERS: "attributes that it got later", **dict(abouts)}
    body = {
        "__annotations__": {**annotations, OTHERS: dict[str, Scalar] | None},
        **{each: field(None, about=told.get(each, "")) for each in (*annotations, OTHERS)},
        "__module__": __name__,
        "__doc__": about or f"A {name} of a Mesa model.",
    }
    return type(name, (Entity,), body)


def class_of_data(name: str, fields: Collection[str], recorded: str | None) -> type[Entity] | None:
    """Return the class that data of a counterpart was written of; None for data of any other."""
    if OTHERS not in fields or recorded not in (None, f"{__name__}:{name}"):
        return None
    return counterpart_class(name, tuple(each for each in fields if each != OTHERS))


def scalar(value: Any) -> Scalar:
    """Return how an attribute's value is told: an Enum by its name, another agent by its entity's."""
    kind = type(value)
    if kind is float:
        return value if math.isfinite(value) else None
    if kind in (int, str, bool):
        return value  # type: ignore[no-any-return]
    if isinstance(value, enum.Enum):
        return value.name
    if isinstance(value, np.generic):
        return scalar(value.item())
    if isinstance(value, mesa.Agent):
        return entity_name(value)
    return None


def is_told(value: Any) -> bool:
    """Say whether a value is one that entities tell."""
    return value is None or isinstance(value, (bool, int, float, str, enum.Enum, np.bool_, np.number, np.str_))


def entity_name(agent: Any) -> str:
    """Return the name of the entity that stands for an agent."""
    return f"agent_{agent.unique_id}"


def like(current: Any, value: Scalar, agents: Mapping[str, Any]) -> Any:
    """Return what an attribute is set to, in the type that it has now."""
    if isinstance(current, enum.Enum) and isinstance(value, str):
        return type(current)[value]
    if isinstance(current, np.generic) and value is not None and not isinstance(value, str):
        return type(current)(value)
    if isinstance(current, mesa.Agent) and isinstance(value, str):
        return agents[value]
    return value


@dataclass(frozen=True)
class Attributes:
    """Which attributes of the objects of one class are told, and by which fields.

    Attributes:
        stored: (field, attribute) of what their ``__dict__`` holds.
        asked: (field, attribute) of properties that can be set, and of slots.
        choices: field -> the names of the Enum that it takes one of.
    """

    stored: tuple[tuple[str, str], ...]
    asked: tuple[tuple[str, str], ...]
    choices: Mapping[str, tuple[str, ...]]

    @classmethod
    def of(cls, objects: Iterable[Any], taken: Collection[str] = ()) -> Attributes:
        """Look at the objects of one class that there are; ``taken`` are names that fields of theirs may not have."""
        objects = list(objects)
        stored = dict.fromkeys(
            name for each in objects for name, value in vars(each).items() if is_shown(name) and is_told(value)
        )
        asked = [
            name for name in _asked_of(type(objects[0])) if all(is_told(getattr(each, name, None)) for each in objects)
        ]
        fields = {name: f"{name}_" if name in _TAKEN or name in taken else name for name in (*stored, *asked)}
        choices = {}
        for name in (*stored, *asked):
            values = [getattr(each, name, None) for each in objects]
            kind = next((type(value) for value in values if isinstance(value, enum.Enum)), None)
            if kind is not None:
                choices[fields[name]] = tuple(kind.__members__)
        return cls(tuple((fields[n], n) for n in stored), tuple((fields[n], n) for n in asked), choices)

    @property
    def fields(self) -> tuple[str, ...]:
        """The fields, in order."""
        return tuple(name for name, _ in (*self.stored, *self.asked))

    @property
    def abouts(self) -> tuple[tuple[str, str], ...]:
        """What is known of fields: the names of the Enum that one takes."""
        return tuple((name, f"one of {', '.join(names)}") for name, names in self.choices.items())

    def values(self, of: Any) -> Iterator[tuple[str, Any]]:
        """Yield field and value of what an object has now, as the object has it."""
        attributes = of.__dict__
        for name, attribute in self.stored:
            yield name, attributes.get(attribute)
        for name, attribute in self.asked:
            yield name, getattr(of, attribute, None)


def is_shown(name: str) -> bool:
    """Say whether an attribute of that name is told: a public one that no entity has anyway."""
    return name.isidentifier() and name[0] != "_" and name not in _SKIPPED


def _asked_of(kind: type) -> list[str]:
    """Return the properties of a class that can be set, which are read as attributes are, and its slots."""
    names = []
    for base in kind.__mro__:
        if base.__module__.startswith("mesa.") and not base.__module__.startswith("mesa.examples."):
            continue
        names += [name for name, each in vars(base).items() if isinstance(each, property) and each.fset is not None]
        slots = vars(base).get("__slots__", ())
        names += [slots] if isinstance(slots, str) else list(slots)
    return [name for name in dict.fromkeys(names) if is_shown(name)]
