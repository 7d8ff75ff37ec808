"""Another model is asked at every decision point, its reply lands for one turn, and effects are compared."""

import json

import pytest

from cave_sim import Simulation, World, WorldError, open_run
from cave_sim.causes.request import request_of
from cave_sim.causes.side_by_side import NOTHING, SideBySide
from cave_sim.cli.main import main
from cave_sim.llm_agent.habits import Habits
from cave_sim.llm_agent.llm_agent import LLMAgent
from cave_sim.models import ScriptedModel
from cave_sim.models.from_cli import ModelChoice
from cave_sim.replay.recipe import Recipe
from tests.causes.worlds import Hall, Person


def thrifty(request):
    """Pay 1, a scripted model."""
    return "```python\nhall.treasury -= 1\n```"


def lavish(request):
    """Pay 1, but 9 where it is told that it is late, and nothing where it is not told the time; a scripted model."""
    text = request.messages[-1].text
    if "It is" not in text:
        return "I do not know the time."
    return f"```python\nhall.treasury -= {9 if request.key.step == 2 else 1}\n```"


def household(answer=thrifty, out=None):
    world = World(seed=1)
    world.add("hall", Hall())
    for name in ("ann", "bob"):
        world.add(name, Person())
        world.grant(name, "*")
    habits = Habits(max_cells=1)
    return Simulation(
        world,
        lambda made: [LLMAgent(made, name, habits=habits) for name in ("ann", "bob")],
        llm=ScriptedModel(answer),
        out=out,
        host="local",
    )


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """Return a run of two who ask a scripted model for four steps."""
    folder = tmp_path_factory.mktemp("runs") / "run"
    household(out=folder).run(until=4).close()
    return folder


def points(run, answer, **how):
    pair = SideBySide(run, household, ScriptedModel(answer, name="b"), **how)
    return pair, list(pair.points())


def test_a_stored_request_is_the_same_again(run):
    with open_run(run) as opened:
        for call in opened.calls():
            assert request_of(call).hash == call["hash"]


def test_the_same_model_does_the_same_at_every_point(run):
    pair, found = points(run, thrifty)
    assert len(found) == len(pair) == 8
    assert all(each.is_same and each.one == each.other for each in found)


def test_where_another_model_differs_is_found_and_no_point_is_led_astray_by_one_before(run):
    pair, found = points(run, lavish, outcome="hall.treasury")
    assert pair.paid == 8
    assert sorted((each.agent, each.step) for each in found if not each.is_same) == [("ann", 2), ("bob", 2)]
    assert {each.other.outcome - each.one.outcome for each in found} == {0.0, -8.0}
    assert {each.one.status for each in found} == {"committed"}


@pytest.mark.long(cases=0)
def test_a_part_of_the_prompt_is_worth_what_it_does_and_its_tokens(run):
    _, found = points(run, lavish, without="clock")
    assert {each.other.status for each in found} == {NOTHING}
    assert all(each.other.prompt_tokens < each.one.prompt_tokens for each in found)


def test_what_cannot_be_compared_is_told_before_a_reply_is_paid_for(run):
    with pytest.raises(WorldError, match=r"no prompt of this run has a part 'clck'. Did you mean 'clock'\? There are"):
        SideBySide(run, household, ScriptedModel(lavish), without="clck")
    pair = SideBySide(run, household, ScriptedModel(lavish), outcome="hall.tresury")
    with pytest.raises(WorldError, match="Did you mean 'treasury'"):
        list(pair.points())
    assert pair.paid == 0


def test_no_reply_is_paid_for_twice_and_what_was_cut_off_is_passed_over(run, tmp_path):
    file = tmp_path / "replies.jsonl"
    pair, found = points(run, lavish, file=file, max_calls=3)
    assert (pair.paid, len(found)) == (3, 2)
    with file.open("a") as opened:
        opened.write('{"run": "cut o')
    pair, found = points(run, lavish, file=file)
    assert (pair.paid, len(found)) == (5, 8)


def test_a_run_without_minds_has_no_decision_points(tmp_path):
    Recipe("town_day", {"seed": 7, "residents": 1}).make(tmp_path / "town").run(until=1).close()
    with pytest.raises(WorldError, match="no decision point"):
        SideBySide(tmp_path / "town", household, ScriptedModel(thrifty))


def test_a_script_that_fails_on_a_prompt_without_a_part_is_told_with_its_error(run):
    broken = SideBySide(run, household, ScriptedModel(lambda request: {}["clock"]), without="api")
    with pytest.raises(WorldError, match=r"fails on a prompt without 'api'.*KeyError: 'clock'"):
        list(broken.points())


@pytest.mark.long
def test_the_command_compares_effects_and_tokens(tmp_path, capsys, monkeypatch):
    folder = tmp_path / "town"
    recipe = Recipe("town_day", {"seed": 7, "residents": 1, "start": "2012-06-01T09:00"}, ModelChoice())
    recipe.make(folder).run(until=2).close()
    line = ["compare-models", str(folder), "--model", "scripted", "--host", "local"]
    assert main(line) == 0
    shown = capsys.readouterr().out
    assert "scripted, beside the run, at " in shown
    assert "tokens read" in shown
    assert main([*line, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["paid"] == 0
    assert all(each["one"]["effects"] == each["other"]["effects"] for each in told["points"])
    assert main([*line[:2], "--without", "clock", "--host", "local"]) == 0
    assert "scripted without the part 'clock' of its prompt: 4 did nothing" in capsys.readouterr().out
    assert main([*line[:2], "--without", "clck", "--host", "local"]) == 1
    assert "no prompt of this run has a part 'clck'. Did you mean 'clock'?" in capsys.readouterr().err
    assert main(["compare-models", str(folder)]) == 1
    assert "nothing would differ" in capsys.readouterr().err

    def interrupted(_):
        raise KeyboardInterrupt

    monkeypatch.setattr(SideBySide, "points", interrupted)
    assert main(line) == 130
    assert "the same command goes on" in capsys.readouterr().out
