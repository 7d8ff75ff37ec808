"""A variable hides what was injected by its name, and gives it free again: on every host, and where a turn fails."""

from contextlib import ExitStack

import pytest

from cave_sim import Entity, World, field
from cave_sim.hosts.process.host import ProcessHost

FAILS = "\n1 / 0"
HAND_ON = "team['ann'].inject('ring', [1, 2])"
RUN = "await team['ann'].run({!r})"
RINGS = "print(ring(1))"
SHOWS = "print(ring)"


class Caller(Entity):
    """Somebody."""

    calls: int = field(0)


def build() -> World:
    """Return a world in which one of two has a tool of her own."""
    world = World(seed=1)
    world.add("ann", Caller())
    world.add("boss", Caller())
    world.grant("boss", "*")

    def ring(number: int) -> str:
        return f"ring {number}"

    world.inject("ring", ring, agent="ann")
    return world


@pytest.fixture(scope="module")
def host():
    with ProcessHost("tests.hosts.process.test_tools_of_agents:build") as process_host:
        yield process_host


@pytest.fixture(params=["here", "in processes"])
def world(request):
    made = build()
    with ExitStack() as ends:
        if request.param == "in processes":
            process_host = request.getfixturevalue("host")
            process_host.attach(made)
            ends.callback(process_host.detach)
        yield made


def shown(world, *cells):
    """Return what the last of some cells shows, which follow upon each other."""
    for agent, code in cells[:-1]:
        world.execute(code, agent=agent)
    agent, code = cells[-1]
    return world.execute(code, agent=agent).output.strip()


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        ([("ann", "ring = 5"), ("ann", SHOWS)], "5"),
        ([("ann", "ring = 5"), ("ann", "del ring"), ("ann", RINGS)], "ring 1"),
        ([("ann", "ring = 5\ndel ring"), ("ann", RINGS)], "ring 1"),
        ([("boss", RUN.format("ring = 5")), ("ann", SHOWS)], "5"),
        ([("boss", RUN.format("ring = 5") + FAILS), ("ann", RINGS)], "ring 1"),
        ([("boss", HAND_ON), ("ann", SHOWS)], "[1, 2]"),
        ([("boss", HAND_ON), ("ann", "del ring"), ("ann", RINGS)], "ring 1"),
        ([("boss", HAND_ON + FAILS), ("ann", RINGS)], "ring 1"),
        ([("ann", "ring = 5"), ("boss", HAND_ON + FAILS), ("ann", SHOWS)], "5"),
        ([("ann", "ring = 5"), ("boss", RUN.format("del ring") + FAILS), ("ann", SHOWS)], "5"),
        ([("ann", "ring = 5"), ("boss", RUN.format("del ring")), ("ann", RINGS)], "ring 1"),
        ([("ann", "ring = 5"), ("ann", "del ring"), ("boss", "ring = 1"), ("ann", RINGS)], "ring 1"),
    ],
)
def test_what_hides_a_tool_gives_it_free_again(world, cells, expected):
    assert shown(world, *cells) == expected


def test_who_looks_from_outside_sees_what_cells_see():
    world = build()
    names = world.interpreter.namespace("ann")
    assert (names.names(), names.types()) == (["ring"], {"ring": "function"})
    world.execute("ring = 5", agent="ann")
    assert (names.names(), names.types(), world.retrieve("ring", agent="ann")) == (["ring"], {"ring": "int"}, 5)
    world.execute("del ring", agent="ann")
    assert world.retrieve("ring", agent="ann")(2) == "ring 2"


def test_what_the_program_gives_takes_the_place_of_a_tool_for_good():
    world = build()
    world.inject("ring", [1, 2], agent="ann")
    assert shown(world, ("ann", "del ring"), ("ann", SHOWS)) == ""
