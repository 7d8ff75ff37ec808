"""Kinds of rules: which ones are looked at in a table, and which of them hold, with their chance to hold by chance."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations_with_replacement, permutations, product
from typing import Any, Literal

import numpy as np

from cave_sim.rules import chance
from cave_sim.rules.field_rules import Bound, Conserved, Settled, Trend, total_of
from cave_sim.rules.happening import Happening, happens
from cave_sim.rules.pair_rules import Implication, Precedence, Response, follows, watched
from cave_sim.rules.rule import Rule
from cave_sim.rules.table import Column, Frame, RunTable, Truths
from cave_sim.rules.wording import rounded

WITHIN = (0, 1, 3)
"""Within how many steps answers are looked for."""
MOST_PAIRED = 40
"""Of how many fields of a frame pairs are looked at: those that change in most steps."""


@dataclass(frozen=True)
class Looked:
    """One rule that was looked at.

    Attributes:
        rule: it; None if it does not hold, and is only counted.
        chance: that it would hold by chance, as its logarithm to base 2.
        support: what it rests on, in words.
    """

    rule: Rule | None
    chance: float = 0.0
    support: str = ""


NO = Looked(None)


def bounds(table: RunTable) -> Iterator[Looked]:
    """Look for bounds that are visited again and again, and for numbers that stay on their side of 0."""
    for frame, column in _numbers(table):
        for side in _SIDES:
            low = side == "low"
            seen = column.values[~np.isnan(column.values)]
            extreme = float(seen.min() if low else seen.max())
            bound = extreme if column.is_whole else rounded(extreme, up=not low)
            visits = _occasions(happens(frame, Happening(column.key, "changes")) & (column.values == extreme))
            rule = Bound(column.key, side, bound)
            is_natural = column.key.form == "len" and bound == 0
            yield NO if is_natural else Looked(rule, chance.of_visits(visits), f"reached {visits} times")
            if column.key.form == "value" and ((extreme > 0) if low else (extreme < 0)):
                row = int((np.diff(column.values, axis=1) != 0).sum(axis=1).argmax())
                own = column.values[row][~np.isnan(column.values[row])]
                log_chance = chance.of_staying(own[0], np.diff(own), above=low)
                nearest = f"comes as near as {extreme:.4g}"
                yield Looked(Bound(column.key, side, 0.0), log_chance, f"{len(own):,} steps; it {nearest}")
            else:
                yield NO


def trends(table: RunTable) -> Iterator[Looked]:
    """Look for numbers that go one way alone."""
    for frame, column in _numbers(table):
        changes = _occasions(happens(frame, Happening(column.key, "changes")))
        for never in _WAYS:
            rule = Trend(column.key, never)
            support = f"{changes} changes, all one way"
            yield Looked(None if rule.is_broken(frame).any() else rule, chance.of_signs(changes), support)


def rests(table: RunTable) -> Iterator[Looked]:
    """Look for fields that come to rest."""
    for frame, column in _all(table):
        changed = happens(frame, Happening(column.key, "changes"))
        moments: Truths = np.asarray(changed.any(axis=0))
        stretches = int((moments[1:] & ~moments[:-1]).sum())  # a busy stretch is one occasion, however long
        until, steps = int(moments.nonzero()[0].max()), len(moments) - 1
        support = f"{stretches} stretches of changes in {until} steps, none in {steps - until}"
        rule = Settled(column.key, int(frame.steps[changed].max()))
        yield Looked(rule, chance.of_settling(stretches, until, steps), support)


def sums(table: RunTable) -> Iterator[Looked]:
    """Look for sums over all that have a field, or over two such, which stay the same while their parts change."""
    columns = [column for _, column in _numbers(table) if column.key.form == "value"]
    totals = {column.key: total_of(table, column.key) for column in columns}
    for one, other in combinations_with_replacement(columns, 2):
        keys = (one.key,) if one is other else (one.key, other.key)
        if one is other and not one.key.is_class:
            continue
        together = np.sum([totals[key] for key in keys], axis=0)
        total, whole = float(together[0, 0]), one.is_whole and other.is_whole
        rule = Conserved(keys, total, whole)
        if rule.breach(table) is not None:
            yield NO
            continue
        moves = [_busiest(column) for column in (one, other)]
        likely = max(map(chance.of_sum, moves)) if one is not other else chance.of_sum(moves[0])
        most = max(int((each != 0).sum()) for each in moves)
        yield Looked(rule, likely, f"while its parts change, one of them {most} times")


def implications(table: RunTable) -> Iterator[Looked]:
    """Look for words and truths that go with others."""
    for _, columns in _paired(table):
        for one, other in permutations([column for column in columns if column.labels], 2):
            there = ~np.isnan(one.values) & ~np.isnan(other.values)
            for value, other_value in product(one.labels or (), other.labels or ()):
                occasions, answered = one.is_at(value) & there, other.is_at(other_value)
                if (occasions & ~answered).any() or not occasions.any():
                    yield NO
                    continue
                log_chance, count = chance.of_answers(occasions, answered, there, 0)
                rule = Implication(one.key, value, other.key, other_value)
                yield Looked(rule, log_chance, f"{count} times, through {_steps(occasions)} steps")


def responses(table: RunTable) -> Iterator[Looked]:
    """Look for what happens whenever something else has happened."""
    for frame, columns in _paired(table):
        happened = {event: happens(frame, event) for column in columns for event in _events(column)}
        spans = [within for within in WITHIN if within < frame.steps.shape[1] - 1]
        for answer, within in product([answer for answer, answers in happened.items() if answers.any()], spans):
            answered = follows(happened[answer], within)
            there = watched(frame, Response(answer, answer, within))
            late = there & ~answered
            for event, occasions in happened.items():
                if event.key == answer.key:
                    continue
                if not occasions.any() or (occasions & late).any():
                    yield NO
                    continue
                known = there & ~np.isnan(frame.columns[event.key].values)
                known[:, 0] = False
                log_chance, count = chance.of_answers(occasions & there, answered, known, within)
                support = f"{int((occasions & there).sum()):,} times, {count} of them apart"
                yield Looked(Response(event, answer, within), log_chance, support)


def orders(table: RunTable) -> Iterator[Looked]:
    """Look for what happens to nobody before something else has happened to them."""
    for frame, columns in _paired(table):
        if len(frame.units) < 2:
            continue
        happened = {event: happens(frame, event) for column in columns for event in _events(column)}
        first = {event: _first(where) for event, where in happened.items()}
        counts = {event: where.sum(axis=1) for event, where in happened.items()}
        for one, other in permutations(happened, 2):
            if one.key == other.key and one.verb != "becomes":
                continue
            done = ~np.isnan(first[other])
            if not done.any() or not (first[one][done] < first[other][done]).all():
                yield NO
                continue
            shares = counts[one][done] / (counts[one][done] + counts[other][done])
            cases = int(done.sum())
            log_chance = chance.of_firsts(shares, first[other][done])
            yield Looked(Precedence(one, other), log_chance, f"in {cases} of {cases} cases")


FAMILIES = {each.__name__: each for each in (bounds, trends, rests, sums, implications, responses, orders)}
_SIDES: tuple[Literal["low", "high"], ...] = ("low", "high")
_WAYS: tuple[Literal["falls", "rises"], ...] = ("falls", "rises")


def _all(table: RunTable) -> Iterator[tuple[Frame, Column]]:
    """Yield the columns that change."""
    for frame in table.frames.values():
        for column in frame.columns.values():
            if happens(frame, Happening(column.key, "changes")).any():
                yield frame, column


def _numbers(table: RunTable) -> Iterator[tuple[Frame, Column]]:
    yield from ((frame, column) for frame, column in _all(table) if column.labels is None)


def _paired(table: RunTable) -> Iterator[tuple[Frame, list[Column]]]:
    """Yield frames with the columns of which pairs are looked at."""
    for frame in table.frames.values():
        busy = {key: _occasions(happens(frame, Happening(key, "changes"))) for key in frame.columns}
        chosen = sorted((key for key in busy if busy[key]), key=lambda key: (-busy[key], key))[:MOST_PAIRED]
        yield frame, [frame.columns[key] for key in sorted(chosen)]


def _events(column: Column) -> Iterator[Happening]:
    if column.labels is None:
        yield Happening(column.key, "rises")
        yield Happening(column.key, "falls")
    else:
        yield from (Happening(column.key, "becomes", label) for label in column.labels)


def _first(happened: Truths) -> Any:
    """Return at which place each row happens first; NaN where it never does."""
    return np.where(happened.any(axis=1), happened.argmax(axis=1).astype(float), np.nan)


def _busiest(column: Column) -> Any:
    """Return what the row that changes most often changes by."""
    moves = np.nan_to_num(np.diff(np.nan_to_num(column.values), axis=1))
    return moves[int((moves != 0).sum(axis=1).argmax())]


def _occasions(happened: Truths) -> int:
    """Return in how many steps something happens, however many take part."""
    return int(happened.any(axis=0).sum())


_steps = _occasions
