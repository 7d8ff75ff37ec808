"""A condition that looks back, ``town.treasury_cents < was(town.treasury_cents)``, is looked at step by step."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from contextlib import suppress
from copy import deepcopy
from itertools import islice
from typing import Any

from cave_sim.changes.plain_world import PlainWorld
from cave_sim.entity.builtin_entities import SYSTEM
from cave_sim.entity.entity import encode_fields
from cave_sim.entity.preparation import types_of
from cave_sim.errors import WorldError
from cave_sim.history.condition import Condition
from cave_sim.history.evaluation import Evaluation, step_of
from cave_sim.history.looking_back import Remembered
from cave_sim.history.panel import states
from cave_sim.journal.reader import Run


class ConditionOverSteps:
    """A condition that is looked at after one step and the next, as the field's runtime monitors are.

    It keeps of past states the fields that it names, as many steps back as it looks, and nothing else.

    Args:
        condition: it; one that does not look back is asked of each state alone.

    Attributes:
        text: of the condition.
    """

    def __init__(self, condition: Condition) -> None:
        self.condition: Condition = condition
        self.text: str = condition.text
        self._before: deque[PlainWorld] = deque(maxlen=condition.looks_back)
        self._been: set[tuple[Any, ...]] = set()

    def holds(self, world: Any, names: Mapping[str, Any] | None = None) -> bool:
        """Say whether it holds after the next step; each step is to be looked at, once.

        Args:
            world: as it is then: a live world, or a :class:`~cave_sim.changes.plain_world.PlainWorld`.
            names: what else it may name, where it does not look back: nothing of that is kept of the steps before.

        Raises:
            WorldError: it names what is not there, or cannot be worked out.
        """
        if not self.condition.looks_back:
            return bool(self.condition.value(world, names=names))
        now = self._kept_of(world)
        state = now if self._before else world  # the first look says what is misspelt
        holds = bool(self.condition.value(state, self))
        self._note(now)
        return holds

    def read(self, run: Run, until: int) -> None:
        """Look at the steps of a run up to one of them, so that the next is what it would be without a stop."""
        if not self.condition.looks_back:
            return
        last = step_of(self._before[-1]) if self._before else -1  # a branch begins with the step that it branched at
        for step, entities, _ in states(run):
            if last < step <= until:
                self._note(self._kept_of(PlainWorld(entities)))

    def before(self, steps: int) -> Iterator[PlainWorld]:
        """Yield the state that many steps ago, or the first there is, and those after it but for the present one."""
        return islice(self._before, max(0, len(self._before) - steps), None)

    def has_been(self, memory: Remembered, names: Mapping[str, Any]) -> bool:
        """Say whether something that is to be remembered was so after an earlier step."""
        return _place(memory, names) in self._been

    def _note(self, now: PlainWorld) -> None:
        evaluation = Evaluation(now, self)
        for memory in self.condition.memories:
            for names in evaluation.bound(memory.generators, {}):
                with suppress(ArithmeticError, LookupError, TypeError, WorldError):  # it is asked of more than is meant
                    if evaluation.value(memory.what, names):
                        self._been.add(_place(memory, names))
        self._before.append(now)

    def _kept_of(self, world: Any) -> PlainWorld:
        """Return what has to be kept of a state: a live world goes on, and so does the fold of a recorded one."""
        entities: dict[str, Any] = {SYSTEM: {"type": "", "fields": {"step": step_of(world)}}}
        if isinstance(world, PlainWorld):
            return PlainWorld(entities | {name: self._kept(world.entities[name]) for name in world})
        for name in world:
            entity = world[name]
            others = types_of(entity).keys() - self.condition.fields
            entities[name] = {"type": type(entity).__name__, "fields": encode_fields(entity, without=others)}
        return PlainWorld(entities)

    def _kept(self, entity: Mapping[str, Any]) -> dict[str, Any]:
        named = {name: value for name, value in entity["fields"].items() if name in self.condition.fields}
        return {"type": entity["type"], "fields": deepcopy(named)}


def _place(memory: Remembered, names: Mapping[str, Any]) -> tuple[Any, ...]:
    """Return for whom something is remembered: the entities that names stand for, and whatever else they do."""
    bound = ((name, repr(value)) for name, value in names.items())
    return (id(memory), *sorted(bound))
