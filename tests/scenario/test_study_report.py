"""A study of a scenario leaves a report behind that says what it found."""

import pytest

from cave_sim.cli.main import main

SCENARIO = """
name: bad_mood
question: Does a bad morning last?
simulation: town_day
residents: 3
steps: 6
seeds: 3
conditions:
  mild: {about: a day like any other}
  sour:
    interventions:
      - {at: 2, cell: "for each in world.all(Resident): each.mood = 0.0"}
      - {at: 3, cell: "CELL"}
"""


@pytest.fixture
def studied(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)

    def study(cell, name="study"):
        (tmp_path / "mood.yaml").write_text(SCENARIO.replace("CELL", cell))
        code = main(["study", "mood.yaml", "--out", name])
        capsys.readouterr()
        return code, (tmp_path / name / "report.html").read_text(encoding="utf-8")

    return study


@pytest.mark.long
def test_the_report_tells_the_difference_with_its_interval_and_the_command(studied):
    code, text = studied("pass")
    assert code == 0
    assert "Under sour, mood is lower than under mild: -0." in text
    assert "3 pairs of runs with the same seed" in text
    assert "town_day (residents = 3)" in text
    assert "cave-sim study mood.yaml" in text


@pytest.mark.long
def test_trials_that_failed_are_named_in_the_report(studied):
    code, text = studied("1 / 0")
    assert code == 1
    assert "sour-7 failed" in text
    assert "3 of 6 trials have no result" in text
