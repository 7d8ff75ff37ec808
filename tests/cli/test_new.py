"""`cave-sim new`: what it writes runs and passes its tests at once; and from there to a study is no way."""

import json
import os
import runpy
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from cave_sim.cli.main import main

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    before = {*sys.modules}
    yield tmp_path
    for name in {*sys.modules} - before:
        if name in ("mine", "bakery", "eager_one"):
            del sys.modules[name]


def passes(folder):
    """Run the tests in a folder as a newcomer does; returns what pytest says last."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:randomly", str(folder)]
    path = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    done = subprocess.run(
        command, cwd=folder, capture_output=True, text=True, check=False, env={**os.environ, "PYTHONPATH": path}
    )
    assert done.returncode == 0, done.stdout
    return done.stdout.splitlines()[-1]


@pytest.mark.long
def test_all_that_is_written_passes_its_tests(here, capsys):
    for kind, name in (("simulation", "mine"), ("scenario", "mine"), ("world", "bakery"), ("agent", "eager_one")):
        assert main(["new", kind, name]) == 0
        assert capsys.readouterr().out.startswith(f"wrote {name}.")
    assert {path.name for path in here.iterdir() if path.is_file()} == {  # but Python's own cache
        "mine.py", "test_mine.py", "mine.yaml", "test_mine_scenario.py", "bakery.py", "test_bakery.py", "eager_one.py",
        "test_eager_one.py",
    }  # fmt: skip
    assert int(passes(here).partition(" passed")[0].split()[-1]) >= 25


@pytest.mark.long
def test_from_nothing_to_a_studys_report_without_a_line_of_ones_own(here, capsys):
    assert main(["new", "simulation", "mine"]) == 0
    assert main(["run", "mine.py", "--set", "chattiness=0.8", "--quiet"]) == 0
    assert main(["new", "scenario", "mine"]) == 0
    assert main(["study", "mine.yaml", "--seeds", "3", "--out", "runs/study", "--json"]) == 0
    capsys.readouterr()
    table = (here / "runs" / "study" / "results" / "trials.csv").read_text().splitlines()
    assert len(table) == 1 + 2 * 3
    page = (here / "runs" / "study" / "report.html").read_text()
    assert "heard (share)" in page
    trial = next((here / "runs" / "study" / "trials").glob("as_it_is*"))
    assert main(["verify", str(trial), "--module", "mine.py"]) == 0


def test_what_is_written_can_be_run_as_any_file_of_python(here, capsys):
    assert main(["new", "simulation", "mine"]) == 0
    capsys.readouterr()
    runpy.run_path("mine.py", run_name="__main__")
    shown = capsys.readouterr().out
    assert "step 6" in shown
    assert "heard (share)" in shown


@pytest.mark.long
def test_with_time_everybody_hears_the_news(capsys):
    """Whoever talks may come upon anybody: two draws of one step do not follow from each other."""
    assert main(["new", "simulation", "mine"]) == 0
    capsys.readouterr()
    assert main(["run", "mine.py", "--steps", "60", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["measures"]["heard (share)"]["last"] == 1.0


def test_a_scenario_of_one_of_ours_varies_one_of_its_options(here, capsys):
    assert main(["new", "scenario", "storms", "--simulation", "storm_warning", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["files"] == ["storms.yaml", "test_storms_scenario.py"]
    found = yaml.safe_load((here / "storms.yaml").read_text())
    assert found["simulation"] == "storm_warning"
    assert found["conditions"]["other_storm_h"] == {"options": {"storm_h": 22.0}}


@pytest.mark.parametrize(
    ("simulation", "condition", "options"),
    [
        ("handset", "other_variant", {"variant": "reference"}),
        pytest.param("valentine_party", "other_invites", {"invites": "no"}, marks=pytest.mark.long),
        pytest.param("rumour", "other_diaries", {"diaries": "open"}, marks=pytest.mark.long),
    ],
)
def test_a_scenario_of_what_has_no_number_varies_a_choice(here, capsys, simulation, condition, options):
    assert main(["new", "scenario", "ours", "--simulation", simulation]) == 0
    assert main(["check", "ours.yaml"]) == 0
    assert yaml.safe_load((here / "ours.yaml").read_text())["conditions"][condition] == {"options": options}


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (["simulation", "1st"], "'1st' is no name"),
        (["simulation", "class"], "'class' is no name"),
        (["simulation", "a-b"], "'a-b' is no name"),
        (["world", "../up"], "'../up' is no name"),
        (["agent", "random"], "Python has a module 'random' already; take another name, such as my_random"),
        (["agent", "cave_sim"], "Python has a module 'cave_sim' already"),
        (["scenario", "lost"], "there is no lost.py here: say --simulation NAME"),
        (["scenario", "lost", "--simulation", "nope"], "there is no simulation 'nope'"),
        (["scenario", "lost", "--simulation", "city_day"], "city_day lies in shards; scenarios are for one world"),
        (["scenario", "lost", "--simulation", "newsroom"], "write one whose conditions differ by interventions"),
        (["world", "w", "--simulation", "town_day"], "--simulation says what a scenario is about"),
    ],
)
def test_what_cannot_be_made_is_one_line_and_writes_nothing(here, capsys, line, words):
    assert main(["new", *line]) == 1
    told = capsys.readouterr()
    assert (told.out, told.err.count("\n")) == ("", 1)
    assert words in told.err
    assert not [*here.iterdir()]


@pytest.mark.parametrize("taken", ["mine.py", "test_mine.py"])
def test_nothing_is_written_over(here, capsys, taken):
    (here / taken).write_text("# dear to somebody\n")
    assert main(["new", "simulation", "mine"]) == 1
    assert f"{taken} is there already" in capsys.readouterr().err
    assert [path.name for path in here.iterdir()] == [taken]
    assert (here / taken).read_text() == "# dear to somebody\n"
