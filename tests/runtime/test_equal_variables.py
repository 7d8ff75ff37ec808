"""What is equal is not the same: a variable that became another one of the same value is told, hashed and kept."""

import sys

import pytest

from cave_sim.determinism.canonical_json import to_json
from tests.hosts.process.conftest import attached, square_host
from tests.policy import square

__all__ = ["square_host"]
PAIRS = (
    ("1", "1.0"), ("1", "True"), ("0.0", "-0.0"), ("[1]", "[True]"), ("{'a': 0}", "{'a': 0.0}"), ("(1,)", "(1.0,)"),
    ("{'a': 1, 'b': 2}", "{'b': 2, 'a': 1}"), ("{1: 'x'}", "{1.0: 'x'}"), ("{1, 2}", "{1.0, 2}"),
    ("[[0]]", "[[False]]"),
)  # fmt: skip


def course(world, first, second):
    turns, hashes = [], []
    for cell in (f"x = {first}", f"x = {second}", "x"):
        turns.append(world.execute(cell, agent="ann").output)
        hashes.append(world.variables_hash())
    return turns, hashes, to_json(world.interpreter.namespace("ann").data)


@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_what_became_equal_to_what_it_was_is_another_variable(first, second):
    outputs, hashes, _ = course(square.build(), first, second)
    assert outputs[-1] == square.build().execute(second, agent="ann").output
    assert hashes[0] != hashes[1] == hashes[2]


@pytest.mark.long
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="jails are Linux's")
def test_a_host_is_told_of_it(square_host):
    for first, second in PAIRS:
        assert course(attached(square_host, square.build()), first, second) == course(square.build(), first, second)
