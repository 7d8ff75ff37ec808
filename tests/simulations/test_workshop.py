"""The workshop: minds are asked within another one's cell, on every host alike, and nobody twice."""

import signal
import subprocess
import sys

import pytest

from cave_sim import open_run
from cave_sim.hosts.placement import isolated
from cave_sim.journal.integrity import problems
from cave_sim.models import ScriptedModel
from cave_sim.replay.recipe import Recipe
from cave_sim.replay.resume import resume
from cave_sim.replay.verify import verify
from cave_sim.simulations import workshop
from cave_sim.simulations.workshop.script import JOBS, reply

HASH = "bfbeb1fb54a56df908630e5b2cea36611c813487034c567f4572d50efffb33ca"
RECIPE = Recipe("workshop", {"seed": 7})
DIES = """
import os, signal, sys
from cave_sim.models import ScriptedModel
from cave_sim.simulations import workshop
from cave_sim.simulations.workshop.script import reply

left = int(sys.argv[2])

def mortal(request):
    global left
    left -= 1
    if left < 0:
        os.kill(os.getpid(), signal.SIGKILL)
    return reply(request)

workshop.create(seed=7, out=sys.argv[1], llm=ScriptedModel(mortal)).run(until=workshop.STEPS).close()
"""


@pytest.fixture(scope="module")
def recorded(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs") / "workshop"
    simulation = RECIPE.make(folder)
    simulation.run(until=workshop.STEPS).close()
    assert simulation.state_hash == HASH
    return folder


def after(steps, replies=reply):
    return workshop.create(seed=7, llm=ScriptedModel(replies)).run(until=steps)


def test_a_cell_has_a_line_fitted_until_the_check_of_another_mind_holds():
    order = after(1).world["order"]
    assert order.rounds == 2
    assert all(abs(order.line[0] * x + order.line[1] - y) <= order.tolerance for x, y in order.points if x != 5)


def test_a_cell_pauses_rewires_grants_reads_a_transcript_and_spawns():
    simulation = after(2)
    world = simulation.world
    assert world.wiring.paused == ["ann"]
    assert world.wiring.habits == {"bob": {"max_cells": 1}, "cem": {"max_cells": 2}}
    assert "order.price_cents" in world.system.grants["bob"]
    assert [said.partition(" to ")[0] for said in world["order"].said] == ["Set `result`"] * 2
    assert "cem" in simulation.by_name
    asked = []
    after(4, lambda request: asked.append(request) or reply(request))
    told = {request.key.agent: request.messages[0].text for request in asked if request.key.step >= 2}
    assert "You are bob. You are the clerk" in told["bob"]
    assert "You are cem. You check what others have written" in told["cem"]


def test_a_cell_that_fails_leaves_nothing_of_what_others_did_and_thought_in_it():
    before, failed = after(2), after(3)
    assert (failed.world["order"].price_cents, failed.world["bob"].jobs) == (0, before.world["bob"].jobs)
    assert failed.world.variables_hash() == before.world.variables_hash()
    said = [[row.text for row in each.by_name["bob"].session.rows] for each in (before, failed)]
    assert said[0] == said[1]
    assert after(4).world["order"].price_cents == 1252


@pytest.mark.long
def test_one_hash_in_sandboxed_processes(tmp_path, recorded):
    simulation = RECIPE.make(tmp_path / "jailed")
    with isolated(simulation, RECIPE, require="guarded"):
        simulation.run(until=workshop.STEPS).close()
    assert simulation.state_hash == HASH
    with open_run(recorded) as here, open_run(tmp_path / "jailed") as there:
        told = "SELECT turn, agent, status, output, error, parent FROM turns"
        assert here.query(told) == there.query(told)
        asked = "SELECT agent, step, attempt, hash FROM calls ORDER BY agent, step, attempt"
        assert here.query(asked) == there.query(asked)


@pytest.mark.long
@pytest.mark.parametrize("jailed", [False, True], ids=["local", "process"])
def test_its_cells_are_run_again_with_what_they_were_answered_and_nobody_is_asked(recorded, jailed):
    def place(simulation):
        return isolated(simulation, RECIPE, require="guarded")

    with open_run(recorded) as run:
        assert list(problems(run)) == []
        verdict = verify(run, lambda: workshop.create(seed=7, llm=ScriptedModel(nobody)), place if jailed else None)
    assert verdict.holds, verdict


def nobody(request):
    raise AssertionError(f"{request.key} was asked")


@pytest.mark.long(cases=0)
@pytest.mark.parametrize("answered", [1, 4, 9, 14, 19])
def test_a_run_that_is_killed_between_two_answers_goes_on_and_asks_nobody_twice(tmp_path, answered):
    folder, asked = tmp_path / "killed", []
    ended = subprocess.run([sys.executable, "-c", DIES, str(folder), str(answered)], check=False)
    assert ended.returncode == -signal.SIGKILL
    simulation = workshop.create(seed=7, llm=ScriptedModel(lambda request: asked.append(request.key) or reply(request)))
    resume(folder, simulation=simulation).run(until=workshop.STEPS).close()
    assert simulation.state_hash == HASH
    with open_run(folder) as run:
        assert list(problems(run)) == []
        keys = run.query("SELECT agent, step, attempt FROM calls")
        assert len(keys) == len(set(keys)) == answered + len(asked)


def test_a_mind_that_is_in_the_middle_of_a_thought_a_rule_and_a_stranger_are_not_asked():
    cell = """
said = []
for name in ("chief", "order", "nobody"):
    try:
        said.append(await team[name].ask("Are you there?"))
    except Exception as error:
        said.append(str(error).partition(":")[0])
print(said)
"""
    turns = []
    simulation = workshop.create(seed=7, llm=ScriptedModel(lambda request: f"```python{cell}```"))
    simulation.world.sink, sink = turns.append, simulation.world.sink
    simulation.step()
    assert sink is not None
    chiefs = [turn for turn in turns if turn.agent == "chief"]
    assert "chief is in the middle of a thought of its own" in chiefs[0].output
    assert "order has no mind that could be asked" in chiefs[0].output
    assert "there is no agent 'nobody'" in chiefs[0].output


def test_a_cell_that_never_stops_asking_comes_to_an_end(monkeypatch):
    monkeypatch.setattr("cave_sim.simulation.asked_agents.MAX_GIVEN", 6)
    cell = 'while True:\n    await team["ann"].ask("Again?")'
    turns = []
    simulation = workshop.create(seed=7, llm=ScriptedModel(lambda request: again(request, cell)))
    simulation.world.sink = turns.append
    simulation.step()
    assert "which is all that one cell can have them do" in turns[0].error


def again(request, cell):
    return f"```python\n{cell}\n```" if request.key.agent == "chief" else "No."


@pytest.mark.parametrize("call", ["ask('x')", "transcript()"])
def test_outside_of_a_simulation_nobody_is_there_to_answer(call):
    turn = after(1).world.execute(f"await team['ann'].{call}", agent="chief")
    assert turn.status == "failed"
    assert "nobody is there who could answer" in turn.error


@pytest.mark.parametrize("call", ["pause()", "resume()", "rewire(role='x')", "grant('order')", "inject('x', 1)"])
def test_who_was_not_granted_everything_wires_nobody(call):
    world = after(1).world
    assert world.execute(f"team['bob'].{call}", agent="ann").status == "blocked"
    assert world.wiring.roles == {}


@pytest.mark.parametrize("call", ["ask('x')", "transcript()"])
def test_who_was_not_granted_everything_asks_nobody(call):
    simulation = after(1)
    assert simulation.intervene(f"await team['bob'].{call}", "ann").status == "blocked"


@pytest.mark.parametrize(
    ("habits", "told"),
    [("max_cell=1", "there is no habit"), ("max_cells='1'", "takes a int"), ("max_cells=-1", "at least 0")],
)
def test_habits_that_do_not_fit_are_refused_with_what_there_is(habits, told):
    turn = after(1).world.execute(f"team['bob'].rewire({habits})", agent="chief")
    assert told in turn.error


def test_an_intervention_may_ask_too():
    simulation = after(1)
    turn = simulation.intervene(
        "team['ann'].inject('line', [1, 1])\n" + "print(await team['bob'].ask('Hello'))", "chief"
    )
    assert turn.output == "Nothing to do.\n"


def test_every_job_of_the_script_is_one_cell_and_the_summary_tells_of_each(recorded):
    with open_run(recorded) as run:
        told = workshop.summary(run)
    assert told.count("turn ") == len(JOBS)
    assert "step 0, turn 4: committed; 4 answers, 4 cells of others within it; landed" in told
    assert "step 2, turn 12: failed; 1 answer, 1 cell of others within it; AssertionError" in told
