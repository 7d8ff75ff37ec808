"""The self-check of a run: the changes of its turns, folded, are the state; whatever wrote past them is named."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain, repeat
from operator import is_
from typing import Any

from cave_sim.changes.change import Change
from cave_sim.changes.plain_state import Fold, decode
from cave_sim.changes.turn import Turn
from cave_sim.determinism.canonical_json import same_json, same_scalar, to_json
from cave_sim.entity.entity import Entity, encode_fields
from cave_sim.entity.preparation import types_of
from cave_sim.errors import WorldError

CHECKED_WHOLE_AT_FIRST, CHECKED_WHOLE_EVERY = 3, 50
"""In so many first steps, and in every so-manyth, the whole state is checked instead of what was written."""
_Place = tuple[str, tuple[Any, ...]]
_SCALARS = frozenset({int, float, str, bool, type(None)})


class SelfCheck:
    """Follows the turns of a world in plain data, and compares that with the world.

    Args:
        entities: of the world as it is now.
    """

    def __init__(self, entities: Mapping[str, Entity]) -> None:
        self._entities = entities
        self._fold = Fold(
            {name: {"type": type(one).__name__, "fields": encode_fields(one)} for name, one in entities.items()}
        )
        self._turns: list[Turn] = []  # not folded yet
        self._writers: dict[tuple[str, str | None], Turn] = {}
        self._graph_parts: dict[str, dict[str, list[Change]]] = {}  # folded when everything is checked: it is slow

    def follow(self, turn: Turn) -> None:
        """Take in a turn that ended; a child turn's changes are among those of the turn around it."""
        if turn.changes and turn.parent is None:
            self._turns.append(turn)

    def check_steps(self, first: int, last: int) -> None:
        """Check what was written in steps, or now and then everything; raises WorldError if it does not add up."""
        if first <= CHECKED_WHOLE_AT_FIRST or last // CHECKED_WHOLE_EVERY > (first - 1) // CHECKED_WHOLE_EVERY:
            self.check_everything()
        else:
            self.check()

    def _fold_turns(self) -> None:
        turns, self._turns = self._turns, []
        scalars: dict[_Place, tuple[Any, Turn]] = {}
        for turn in turns:
            if (columns := _scalar_columns(turn.changes)) is not None:  # as nearly all changes are
                entities, paths, news = columns
                scalars.update(zip(zip(entities, paths, strict=True), zip(news, repeat(turn)), strict=False))
                continue
            self._fold_scalars(scalars)
            scalars.clear()
            for change in turn.changes:
                name, path, op, _, new = change
                if op == "set" and len(path) == 1 and type(new) in _SCALARS:
                    self._fold_scalars({(name, path): (new, turn)})
                    continue
                self._apply(change, turn)
                self._writers[name, path[0] if path else None] = turn
        self._fold_scalars(scalars)

    def _fold_scalars(self, scalars: Mapping[_Place, tuple[Any, Turn]]) -> None:
        """Fold what fields were set to last: nothing else hangs on it."""
        live, fold, entities, writers = self._entities, self._fold, self._fold.entities, self._writers
        for (name, path), (new, turn) in scalars.items():
            (field,) = path
            if name not in entities or name in self._graph_parts or (fold.has_opened and fold.is_opened(name, field)):
                self._apply(Change(name, path, "set", None, new), turn)
            else:
                entities[name]["fields"][field] = new
                if name in live and live[name].__dict__.get(field, self) is new:
                    continue  # it is the very one, and whoever wrote it before has been written over
            writers[name, field] = turn

    def _apply(self, change: Change, turn: Turn) -> None:
        """Fold one change of a turn; raises WorldError if it does not fit."""
        try:
            self._fold_one(change)
        except (LookupError, ValueError, TypeError, AttributeError) as error:
            place = ".".join([change.entity, *map(str, change.path)])
            raise WorldError(
                f"step {turn.step}: {change.op} {place} by turn {turn.id} ({turn.agent}) does not fit what was "
                f"there before, so something wrote past the world ({type(error).__name__}: {error})"
            ) from None

    def _fold_one(self, change: Change) -> None:
        entity, path, op, old, new = change
        if len(path) > 2:
            self._graph_parts.setdefault(entity, {}).setdefault(path[0], []).append(change)
            return
        if entity in self._graph_parts:  # the whole came anew, or went
            for field in path[:1] or list(self._graph_parts[entity]):
                self._graph_parts[entity].pop(field, None)
        self._fold.apply_data(entity, path, op, old, _own(new))

    def check(self) -> None:
        """Compare the fields that were written since the last check with the world's, but for parts of graphs.

        Raises:
            WorldError: one does not hold what the changes lead to; the message names it, and who wrote it last.
        """
        self._fold_turns()
        entities, folded = self._entities, self._fold.entities
        for (name, field), writer in self._writers.items():
            if field is not None and name in entities and name in folded:
                live = entities[name].__dict__[field]
                if type(live) in _SCALARS and live is folded[name]["fields"].get(field):
                    continue
            self._check_presence(name)
            if name in self._entities and field not in self._graph_parts.get(name, ()):
                for each in types_of(self._entities[name]) if field is None else (field,):
                    self._check_field(name, each, f"turn {writer.id} ({writer.agent}) wrote it last")
        self._writers.clear()

    def check_everything(self) -> None:
        """Compare the whole state with the world's; raises WorldError as :meth:`check` does."""
        self.check()
        for parts in self._graph_parts.values():
            for entity, path, op, old, new in chain.from_iterable(parts.values()):
                self._fold.apply_data(entity, path, op, old, _own(new))
        self._graph_parts.clear()
        for name in sorted(self._entities.keys() | self._fold.entities.keys()):
            self._check_presence(name)
            values, fields = self._entities[name].__dict__, self._fold.entities[name]["fields"]
            if all(map(is_, values.values(), map(fields.get, values))) and len(values) == len(fields):
                continue  # the very ones, of which nothing is a part that could have been written
            for field in types_of(self._entities[name]):
                self._check_field(name, field, "no turn wrote it")

    def _check_presence(self, name: str) -> None:
        if (name in self._entities) is not (name in self._fold.entities):
            raise WorldError(f"{name}: it came or went past the world, and no turn tells of it")

    def _check_field(self, name: str, field: str, who: str) -> None:
        entity = self._entities[name]
        live, folded = entity.__dict__[field], self._fold.field_data(name, field)
        if type(live) in _SCALARS and type(folded) in _SCALARS and same_scalar(live, folded):
            return
        if not same_json(types_of(entity)[field].encode(live), folded):
            raise WorldError(
                f"{name}.{field} does not hold what the changes of all turns add up to ({who}): something wrote past "
                "the world, as heapq does on a field's list; use bisect.insort and pop, or set the field anew"
            )


def _scalar_columns(changes: Sequence[Change]) -> tuple[Sequence[str], Sequence[tuple[str]], Sequence[Any]] | None:
    """Return entities, paths and new values of changes if all of them set a field to a scalar."""
    if not changes:
        return None
    entities, paths, ops, _, news = zip(*changes, strict=True)
    plain = set(ops) == {"set"} and set(map(len, paths)) == {1} and _SCALARS.issuperset(map(type, news))
    return (entities, paths, news) if plain else None


def _own(data: Any) -> Any:
    """Return plain data that nobody else holds; the fold writes into what it is given."""
    return data if type(data) in _SCALARS else decode(to_json(data))
