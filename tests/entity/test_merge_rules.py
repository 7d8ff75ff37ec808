"""Merge rules: which fields each fits, asked when the class is declared, and what it makes of two values."""

from typing import Any, Literal

import networkx as nx
import numpy as np
import pytest

from cave_sim import Entity, SchemaError, field
from cave_sim.entity.merge_rules import MERGE_RULES, Add, Custom, Extend, Last, merge_rule
from cave_sim.errors import MergeConflict


class Neighbour(Entity):
    """Somebody to refer to."""


NUMBERS = (int, float)
GROWING = (list[int], dict[str, int], set[str], list[Neighbour], dict[str, Neighbour], list[int] | None, nx.Graph, Any)
OTHERS = (str, bool, int | None, Literal["a", "b"], Neighbour, Neighbour | None, tuple[int, str], np.ndarray)


def declare(annotation, merge):
    return type("Board", (Entity,), {"__annotations__": {"score": annotation}, "score": field(None, merge=merge)})


@pytest.mark.parametrize("annotation", [*GROWING, *OTHERS], ids=str)
def test_add_fits_numbers_alone(annotation):
    with pytest.raises(SchemaError, match=r"^Board\.score: merge='add' does not fit .*; it fits int and float\. Give"):
        declare(annotation, "add")


@pytest.mark.parametrize("annotation", [*NUMBERS, *OTHERS], ids=str)
def test_extend_fits_what_grows_alone(annotation):
    with pytest.raises(SchemaError, match=r"^Board\.score: merge='extend' does not fit .*; it fits list, set, dict"):
        declare(annotation, "extend")


@pytest.mark.parametrize(
    ("annotation", "merge"),
    [
        *((annotation, "add") for annotation in NUMBERS),
        *((annotation, "extend") for annotation in GROWING),
        *((kind, rule) for kind in (*NUMBERS, *GROWING, *OTHERS) for rule in ("one_writer", "last", max)),
    ],
    ids=str,
)
def test_a_rule_that_fits_is_taken(annotation, merge):
    assert declare(annotation, merge)


def test_a_rule_of_a_type_that_is_declared_later_is_asked_when_the_first_entity_is_made():
    class Early(Entity):
        friend: "DeclaredLater | None" = field(None, merge="extend")

    global DeclaredLater

    class DeclaredLater(Entity):
        pass

    with pytest.raises(SchemaError, match=r"Early\.friend: merge='extend' does not fit"):
        Early()


def test_what_is_neither_a_name_nor_a_function_is_no_rule():
    with pytest.raises(ValueError, match="takes one of one_writer, add, extend, last, or a function"):
        field(0, merge="sum")
    with pytest.raises(ValueError, match=r"is called with \(start, current, written\): too many positional"):
        field(0, merge=lambda mine, theirs: mine + theirs)
    assert merge_rule("add") is MERGE_RULES["add"]
    assert merge_rule(MERGE_RULES["last"]) is MERGE_RULES["last"]
    assert isinstance(merge_rule(max), Custom)


@pytest.mark.parametrize(
    ("rule", "start", "current", "written", "merged"),
    [
        (Add(), 10, 12, 9, 11),
        (Last(), "a", "b", "c", "c"),
        (Extend(), [1], [1, 2], [1, 3], [1, 2, 3]),
        (Custom(lambda start, current, written: max(current, written)), 0, 4, 3, 4),
    ],
)
def test_a_rule_makes_one_value_of_what_was_there_at_the_start_what_is_there_now_and_what_was_written(
    rule, start, current, written, merged
):
    assert rule.merge(start, current, written) == merged


REPLACED = [([1], [1, 2], [3]), ({}, {"a": 1}, {"b": 1}), (None, [], [])]


@pytest.mark.parametrize(("start", "current", "written"), REPLACED)
def test_extend_refuses_what_replaces(start, current, written):
    with pytest.raises(MergeConflict, match="only adds to what was there"):
        Extend().merge(start, current, written)


def test_one_writer_merges_nothing():
    with pytest.raises(MergeConflict):
        MERGE_RULES["one_writer"].merge(1, 2, 3)
