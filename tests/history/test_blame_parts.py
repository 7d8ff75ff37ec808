"""Blame of parts: items of lists, keys below keys, members, nodes, edges, cells of arrays and tables.

The oracle knows nothing of the journal: it reads the live values after every turn, by Python's own brackets.
"""

from itertools import pairwise
from random import Random

import networkx as nx
import numpy as np
import pandas as pd
import pytest

from cave_sim import Entity, JournalError, Simulation, World, field, open_run
from cave_sim.cli.main import main
from cave_sim.history.blame import blame
from cave_sim.history.path_steps import steps_of
from tests.long_cases import cases

ABSENT = object()
NAMES = ("ann", "bob", "cleo")


class Shelf(Entity):
    """Holds a bit of everything."""

    queue: list[str] = field([])
    plan: dict[str, list[int]] = field({})
    stock: dict[int, float] = field({})
    nested: dict[str, dict[str, int]] = field({})
    seen: set[str] = field(set())
    pair: tuple[int, int] = field((0, 0))
    ties: nx.Graph = field(nx.Graph())
    roads: nx.DiGraph = field(nx.DiGraph())
    grid: np.ndarray = field(np.zeros((3, 3)))
    table: pd.DataFrame = field(pd.DataFrame({"price": [1.0, 2.0], "name": ["tea", "rye"]}))


PARTS = {
    "queue[0]": lambda it: it.queue[0],
    "queue[2]": lambda it: it.queue[2],
    "queue[-1]": lambda it: it.queue[-1],
    "plan.ann": lambda it: list(it.plan["ann"]),
    'plan["ann"][0]': lambda it: it.plan["ann"][0],
    "plan.bob[1]": lambda it: it.plan["bob"][1],
    "stock[3]": lambda it: it.stock[3],
    "nested.ann": lambda it: dict(it.nested["ann"]),
    "nested.ann.cups": lambda it: it.nested["ann"]["cups"],
    'nested["bob"]["cups"]': lambda it: it.nested["bob"]["cups"],
    "seen.cleo": lambda it: {name: name for name in it.seen}["cleo"],
    "pair[1]": lambda it: it.pair[1],
    'ties.nodes["ann"]': lambda it: dict(it.ties.nodes["ann"]),
    "ties.nodes.ann.mood": lambda it: it.ties.nodes["ann"]["mood"],
    'ties.edges["ann", "bob"]': lambda it: dict(it.ties.edges["ann", "bob"]),
    'ties.edges["bob", "ann"]["trust"]': lambda it: it.ties.edges["ann", "bob"]["trust"],
    "ties.edges.ann.cleo": lambda it: dict(it.ties.edges["ann", "cleo"]),
    'roads.edges["ann", "bob"].trust': lambda it: it.roads.edges["ann", "bob"]["trust"],
    'roads.edges["bob", "ann"]': lambda it: dict(it.roads.edges["bob", "ann"]),
    "grid[1, 2]": lambda it: float(it.grid[1, 2]),
    "grid[0][0]": lambda it: float(it.grid[0][0]),
    "table.price[1]": lambda it: float(it.table["price"].iloc[1]),
    'table["name"][0]': lambda it: str(it.table["name"].iloc[0]),
}


def cells(seed, count):
    """Yield cells that write parts of the shelf, whole fields, and several at once; some of them fail."""
    dice = Random(seed)
    for number in range(count):
        one, other = dice.sample(NAMES, 2)
        graph, at = dice.choice(("ties", "roads")), dice.randrange(3)
        yield dice.choice(
            [
                f"it.queue.append({one!r})",
                f"it.queue.insert(0, {one!r})",
                "it.queue.pop(0)",
                f"it.queue[{at}] = {one!r}",
                f"it.queue = [{one!r}, {other!r}, {one!r}]",
                f"it.queue.sort(); it.queue.append({other!r})",
                f"it.plan[{one!r}] = [{number}, {at}]",
                f"it.plan[{one!r}].append({number})",
                f"it.plan[{one!r}][0] = {number}",
                f"del it.plan[{one!r}]",
                f"it.stock[{at + 2}] = {number / 4}",
                "it.stock.clear()",
                f"it.nested[{one!r}] = {{'cups': {at}}}",
                f"it.nested[{one!r}]['cups'] = {number}",
                f"it.nested.pop({one!r}, None)",
                f"it.seen.add({one!r})",
                f"it.seen.discard({one!r})",
                f"it.pair = ({number}, {at})",
                f"it.{graph}.add_edge({one!r}, {other!r}, trust={at})",
                f"it.{graph}.add_node({one!r}, mood={at})",
                f"it.{graph}.nodes[{one!r}]['mood'] = {number}",
                f"it.{graph}.edges[{one!r}, {other!r}]['trust'] = {number}",
                f"it.{graph}.remove_node({one!r})",
                f"it.{graph}.remove_edge({one!r}, {other!r})",
                f"it.grid[{at}, {2}] = {number}",
                f"it.grid[0, 0] += {at}",
                f"it.grid = it.grid + {at}",
                f"it.table.loc[{at % 2}, 'price'] = {number / 2}",
                f"it.table.loc[0, 'name'] = {one!r}",
            ]
        )


def changed(one, other):
    """Say whether a part is another one, or came or went."""
    return one is not other if one is ABSENT or other is ABSENT else one != other


def look(shelf):
    """Return the value of every part now."""
    found = {}
    for part, value in PARTS.items():
        try:
            found[part] = value(shelf)
        except (LookupError, TypeError):
            found[part] = ABSENT
    return found


@pytest.fixture(scope="module", params=cases([1, 2, 3, 4], lambda seed: seed > 1))
def told(request, tmp_path_factory):
    """Return an open run, and for each part the turns, agents and values that the oracle saw."""
    folder = tmp_path_factory.mktemp("parts") / "run"
    world = World(seed=request.param)
    world.add("it", Shelf())
    for name in NAMES:
        world.grant(name, "it")
    simulation = Simulation(world, out=folder)
    last, log = look(world["it"]), {part: [] for part in PARTS}
    for part, value in last.items():
        if value is not ABSENT:
            log[part].append((1, "operator", value))
    for number, cell in enumerate(cells(request.param, 320)):
        agent = NAMES[number % len(NAMES)]
        turn = world.execute(cell, agent)
        now = look(world["it"])
        for part in PARTS:
            if changed(last[part], now[part]):
                log[part].append((turn.id, agent, now[part]))
        last = now
        if number % 5 == 0:
            simulation.step()
    simulation.step()
    simulation.close()
    with open_run(folder) as run:
        yield run, log


@pytest.mark.parametrize("part", PARTS)
def test_the_chain_of_a_part_is_what_replaying_shows(told, part):
    run, log = told
    found = blame(run, f"it.{part}")
    assert [(each.turn, each.agent) for each in found[1:]] == [(turn, agent) for turn, agent, _ in log[part][1:]] or (
        [(each.turn, each.agent) for each in found] == [(turn, agent) for turn, agent, _ in log[part]]
    )
    for each, (_, _, value) in zip(found, log[part], strict=True):
        assert each.op == ("create" if each.kind == "outside" else "delete" if value is ABSENT else "set")
        assert each.new == (None if value is ABSENT else value)
    for earlier, later in pairwise(found):
        assert later.old == earlier.new


def test_the_parts_were_written_often_enough(told):
    assert sum(len(log) > 1 for log in told[1].values()) >= len(PARTS) - 4


def test_the_line_that_wrote_a_part_is_named(told):
    run, _ = told
    for part in ("ties.nodes.ann.mood", 'roads.edges["ann", "bob"].trust', "queue[0]", "nested.ann.cups"):
        for written in blame(run, f"it.{part}")[1:]:
            if written.kind == "cell":
                assert written.lines, written


@pytest.mark.parametrize(
    ("text", "steps"),
    [
        (".a.b", ("a", "b")),
        ("[3]", (3,)),
        ("[-1].x", (-1, "x")),
        ('["18:00"].x', ("18:00", "x")),
        ("[18:00]", ("18:00",)),
        ('["a.b]"]', ("a.b]",)),
        ('.edges["ann", "bob"]["since"]', ("edges", ("ann", "bob"), "since")),
        ("[(1, 2), (3, 4)]", (((1, 2), (3, 4)),)),
        ("", ()),
    ],
)
def test_steps_are_what_stands_between_dots_and_in_brackets(text, steps):
    assert steps_of(text) == steps


@pytest.mark.parametrize("text", ["[", ".a[", '["a', "..", "a]]", "[" * 500])
def test_what_is_no_path_is_said(told, text, capsys):
    run, _ = told
    with pytest.raises(JournalError, match="is no field"):
        blame(run, f"it.{text}")
    assert main(["blame", str(run.folder), f"it.{text}"]) == 1
    assert capsys.readouterr().err.count("\n") == 1


def test_a_part_that_never_was_is_said(told, capsys):
    run, _ = told
    assert main(["blame", str(run.folder), 'it.ties.edges["ann", "nobody"]']) == 1
    assert 'nothing was ever at it.ties["edges"]["ann", "nobody"]' in capsys.readouterr().err
