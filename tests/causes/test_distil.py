"""Answers that recur and always land become habits; a replay proves that they stand for the calls that they spare."""

import json
from dataclasses import asdict, replace

import pytest

from cave_sim import Simulation, World, WorldError, open_run
from cave_sim.causes.distil import Distilled, elsewhere, habits, proven, read_habits, situation, write_habits
from cave_sim.causes.request import request_of
from cave_sim.cli.main import main
from cave_sim.llm_agent.habits import Habits
from cave_sim.llm_agent.llm_agent import LLMAgent
from cave_sim.models import ScriptedModel
from cave_sim.models.base import Message
from cave_sim.models.from_cli import ModelChoice
from cave_sim.replay.recipe import Recipe
from tests.causes.worlds import Hall, Person

CELLS = {"ann": "hall.treasury -= 1", "bob": "hall.keys += 'x'"}


def answer(request):
    """Ann pays, bob always fails, cid pays another sum each time; a scripted model."""
    name, step = request.key.agent, request.key.step
    return f"```python\n{CELLS.get(name, f'hall.treasury -= {step}')}\n```"


def people(out=None, model=None):
    world = World(seed=1)
    world.add("hall", Hall())
    for name in ("ann", "bob", "cid"):
        world.add(name, Person())
        world.grant(name, "*")
    habits_of_all = Habits(max_cells=1)
    return Simulation(
        world,
        lambda made: [Blind(made, name, habits=habits_of_all) for name in ("ann", "bob", "cid")],
        llm=model or ScriptedModel(answer),
        out=out,
        host="local",
    )


class Blind(LLMAgent):
    """Sees the same every time."""

    def perceive(self, observation):
        return "Go on."

    def remind(self):
        return {}


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """Return a run of six steps."""
    folder = tmp_path_factory.mktemp("runs") / "run"
    people(out=folder).run(until=6).close()
    return folder


@pytest.fixture(scope="module")
def known(run):
    with open_run(run) as opened:
        return habits(opened)


def test_only_what_recurs_with_one_answer_and_always_lands_is_a_habit(known):
    assert [(each.agent, each.cell, each.times, each.level) for each in known] == [
        ("ann", "hall.treasury -= 1", 6, "latest")
    ]


def test_another_day_is_no_other_situation_but_another_word_is_one(run):
    with open_run(run) as opened:
        asked = request_of(next(iter(opened.calls())))

    def told(text, level):
        return situation(replace(asked, messages=(Message("user", text),)), level)

    friday = "It is Fri 1 June 2012 21:00. Letter: praise"
    assert told(friday, "latest") == told("It is Mon 31 December 2013 09:50. Letter: praise", "latest")
    assert told(friday, "exact") != told("It is Mon 31 December 2013 09:50. Letter: praise", "exact")
    assert told(friday, "latest") != told("It is Fri 1 June 2012 21:00. Letter: Maypole", "latest")


def test_a_replay_proves_the_calls_that_habits_spare_by_the_same_hashes(run, known):
    proof = proven(run, people, known)
    assert (proof.spared, proof.asked, proof.parted) == (6, 12, None)


def test_a_habit_that_does_not_stand_for_its_mind_is_found_out(run, known):
    wrong = [replace(each, text="```python\nhall.treasury -= 2\n```") for each in known]
    assert proven(run, people, wrong).parted == 1


def test_what_was_learned_on_one_day_spares_calls_on_the_next(run):
    with open_run(run) as opened:
        early = habits(opened, until=3)
        second = elsewhere(opened, early, since=3)
    assert (second.calls, second.spared, second.alike) == (9, 3, 3)
    model = Distilled(ScriptedModel(answer), early)
    simulation = people(model=model)
    simulation.run(until=6).close()
    assert (model.spared, model.asked) == (6, 12)
    with open_run(run) as opened:
        assert simulation.state_hash == opened.manifest["state_hash"]


def test_habits_are_kept_as_data(known, tmp_path):
    write_habits(tmp_path / "habits.json", known)
    assert read_habits(tmp_path / "habits.json") == known
    for hostile in ("{", "[1]", '[{"situation": 1}]', '{"a": 2}', json.dumps([asdict(known[0]) | {"times": "x"}])):
        (tmp_path / "habits.json").write_text(hostile)
        with pytest.raises(WorldError, match="cannot be read as habits"):
            read_habits(tmp_path / "habits.json")


@pytest.mark.long
def test_the_command_tells_that_there_is_no_habit_and_what_is_proven(tmp_path, capsys):
    folder = tmp_path / "town"
    recipe = Recipe("town_day", {"seed": 7, "residents": 1, "start": "2012-06-01T09:00"}, ModelChoice())
    recipe.make(folder).run(until=4).close()
    line = ["distil", str(folder), "--least", "2", "--until", "3", "--host", "local"]
    assert main([*line, "--out", str(tmp_path / "habits.json")]) == 0
    assert "No habit: in " in capsys.readouterr().out
    assert read_habits(tmp_path / "habits.json") == []
    assert main([*line, "--json", "--check", str(folder)]) == 0
    assert json.loads(capsys.readouterr().out)["proof"]["parted"] is None
    assert main([*line, "--until", "9"]) == 1
    assert "has no step 9; it has the steps from 0 to 4" in capsys.readouterr().err
    Recipe("town_day", {"seed": 7, "residents": 1}).make(tmp_path / "plain").run(until=1).close()
    assert main(["distil", str(tmp_path / "plain")]) == 1
    assert "no model was asked" in capsys.readouterr().err
