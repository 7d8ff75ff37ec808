"""Outcomes: what a study reads from the journal of each trial, once it has ended."""

import math
import re
import sys
from pathlib import Path

import pytest

from cave_sim import WorldError, open_run
from cave_sim.cli.main import main
from cave_sim.scenario import Scenario, open_study, parse_scenario, run_study
from cave_sim.scenario.check import check_scenario
from cave_sim.scenario.study import ScenarioStudy

HERE = "tests.scenario.test_outcomes"
TEXT = f"""\
name: written
simulation: rain
steps: 3
seeds: 2
outcomes:
  turns: {{value: "{HERE}:turns", label: turns that landed, unit: turns}}
conditions: {{dry: {{}}, wet: {{interventions: [{{at: 2, cell: "print(1)"}}]}}}}
"""


def turns(run):
    """Return how many turns of a run landed, as its journal has it."""
    ((count,),) = run.query("SELECT count(*) FROM turns WHERE status = 'committed'")
    return count


def nothing(run):
    return None


def text(run):
    return "many"


def broken(run):
    raise ValueError(f"{run.last_step} steps tell nothing")


def leaving(run):
    raise SystemExit(0)


def outcome(function):
    return parse_scenario(TEXT.replace(f"{HERE}:turns", f"{HERE}:{function}"))


@pytest.mark.long
def test_they_are_columns_of_the_table_with_what_the_journal_of_each_trial_tells(tmp_path):
    study, report = run_study(parse_scenario(TEXT), tmp_path)
    assert not report.failures
    told = study.frame().set_index(["condition", "seed"])["turns"]
    for (condition, seed), count in told.items():
        with open_run(tmp_path / "trials" / f"{condition}-{seed}") as run:
            assert count == turns(run) > 0
    assert (told["wet"] - told["dry"]).tolist() == [1, 1]  # the cell that was planned
    assert study.about["measures"]["turns"] == {"label": "turns that landed", "unit": "turns"}
    again, second = run_study(parse_scenario(TEXT), tmp_path)
    assert not second.failures
    assert again.frame().equals(study.frame())


OVER = """\
name: over
simulation: rain
steps: 6
measures: {wave: "(world.step - 2) * (world.step - 2)", "left (share)": abs(world.step - 3) / 2}
outcomes: {most: max(wave), first: step_of_max(left (share)), least: min(wave), at: step_of_min(wave),
  usual: mean(wave), all: 'sum( measures["left (share)"] )'}
"""


def test_the_peak_of_a_measure_is_an_outcome_and_so_is_its_step(tmp_path):
    study, report = run_study(parse_scenario(OVER), tmp_path)
    assert not report.failures
    (row,) = study.frame().to_dict("records")
    told = {"most": 16, "first": 0, "least": 0, "at": 2, "usual": 35 / 7, "all": 6}  # 0 and 6 are alike in what is left
    assert {name: row[name] for name in told} == pytest.approx(told)


def test_the_peak_of_a_share_is_a_share_and_neither_its_step_nor_its_sum_is(tmp_path):
    text = (
        "name: wet\nsimulation: rain\nsteps: 4\nseeds: 2\n"
        "measures: {drops: {value: 'len(sky.spells)', unit: drops}}\n"
        "outcomes: {most: max(wet days (share)), all: sum(wet days (share)), at: step_of_max(wet days (share)),"
        " fall: mean(drops), told: {value: max(drops), unit: mm}}\n"
    )
    study, report = run_study(parse_scenario(text), tmp_path)
    assert not report.failures
    units = {name: each["unit"] for name, each in study.about["measures"].items()}
    assert units == {"drops": "drops", "most": "share", "all": "", "at": "", "fall": "drops", "told": "mm"}


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("measures: {wave: 1 + 1, peak: mean(wave)}", "over the steps of a run it is an outcome"),
        ("measures: {wave: 1 + 1}\noutcomes: {most: max(wav)}", "no measure is called 'wav'. Did you mean 'wave'?"),
        ("measures: {wave: 1 + 1}\noutcomes: {most: max(rain.mm)}", ", wave. An expression is named below measures:"),
    ],
)
def test_a_check_tells_which_measure_there_is_and_where_a_peak_belongs(line, words):
    (problem,) = check_scenario(parse_scenario(f"name: a\nsimulation: rain\n{line}\n")).problems
    assert re.search(words, problem)


def test_each_trial_has_all_its_steps_in_its_own_journal():
    assert not ScenarioStudy(parse_scenario(TEXT)).shares_prefixes
    assert ScenarioStudy(Scenario(name="a", simulation="rain")).shares_prefixes


@pytest.mark.long
def test_one_that_comes_to_nothing_is_missing_and_loses_no_trial(tmp_path):
    study, report = run_study(outcome("nothing"), tmp_path, seeds=1)
    assert not report.failures
    assert all(map(math.isnan, study.frame()["turns"]))


@pytest.mark.long
@pytest.mark.parametrize(
    ("function", "words"),
    [
        ("leaving", "turns': .*leaving raised SystemExit: 0"),
        ("broken", "turns': .*broken raised ValueError: 3 steps tell nothing \\(.*test_outcomes.py, line \\d+\\)"),
        ("text", "outcome 'turns' came to 'many': it returns a number$"),
    ],
)
def test_one_that_fails_costs_its_trial_and_is_named(tmp_path, function, words):
    _, report = run_study(outcome(function), tmp_path, seeds=1)
    assert len(report.failures) == 2
    with pytest.raises(WorldError, match=words):
        raise WorldError(report.failures[0].why)


def highest(world):
    return max([])


def test_a_measure_of_ones_own_that_fails_is_told_with_its_line():
    text = "name: a\nsimulation: rain\nmeasures: {most: 'tests.scenario.test_outcomes:highest'}\n"
    (problem,) = check_scenario(parse_scenario(text)).problems
    line = highest.__code__.co_firstlineno + 1
    assert re.search(rf"\(.*test_outcomes.py, line {line}\)$", problem), problem


def test_a_trial_whose_outcome_had_failed_ends_with_what_it_measured_last(tmp_path, monkeypatch):
    text = TEXT.replace("\noutcomes:", "\nmeasures: {begun: world.step}\noutcomes:")
    monkeypatch.setattr(sys.modules[__name__], "turns", broken)
    _, report = run_study(parse_scenario(text), tmp_path)
    assert len(report.failures) == 4
    monkeypatch.undo()
    study, report = run_study(parse_scenario(text), tmp_path)
    assert not report.failures
    assert list(study.frame()["begun"]) == [3, 3, 3, 3]


@pytest.mark.parametrize(
    ("function", "problems", "warnings"),
    [("turns", 0, 0), ("broken", 0, 1), ("leaving", 0, 1), ("text", 1, 0), ("turn", 1, 0)],
)
def test_a_check_finds_what_is_not_there_and_what_is_no_number(function, problems, warnings):
    found = check_scenario(outcome(function))
    assert (len(found.problems), len(found.warnings)) == (problems, warnings)
    assert function != "turn" or "Did you mean 'turns'?" in found.problems[0]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("outcomes: {turns: len(world)}", "an outcome is a function of the run, package.module:function"),
        ("outcomes: {turns: max(ill) / 2}", "or of what a measure came to over its steps: max, min, mean"),
        ("outcomes: {seed: 'a:b'}", "'seed' is a column of every table"),
        ("outcomes: {n: 'a:b'}\nmeasures: {n: 1 + 1}", "there is an outcome 'n', too"),
    ],
)
def test_what_is_no_outcome_is_told(line, words):
    with pytest.raises(WorldError, match=words):
        parse_scenario(f"name: a\nsimulation: rain\n{line}\n")


@pytest.mark.long
def test_a_module_beside_the_scenario_is_found_as_a_simulation_there_is(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    Path("counted_here.py").write_text("steps = lambda run: run.last_step\nclock = lambda world: world.clock.step\n")
    measured = f"measures: {{clock: 'counted_here:clock'}}\n{TEXT.split('measures:')[0]}"
    Path("written.yaml").write_text(measured.replace(f"{HERE}:turns", "counted_here:steps"))
    assert main(["study", "written.yaml", "--out", "runs/written", "--quiet"]) == 0
    assert set(open_study("runs/written").frame()["turns"]) == {3}
    assert main(["fork", "runs/written/trials/dry-7", "--at", "1", "--quiet", "--out", "runs/branch"]) == 0
    capsys.readouterr()
    Path("written.yaml").write_text(TEXT.replace(HERE, "counted_there"))
    assert main(["check", "written.yaml"]) == 1
    assert "a module of your own is found from the folder that holds counted_there" in capsys.readouterr().err
