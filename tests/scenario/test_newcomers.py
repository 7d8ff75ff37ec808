"""What somebody new stumbled over: each is one clear line now, or works."""

import json
import sqlite3

import pytest

from cave_sim import JournalError, WorldError
from cave_sim.analysis.paper import paper
from cave_sim.analysis.report import write_report
from cave_sim.analysis.trials import Trials
from cave_sim.cli.main import main
from cave_sim.scenario import Scenario, open_study, run_study
from cave_sim.scenario.check import check_scenario
from cave_sim.scenario.estimate import estimate
from cave_sim.scenario.reading import parse_scenario
from tests.analysis.studies import write_study

TEA = """
from typing import Annotated

from pydantic import Field

from cave_sim import Entity, Simulation, World, field

STEPS = 3


class Pot(Entity):
    cups: int = field(8, ge=0)


def create(*, seed, residents: Annotated[int, Field(ge=2)] = 2, out=None, manifest=None, observers=()):
    world = World(seed=seed)
    world.add("pot", Pot(cups=residents))
    return Simulation(world, out=out, manifest=manifest, observers=observers)


def ending(world):
    if world.seed == 8 and world.clock.step > 1:
        raise SystemExit("I am done")
    return float("inf") if world.seed == 9 else 1.0
"""
SCENARIO = """
name: tea
simulation: own_tea.py
seeds: 2
measures: {cups: "world['pot'].cups"}
conditions:
  plain: {}
  filled: {interventions: [{at: 2, cell: "pot.cups = 9"}]}
"""


@pytest.fixture
def tea(tmp_path, monkeypatch, capsys):
    """Return what writes a scenario and runs a command, and returns how that ended and what it said."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(__import__("sys").modules, "own_tea", raising=False)
    (tmp_path / "own_tea.py").write_text(TEA)

    def run(*command, text=SCENARIO):
        (tmp_path / "tea.yaml").write_text(text)
        code = main(list(command))
        shown = capsys.readouterr()
        return code, shown.out, shown.err

    return run


def test_an_error_in_ones_own_code_is_told_with_its_place_and_not_tried_again(tea, tmp_path):
    fault = '    world.dynamics(lambda world: world["pot"].warmth)\n'
    broken = TEA.replace("    return Simulation", f"{fault}    return Simulation")
    line = next(number for number, text in enumerate(broken.splitlines(), 1) if "warmth" in text)
    (tmp_path / "own_tea.py").write_text(broken)
    failed = run_study(parse_scenario(SCENARIO), tmp_path / "out")[1].failures
    assert (failed[0].name, failed[0].tries) == ("plain-7", 1)
    assert failed[0].why.endswith(f"has no attribute 'warmth' ({tmp_path / 'own_tea.py'}, line {line})")


@pytest.mark.long
def test_what_a_study_was_told_before_it_goes_on(tea, tmp_path):
    code, out, _ = tea("study", "tea.yaml", "--out", "runs/tea")
    assert code == 0
    (tmp_path / "own_tea.py").write_text(TEA + "\n# another line\n")
    code, out, said = tea("study", "tea.yaml", "--out", "runs/tea", "--seeds", "3")
    assert code == 0
    assert "cave-sim: own_tea.py changed since this study was begun" in said
    assert "4 of 6 trials are there already" in said
    assert "(5 of 6)\n" in said  # how long the rest takes is told from the second result on
    assert "(1 of 6" not in said
    about = open_study("runs/tea").about
    assert about["changed_code"] == ["own_tea.py"]
    assert (
        "The code of own_tea.py changed while the study was under way"
        in (tmp_path / "runs/tea/report.html").read_text()
    )
    code, _, said = tea("study", "tea.yaml", "--out", "runs/tea", text=SCENARIO.replace("pot.cups = 9", "pot.cups = 7"))
    assert code == 1
    assert said.strip() == (
        "cave-sim: runs/tea holds a study in which scenario.conditions.filled.interventions[0].cell was 'pot.cups = 9';"
        " now it is 'pot.cups = 7'. Choose another folder with --out, or put that back"
    )
    code, out, _ = tea("list", "runs")
    assert "of them shared" in out
    rows = {row["run"]: row for row in json.loads(tea("list", "runs", "--json")[1])}
    assert rows["tea/trials/filled-7"]["shared"] == 2


@pytest.mark.long
def test_residents_can_be_a_parameter_within_the_bounds_that_a_simulation_declares(tea):
    code, _, said = tea("study", "tea.yaml", "--out", "a", text=SCENARIO + "parameters: {residents: [2, 4]}\n")
    assert code == 0, said
    assert sorted(open_study("a").frame().query("condition == 'plain'")["cups"]) == [2, 2, 4, 4]
    code, _, said = tea("check", "tea.yaml", text=SCENARIO + "parameters: {residents: [1, 4]}\n")
    assert code == 1
    assert "own_tea: residents=1: takes a whole number, 2 or more" in said
    code, _, said = tea("run", "own_tea.py", "--residents", "1")
    assert code == 1
    assert "residents=1: takes a whole number, 2 or more" in said


@pytest.mark.long
def test_a_measure_that_ends_the_program_or_is_infinite_costs_its_trial_and_no_more(tea):
    text = SCENARIO.replace("\"world['pot'].cups\"", "'own_tea:ending'").replace("seeds: 2", "seeds: 3")
    code, out, said = tea("study", "tea.yaml", "--out", "runs/tea", text=text)
    assert code == 1
    assert "plain-8 failed" in said
    assert "SystemExit: I am done" in said
    assert "cups: infinite in 2 of 4 trials, which means leave out" in out
    told = paper(Trials.read("runs/tea")).threats
    assert any("cups is infinite at the end of 2 of 4 trials" in each for each in told)


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (["run", "mesa:"], "mesa: is followed by the name of a model. Mesa brings: "),
        (["list", "run"], "the runs in a folder are listed by: cave-sim list runs"),
    ],
)
def test_a_slip_is_answered_with_what_is_meant(tea, command, words):
    code, _, said = tea(*command)
    assert code == 1
    assert words in said
    assert said.count("\n") == 1


def test_one_mistake_is_told_once_however_many_points_and_conditions_have_it():
    text = SCENARIO.replace("own_tea.py", "town_day").replace("world['pot'].cups", "town.cents_${n}")
    problems = check_scenario(parse_scenario(text + "parameters: {n: [a, b, c]}\n")).problems
    assert len([each for each in problems if "measures.cups" in each]) == 1


EDITS = {
    "measures": ["cups"], "measures.ever": 3, "seeds": ["a"], "scenario": [], "parameters": {"a": 1},
    "treated": {"mild": 3}, "failed": 7, "versions": {"python": 3}, "name": 7, "scenario.sampling": "morris",
    "scenario.conditions": ["none"], "conditions": ["nobody"], "changed_code": "x",
}  # fmt: skip


@pytest.mark.parametrize("place", EDITS)
def test_a_study_that_somebody_edited_is_one_line(tmp_path, place):
    folder = write_study(tmp_path / "study", seeds=2, effects=(0.0,), steps=1)
    about = json.loads((folder / "study.json").read_text())
    outer, _, key = place.rpartition(".")
    (about[outer] if outer else about)[key] = EDITS[place]
    (folder / "study.json").write_text(json.dumps(about))
    with pytest.raises(JournalError) as told:
        write_report(folder)
    assert "\n" not in str(told.value)
    assert "study.json" in str(told.value)


def test_what_is_read_of_a_study_that_is_done_is_data_and_no_code_that_it_names_runs(tmp_path, monkeypatch):
    folder = write_study(tmp_path / "study", seeds=2, effects=(0.0,), steps=1)
    trap = f"from pathlib import Path\nPath({str(tmp_path / 'ran')!r}).touch()\n"
    monkeypatch.chdir(folder)
    monkeypatch.syspath_prepend(str(folder))
    (folder / "trap.py").write_text(trap)
    about = json.loads((folder / "study.json").read_text())
    about["scenario"] |= {"simulation": "trap.py", "measures": {"mean": "trap:measure"}}
    (folder / "study.json").write_text(json.dumps(about))
    write_report(folder)
    assert not (tmp_path / "ran").exists()


def test_tables_that_somebody_edited_are_one_line(tmp_path):
    folder = write_study(tmp_path / "study", seeds=2, effects=(0.0,), steps=1)
    table = folder / "results" / "trials.csv"
    text = table.read_text()
    for edited in (
        text.replace("ever", "never"),
        text.replace("0.5", "half"),
        "",
        "x\n1\n",
        text.replace("seed", "sed"),
    ):
        table.write_text(edited)
        with pytest.raises(JournalError) as told:
            write_report(folder)
        assert "\n" not in str(told.value)


SURVEY = """
name: asked
simulation: town_day
residents: 2
steps: 4
surveys: [{at: [2, 4], questions: ["How are you?", "Why?"]}]
"""


@pytest.mark.long
def test_a_survey_is_checked_for_somebody_to_ask_and_counted():
    (told,) = check_scenario(parse_scenario(SURVEY)).problems
    assert told.startswith(
        "asked: surveys[0]: nobody here thinks with a language model, so that nobody can be asked: name"
    )
    asked = SURVEY + "model: {name: openai/none, api_base: 'http://127.0.0.1:9/v1'}\n"
    (told,) = check_scenario(parse_scenario(asked.replace('"]}', '"], whom: [mayr]}'))).problems
    assert "surveys[0].whom: 'mayr' cannot be asked; minds here: " in told
    assert "Did you mean 'mayor'" in told
    silent = estimate(parse_scenario(asked.replace("surveys:", "question: ''\n#")))
    with_questions = estimate(parse_scenario(asked))
    assert with_questions.calls == silent.calls + 2 * 2 * 3
    assert "12 of the calls are questions of surveys" in with_questions.rests_on


def test_a_branch_of_a_run_that_cannot_be_read_is_listed_all_the_same(tea, tmp_path):
    tea("run", "own_tea.py", "--out", "runs/one", "--quiet")
    with sqlite3.connect(next((tmp_path / "runs/one").glob("*.sqlite"))) as file:
        file.execute("UPDATE manifest SET value = '[7]' WHERE key = 'parents'")
    assert "one" in tea("list", "runs")[1]


@pytest.mark.parametrize("seeds", [0, -1, True])
def test_a_number_of_seeds_that_is_none_is_refused_and_not_taken_for_the_usual(seeds, tmp_path):
    with pytest.raises(WorldError, match=f"seeds={seeds!r}: takes how many"):
        run_study(Scenario(name="x", simulation="rain", steps=1), tmp_path / "study", seeds=seeds)
