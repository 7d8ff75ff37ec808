"""Costs that the pages claim, as ratios within one run whose ways take turns: no more than twice what is said."""

import sys
from contextlib import closing
from functools import partial

import pytest

from cave_sim.hosts.process.host import ProcessHost
from tests.bench.cells import THREE_WRITES
from tests.bench.crowds import columns_s, mean_step_us
from tests.bench.hosts import FACTORY, THREE_WRITES_AND_A_LIST, BareForks, walls_us
from tests.bench.measure import medians_us, way
from tests.bench.plain import PlainResident
from tests.bench.subjects import town
from tests.bench.turns import fresh_cells, fresh_cells_of_a_form, new_turn, turn


@pytest.mark.long
def test_a_turn_costs_what_the_first_page_says():
    names = {"me": PlainResident()}
    ways = {
        "compile + exec": way("exec(compile(next(cells), 'cell', 'exec'), names)", fresh_cells, names=names),
        "new lines": new_turn(town()),
        "known lines": new_turn(town(), fresh_cells_of_a_form),
        "seen before": turn(town(), THREE_WRITES),
    }
    costs = medians_us(ways, calls=200, repeats=9)
    times = {name: cost / costs["compile + exec"] for name, cost in costs.items()}
    assert times["new lines"] < 2 * 5
    assert times["known lines"] < 2 * 1.2
    assert times["seen before"] < 2 * 1.2  # some 10 to 30 µs, where these take 15 to 25
    assert times["seen before"] < times["new lines"] / 2


@pytest.mark.long
def test_a_crowd_in_columns_costs_in_a_step_what_the_page_says():
    costs = mean_step_us(columns_s, 1)
    assert costs["world, journaled"] < 2 * 10 * costs["plain arrays"]


@pytest.mark.long
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="cells are sandboxed on Linux alone")
def test_a_sandboxed_cell_costs_what_the_first_page_says():
    world = town(100)
    with ProcessHost(FACTORY, {"residents": 100}) as host, closing(BareForks()) as bare:
        host.attach(world)
        cells = {"plain": THREE_WRITES, "other": THREE_WRITES_AND_A_LIST}
        ways = {name: partial(world.execute, cell, "ann") for name, cell in cells.items()}
        walls = [walls_us({"fork": bare, **ways}, 1) for _ in range(40)]
    costs = {name: min(wall[name] for wall in walls) for name in walls[0]}  # when nobody else was in the way
    assert costs["plain"] < 2 * 2 * costs["fork"]  # half a millisecond, which a bare fork takes as well
    assert costs["other"] < 2 * 3 * costs["fork"]
    assert costs["plain"] < costs["other"] / 2
