"""Turns come back from a world's actor as they were, however many travel at once."""

import pytest

from cave_sim import Turn
from cave_sim.changes.change import Change
from cave_sim.hosts.ray.messages import pack_turns, unpack_turns

INLINE_BYTES = 100_000
"""What is larger, Ray hands over by way of its store."""


def turn(number):
    changes = [
        Change("ann", ("energy",), "set", 0.5, 2**70),
        Change("ann", ("diary",), "splice", {"at": 3, "items": []}, {"at": 3, "items": [f"day {number}", None]}),
        Change("town", ("relations", "edge", "ann", "bo"), "set", None, {"strength": 0.25}),
    ]
    told = {"output": "'on the way'", "duration_s": 1e-5 * number, "reads": [("bo", "purse_cents")]}
    usage = {"driver": "here", "sequence": number}
    return Turn(number, 4, "ann", f"me.walk({number})", "committed", changes, usage=usage, **told)


@pytest.mark.parametrize("count", [1, 600])
def test_turns_travel_whole_one_or_many(count):
    turns = [turn(number) for number in range(count)]
    packed = pack_turns(turns)
    assert unpack_turns(packed, [each.code for each in turns]) == turns
    assert len(packed) < INLINE_BYTES


def test_a_failed_turn_brings_its_error():
    failed = Turn(3, 1, "ann", "1 / 0", "failed", [], "", "ZeroDivisionError: division by zero", parent=2)
    assert unpack_turns(pack_turns([failed]), ["1 / 0"]) == [failed]
