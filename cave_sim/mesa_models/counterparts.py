"""The entities that stand for a Mesa model and its agents: they follow it, and what is written to them goes into it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain, repeat
from operator import is_
from typing import Any

from cave_sim.entity.entity import Entity
from cave_sim.entity.undo_log import UndoLog
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
from cave_sim.mesa_models.lookout import Lookout
from cave_sim.mesa_models.spaces import Place, Space, space_of
from cave_sim.mesa_models.subject import reported
from cave_sim.world.world import World

MODEL = "model"
"""The name of the entity that stands for the model itself."""

_PLAIN = frozenset({int, str, bool, type(None)})


@dataclass(slots=True)
class _Pair:
    """An object of the model with its entity.

    Attributes:
        name: of the entity.
        told: what it had when its entity was brought up to date last: what the entity holds besides was written to it.
        size: how many attributes it had then.
        seen: the very values of its attributes then, and ``place`` where it was: an object that has the same still is
            not looked at any closer. None, and ``()``, where it is to be.
    """

    of: Any
    name: str
    entity: Any
    attributes: Attributes
    told: dict[str, Any]
    size: int
    seen: tuple[Any, ...] | None = None
    place: Place | None = ()


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
        own = Attributes.of([model])
        self.attributes: dict[type, Attributes] = {type(model): own}
        named = {name: identifier(name) for name in reported(model)}
        self.reports: dict[str, str] = {name: key for name, key in named.items() if key not in own.fields}
        self.classes: dict[type, type[Entity]] = {}
        self.classes[type(model)] = self._class_named(type(model).__name__, (*own.fields, *self.reports.values()))
        self._agents: dict[Any, _Pair] = {}
        self._model: _Pair | None = None
        self._lookouts: dict[type, Lookout] = {}
        self._with_others: set[Any] = set()  # whose values cannot be told to be the same without looking
        self.meet()

    # ---- from the model to the entities

    def meet(self) -> None:
        """Learn the classes of agents that came since: by what they had when they came, whoever looks later."""
        for kind, agents in self.model.agents_by_type.items() if self.agent_entities else ():
            if kind not in self.classes and len(agents):
                taken = self.space.fields if self.space is not None else ()
                attributes = self.attributes[kind] = Attributes.of(agents, taken)
                self.classes[kind] = self._class_named(kind.__name__, (*attributes.fields, *taken))

    def refresh(self) -> None:
        """Bring the entities up to where the model is: newcomers enter, who is gone leaves, the rest is written."""
        undo_log, agents = self.world.undo_log, self._agents
        self.meet()
        if self._model is None:
            self._model = self._enter(self._pair(MODEL, self.model))
        else:
            self._follow(undo_log, self._model)
            self._write(undo_log, self._model, self._reported().items())
        present = list(self.model.agents) if self.agent_entities else []
        for agent in self._restless_of(present):
            pair = agents.get(agent)
            if pair is None:
                agents[agent] = self._enter(self._pair(entity_name(agent), agent))
            else:
                self._follow(undo_log, pair)
        if len(agents) > len(present):
            there = set(present)
            for agent in [agent for agent in agents if agent not in there]:
                self._with_others.discard(agent)
                if (name := agents.pop(agent).name) in self.world:
                    self.world.registry.leave(name)

    def _restless_of(self, present: list[Any]) -> Iterable[Any]:
        """Return the agents that may have changed, or are new, in the order in which they are in the model."""
        by_kind: dict[type, list[Any]] = {}
        for agent in present:
            by_kind.setdefault(type(agent), []).append(agent)
        restless: set[Any] = set(self._with_others)
        for kind, agents in by_kind.items():
            if kind not in self._lookouts:
                self._lookouts[kind] = Lookout(kind, self.attributes[kind], self.space)
            restless.update(self._lookouts[kind].changed(agents))
        return [agent for agent in present if agent in restless]

    def look(self) -> None:
        """Take in where the model is, and write nothing: the entities are somewhere already."""
        self.meet()
        self._lookouts.clear()
        self._with_others.clear()
        self._model = self._pair(MODEL, self.model)
        present = self.model.agents if self.agent_entities else ()
        self._agents = {agent: self._pair(entity_name(agent), agent) for agent in present}

    def _pair(self, name: str, of: Any) -> _Pair:
        attributes = self.attributes[type(of)]
        told: dict[str, Any] = {key: scalar(value) for key, value in attributes.values(of)}
        told |= {key: scalar(value) for key, value in (self._reported() if name == MODEL else self._place(of)).items()}
        told[OTHERS] = _late(of, attributes) or None
        if told[OTHERS]:
            self._with_others.add(of)
        return _Pair(of, name, self.world.undo_log.entities.get(name), attributes, told, len(of.__dict__))

    def _enter(self, pair: _Pair) -> _Pair:
        pair.entity = self.world.add(pair.name, self.classes[type(pair.of)](**pair.told))
        return pair

    def _reported(self) -> dict[str, Any]:
        return {self.reports[name]: value for name, value in reported(self.model).items() if name in self.reports}

    def _follow(self, undo_log: UndoLog, pair: _Pair) -> None:
        """Write what has changed of an object; most of them have changed little, if anything."""
        of, attributes, held = pair.of, pair.attributes, pair.of.__dict__
        seen = tuple(map(held.get, attributes.names))
        if pair.seen is None or not all(map(is_, seen, pair.seen)):
            pair.seen = seen
            self._write(undo_log, pair, zip(attributes.stored_in, seen, strict=True))
        for name, attribute in attributes.asked:
            value = getattr(of, attribute, None)
            if value is not pair.told[name]:
                self._write(undo_log, pair, ((name, value),))
        if self.space is not None and of is not self.model:
            place = self.space.place_of(of)
            if place is not pair.place:
                pair.place = place
                self._write(undo_log, pair, self._axes(place))
        if len(held) != pair.size or pair.told[OTHERS] is not None:
            late = _late(of, attributes)
            pair.size = len(held)
            if late != (pair.told[OTHERS] or {}):
                pair.entity.others = late or None
                pair.told[OTHERS] = late or None
            (self._with_others.add if late else self._with_others.discard)(of)

    def _write(self, undo_log: UndoLog, pair: _Pair, values: Iterable[tuple[str, Any]]) -> None:
        """Write what has changed; it is noted as any write is, and needs no check: these are scalars by now."""
        entity, told = pair.entity, pair.told
        fields = entity.__dict__
        for name, value in values:
            was = told[name]
            if value is was:
                continue
            if type(value) not in _PLAIN:
                value = scalar(value)
            if value != was or type(value) is not type(was):
                undo_log.undo.append((entity, name, fields[name]))
                fields[name] = told[name] = value

    def _place(self, agent: Any) -> dict[str, Any]:
        """Return where an agent is, by field."""
        return {} if self.space is None else dict(self._axes(self.space.place_of(agent)))

    def _axes(self, place: Place | None) -> Iterable[tuple[str, Any]]:
        fields = () if self.space is None else self.space.fields
        return zip(fields, repeat(None) if place is None else place, strict=False)

    def _class_named(self, name: str, fields: tuple[str, ...]) -> type[Entity]:
        """Return the class of counterparts of a name that nothing else in the world goes by."""
        cls = counterpart_class(name, fields)
        while cls in self.classes.values() or not self._is_free(cls):
            name += "Agent"
            cls = counterpart_class(name, fields)
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
            pair.name: {key: _plain(value) for key, value in held.items() if value != pair.told[key]}
            for pair in self._all()
            if (held := pair.entity.__dict__) != pair.told and pair.name in entities
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
                told = ", ".join(f"{key}={value!r}" for key, value in fields.items())
                raise WorldError(f"{name}: the model does not take {told}: {type(error).__name__}: {error}") from error
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
            place: Place = tuple({**pair.told, **fields}[axis] for axis in axes)
            self.space.move(of, place)
        pair.told |= fields
        pair.seen, pair.place = None, ()

    # ---- both

    def differing(self) -> str:
        """Return the first entity that is not what its object is, and the field; empty if all are."""
        for pair in self._all():
            held = {} if pair.entity is None else pair.entity.__dict__
            for key, value in pair.told.items():
                if held.get(key) != value:
                    return f"{pair.name}.{key} is {value!r}, and was {held.get(key)!r}"
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
