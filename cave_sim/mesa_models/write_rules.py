"""What may be written to what stands for a Mesa model: what the model can take, so that a cell is told at once."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from cave_sim.changes.change import Change
from cave_sim.entity.identity import name_of
from cave_sim.errors import Refused
from cave_sim.mesa_models.counterpart_classes import OTHERS
from cave_sim.mesa_models.counterparts import MODEL, Counterparts
from cave_sim.mesa_models.spaces import is_fixed
from cave_sim.world.world import World

RUN = "$mesa"
"""The name of the hidden entity that holds what a model's course follows from."""


class WriteRules:
    """The rules of one model. They ask its entities and its space, and never the model, which may be elsewhere.

    Args:
        counterparts: of the model when it was new.
    """

    def __init__(self, counterparts: Counterparts) -> None:
        self._space = counterparts.space
        self._measured = frozenset(counterparts.reports.values())
        self._choices = {
            counterparts.classes[kind].__name__: each.choices
            for kind, each in counterparts.attributes.items()
            if each.choices
        }
        kinds = {type(agent): agent for agent in counterparts.model.agents} if counterparts.agent_entities else {}
        self._fixed = {counterparts.classes[kind].__name__ for kind, agent in kinds.items() if is_fixed(agent)}

    def hold(self, world: World, changes: Iterable[Change]) -> bool:
        """Let a turn of an agent land if the model takes what it wrote; what the world does itself is not asked.

        Raises:
            Refused: it does not, and why.
        """
        if world.actor is None:
            return True
        moved = {}
        for change in changes:
            entity = world.undo_log.entities.get(change.entity)
            if change.op == "create" and OTHERS in change.new["fields"]:
                raise Refused(f"{change.entity}: agents come into a Mesa model by its own code alone")
            if change.op == "remove" and change.entity in (MODEL, RUN):
                raise Refused(f"{change.entity}: a Mesa model cannot leave its world")
            if change.entity == RUN:
                raise Refused(f"{RUN} belongs to the world alone")
            if change.op == "set" and entity is not None and OTHERS in entity.__dict__ and len(change.path) == 1:
                self._check(entity, change.path[0], change.old, change.new)
                if self._space is not None and change.path[0] in self._space.fields and change.entity != MODEL:
                    moved[change.entity] = entity
        for entity in moved.values():
            self._check_move(world, entity)
        return True

    def _check(self, entity: Any, field: str, old: Any, new: Any) -> None:
        choices = self._choices.get(type(entity).__name__, {}).get(field)
        if name_of(entity) == MODEL and field in self._measured:
            raise Refused(f"{MODEL}.{field} is measured by the model, and follows from its agents")
        if choices is not None and new not in choices:
            raise Refused(f"{name_of(entity)}.{field}: takes {', '.join(choices)} (got {new!r})")
        for kinds in ((bool,), (int, float), (str,)):
            if type(old) in kinds and type(new) not in kinds:
                names = " or ".join(kind.__name__ for kind in kinds)
                raise Refused(f"{name_of(entity)}.{field}: the model has {old!r} there; it takes {names} (got {new!r})")

    def _check_move(self, world: World, entity: Any) -> None:
        space = self._space
        assert space is not None
        if type(entity).__name__ in self._fixed:
            raise Refused(f"{name_of(entity)} is fixed to its place")
        place = tuple(entity.__dict__[axis] for axis in space.fields)
        others = [each for each in world.undo_log.entities.values() if each is not entity and OTHERS in each.__dict__]
        there = [each for each in others if tuple(map(each.__dict__.get, space.fields)) == place]
        if refusal := space.refusal(place, len(there)):
            raise Refused(f"{name_of(entity)}: {refusal}")
