"""A run of minds that is killed at any moment goes on to the end that it would have had, and pays for no call twice.

``KILLS=200`` asks for more kills than the handful that every test run makes.
"""

import json
import os
import re
import subprocess
import sys

import pytest

from cave_sim import JournalError, open_run
from cave_sim.journal.integrity import problems
from cave_sim.models import Message, Request
from cave_sim.models.from_cli import ModelChoice
from cave_sim.replay.recipe import Recipe
from cave_sim.replay.resume import resume
from cave_sim.simulations.storm_warning.script import reply
from cave_sim.testing.openai_server import OpenAIServer

KILLS = int(os.environ.get("KILLS", "6"))
UNTIL = 12
STORM = {"seed": 11, "residents": 3, "storm_h": "10.5", "hours": "0.5", "cafe_h": "11.25"}
KILLER = """
import json, os, random, signal, sys, time, urllib.request
from pathlib import Path
from cave_sim.models.from_cli import ModelChoice
from cave_sim.replay.recipe import Recipe
from tests.replay.test_kill_llm_agents import STORM, calls, go_on, paid

kills, folder, model = int(sys.argv[1]), Path(sys.argv[2]), json.loads(sys.argv[3])
recipe = Recipe("storm_warning", STORM, ModelChoice(**model))
recipe.make().run(until=1).close()  # has everything imported before there are children
dice = random.Random(model["name"])
while kills:
    goal = calls(folder) + dice.randrange(1, 9)
    child = os.fork()
    if not child:
        go_on(recipe, folder)
        os._exit(0)
    while calls(folder) < goal and not os.waitid(os.P_PID, child, os.WEXITED | os.WNOHANG | os.WNOWAIT):
        time.sleep(0.01)
    time.sleep(dice.uniform(0.0, 0.05))
    os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        kills -= 1
    else:
        assert os.WEXITSTATUS(status) == 0, "going on failed"
        folder.rename(folder.with_name(f"ended-{len(os.listdir(folder.parent))}"))
    if model.get("api_base"):
        told = json.dumps({"messages": [], "paid": paid(folder)}).encode()
        urllib.request.urlopen(model["api_base"] + "/chat/completions", told).read()
"""
"""Begins a run, kills it some calls later, goes on, kills it again; it tells the server what has been paid for."""


def go_on(recipe, folder):
    """Begin a run, or go on with it, and bring it to its end."""
    simulation = resume(folder) if has_begun(folder) else recipe.make(folder)
    simulation.run(until=UNTIL)
    simulation.close()


def has_begun(folder):
    """Say whether a run got as far as to have a file with something in it."""
    try:
        open_run(folder).close()
    except JournalError as error:
        if not re.search("holds no run|stopped before it began", str(error)):
            raise
        return False
    return True


def calls(folder):
    """Return how many calls a run has the reply of."""
    if not has_begun(folder):
        return 0
    with open_run(folder) as run:
        return run.query("SELECT count(*) FROM calls")[0][0]


def paid(folder):
    """Return what was asked in each call that a run has the reply of; nothing if it has ended, or not begun."""
    if not has_begun(folder):
        return []
    with open_run(folder) as run:
        return [[(each["role"], each["text"]) for each in call["request"]["messages"]] for call in run.calls()]


def answer(body):
    """Answer as the script of the simulation does; what the killer tells is only taken down."""
    said = tuple(Message(each["role"], each["content"]) for each in body["messages"])
    return reply(Request(said)) if said else ""


def told(folder):
    """Return the hash of every step of a run, and what was asked and answered in each call."""
    with open_run(folder) as run:
        assert list(problems(run)) == []
        said = "SELECT agent, step, attempt, hash, json_extract(reply, '$.text') FROM calls ORDER BY 1, 2, 3"
        return [step.hash for step in run.steps()], run.query(said)


def kill_again_and_again(choice, folder, kills):
    """Kill a run of minds so many times, and bring it to its end; return the folders of every run that came of it."""
    command = [sys.executable, "-c", KILLER, str(kills), str(folder), json.dumps(choice.to_data())]
    environment = {**os.environ, "PYTHONPATH": ".", "OPENAI_API_KEY": "none"}
    killed = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert killed.returncode == 0, killed.stderr
    go_on(Recipe("storm_warning", STORM, choice), folder)
    return list(folder.parent.iterdir())


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """Return the folder of the run that nobody stops."""
    folder = tmp_path_factory.mktemp("whole") / "run"
    go_on(Recipe("storm_warning", STORM, ModelChoice()), folder)
    return folder


@pytest.fixture
def server(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    with OpenAIServer(answer) as server:
        yield server


@pytest.mark.long(cases=0)
@pytest.mark.parametrize("line", ["scripted", "recorded"])
def test_minds_that_are_killed_end_as_if_nothing_had_happened(line, tmp_path, whole):
    choice = ModelChoice(replay=str(whole)) if line == "recorded" else ModelChoice()
    for folder in kill_again_and_again(choice, tmp_path / "run", max(1, KILLS // 3)):
        assert told(folder) == told(whole)


@pytest.mark.long
def test_a_server_is_never_asked_again_what_the_journal_has_an_answer_to(tmp_path, whole, server):
    choice = ModelChoice("openai/test", api_base=server.url)
    folders = kill_again_and_again(choice, tmp_path / "run", max(1, KILLS // 3))
    hashes = [told(folder)[0] for folder in folders]
    assert len(set(map(tuple, hashes))) == 1
    assert [told(folder)[1] for folder in folders] == [told(whole)[1]] * len(folders)
    known = set()
    for seen in server.seen:
        if "paid" in seen.body:
            known = set(map(_texts, seen.body["paid"]))
        else:
            asked = _texts((each["role"], each["content"]) for each in seen.body["messages"])
            assert asked not in known, "this call was paid for before the kill"
    assert any(seen.body.get("paid") for seen in server.seen), "no kill came after a call: nothing was shown"


def _texts(messages):
    return tuple(map(tuple, messages))
