"""The report of a run: one file with the page and its data, opened from disk in a real browser."""

import gzip
import json
import re
import sqlite3
from base64 import b64decode
from contextlib import ExitStack, closing

import numpy as np
import pytest

from cave_sim import open_run
from cave_sim.dashboards import write_report
from cave_sim.dashboards.lookups.frames import NOWHERE
from cave_sim.dashboards.report import answers, kept_turns
from tests.dashboards.browser import Page, shots_folder
from tests.dashboards.conftest import leave
from tests.dashboards.small_town import SmallTown


@pytest.fixture
def town(tmp_path):
    """Return the run of a small town; keywords as for SmallTown."""
    with ExitStack() as opened:

        def build(**shape):
            folder = SmallTown(**shape).write(tmp_path / f"town-{len(list(tmp_path.iterdir()))}")
            return opened.enter_context(open_run(folder))

        yield build


@pytest.fixture
def saved(driver, tmp_path):
    """Return what opens the report of a run; afterwards nothing may have gone wrong, and nobody been asked."""
    page = Page(driver, None, shots_folder())

    def show(run, where=""):
        path = write_report(run, tmp_path / f"{run.folder.name}.html")
        driver.get("about:blank")
        driver.get(f"{path.as_uri()}#{where}")
        page.until("document.documentElement.dataset.ready === 'yes'")
        return page

    yield show
    assert page.trouble() == []
    leave(driver)


def html(run):
    return write_report(run).read_text(encoding="utf-8")


def unpacked(run):
    """Return the answers in a report, and the numbers behind them."""
    packed = re.search(r'id="saved-run">([^<]*)</script>', html(run))[1]
    message = gzip.decompress(b64decode(packed))
    begin = 4 + int.from_bytes(message[:4], "little")
    return json.loads(message[4:begin]), message[begin:]


def positions(run):
    """Return steps x movers x (across, up) as a page reads them."""
    found, numbers = unpacked(run)
    movers, (west, east, south, north) = len(found["overview"]["movers"]), found["overview"]["bounds"]
    whole = np.frombuffer(numbers, "<u2", 2 * movers * len(found["frames"])).reshape(-1, movers, 2)
    return [west, south] + whole / (NOWHERE - 1) * [east - west, north - south]


def values(run, entity, field):
    """Return (step, value) for each step from which a field had another value."""
    return [(step, value) for step, value in unpacked(run)[0]["entities"][entity]["fields"][field]]


def test_a_report_is_one_file_that_asks_no_one_for_anything(town):
    page = html(town())
    assert "default-src 'none'" in page
    assert not re.search(r"https?://(?!www\.w3\.org)|<link[^>]+stylesheet|@import|\bsrc=|\bimport ", page)


def test_a_report_lies_in_its_run_unless_told_otherwise(town):
    run = town(residents=1, steps=2)
    assert write_report(run) == run.folder / "report.html"


def test_the_same_run_gives_the_same_report(town):
    run = town()
    assert html(run) == html(run)


@pytest.mark.long
def test_a_report_names_no_folder_of_the_machine_that_wrote_it(town):
    run = town()
    assert str(run.folder.parent) not in json.dumps(unpacked(run)[0])


def test_texts_of_a_world_are_no_markup_of_the_file(town):
    assert not re.search(r"(Cafe|Park) <\d|<sons>", html(town()))


def test_a_small_town_weighs_little(town):
    assert len(html(town())) < 400_000


@pytest.mark.long
def test_a_resident_costs_a_few_bytes_a_step(town):
    small, large = (len(html(town(residents=number, steps=30))) for number in (60, 120))
    assert (large - small) / (60 * 31) < 70  # position, state, and every turn in full


def test_positions_come_back_to_within_a_metre(town):
    run = town()
    written = run.query("SELECT new FROM changes WHERE entity = 'resident_3' AND path = '[\"lat\"]' ORDER BY turn")
    assert abs(positions(run)[-1, 3, 1] - float(written[-1][0])) < 1e-5


def test_a_value_stays_until_it_is_written_again(town):
    assert values(town(), "weather", "precipitation_mm") == [(0, 0.0), (12, 2.5)]


def test_what_came_later_is_known_from_its_step_on(town):
    assert unpacked(town())[0]["entities"]["shelter"]["came"] == 18


def test_what_a_failed_turn_s_children_wrote_is_not_shown(town):
    run = town()
    with closing(sqlite3.connect(run.folder / "run.sqlite", isolation_level=None)) as journal:
        for turn, above, status in ((9001, None, "failed"), (9002, 9001, "committed")):
            row = (turn, 36, "mayor", above, "cell", None, status, "", None, 0.0, None)
            journal.execute("INSERT INTO turns VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", row)
        journal.execute("UPDATE steps SET last_turn = 9002 WHERE step = 36")
        journal.execute(
            """INSERT INTO changes VALUES (9002, 0, 'weather', '["temperature_c"]', 'set', '12.0', '99.0')"""
        )
    assert max(value for _, value in values(run, "weather", "temperature_c")) < 20


def test_long_runs_are_shown_by_evenly_many_of_their_steps(town, monkeypatch):
    monkeypatch.setattr(answers, "MOST_STEPS", 10)
    assert unpacked(town(residents=1))[0]["steps"] == [0, 4, 8, 12, 16, 20, 24, 28, 32, 36]


def test_of_very_many_turns_those_that_stand_out_are_kept_before_others(town, monkeypatch):
    monkeypatch.setattr(kept_turns, "MOST_TURNS", 40)
    found = unpacked(town())[0]
    assert (len(found["turns"]), found["turns_in_all"] > 200) == (40, True)
    assert {turn["status"] for turn in found["turns"]} == {"committed", "failed"}


def test_a_report_opens_from_disk_where_most_is_going_on(town, saved):
    run = town()
    page = saved(run, "light")
    assert page.step == unpacked(run)[0]["overview"]["opening"]
    assert page.js("return document.documentElement.dataset.theme") == "light"
    assert page.text("h1") == "Small town"
    assert "Gridham" in page.text(".title .note")
    page.shot("report")


@pytest.mark.long
def test_a_report_says_how_to_get_what_only_a_live_page_does_and_leads_to_the_documents(town, saved):
    run = town()
    (run.folder / "documents").mkdir()
    for name in ("gazette_1.html", "minutes.md", ".half.html.new", "a <b>.html", "script.js"):
        (run.folder / "documents" / name).write_text("x")
    page = saved(run)
    assert page.text("#documents").endswith(": gazette_1.html, minutes.md")
    assert page.js("return document.querySelector('#documents a').getAttribute('href')") == "documents/gazette_1.html"
    assert f"cave-sim dash {run.folder.name}" in page.text("#saved-note")
    assert "state36" in page.text("#saved-note")
    for live_only in ("#tab-control", "#live", "#report", ".brand", "#overlay", "#measures-csv"):
        assert page.all(live_only) == []


@pytest.mark.long
def test_a_tile_world_is_drawn_on_its_tiles(town, saved):
    assert saved(town(axes=("x", "y"))).js("return cave.map.stretch") == 1


@pytest.mark.long(cases=0)
@pytest.mark.parametrize("shape", [{"axes": ()}, {"residents": 0, "steps": 0}, {"residents": 70, "steps": 8}])
def test_a_report_of_any_shape_opens_without_complaint(town, saved, shape):
    page = saved(town(**shape))
    assert page.text("#status") == "not finished"
    page.until("document.querySelector('#panel-feed').textContent.length > 20")


@pytest.mark.long(cases=0)
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("size", ["phone", "laptop", "desk"])
def test_everybody_can_use_a_report_on_any_screen(town, saved, size, theme):
    page = saved(town(), f"step=20&theme={theme}&tab=inspect&pick=resident_1")
    page.size(size)
    page.until_text("#panel-inspect h2", "Resident 1")
    page.until("document.documentElement.scrollWidth <= innerWidth")
    assert page.barriers() == []
    page.shot(f"report-{size}-{theme}")
    page.size("laptop")
