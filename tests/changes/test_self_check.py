"""The self-check finds what was written past the world, says where, and finds nothing in honest turns."""

import bisect
import heapq

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cave_sim import Entity, Simulation, World, field
from cave_sim.changes.self_check import SelfCheck
from cave_sim.errors import WorldError
from tests.changes.test_change import Shelf
from tests.changes.test_journaled_as_written import CELLS, chest, tried


class Queue(Entity):
    """Holds a heap, as worlds with events do."""

    heap: list[int] = field([1, 5])
    count: int = field(0)
    roads: nx.Graph = field(nx.path_graph(3))
    stock: dict[str, int] = field({"a": 1})


def queue():
    world = World()
    world.add("queue", Queue())
    world.grant("ann", "*")
    world.state_hash()
    check = SelfCheck(world.undo_log.entities)
    world.sink = check.follow
    return world, check


PAST = {
    "heappush": (lambda queue: heapq.heappush(queue.heap, 0), "heap"),
    "heappop": (lambda queue: heapq.heappop(queue.heap), "heap"),
    "heapify": (lambda queue: (queue.heap.reverse(), heapq.heappushpop(queue.heap, 0)), "heap"),
    "a list's own method": (lambda queue: list.append(queue.heap, 3), "heap"),
    "a dict's own method": (lambda queue: dict.update(queue.stock, b=2), "stock"),
    "the dict of fields": (lambda queue: queue.__dict__.update(count=7), "count"),
    "a node's own dict": (lambda queue: dict.update(queue.roads.nodes[0], h=1), "roads"),
}


@pytest.mark.parametrize(("write", "name"), PAST.values(), ids=PAST)
def test_what_is_written_past_the_world_is_named(write, name):
    world, check = queue()
    check.check_everything()
    write(world["queue"])
    with pytest.raises(WorldError, match=rf"queue\.{name} does not hold what the changes"):
        check.check_everything()


def test_a_turn_that_wrote_the_same_field_is_named_at_once():
    world, check = queue()
    world.execute("queue.heap.append(9)", agent="ann")
    heapq.heappush(world["queue"].heap, 0)
    with pytest.raises(WorldError, match=r"turn 3 \(ann\) wrote it last"):
        check.check()


def test_what_a_turn_told_stays_as_it_was_when_a_later_one_writes_into_the_same_value():
    world, check = queue()
    told = world.execute("queue.heap = [2]", agent="ann").changes
    check.check()
    world.execute("queue.heap.append(3)", agent="ann")
    check.check()
    assert told[0].new == [2]


def test_bisect_writes_by_the_lists_own_methods():
    world, check = queue()
    world.dynamics(lambda world: bisect.insort(world["queue"].heap, 3))
    world.advance()
    check.check_everything()
    assert world["queue"].heap == [1, 3, 5]


def test_who_came_past_the_world_is_named():
    world, check = queue()
    world.undo_log.entities["ghost"] = Queue()
    with pytest.raises(WorldError, match="ghost"):
        check.check_everything()


def test_what_does_not_fit_what_was_there_is_told_with_its_turn():
    world, check = queue()
    dict.update(world["queue"].stock, b=2)
    world.execute("del queue.stock['b']", agent="ann")
    with pytest.raises(WorldError, match=r"delete queue\.stock\.b by turn 3 \(ann\) does not fit"):
        check.check()


def test_a_run_that_keeps_a_journal_ends_at_the_step_that_does_not_add_up(tmp_path):
    world = World()
    world.add("queue", Queue())
    world.dynamics(lambda world: heapq.heappush(world["queue"].heap, 0))
    simulation = Simulation(world, [], out=tmp_path / "run")
    with pytest.raises(WorldError, match=r"queue\.heap .* heapq"):
        simulation.step()
    simulation.close()


def test_an_honest_run_with_comings_and_goings_adds_up(tmp_path):
    world = World()
    world.add("shelf", Shelf())
    world.grant("ann", "*")
    simulation = Simulation(world, [], out=tmp_path / "run")
    for cell in (
        "world.add('other', Shelf())\nshelf.row.append(1)",
        "other.tags.add('a')",
        "world.remove('other')",
        "",
    ):
        assert world.execute(cell, agent="ann").committed
        world["shelf"].number += 1
        simulation.step()
    simulation.close()


@given(st.lists(CELLS, min_size=1, max_size=4))
def test_honest_cells_add_up(cells):
    world = chest()
    world.state_hash()
    check = SelfCheck(world.undo_log.entities)
    world.sink = check.follow
    for cell in tried(cells):
        world.execute(cell, agent="ann")
        check.check()
    check.check_everything()
