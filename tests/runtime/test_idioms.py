"""Ordinary notebook programs see the same variables on every host, after every stop, and in every copy."""

import sys

import pytest

from cave_sim import World
from cave_sim.world.snapshot import restore_into
from tests.hosts.process.conftest import attached, square_host
from tests.policy import square
from tests.runtime.idioms import IDIOMS

__all__ = ["square_host"]
AGENT = "ann"


def ran(world, cells, between=lambda world: world):
    """Return what the turns of a program came to, and what is left: all that may not differ."""
    turns = []
    for cell in cells:
        turn = world.execute(cell, agent=AGENT)
        turns.append((turn.status, turn.output, turn.error, [change._asdict() for change in turn.changes]))
        world = between(world)
    return turns, world.interpreter.namespace(AGENT).kept, world.state_hash()


def stopped_and_resumed(world: World) -> World:
    again = square.build()
    restore_into(again, world.snapshot())
    return again


@pytest.mark.parametrize("name", IDIOMS)
def test_an_idiom_does_what_it_does_in_a_notebook(name):
    *cells, output = IDIOMS[name]
    turns, *_ = ran(square.build(), cells)
    assert [turn[0] for turn in turns] == ["committed"] * 3, turns
    assert turns[-1][1] == output


@pytest.mark.parametrize("name", IDIOMS)
def test_an_idiom_is_the_same_when_it_is_stopped_and_resumed_after_every_turn(name):
    *cells, _ = IDIOMS[name]
    assert ran(square.build(), cells, stopped_and_resumed) == ran(square.build(), cells)


@pytest.mark.parametrize("name", IDIOMS)
def test_an_idiom_is_the_same_in_a_fork_of_every_turn(name):
    *cells, _ = IDIOMS[name]
    assert ran(square.build(), cells, lambda world: world.fork()) == ran(square.build(), cells)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="jails are Linux's")
@pytest.mark.parametrize("name", IDIOMS)
def test_an_idiom_is_the_same_in_processes(name, square_host):
    *cells, _ = IDIOMS[name]
    assert ran(attached(square_host, square.build()), cells) == ran(square.build(), cells)
