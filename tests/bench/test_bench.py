"""What is timed does what its row says."""

from io import StringIO

import pytest
from rich.console import Console

from tests.bench.cells import THREE_NEW_WRITES, THREE_WRITES, new_cells
from tests.bench.page import write_page
from tests.bench.peers_page import PLOT, write_peers
from tests.bench.scale import Cost, law
from tests.bench.subjects import town
from tests.bench.table import Row, read_json, show_changes, write_json


def test_the_timed_cells_leave_three_changes_however_often_they_run():
    world = town()
    cells = [THREE_WRITES] * 5 + list(new_cells(5, 10, THREE_NEW_WRITES)) + [THREE_WRITES] * 3
    assert [len(world.execute(cell, agent="ann").changes) for cell in cells] == [3] * len(cells)


def test_two_runs_are_set_side_by_side_row_by_row(tmp_path):
    before = [Row("turn", "4 µs", "exec", 4.0, 3), Row("turn", "8 µs", "parse", 8.0, 3)]
    now = [Row("turn", "2 µs", "exec", 2.0, 3), Row("turn", "2 µs", "parse", 2.0, 3), Row("new", "", "", 1.0, 3)]
    write_json(before, tmp_path / "old.json")
    assert read_json(tmp_path / "old.json") == before
    console = Console(record=True, width=100, file=StringIO())
    show_changes(now, read_json(tmp_path / "old.json"), console)
    told = console.export_text()
    assert ("0.50" in told, "0.25" in told, "new" in told.split("now / before")[1]) == (True, True, False)
    write_page(tmp_path / "page.md", now, before, 3)
    page = (tmp_path / "page.md").read_text()
    assert "| turn | 8 x | 2 x (2 µs) | parse | ≤ 3 x |  |" in page
    assert "3 of 3 targets met" in page


@pytest.mark.long
def test_peers_have_a_part_of_the_page_that_stays_when_the_rest_is_measured_anew(tmp_path):
    page, here = tmp_path / "page.md", [Row("turn", "2 µs", "parse", 2.0, 3)]
    write_page(page, here, [], 3)
    write_peers(
        page, {"rival==1": [Row("new cell", "2 µs", "rival 3 µs", 1.5, 1, at_least=True)]}, {"other==2": "gone"}
    )
    write_page(page, [Row("turn", "4 µs", "parse", 4.0, 3)], [], 3)
    told = page.read_text()
    assert "| turn | 4 x (4 µs) | parse | ≤ 3 x | missed |" in told.split("## Beside others")[0]
    assert "| new cell | 2 µs | rival 3 µs | 1.5 x | ≥ 1 x |  |" in told
    assert "- Not measured: other==2: gone" in told
    assert "rival==1: new cell" in (tmp_path / PLOT).read_text()
    write_peers(page, {}, {"rival==1": "gone"})
    assert (page.read_text().count("## Beside others"), "new cell" in page.read_text()) == (1, False)


def test_the_law_of_a_sweep_is_its_power_and_how_far_a_size_lies_off_it():
    costs = [Cost(size, size**0.5, 0, 3, 0, 7) for size in (100, 400, 1_600)]
    assert [round(each, 6) for each in (*law(costs, "decision_us"), *law(costs, "peak_mb"))] == [0.5, 0, 0, 0]
    power, off = law([*costs, Cost(1_600, 50, 0, 3, 0, 7)], "decision_us")
    assert power > 0.5
    assert 0.05 < off < 0.25
