import json
import re
import shutil
import sqlite3
import subprocess
from base64 import b64decode
from contextlib import ExitStack, closing

import numpy as np
import pytest

from cave_sim import open_run
from cave_sim.dashboards import write_report
from cave_sim.dashboards.feed import notes, reasons
from cave_sim.dashboards.motion import motion
from cave_sim.dashboards.record import Record
from tests.dashboards.small_town import REFUSAL, SmallTown

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


@pytest.fixture
def town(tmp_path):
    """Return the run of a small town; keywords as for SmallTown."""
    with ExitStack() as opened:

        def build(**shape):
            folder = SmallTown(**shape).write(tmp_path / f"town-{len(list(tmp_path.iterdir()))}")
            return opened.enter_context(open_run(folder))

        yield build


def page(run, tmp_path):
    return write_report(run, tmp_path / "report.html").read_text(encoding="utf-8")


def embedded(html, name):
    return json.loads(re.search(rf'<script type="application/json" id="{name}">(.*?)</script>', html)[1])


def unpacked(packed, residents):
    fractions = np.frombuffer(b64decode(packed["data"]), dtype="<u2").reshape(-1, residents)
    return packed["low"] + fractions / 65_534 * (packed["high"] - packed["low"])


def test_a_report_is_one_file_that_asks_no_one_for_anything(town, tmp_path):
    html = page(town(), tmp_path)
    own = re.sub(r"<script>/\*\*.*?</script>", "", html, flags=re.DOTALL)  # plotly.js names its documentation's address
    assert "plotly.js v" in html
    assert "default-src 'none'" in own
    assert not re.search(r"https?://|<link[^>]+stylesheet|@import|\bsrc=", own)


def test_a_report_lies_in_its_run_unless_told_otherwise(town):
    run = town(residents=1, steps=2)
    assert write_report(run) == run.folder / "report.html"


def test_the_same_run_gives_the_same_report(town, tmp_path):
    assert page(town(), tmp_path) == page(town(), tmp_path)


def test_the_header_tells_what_was_run_and_how_it_ended(town, tmp_path):
    text = re.sub(r"<[^>]+>", " ", page(town(), tmp_path))
    for fact in ("Small town", "Gridham, Friday 1 June 2012, 06:00 to 12:00", "36 × 10 min", "state36"):
        assert fact in text


def test_texts_of_a_world_are_shown_and_never_run(town, tmp_path):
    html = page(town(), tmp_path)
    assert "Gridham &amp; &lt;sons&gt;" in html
    assert "<sons>" not in html
    assert not re.search(r"(Cafe|Park) <\d", html)


def test_a_world_without_positions_has_no_map_and_all_the_rest(town, tmp_path):
    html = page(town(axes=()), tmp_path)
    assert 'id="map"' not in html
    assert embedded(html, "figures").keys() >= {"timeline", "day-0", "turns-0"}
    assert "x" not in embedded(html, "run")


def test_a_tile_world_is_drawn_on_its_tiles(town, tmp_path):
    figures = embedded(page(town(axes=("x", "y")), tmp_path), "figures")
    assert figures["map"]["layout"]["yaxis"]["scaleratio"] == 1


def test_a_map_of_degrees_is_not_stretched(town, tmp_path):
    figures = embedded(page(town(), tmp_path), "figures")
    assert figures["map"]["layout"]["yaxis"]["scaleratio"] == pytest.approx(2, rel=0.02)  # at 60 degrees north


def test_a_run_that_never_took_a_step_has_a_report(town, tmp_path):
    html = page(town(residents=0, steps=0), tmp_path)
    assert len(embedded(html, "run")["times"]) == 1


def test_a_crowd_is_stacked_above_its_first_sixty(town, tmp_path):
    figures = embedded(page(town(residents=70, steps=8), tmp_path), "figures")
    assert len(figures["timeline"]["data"][0]["text"]) == 60
    areas = [np.frombuffer(b64decode(area["y"]["bdata"]), area["y"]["dtype"]) for area in figures["crowd"]["data"]]
    assert set(sum(areas).tolist()) == {70}


def test_a_resident_costs_a_few_bytes_a_frame(town, tmp_path):
    small, large = (len(page(town(residents=number, steps=30), tmp_path)) for number in (60, 120))
    assert (large - small) / (60 * 31) < 30


def test_positions_come_back_to_within_a_metre(town):
    run = town()
    record, played = Record(run), motion(Record(run))
    latitudes = unpacked(played["y"], residents=6)
    assert np.abs(latitudes - record.numbers("lat", record.residents).T).max() < 1e-5


def test_a_value_stays_until_it_is_written_again(town):
    record = Record(town())
    assert record.numbers("precipitation_mm", [record.weather])[0].tolist() == [0.0] * 12 + [2.5] * 25
    shelter = record.born["shelter"]
    assert np.isnan(record.numbers("closed", [shelter])[0]).tolist() == [True] * 18 + [False] * 19


def test_what_a_failed_turn_s_children_wrote_is_not_shown(town):
    run = town()
    with closing(sqlite3.connect(run.folder / "run.sqlite", isolation_level=None)) as journal:
        parent, child = (9001, None, "failed"), (9002, 9001, "committed")
        for turn, above, status in (parent, child):
            row = (turn, 36, "mayor", above, "cell", None, status, "", None, 0.0, None)
            journal.execute("INSERT INTO turns VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", row)
        journal.execute(
            """INSERT INTO changes VALUES (9002, 0, 'weather', '["temperature_c"]', 'set', '12.0', '99.0')"""
        )
    record = Record(run)
    assert record.numbers("temperature_c", [record.weather]).max() < 20


def test_long_runs_are_shown_by_evenly_many_of_their_steps(town, monkeypatch):
    monkeypatch.setattr("cave_sim.dashboards.record.FRAME_BUDGET", 10)
    record = Record(town(residents=1))
    assert record.frames.steps.tolist() == [0, 4, 8, 12, 16, 20, 24, 28, 32, 36]
    assert record.frames.at(13) == 4


def test_activities_that_carry_detail_are_known_by_their_first_word(town, monkeypatch):
    monkeypatch.setattr("cave_sim.dashboards.record.MOST_ACTIVITIES", 3)
    monkeypatch.setattr(
        "tests.dashboards.small_town.ACTIVITIES", ("walking home", "walking on", "at work", "at home", "up")
    )
    codes, words = Record(town()).activities
    assert set(words) == {"sleeping", "walking", "at", "up"}
    assert codes.max() < len(words)


def test_the_map_marks_what_came_later_and_what_is_closed(town):
    marks = {mark["kind"]: mark for mark in motion(Record(town()))["marks"]}
    assert (marks["new"]["title"], marks["new"]["first"], marks["new"]["last"]) == ("Shelter", 18, 36)
    assert (marks["closed"]["title"], marks["closed"]["first"]) == ("Park <2>", 18)


def test_the_feed_tells_what_the_mayor_did(town):
    told = {(note.kind, note.text) for note in notes(Record(town())) if note.agent == "mayor"}
    assert told == {("announced", "Rain at three: the park closes."), ("created", "Shelter (Place)")}


def test_refusals_for_one_reason_are_counted_and_shown_three_times(town):
    record = Record(town())
    ((reason, status, turns, agents),) = reasons(record)
    assert (reason, status) == (REFUSAL, "failed")
    assert 1 < agents <= 6
    assert turns > len([note for note in notes(record) if note.kind == "failed"]) == 3


@pytest.mark.skipif(CHROMIUM is None, reason="needs a Chromium to open the page in")
@pytest.mark.parametrize("shape", [{}, {"axes": ()}, {"residents": 0, "steps": 0}])
def test_a_browser_opens_the_report_without_complaint(town, tmp_path, shape):
    path = write_report(town(**shape), tmp_path / "report.html")
    flags = [
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-background-networking",
        "--enable-logging=stderr",
    ]
    command = [CHROMIUM, *flags, f"--user-data-dir={tmp_path}/profile", "--virtual-time-budget=5000", "--dump-dom"]
    seen = subprocess.run([*command, f"{path.as_uri()}#dark"], capture_output=True, text=True, timeout=120, check=True)
    assert 'data-theme="dark"' in seen.stdout
    assert 'data-ready="yes"' in seen.stdout
    assert "CONSOLE" not in seen.stderr
