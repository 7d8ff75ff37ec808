"""A run goes on, and a branch of it begins, with requests that repeat more or less of what was said."""

import pytest

from cave_sim import open_run
from cave_sim.cli.main import main
from cave_sim.cli.options import models
from cave_sim.cli.parser import parser
from cave_sim.models.from_cli import ModelChoice
from cave_sim.replay.recipe import Recipe
from cave_sim.session.archive import restore
from cave_sim.session.context_state import KIND

HERE = ("--quiet", "--host", "local")
MORNING = ("town_day", "--residents", "2", "--set", "start=2012-06-01T12:00")


@pytest.fixture
def cli(capsys):
    """Return what runs a command and returns the last line that it printed."""

    def run(*arguments):
        assert main([*map(str, arguments), *HERE]) == 0
        return capsys.readouterr().out.strip().rpartition("\n")[2]

    return run


def transcript(folder, from_step):
    """Return how many tokens of the transcript were sent from a step on."""
    with open_run(folder) as run:
        return sum(call["parts"]["transcript"] for call in run.calls() if call["step"] >= from_step)


def logs(folder):
    """Return in how many rows a log was written."""
    with open_run(folder) as run:
        return sum(row.kind == KIND for session in restore(run.sessions()).values() for row in session)


def test_a_run_goes_on_with_another_context_and_keeps_that(tmp_path, cli):
    whole, cut, branch = tmp_path / "whole", tmp_path / "cut", tmp_path / "branch"
    asked = ("run", *MORNING, "--model", "scripted", "--steps")
    state_hash = cli(*asked, 20, "--out", whole)
    cli(*asked, 12, "--out", cut)
    assert cli("fork", cut, "--at", 12, "--context", "full", "--steps", 20, "--out", branch) == state_hash
    assert cli("resume", cut, "--context", "state", "--steps", 16) != state_hash
    assert cli("resume", cut, "--steps", 20) == state_hash, "the same lives, and the context stays"
    assert 0 < transcript(cut, 12) == transcript(whole, 12) < transcript(branch, 12)
    assert logs(whole) == logs(branch) == 0 < logs(cut)
    for folder, context in ((cut, "state"), (branch, "full")):
        with open_run(folder) as run:
            assert run.manifest["model"] == {"name": "scripted", "context": context}
    with open_run(cut) as run:
        ((step, data),) = run.query("SELECT step, data FROM events WHERE kind = 'asked_otherwise'")
        assert (step, run.data(data)["model"]["context"]) == (13, "state")


def test_whose_context_was_their_own_keeps_it_and_another_model_has_that_of_the_one_before():
    own = ModelChoice("openai/large", context="full")
    alike = ModelChoice("openai/other", context="step")
    agents = (("mayor", own), ("b*", alike))
    model = ModelChoice("openai/small", context="step", temperature=0.5, agents=agents)
    recipe = Recipe("town_day", model=model)

    def after(*options):
        return models.changed(recipe, parser().parse_args(["fork", "runs/x", "--at", "3", *options]))

    other, is_changed = after("--context", "state")
    assert is_changed
    assert [other.model.contexts.of(name) for name in ("mayor", "bob", "ann")] == ["full", "state", "state"]
    assert other.model.temperature == 0.5
    assert after("--model", "openai/other")[0].model.contexts.of("mayor") == "step"
    assert after() == (recipe, False)


@pytest.mark.parametrize("command", [("resume",), ("fork", "--at", "1")])
def test_a_context_that_there_is_not_or_that_nobody_asks_by_is_refused_in_one_line(tmp_path, capsys, command):
    folder = str(tmp_path / "run")
    assert main(["run", *MORNING, "--steps", "1", "--out", folder, *HERE]) == 0
    capsys.readouterr()
    assert main([command[0], folder, *command[1:], "--context", "state"]) == 1
    assert "asks no language model" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main([command[0], folder, *command[1:], "--context", "states"])
    assert "there is no 'states'. Did you mean 'state'?" in capsys.readouterr().err


@pytest.mark.long(cases=0)
def test_in_a_branch_agents_that_followed_scripts_may_be_asked_to_think(tmp_path, cli):
    parent, branch = tmp_path / "parent", tmp_path / "branch"
    cli("run", *MORNING, "--steps", 3, "--out", parent)
    cli("fork", parent, "--at", 2, "--model", "scripted", "--steps", 4, "--out", branch)
    with open_run(branch) as run:
        assert {call["step"] for call in run.calls()} == {2, 3}
