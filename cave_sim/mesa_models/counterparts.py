"""The entities that stand for a Mesa model and its agents: they follow it, and what is written to them goes into it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain, compress, repeat
from math import isfinite
from operator import gt, is_
from typing import Any, NamedTuple
from weakref import ref

from cave_sim.entity.entity import Entity
from cave_sim.errors import WorldError
from cave_sim.loading.quick_mesa import mesa
from cave_sim.mesa_models.counterpart_classes import (
    OTHERS,
    Attributes,
    Scalar,
    counterpart_class,
    entity_name,
    is_shown,
    is_told,
    like,
    scalar,
)
from cave_sim.mesa_models.lookout import PLACE, SIZE, Lookout
from cave_sim.mesa_models.spaces import Place, Space, space_of
from cave_sim.mesa_models.subject import reported
from cave_sim.world.docstrings import first_line
from cave_sim.world.world import World

MODEL = "model"
"""The name of the entity that stands for the model itself."""

_PLAIN = frozenset({int, str, bool, type(None)})


@dataclass(slots=True, eq=False)
class _Pair:
    """An object of the model with its entity. It does not keep the object alive: see :mod:`.lookout`.

    Attributes:
        reference: to the object.
        name: of the entity.
        known: what it had when its entity was brought up to date last: what the entity holds besides was written to it.
        size: how many attributes it had then.
        number: its place among all objects.
    """

    reference: ref[Any]
    name: str
    entity: Any
    attributes: Attributes
    known: dict[str, Any]
    size: int
    number: int = -1

    @property
    def of(self) -> Any:
        """The object; None once it is gone."""
        return self.reference()


class _Group(NamedTuple):
    """The objects of one class.

    Attributes:
        kind: the class.
        here: for each object that is present whether it is of this class.
        pairs: of those that are.
    """

    kind: type
    here: list[bool]
    pairs: list[_Pair]


class _Written:
    """What is written to entities, in an undo log, as any write is noted there.

    Args:
        undo: its entries.
    """

    def __init__(self, undo: list[tuple[Any, Any, Any]]) -> None:
        self._undo, self._mark = undo, len(undo)
        self._numbers: list[int] = []

    def column(self, field: str, news: Iterable[tuple[_Pair, Any]]) -> None:
        """Write a field of objects where it is another than it was; these are scalars by now, and need no check."""
        note, number = self._undo.append, self._numbers.append
        for pair, value in news:
            known = pair.known
            was = known[field]
            if value is was:
                continue
            kind = type(value)
            if kind not in _PLAIN and (kind is not float or not isfinite(value)):
                value = scalar(value)
                kind = type(value)
            if value != was or kind is not type(was):
                fields = pair.entity.__dict__
                note((pair.entity, field, fields[field]))
                number(pair.number)
                fields[field] = known[field] = value

    def sort(self) -> None:
        """Have it stand in the log as if one object was written after the other."""
        numbers = self._numbers
        if any(map(gt, numbers, numbers[1:])):
            written = self._undo[self._mark :]
            self._undo[self._mark :] = map(written.__getitem__, sorted(range(len(numbers)), key=numbers.__getitem__))


class Counterparts:
    """What stands for one model in a world.

    Args:
        world: where the entities are, or come to be.
        model: the model.
        agent_entities: whether agents are entities; the model itself always is one.

    Attributes:
        space: where the agents are; None if that is not known here.
        attributes: what is told of the objects of each class.
        classes: the class of entities that stands for each class.
        reports: reporters of the model's data collector, and the fields that tell what they reported.
    """

    def __init__(self, world: World, model: mesa.Model, agent_entities: bool) -> None:
        self.world: World = world
        self.model: mesa.Model = model
        self.agent_entities: bool = agent_entities
        self.space: Space | None = space_of(model)
        self._axes: tuple[str, ...] = () if self.space is None else self.space.fields
        self._nowhere: Place = (None,) * len(self._axes)
        own = Attributes.of([model])
        self.attributes: dict[type, Attributes] = {type(model): own}
        named = {name: identifier(name) for name in reported(model)}
        self.reports: dict[str, str] = {name: key for name, key in named.items() if key not in own.fields}
        self.classes: dict[type, type[Entity]] = {}
        self.classes[type(model)] = self._class_of(type(model), (*own.fields, *self.reports.values()))
        self._agents: dict[ref[Any], _Pair] = {}
        self._model: _Pair | None = None
        self._lookouts: dict[type, Lookout] = {}
        self._present: list[ref[Any]] = []
        self._groups: list[_Group] = []
        self._with_others: dict[_Pair, None] = {}  # whose values cannot be told to be the same without looking
        self.meet()

    # ---- from the model to the entities

    def meet(self) -> None:
        """Learn the classes of agents that came since: by what they had when they came, whoever looks later."""
        for kind, agents in self.model.agents_by_type.items() if self.agent_entities else ():
            if kind not in self.classes and len(agents):
                attributes = self.attributes[kind] = Attributes.of(agents, self._axes)
                self.classes[kind] = self._class_of(kind, (*attributes.fields, *self._axes))

    def refresh(self) -> None:
        """Bring the entities up to where the model is: newcomers enter, who is gone leaves, the rest is written."""
        self.meet()
        if self._model is None:
            self._model = self._enter(self._pair(MODEL, self.model))
        present = list(self.model.agents) if self.agent_entities else []
        are_known = self._regroup(present)
        written = _Written(self.world.undo_log.undo)
        self._write_model(written, self._model)
        self._write_news(written, present, are_known)
        written.sort()
        for pair in [*self._with_others]:
            self._write_others(pair)

    def _regroup(self, present: list[Any]) -> bool:
        """Have groups of who is there by class; newcomers enter, and who is gone leaves.

        Returns:
            Whether there are the same as before, in the same order.
        """
        references = list(map(ref, present))
        if references == self._present:
            return True
        agents = self._agents
        for reference, agent in zip(references, present, strict=True):
            if reference not in agents:
                agents[reference] = self._enter(self._pair(entity_name(agent), agent))
        if len(agents) > len(references):
            there = set(references)
            for reference in [each for each in agents if each not in there]:
                gone = agents.pop(reference)
                self._with_others.pop(gone, None)
                if gone.name in self.world:
                    self.world.registry.leave(gone.name)
        pairs, kinds = [agents[reference] for reference in references], list(map(type, present))
        for number, pair in enumerate(pairs):
            pair.number = number
        self._present, self._groups = references, []
        for kind in dict.fromkeys(kinds):
            here = list(map(is_, kinds, repeat(kind)))
            self._groups.append(_Group(kind, here, list(compress(pairs, here))))
        return False

    def _write_model(self, written: _Written, pair: _Pair) -> None:
        """Write what has changed of the model, and what was reported of it."""
        known = pair.known
        for field, value in (*pair.attributes.values(pair.of), *self._reported().items()):
            if value is not known[field]:
                written.column(field, ((pair, value),))
        if len(pair.of.__dict__) != pair.size:
            self._with_others[pair] = None

    def _write_news(self, written: _Written, present: list[Any], are_known: bool) -> None:
        """Write what has changed of the objects that are present, which in most steps is little."""
        for kind, here, pairs in self._groups:
            if kind not in self._lookouts:
                self._lookouts[kind] = Lookout(kind, self.attributes[kind], self.space)
            for field, values, is_new in self._lookouts[kind].news(list(compress(present, here)), are_known):
                if field is SIZE:
                    news = compress(zip(pairs, values, strict=True), is_new)
                    self._with_others |= {pair: None for pair, size in news if size != pair.size}
                elif field is PLACE:
                    moved = list(compress(pairs, is_new))
                    places = self._places(moved, list(compress(values, is_new)))
                    for axis, each in zip(self._axes, zip(*places, strict=True), strict=True):
                        written.column(axis, zip(moved, each, strict=True))
                else:
                    written.column(field, compress(zip(pairs, values, strict=True), is_new))

    def look(self) -> None:
        """Take in where the model is, and write nothing: the entities are somewhere already."""
        self.meet()
        self._lookouts.clear()
        self._with_others.clear()
        self._present, self._groups = [], []
        self._model = self._pair(MODEL, self.model)
        present = self.model.agents if self.agent_entities else ()
        self._agents = {ref(agent): self._pair(entity_name(agent), agent) for agent in present}

    def _pair(self, name: str, of: Any) -> _Pair:
        attributes = self.attributes[type(of)]
        known: dict[str, Any] = {key: scalar(value) for key, value in attributes.values(of)}
        more = self._reported() if name == MODEL else dict(zip(self._axes, self._place(of), strict=True))
        known |= {key: scalar(value) for key, value in more.items()}
        known[OTHERS] = _late(of, attributes) or None
        pair = _Pair(ref(of), name, self.world.undo_log.entities.get(name), attributes, known, len(of.__dict__))
        if known[OTHERS]:
            self._with_others[pair] = None
        return pair

    def _enter(self, pair: _Pair) -> _Pair:
        pair.entity = self.world.add(pair.name, self.classes[type(pair.of)](**pair.known))
        return pair

    def _reported(self) -> dict[str, Any]:
        return {self.reports[name]: value for name, value in reported(self.model).items() if name in self.reports}

    def _write_others(self, pair: _Pair) -> None:
        """Write what an object has beside what its class has; while it has any, it is looked at in every step."""
        late = _late(pair.of, pair.attributes) or None
        pair.size = len(pair.of.__dict__)
        if late != pair.known[OTHERS]:
            pair.entity.others = late
            pair.known[OTHERS] = late
        if late is None:
            del self._with_others[pair]

    def _places(self, pairs: Iterable[_Pair], marks: Iterable[Any]) -> list[Place]:
        """Return where agents are that have come to hold these marks, if the space goes by any."""
        space = self.space
        if space is None or not space.mark:
            return [self._place(pair.of) for pair in pairs]
        axes, nowhere = len(self._axes), self._nowhere
        return [nowhere if place is None else place[:axes] for place in map(space.place_at, marks)]

    def _place(self, agent: Any) -> Place:
        """Return where an agent is, in the order of the axes; nothing on any where it is nowhere."""
        return self._on_axes(None if self.space is None else self.space.place_of(agent))

    def _on_axes(self, place: Place | None) -> Place:
        return self._nowhere if place is None else place[: len(self._axes)]

    def _class_of(self, kind: type, fields: tuple[str, ...]) -> type[Entity]:
        """Return the class of counterparts of a class, of a name that nothing else in the world goes by."""
        name, told = kind.__name__, (self.attributes[kind].abouts, first_line(kind))
        cls = counterpart_class(name, fields, *told)
        while cls in self.classes.values() or not self._is_free(cls):
            name += "Agent"
            cls = counterpart_class(name, fields, *told)
        return cls

    def _is_free(self, cls: type[Entity]) -> bool:
        try:
            self.world.interpreter.check_class(cls.__name__, cls)
        except WorldError:
            return False
        return True

    # ---- from the entities to the model

    def written(self) -> dict[str, dict[str, Any]]:
        """Return what was written to entities since they were brought up to date, by entity and field."""
        entities = self.world.undo_log.entities
        return {
            pair.name: {key: _plain(value) for key, value in values.items() if value != pair.known[key]}
            for pair in self._all()
            if (values := pair.entity.__dict__) != pair.known and pair.name in entities
        }

    def removed(self) -> list[str]:
        """Return the names of entities that were taken out of the world, whose agents are in the model still."""
        entities = self.world.undo_log.entities
        return [pair.name for pair in self._all() if pair.name not in entities]

    def apply(self, writes: Mapping[str, Mapping[str, Any]], removed: list[str]) -> None:
        """Do to the model what was done to entities.

        Raises:
            WorldError: the model does not take it.
        """
        self._lookouts.clear()  # what is set back next is the very object that was there before
        by_name = {pair.name: pair for pair in self._all()}
        agents = {name: pair.of for name, pair in by_name.items()}
        for name, fields in writes.items():
            try:
                self._apply(by_name[name], fields, agents)
            except Exception as error:
                wanted = ", ".join(f"{key}={value!r}" for key, value in fields.items())
                raise WorldError(
                    f"{name}: the model does not take {wanted}: {type(error).__name__}: {error}"
                ) from error
        for name in removed:
            agents[name].remove()

    def _apply(self, pair: _Pair, fields: Mapping[str, Any], agents: Mapping[str, Any]) -> None:
        of, attributes = pair.of, pair.attributes
        names = dict((*attributes.stored, *attributes.asked))
        axes = self.space.fields if self.space is not None and of is not self.model else ()
        for name, value in fields.items():
            if name == OTHERS:
                for late, item in (value or {}).items():
                    setattr(of, late, like(getattr(of, late, None), item, agents))
            elif name in names:
                setattr(of, names[name], like(getattr(of, names[name], None), value, agents))
        if self.space is not None and not fields.keys().isdisjoint(axes):
            place: Place = tuple({**pair.known, **fields}[axis] for axis in axes)
            self.space.move(of, place)
        pair.known |= fields

    # ---- both

    def differing(self) -> str:
        """Return the first entity that is not what its object is, and the field; empty if all are."""
        for pair in self._all():
            values = {} if pair.entity is None else pair.entity.__dict__
            for key, value in pair.known.items():
                if values.get(key) != value:
                    return f"{pair.name}.{key} is {value!r}, and was {values.get(key)!r}"
        here = {name for name, entity in self.world.undo_log.entities.items() if OTHERS in entity.__dict__}
        unknown = sorted(here ^ {pair.name for pair in self._all()})
        return f"{unknown[0]} is in one of the two alone" if unknown else ""

    def _all(self) -> Iterator[_Pair]:
        return chain(() if self._model is None else (self._model,), self._agents.values())


def identifier(name: str) -> str:
    """Return a reporter's name as that of a field: ``Trade Volume`` as ``Trade_Volume``."""
    text = "".join(letter if letter.isalnum() else "_" for letter in name).strip("_") or "reported"
    return text if text.isidentifier() else f"reported_{text}"


def _late(of: Any, attributes: Attributes) -> dict[str, Scalar]:
    """Return the attributes that an object got after its class was first seen."""
    known = {attribute for _, attribute in attributes.stored}
    late = [name for name in of.__dict__ if name not in known and is_shown(name)]
    return {name: scalar(value) for name in late if (value := of.__dict__[name]) is not None and is_told(value)}


def _plain(value: Any) -> Any:
    return dict(value) if isinstance(value, dict) else value
