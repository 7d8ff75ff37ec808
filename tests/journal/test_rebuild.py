"""Rebuilding: the changes of a run, folded as plain data, are the states that the run had."""

from typing import Any

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cave_sim import Entity, JournalError, Simulation, World, WorldError, field, open_run
from cave_sim.journal.integrity import problems
from cave_sim.journal.rebuild import entities_at, folded, state_at, state_hash
from cave_sim.replay.simulation_names import available


class Drawer(Entity):
    """Something to refer to."""

    label: str = field("")


class Chest(Entity):
    """A field of every kind."""

    count: int = field(0)
    weight_kg: float = field(1.0, unit="kg")
    names: list[str] = field([])
    stock: dict[str, int] = field({})
    by_number: dict[int, str] = field({})
    tags: set[str] = field(set())
    anything: Any = field(None)
    within: Drawer | None = field(None)
    drawers: list[Drawer] = field([])
    chosen: set[Drawer] = field(set())
    grid: np.ndarray = field(np.zeros((3, 4)))
    table: pd.DataFrame = field(pd.DataFrame({"a": [1, 2, 3], "b": ["x", "y", "z"]}))
    roads: nx.Graph = field(nx.path_graph(3))
    ways: nx.DiGraph = field(nx.DiGraph())
    maybe: list[int] | None = field(None)


CELLS = [
    "chest.count += {n}",
    "chest.weight_kg = {n} / 3",
    "chest.names.append('name {n}')",
    "chest.names[:] = sorted(set(chest.names))",
    "if chest.names: del chest.names[{n} % len(chest.names)]",
    "chest.names.insert(0, 'é{n}')",
    "chest.stock['item {n}'] = {n}",
    "chest.stock['$odd'] = {n}",
    "chest.stock.pop('$odd', None)",
    "chest.stock.pop('item {n}', None)",
    "chest.stock = dict(reversed(list(chest.stock.items())))",
    "chest.by_number[{n}] = 'x'",
    "chest.by_number.pop({n}, None)",
    "chest.tags.add('tag {n}')",
    "chest.tags.discard('tag {n}')",
    "chest.anything = dict(a=[1, (2, {n})], b=set([{n}, 1]))",
    "chest.anything = [{n}]",
    "chest.anything = {{{n}: 'number', 'text': {n}}}",
    "if isinstance(chest.anything, dict): chest.anything['more {n}'] = [{n}]",
    "if isinstance(chest.anything, dict): chest.anything[({n})] = None",
    "chest.anything = set([({n}, 1), (1, {n})])",
    "if isinstance(chest.anything, set): chest.anything.add(({n}, {n}))",
    "chest.anything = 2 ** {n} * 10 ** 15",
    "chest.within = one",
    "chest.within = None",
    "chest.drawers = [one, other, one]",
    "chest.drawers.append(other)",
    "chest.chosen.add(one)\nchest.chosen.add(other)",
    "chest.chosen.discard(one)",
    "chest.grid[{n} % 3, 1] += {n}",
    "chest.grid[:] = {n}",
    "chest.table.loc[0, 'a'] = {n}",
    "chest.table = chest.table.iloc[::-1]",
    "chest.roads.add_edge({n}, {n} + 1, length_m={n})",
    "chest.roads.add_node('n{n}', kind='end')",
    "if {n} in chest.roads: chest.roads.remove_node({n})",
    "chest.roads.graph['name'] = 'r{n}'",
    "if chest.roads.has_edge(0, 1): chest.roads.edges[0, 1]['length_m'] = {n}",
    "chest.ways.add_edge(({n}, 'a'), ({n}, 'b'))",
    "if chest.ways.has_edge(({n}, 'a'), ({n}, 'b')): chest.ways.remove_edge(({n}, 'a'), ({n}, 'b'))",
    "chest.maybe = [{n}]",
    "chest.maybe = None",
    "if chest.maybe is not None: chest.maybe.append({n})",
    "world.add('drawer_{n}', Drawer(label='{n}'))",
    "if 'drawer_{n}' in world: world.remove('drawer_{n}')",
    "chest.count = 1\n1 / 0",
]


def make_chest(folder):
    world = World(seed=1)
    world.add("one", Drawer())
    world.add("other", Drawer())
    world.add("chest", Chest())
    return Simulation(world, out=folder)


acts = st.tuples(st.sampled_from(CELLS), st.integers(0, 5))


@given(steps=st.lists(st.lists(acts, max_size=6), min_size=1, max_size=6))
def test_folded_changes_have_the_hash_of_every_state(steps, tmp_path_factory):
    folder = tmp_path_factory.mktemp("chest") / "run"
    simulation = make_chest(folder)
    for cells in steps:
        for cell, n in cells:
            simulation.world.execute(cell.format(n=n))
        simulation.step()
    simulation.close()
    with open_run(folder) as run:
        assert [recorded for _, recorded, _ in folded(run)] == [now for *_, now in folded(run)]
        last = run.last_step
        assert state_hash(entities_at(run, last)) == simulation.state_hash
        assert World.restore(state_at(run, last)).state_hash() == simulation.state_hash


@pytest.mark.parametrize("cell", CELLS)
def test_every_kind_of_cell_lands_at_least_once(cell, tmp_path):
    simulation = make_chest(tmp_path / "run")
    turns = [simulation.world.execute(cell.format(n=n)) for n in (1, 2)]
    assert {turn.status for turn in turns} == ({"failed"} if "1 / 0" in cell else {"committed"}), turns[0].error
    simulation.close()


@pytest.mark.long
@pytest.mark.parametrize("name", available())
def test_every_state_of_every_simulation_is_rebuilt(name, lived):
    with open_run(lived(name)) as run:
        assert all(recorded == now for _, recorded, now in folded(run))
        last = run.last_step  # some come to an end of their own before
        for step in {0, min(7, last), last}:
            assert state_hash(entities_at(run, step)) == run.steps()[step].state_hash


def test_snapshots_are_kept_so_often_that_few_changes_are_left_to_fold(tmp_path, monkeypatch):
    monkeypatch.setattr("cave_sim.simulation.run_journal.SNAPSHOT_EVERY_CHANGES", 20)
    simulation = make_chest(tmp_path / "run")
    for number in range(60):
        simulation.world.execute(f"chest.count = {number + 1}\nchest.names.append('x')")
        simulation.step()
    simulation.close()
    with open_run(tmp_path / "run") as run:
        kept = [step for (step,) in run.query("SELECT step FROM snapshots")]
        assert len(kept) > 5
        for step in (1, 30, 59):
            assert entities_at(run, step)["chest"]["fields"]["count"] == step
            assert state_hash(entities_at(run, step)) == run.steps()[step].state_hash


def test_a_rebuilt_state_is_plain_data(tmp_path):
    make_chest(tmp_path / "run").close()
    with open_run(tmp_path / "run") as run:
        entities = entities_at(run, 0)
        assert list(entities) == ["$system", "one", "other", "chest"]
        assert entities["chest"]["type"] == "Chest"
        assert entities["chest"]["fields"]["weight_kg"] == 1.0
        with pytest.raises(JournalError, match="has no step 4; it has the steps from 0 to 0"):
            entities_at(run, 4)


def test_a_step_whose_changes_lead_to_another_state_is_told_though_its_seals_hold(tmp_path):
    simulation = make_chest(tmp_path / "run")
    digest = simulation.world.state_hash
    vars(simulation.world)["state_hash"] = lambda: digest()[:: 1 if simulation.world.clock.step < 3 else -1]
    for number in range(5):
        simulation.world.execute(f"chest.count = {number + 1}")
        simulation.step()
    simulation.close()
    with open_run(tmp_path / "run") as run:
        (found,) = problems(run)
    assert (found.step, found.what) == (3, "its changes do not add up to the state that was recorded")


def test_a_write_past_the_world_ends_the_run_before_it_is_written_down(tmp_path):
    simulation = make_chest(tmp_path / "run")
    chest = simulation.world["chest"]
    chest.__dict__["weight_kg"] = 2.0
    chest.count = 5
    with pytest.raises(WorldError, match="weight_kg does not hold what the changes of all turns add up to"):
        simulation.step()
    simulation.journal.abandon()
    with open_run(tmp_path / "run") as run:
        assert not list(problems(run))
