"""Verifying runs the recorded cells again, and says which turn came out otherwise, in what, and why."""

import inspect
import os
import pty
import re
import sqlite3
import sys
from contextlib import suppress

import pytest

from cave_sim import Agent, Simulation, open_run
from cave_sim.cli.main import main
from cave_sim.replay.recipe import Recipe
from cave_sim.replay.reexecute import reexecute
from cave_sim.replay.simulation_names import available, find
from cave_sim.replay.verify import verify
from tests.small_runs import FIRST_STEPS, recipe_of
from tests.world.market import make_market

OF_ONE_WORLD = [name for name in available() if name != "city_day"]  # whose districts have journals of their own


TAKE_A_SCHEDULER = [name for name in OF_ONE_WORLD if "scheduler" in inspect.signature(find(name).create).parameters]


class Shopper(Agent):
    """Writes, fails, and keeps a variable."""

    def act(self, observation):
        chance = self.rng.random()
        if chance < 0.2:
            return "me.mood = 7"
        return "seen = clock.step\nme.diary.append(clock.text)" if chance < 0.8 else "stall.sell(me)\nme.mood = 0.25"


def market(folder=None, seed=7, **options):
    names = ("ann", "bob", "cem")
    return Simulation(make_market(seed), [(Shopper, name) for name in names], out=folder, **options)


@pytest.fixture
def run(tmp_path):
    """Return the folder of twenty steps of a market."""
    market(tmp_path / "run").run(until=20).close()
    return tmp_path / "run"


def tampered(folder, *statements):
    with sqlite3.connect(folder / "run.sqlite") as file:
        for statement in statements:
            file.execute(statement)
    file.close()
    return folder


def verdict(folder, make=market):
    with open_run(folder) as run:
        return verify(run, make)


@pytest.mark.long
@pytest.mark.parametrize("name", OF_ONE_WORLD)
def test_every_simulation_comes_out_the_same_when_it_is_run_again(name, lived):
    assert verdict(lived(name), recipe_of(name).without_model().make).holds


@pytest.mark.long(cases=0)
@pytest.mark.parametrize("name", TAKE_A_SCHEDULER)
@pytest.mark.parametrize("scheduler", ["random", "simultaneous", "events"])
def test_under_every_scheduler_it_comes_out_the_same(name, scheduler, tmp_path):
    recipe = recipe_of(name, scheduler=scheduler)
    recipe.make(tmp_path / "run").run(until=FIRST_STEPS).close()
    assert verdict(tmp_path / "run", recipe.without_model().make).holds


def test_a_run_that_is_what_it_says_holds(run):
    assert verdict(run).holds


def test_a_changed_turn_is_named_with_what_differs(run):
    with open_run(run) as opened:
        turn = next(turn for turn in opened.turns(agent="bob") if turn.status == "failed")
    found = verdict(tampered(run, f"UPDATE turns SET error = 'Nobody knows.' WHERE turn = {turn.turn}"))
    assert not found.holds
    assert (found.difference.turn, found.difference.what) == (turn.turn, "error")
    assert found.difference.recorded == "Nobody knows."
    assert found.why == "the file was changed after it was written, or is damaged"


def test_a_state_that_no_turn_explains_is_told_with_both_hashes(tmp_path):
    simulation = market(tmp_path / "run")
    true_hash = simulation.world.state_hash
    vars(simulation.world)["state_hash"] = lambda: true_hash()[:: 1 if simulation.world.clock.step < 9 else -1]
    simulation.run(until=12).close()
    with open_run(tmp_path / "run") as run:
        states = {step.step: step.state_hash for step in run.steps()}
        found = reexecute(run, market())
    assert (found.step, found.what) == (9, "state")
    assert (found.recorded, found.now) == (states[9][:12], states[9][::-1][:12])


def test_a_world_that_is_built_otherwise_is_seen_at_once(run):
    found = verdict(run, lambda: market(seed=8))
    assert not found.holds


def test_code_that_does_something_else_is_named_as_the_reason(run, monkeypatch):
    def cheaper():
        simulation = market()
        simulation.world.dynamics(lambda world: setattr(world["stall"], "apples", 0))
        return simulation

    monkeypatch.setattr("cave_sim.replay.made_by.code_revision", lambda: "another")
    found = verdict(run, cheaper)
    assert found.problems == ()
    assert found.difference.what == "stall.apples"
    assert "the code is another" in found.why


def test_other_versions_of_libraries_are_named(run, monkeypatch):
    monkeypatch.setattr("cave_sim.replay.made_by.version_of", lambda name: "0.0")
    with open_run(run) as opened:
        assert reexecute(opened, market()) is None
    found = verdict(run, lambda: market(seed=8))
    assert "now 0.0" in found.why or "nothing" in found.why


@pytest.mark.parametrize("what", ["threads", "kernels"])
def test_another_machine_is_named_before_anybody_is_accused(run, monkeypatch, what):
    monkeypatch.setattr("cave_sim.replay.made_by.machine", lambda: {f"linear_algebra_{what}": "others"})
    assert re.search(rf"linear algebra {what} \w+, now others", verdict(run, lambda: market(seed=8)).why)


def test_what_was_ruled_out_is_named_and_code_of_ones_own_is_not_forgotten(run):
    why = verdict(run, lambda: market(seed=8)).why
    assert why.startswith("neither of these is another: the code of cave_sim, Python, mesa")
    with open_run(run) as opened:
        opened.manifest["module"] = "studies.epidemic"
        assert "the code of studies.epidemic, which nobody wrote down" in verify(opened, lambda: market(seed=8)).why
        opened.manifest["own_code"] = "0" * 64  # of its own file; of what lies beside that, none is written down
        why = verify(opened, lambda: market(seed=8)).why
        assert "a module that studies.epidemic imports, which nobody wrote down" in why


def test_cells_that_somebody_outside_submitted_are_run_again(tmp_path):
    simulation = market(tmp_path / "run").run(until=2)
    simulation.world["ann"].mood = 0.75
    simulation.world.execute("ann.mood = 0.5")
    simulation.run(until=4)
    simulation.close()
    assert verdict(tmp_path / "run").holds


def test_the_command_says_what_it_found(tmp_path, capsys):
    Recipe("town_day", {"seed": 3, "residents": 4}).make(tmp_path / "run").run(until=12).close()
    assert main(["verify", str(tmp_path / "run")]) == 0
    found = capsys.readouterr().out
    assert "steps 0 to 12 hold: hashes, seals and states agree, and every cell came out the same" in found
    assert main(["replay", str(tmp_path / "run"), "--steps", "6"]) == 0
    assert "every turn came out the same up to step 6" in capsys.readouterr().out
    tampered(tmp_path / "run", "UPDATE turns SET output = 'hm' WHERE turn = 4")
    assert main(["verify", str(tmp_path / "run")]) == 1
    told = capsys.readouterr().out
    assert "run again, turn 4 (step 1) differs in output: recorded hm, now" in told
    assert "because the file was changed" in told
    assert main(["replay", str(tmp_path / "run")]) == 1


def test_who_waits_for_a_verdict_is_told_each_step(run):
    told = []
    with open_run(run) as opened:
        assert verify(opened, market, on_step=told.append).holds
    assert told == [*range(1, 21)]


def written_to(terminal):
    """Return all that was written to a terminal whose other end is closed; one read returns 4 KiB at most."""
    pieces = []
    with suppress(OSError):
        while piece := os.read(terminal, 1 << 12):
            pieces.append(piece)
    return b"".join(pieces).decode()


@pytest.mark.long
@pytest.mark.parametrize("command", ["verify", "replay"])
def test_people_at_a_terminal_see_how_far_it_is_and_others_see_nothing_of_it(command, tmp_path, monkeypatch, capsys):
    folder, steps = str(tmp_path / "run"), 4
    assert main(["run", "rain", "--steps", str(steps), "--quiet", "--out", folder]) == 0
    capsys.readouterr()
    assert main([command, folder]) == 0
    assert capsys.readouterr().err == ""
    ours, theirs = pty.openpty()
    with os.fdopen(theirs, "w") as terminal, monkeypatch.context() as patch:
        patch.setenv("TERM", "xterm")
        patch.setattr(sys, "stderr", terminal)
        assert main([command, folder]) == 0
    assert f"{steps}/{steps}" in written_to(ours)
    os.close(ours)


def test_what_comes_out_in_another_order_is_told_from_what_comes_out_otherwise(tmp_path):
    def made(names, folder=None):
        simulation = market(folder)
        simulation.world.dynamics(lambda world: world["ann"].diary.extend(names))
        return simulation

    made(["a", "b"], tmp_path / "run").run(until=1).close()
    assert "as what is made of a plain set" in verdict(tmp_path / "run", lambda: made(["b", "a"])).why
    assert "a plain set" not in verdict(tmp_path / "run", lambda: made(["b", "c"])).why
