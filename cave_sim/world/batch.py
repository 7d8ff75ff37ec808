"""Batches: many cells at once. Merging follows each field's rule, in an order that seed and step decide.

Every cell of a simultaneous batch runs on the state at the batch's start and is put back; what it would have
changed is then merged. Arrival never matters, so any number of workers gives the same state.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from copy import deepcopy
from typing import Any, NamedTuple, NoReturn

from cave_sim.changes.change import Change
from cave_sim.changes.net_changes import net_changes
from cave_sim.changes.plain_state import Fold
from cave_sim.changes.turn import Turn
from cave_sim.determinism.canonical_json import to_json
from cave_sim.determinism.random_streams import seeded_order
from cave_sim.entity.builtin_entities import WIRING, AgentWiring
from cave_sim.entity.field import ONE_WRITER
from cave_sim.entity.identity import name_of
from cave_sim.entity.merge_rules import Custom, MergeRule
from cave_sim.entity.preparation import fields_of, types_of
from cave_sim.errors import AnswerNeeded, CaveSimError, MergeConflict, WorldError
from cave_sim.runtime.deadline import DEADLINE
from cave_sim.runtime.output import explain
from cave_sim.runtime.process_guards import PROCESS_GUARDS
from cave_sim.runtime.variable_news import VariableNews, take_over
from cave_sim.world.apply_changes import apply_change
from cave_sim.world.interpreter import NOT_ADDED, line_on_variables
from cave_sim.world.state import WorldState
from cave_sim.world.turn_execution import take_turn

ENTITY = "*"
"""Stands for a field where an entity came or went."""
WHOLE = ""
"""Stands for a part where a whole field was written."""


Place = tuple[str, str]
"""An entity's name and a field, or ENTITY."""

Take = Callable[[WorldState, str, str], Turn]
"""Takes one turn: world, code, agent."""


def execute_batch(world: WorldState, cells: Mapping[str, str], order: str, take: Take = take_turn) -> dict[str, Turn]:
    """Run one cell for each agent; see :meth:`World.execute_batch`. Hosts say how a turn is taken."""
    if order == "sequential":
        if len(cells) == 1:  # there is nothing to keep from one turn to the next
            return {agent: take(world, code, agent) for agent, code in cells.items()}
        with DEADLINE.batch(), PROCESS_GUARDS:
            return {agent: take(world, code, agent) for agent, code in cells.items()}
    if order != "simultaneous":
        raise WorldError(f"order={order!r}: takes 'simultaneous' or 'sequential'")
    agents = seeded_order(cells, world.seed, "merge", world.clock.step)
    with DEADLINE.batch(), PROCESS_GUARDS, _whole(world):
        proposals = {agent: _propose(world, cells[agent], agent, take) for agent in agents}
    merge = Merge(world)
    for proposal in proposals.values():
        merge.land(proposal)
    return {agent: proposals[agent].turn for agent in cells}


class _Proposal(NamedTuple):
    """What one cell of a batch would have: its turn, those inside it, and what became of variables, by agent."""

    turn: Turn
    children: list[Turn]
    variables: dict[str, VariableNews]


@contextmanager
def _whole(world: WorldState) -> Iterator[None]:
    """Number the turns anew if a cell of the batch needs an answer: it is begun again with that."""
    last_id = world.turns.last_id
    try:
        yield
    except AnswerNeeded:
        world.turns.last_id = last_id
        world.randomness.forget(last_id + 1)
        raise


def _propose(world: WorldState, code: str, agent: str, take: Take) -> _Proposal:
    """Run a cell, keep what it would change, and put the world and all variables back."""
    undo_log, variable_log = world.undo_log, world.interpreter.variable_log
    turns: list[Turn] = []
    mark = undo_log.mark()
    variable_log.open()
    variable_log.note(world.interpreter.namespace(agent))
    try:
        with world.turns.told_to(turns.append):
            take(world, code, agent)
        news = variable_log.news()
    finally:
        variable_log.undo()
        variable_log.close()
        undo_log.rollback(mark)
        undo_log.close()
    *children, turn = turns
    return _Proposal(turn, children, news)


class Merge:
    """Lands the turns of one batch, one after another.

    A turn lands whole or not at all: the first of its writes that another turn's forbids makes it a ``conflict``.
    """

    def __init__(self, world: WorldState) -> None:
        self._world = world
        self._writers: dict[str, dict[str, dict[str, Turn]]] = {}  # entity -> field -> part -> first writer
        self._starts: dict[Place, Any] = {}  # what a field with a merge function held at the batch's start

    def land(self, proposal: _Proposal) -> None:
        """Apply a turn's changes to the world, or turn it into a conflict; hand it to the sink either way."""
        world, turn = self._world, proposal.turn
        came = {change.entity for change in turn.changes if change.adds_entity}
        if turn.changes:
            self._land(turn)
        self._take_variables(proposal, came)
        world.turns.state_hash.touch(turn.changes)
        world.turns.tell(turn, proposal.children)

    def _land(self, turn: Turn) -> None:
        """Bring a turn's changes in, all of them or, whatever goes wrong, none."""
        undo_log = self._world.undo_log
        mark = undo_log.mark()
        try:
            landed = self._landed(turn, mark)
        except KeyboardInterrupt:
            undo_log.rollback(mark)
            raise
        except BaseException as error:  # also of a merge function or an invariant: it is this turn's alone
            undo_log.rollback(mark)
            turn.status, turn.changes, turn.error = "conflict", [], _explained(error, turn.code)
        else:
            turn.changes = landed
            self._note(turn)
        finally:
            undo_log.close()

    def _take_variables(self, proposal: _Proposal, came: set[str]) -> None:
        """Take over what a cell left in variables: of others, if its turn landed; of its own agent, in any case.

        Its own hold None for whom a turn that lost would have added: another one may come by that name.
        """
        interpreter, turn = self._world.interpreter, proposal.turn
        is_lost = turn.status == "conflict"
        for agent, news in proposal.variables.items():
            if agent == turn.agent or not is_lost:
                take_over(interpreter.namespace(agent), news)
        if came and is_lost and (missed := interpreter.namespace(turn.agent).forget(came)):
            turn.output += line_on_variables(NOT_ADDED, missed)

    def _landed(self, turn: Turn, mark: int) -> list[Change]:
        """Apply a turn's changes and return what they come to; raises what forbids them."""
        if WIRING not in self._world.undo_log.entities and any(change.entity == WIRING for change in turn.changes):
            self._world.registry.enter(WIRING, AgentWiring())
        for place, changes in _by_field(list(_by_parts(turn.changes))):
            try:
                self._apply(turn, place, changes)
            except CaveSimError:
                raise
            except Exception as error:
                self._cannot_merge(turn, changes[0], f"{type(error).__name__}: {error}")
        self._world.undo_log.settle()
        landed = net_changes(self._world.undo_log, mark)
        self._world.rules.check(self._world, landed)
        return landed

    def _apply(self, turn: Turn, place: Place, changes: list[Change]) -> None:
        """Bring in what a turn did to one field, or to who and what there is."""
        name, field = place
        entity: Any = self._world.undo_log.entities.get(name)
        rule = ONE_WRITER if field is ENTITY or entity is None else fields_of(entity)[field].merge
        rivals = self._writers.get(name, {}).get(field)
        if isinstance(rule, Custom) and place not in self._starts:
            self._starts[place] = types_of(entity)[field].encode(entity.__dict__[field])
        if rule is ONE_WRITER or not rivals:
            for change in changes:
                self._alone(turn, change)
                apply_change(self._world, change)
        elif isinstance(rule, Custom):
            start = self._starts[place]
            self._write_merged(turn, entity, field, deepcopy(start), _written(deepcopy(start), changes))
        else:
            for change in changes:
                self._merge(turn, change, entity, rule)

    def _merge(self, turn: Turn, change: Change, entity: Any, rule: MergeRule) -> None:
        """Bring one change into a field that others of the batch wrote."""
        field = change.path[0]
        if change.op == "set" and len(change.path) == 1:
            self._write_merged(turn, entity, field, change.old, change.new)
            return
        if not rule.admits_part(change.op, removes=change.op == "splice" and bool(change.old["items"])):
            self._cannot_merge(turn, change, f"{rule!r} takes no {change.op} of a part that others may have moved")
        if change.op == "splice":  # goes behind what others added
            end = len(entity.__dict__[field])
            change = change._replace(old={"at": end, "items": []}, new={"at": end, "items": change.new["items"]})
        apply_change(self._world, change)

    def _write_merged(self, turn: Turn, entity: Any, field: str, start: Any, written: Any) -> None:
        """Set a field to what its rule makes of the values; the result is checked like anything that is written."""
        field_type = types_of(entity)[field]
        try:
            merged = field_type.field.merge.merge(start, field_type.encode(entity.__dict__[field]), written)
            setattr(entity, field, field_type.native(merged, self._world.undo_log.entities))
        except Exception as error:
            if self._world.rights_of(turn.agent).may_read(entity, field):
                raise
            raise self._untold(turn, str(name_of(entity)), field) from error

    def _check_may_be_told(self, turn: Turn, change: Change) -> None:
        """Raise a MergeConflict that names nobody, where an agent may not read what it wrote to by a method."""
        entity: Any = self._world.undo_log.entities.get(change.entity)
        if change.path and entity is not None:
            field = str(change.path[0])
            if not self._world.rights_of(turn.agent).may_read(entity, field):
                raise self._untold(turn, change.entity, field)

    def _untold(self, turn: Turn, name: str, field: str) -> MergeConflict:
        """Return a conflict that does not say who wrote what: that is not for this agent to know."""
        return MergeConflict(f"step {turn.step}: {name}.{field} cannot be merged with what others wrote")

    def _cannot_merge(self, turn: Turn, change: Change, why: str) -> NoReturn:
        self._check_may_be_told(turn, change)
        parts = self._writers.get(change.entity, {}).get(change.path[0] if change.path else ENTITY, {})
        rivals = dict.fromkeys(rival.agent for rival in parts.values())
        raise MergeConflict(
            f"step {turn.step}: what {turn.agent} wrote to {_path(change)} cannot be merged with what was written "
            f"there first, by {', '.join(rivals) or 'nobody'}: {why}"
        )

    def _alone(self, turn: Turn, change: Change) -> None:
        """Raise MergeConflict if another turn of the batch wrote the same path, or a part or the whole of it."""
        fields = self._writers.get(change.entity, {})
        if not change.path:
            rivals = [turn for parts in fields.values() for turn in parts.values()]
        else:
            parts, part = fields.get(change.path[0], {}), _part(change)
            same = parts.values() if part == WHOLE else [parts[key] for key in (part, WHOLE) if key in parts]
            rivals = [*fields.get(ENTITY, {}).values(), *same]
        rival = next((other for other in rivals if other.id != turn.id), None)
        if rival is not None:
            self._check_may_be_told(turn, change)
            raise MergeConflict(
                f"step {turn.step}: {_path(change)} written twice: by {rival.agent}, then by {turn.agent}. "
                "It takes one writer per batch: give it merge=, or schedule with Sequential()"
            )

    def _note(self, turn: Turn) -> None:
        for change in _by_parts(turn.changes):
            field = change.path[0] if change.path else ENTITY
            self._writers.setdefault(change.entity, {}).setdefault(field, {}).setdefault(_part(change), turn)


def _explained(error: BaseException, code: str) -> str:
    try:
        return explain(error, code)
    except Exception:  # an error of the world's author whose text cannot be had
        return f"{type(error).__name__} while the turn was merged"


def _by_parts(changes: list[Change]) -> Iterator[Change]:
    """Yield changes, with what it has in the place of the entity for wiring, which whoever wires first brings."""
    for change in changes:
        if change.entity != WIRING or change.op != "create":
            yield change
            continue
        for field, value in change.new["fields"].items():
            if isinstance(value, dict):
                yield from (Change(WIRING, (field, key), "set", None, part) for key, part in value.items())
            elif value:
                yield Change(WIRING, (field,), "set", [], value)


def _by_field(changes: list[Change]) -> list[tuple[Place, list[Change]]]:
    """Group changes by the field that they concern, in the order of first writes; comings and goings stay alone."""
    groups: list[tuple[Place, list[Change]]] = []
    of_field: dict[Place, list[Change]] = {}
    for change in changes:
        if not change.path:
            of_field.clear()  # what is written after somebody came or went stays after it
            groups.append(((change.entity, ENTITY), [change]))
            continue
        place = change.entity, str(change.path[0])
        if place not in of_field:
            of_field[place] = []
            groups.append((place, of_field[place]))
        of_field[place].append(change)
    return groups


def _written(start: Any, changes: list[Change]) -> Any:
    """Return what a field would hold if one turn alone had written it, as plain data."""
    name, field = changes[0].entity, changes[0].path[0]
    fold = Fold({name: {"fields": {field: start}}})
    for change in changes:
        texts = [None if data is None else _text(data) for data in (change.old, change.new)]
        fold.apply(name, _text(list(change.path)), change.op, *texts)
    return fold.settle()[name]["fields"][field]


def _text(data: Any) -> str:
    return to_json(data).decode()


def _path(change: Change) -> str:
    return ".".join([change.entity, *map(str, change.path)])


def _part(change: Change) -> str:
    """The part of a field that a change concerns, as text; empty for the whole."""
    return json.dumps(change.path[1:], sort_keys=True) if len(change.path) > 1 else WHOLE
