"""Batches: many cells at once. Merging follows each field's rule, in an order that seed and step decide.

Every cell of a simultaneous batch runs on the state at the batch's start and is put back; what it would have
changed is then merged. Arrival never matters, so any number of workers gives the same state.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from cave_sim.changes.change import Change, net_changes
from cave_sim.changes.turn import Turn
from cave_sim.errors import CaveSimError, MergeConflict, WorldError
from cave_sim.random_streams import seeded_order
from cave_sim.runtime.output import explain
from cave_sim.world.apply_changes import apply_change, write_data
from cave_sim.world.state import WorldState
from cave_sim.world.turn_execution import take_turn

ENTITY = "*"
"""Stands for a field where an entity came or went."""
WHOLE = ""
"""Stands for a part where a whole field was written."""


Take = Callable[[WorldState, str, str], Turn]
"""Takes one turn: world, code, agent."""


def execute_batch(world: WorldState, cells: Mapping[str, str], order: str, take: Take = take_turn) -> dict[str, Turn]:
    """Run one cell for each agent; see :meth:`World.execute_batch`. Hosts say how a turn is taken."""
    if order == "sequential":
        return {agent: take(world, code, agent) for agent, code in cells.items()}
    if order != "simultaneous":
        raise WorldError(f"order={order!r}: takes 'simultaneous' or 'sequential'")
    agents = seeded_order(cells, world.seed, "merge", world.clock.step)
    proposals = {agent: _propose(world, cells[agent], agent, take) for agent in agents}
    merge = Merge(world)
    for *children, turn in proposals.values():
        merge.land(turn, children)
    return {agent: proposals[agent][-1] for agent in cells}


def _propose(world: WorldState, code: str, agent: str, take: Take) -> list[Turn]:
    """Run a cell, keep what it would change, and put the world back; returns its child turns and, last, its own."""
    undo_log = world.undo_log
    turns: list[Turn] = []
    mark = undo_log.mark()
    try:
        with world.turns.told_to(turns.append):
            take(world, code, agent)
    finally:
        undo_log.rollback(mark)
        undo_log.close()
    return turns


class Merge:
    """Lands the turns of one batch, one after another.

    A turn lands whole or not at all: the first of its writes that another turn's forbids makes it a ``conflict``.
    """

    def __init__(self, world: WorldState) -> None:
        self._world = world
        self._writers: dict[str, dict[str, dict[str, Turn]]] = {}  # entity -> field -> part -> first writer

    def land(self, turn: Turn, children: list[Turn]) -> None:
        """Apply a turn's changes to the world, or turn it into a conflict; hand it to the sink either way."""
        world, undo_log = self._world, self._world.undo_log
        if turn.changes:
            mark = undo_log.mark()
            try:
                for change in turn.changes:
                    self._apply(turn, change)
                landed = net_changes(undo_log, mark)
                world.rules.check(world, landed)
                turn.changes = landed
            except CaveSimError as error:
                undo_log.rollback(mark)
                turn.status, turn.changes, turn.error = "conflict", [], explain(error, turn.code)
            else:
                self._note(turn)
            finally:
                undo_log.close()
        world.turns.state_hash.touch(turn.changes)
        world.turns.tell(turn, children)

    def _apply(self, turn: Turn, change: Change) -> None:
        entity = self._world.undo_log.entities.get(change.entity)
        if not change.path or entity is None:
            self._alone(turn, change)
            apply_change(self._world, change)
            return
        field = change.path[0]
        rule = entity._declared[field].merge
        earlier = self._writers.get(change.entity, {}).get(field)
        if rule == "one_writer" or not earlier:
            self._alone(turn, change)
            apply_change(self._world, change)
        elif rule == "last":
            apply_change(self._world, change)
        elif rule == "extend":
            self._extend(change, entity)
        else:
            now = entity._specs[field].encode(entity.__dict__[field])
            merged = now + (change.new - change.old) if rule == "add" else rule(change.old, now, change.new)
            write_data(entity, field, merged)

    def _extend(self, change: Change, entity: Any) -> None:
        """Put what a turn added to the end behind what others added."""
        field = change.path[0]
        if change.op == "splice" and not change.old["items"]:
            end = len(entity.__dict__[field])
            change = change._replace(old={"at": end, "items": []}, new={"at": end, "items": change.new["items"]})
        elif change.op not in ("add", "discard", "set") or len(change.path) == 1:
            raise MergeConflict(f"{change.entity}.{field} is merged by extend, which only adds; this turn also removed")
        apply_change(self._world, change)

    def _alone(self, turn: Turn, change: Change) -> None:
        """Raise MergeConflict if another turn of the batch wrote the same path, or a part or the whole of it."""
        fields = self._writers.get(change.entity, {})
        if not change.path:
            rivals = [turn for parts in fields.values() for turn in parts.values()]
        else:
            parts, place = fields.get(change.path[0], {}), _place(change)
            same = parts.values() if place == WHOLE else [parts[each] for each in (place, WHOLE) if each in parts]
            rivals = [*fields.get(ENTITY, {}).values(), *same]
        rival = next((each for each in rivals if each.id != turn.id), None)
        if rival is not None:
            path = ".".join([change.entity, *map(str, change.path)])
            raise MergeConflict(
                f"step {turn.step}: {path} written twice: by {rival.agent} (turn {rival.id}), then by {turn.agent} "
                f"(turn {turn.id}). It takes one writer per batch: give it merge=, or schedule with Sequential()"
            )

    def _note(self, turn: Turn) -> None:
        for change in turn.changes:
            field = change.path[0] if change.path else ENTITY
            self._writers.setdefault(change.entity, {}).setdefault(field, {}).setdefault(_place(change), turn)


def _place(change: Change) -> str:
    """The part of a field that a change concerns, as text; empty for the whole."""
    return json.dumps(change.path[1:], sort_keys=True) if len(change.path) > 1 else WHOLE
