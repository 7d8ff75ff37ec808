"""Watch points stop a live run when a condition turns true."""

import json
import threading
import time

import pytest

from cave_sim import WorldError, open_run
from cave_sim.cli.main import main
from cave_sim.simulation.control import Control, Watch
from cave_sim.simulation.observers import Observer
from cave_sim.simulations import town_day
from tests.simulation.shoppers import shoppers


@pytest.fixture
def play(tmp_path):
    """Play a small town with a control; returns the simulation and what its journal noted."""

    def run(control, steps=40, **playing):
        simulation = town_day.create(seed=7, residents=4, out=tmp_path / "run")
        simulation.control = control
        simulation.run(until=steps, **playing)
        simulation.close()
        with open_run(tmp_path / "run") as recorded:
            events = recorded.query("SELECT step, kind, data FROM events ORDER BY entry")
        return simulation, [(step, kind, json.loads(data)) for step, kind, data in events]

    return run


def test_a_run_stops_after_the_step_in_which_a_condition_turns_true(play):
    control = Control()
    control.watch("rain", 'weather.kind == "rain"', then="stop")
    simulation, ((step, kind, data),) = play(control)
    assert simulation.world["weather"].kind == "rain"
    assert (step, kind, data["name"], data["then"]) == (simulation.world.clock.step, "watch_reached", "rain", "stop")
    assert step < 40


def test_a_run_pauses_and_goes_on_when_it_is_played(play):
    control, paused = Control(), []

    def play_once_it_waits():
        while control.may_go_on:
            time.sleep(0.001)
        control.play()

    def late(world):
        if world.clock.step == 5:
            paused.append(world.clock.step)
            threading.Thread(target=play_once_it_waits, daemon=True).start()
        return world.clock.step == 5

    control.watch("five", late)
    simulation, events = play(control, steps=8)
    assert (simulation.world.clock.step, paused) == (8, [5])
    assert [(step, data["condition"]) for step, _, data in events] == [(5, "late")]


def test_a_watch_point_may_name_what_is_measured(play):
    control = Control()
    control.watch("glum", "mood < 0.68", then="stop")
    simulation, ((step, kind, data),) = play(control)
    assert (step, kind, data["condition"]) == (simulation.world.clock.step, "watch_reached", "mood < 0.68")
    assert 0 < step < 40
    assert simulation.latest_measures["mood"] < 0.68


def test_a_condition_that_stays_true_is_told_once(play):
    control = Control()
    control.watch("always", "True", then="stop")
    assert len(play(control)[1]) == 1


def test_a_watch_point_that_fails_is_taken_away_and_the_run_goes_on(play):
    control = Control()
    control.watch("wrong", "nobody.mood > 0")
    control.unwatch("never there")
    simulation, ((_, kind, data),) = play(control, steps=3)
    assert simulation.world.clock.step == 3
    assert kind == "watch_failed"
    assert "no entity 'nobody'" in data["error"]


def test_watching_changes_nothing(play, tmp_path):
    control = Control()
    control.watch("sums", "sum(each.mood for each in world.all(Resident)) < 0")
    watched, _ = play(control, steps=12)
    alone = town_day.create(seed=7, residents=4)
    assert watched.state_hash == alone.run(until=12).state_hash


@pytest.mark.parametrize(("condition", "then"), [("weather.kind ==", "pause"), ("True", "explode"), (5, "stop")])
def test_what_is_no_watch_point_is_refused_at_once(condition, then):
    with pytest.raises(WorldError):
        Control().watch("wrong", condition, then=then)


@pytest.mark.long
def test_a_run_of_the_command_line_ends_when_it_happens_and_can_be_gone_on_with(tmp_path, capsys):
    command = ["run", "town_day", "--residents", "2", "--out", str(tmp_path / "run")]
    assert main([*command, "--stop-when", 'weather.kind == "rain"']) == 0
    assert "stopped at step 30 of 144; to go on: cave-sim resume" in capsys.readouterr().out
    assert main(["resume", str(tmp_path / "run"), "--quiet", "--stop-when", "weather.kind != 'rain'"]) == 0
    with open_run(tmp_path / "run") as run:
        reached = [json.loads(data) for (data,) in run.query("SELECT data FROM events WHERE kind = 'watch_reached'")]
        assert 30 < run.last_step < 144
    assert [(each["name"], each["then"]) for each in reached] == [("stop-when", "stop")] * 2


@pytest.mark.parametrize(
    ("condition", "said"),
    [
        ("weather.kind ==", "cannot be read"),
        ("nobody.mood > 0", "--stop-when: condition 'nobody.mood > 0'"),
        ("moood > 0", "Did you mean mood?"),
        ("was(mood) > 0", "'mood' is measured, and of measures nothing earlier is kept"),
    ],
)
def test_what_is_no_condition_of_this_world_is_said_before_the_first_step(condition, said, tmp_path, capsys):
    command = ["run", "town_day", "--residents", "1", "--out", str(tmp_path / "run"), "--stop-when", condition]
    assert main(command) == 1
    assert said in capsys.readouterr().err


@pytest.mark.long
def test_a_branch_ends_when_it_happens_and_one_that_is_refused_leaves_its_folder_free(tmp_path, capsys):
    parent = ["run", "town_day", "--residents", "1", "--steps", "2", "--quiet", "--out", str(tmp_path / "run")]
    assert main(parent) == 0
    command = ["fork", str(tmp_path / "run"), "--at", "2", "--steps", "6", "--quiet", "--out", str(tmp_path / "branch")]
    assert main([*command, "--stop-when", "nobody.mood > 0"]) == 1
    assert "--stop-when: condition 'nobody.mood > 0'" in capsys.readouterr().err
    assert main([*command, "--stop-when", "town.treasury_cents > -1"]) == 0
    with open_run(tmp_path / "branch") as run:
        assert run.last_step == 3


def test_a_world_in_an_actor_cannot_be_looked_at_after_each_step(tmp_path, capsys):
    assert main(["run", "town_day", "--host", "ray", "--out", str(tmp_path / "run"), "--stop-when", "True"]) == 1
    assert "--stop-when looks at a world in this process" in capsys.readouterr().err


PACES = [(20, 0.0, [0.05]), (20, 0.03, [0.02]), (20, 9.0, []), (None, 0.0, [])]


@pytest.mark.parametrize(("speed", "took_s", "waits_s"), PACES)
def test_a_speed_is_waited_for_less_what_the_step_took(speed, took_s, waits_s, monkeypatch):
    control, waited = Control(), []
    control.set_speed(speed)
    wait_for = threading.Condition.wait_for

    def note(condition, predicate, timeout=None):
        waited.append(timeout)
        return wait_for(condition, predicate, 0)

    monkeypatch.setattr(threading.Condition, "wait_for", note)
    assert control.wait(took_s)
    assert [timeout for timeout in waited if timeout is not None] == pytest.approx(waits_s)


def test_a_run_that_is_stopped_while_it_waits_ends_at_once():
    control = Control()
    control.set_speed(0.001)
    threading.Timer(0.02, control.stop).start()
    assert control.wait(0.0) is False


def test_a_paused_run_waits_for_one_step_at_a_time():
    control, passed = Control(), []
    control.pause()
    waiting = threading.Thread(target=lambda: passed.extend(control.wait(0.0) for _ in range(2)))
    waiting.start()
    waiting.join(0.05)
    assert passed == []
    control.step()
    control.step()
    waiting.join(60)
    assert passed == [True, True]


def test_control_pauses_steps_and_stops():
    control = Control(paused=True)
    reached = {1: threading.Event(), 2: threading.Event()}

    class Tell(Observer):
        def on_step(self, simulation):
            if simulation.world.clock.step in reached:
                reached[simulation.world.clock.step].set()

    simulation = shoppers(control=control, observers=[Tell()])
    thread = threading.Thread(target=simulation.run, args=(1_000_000,))
    thread.start()
    control.submit("me.diary.append('hello')", agent="bob")
    control.step()
    assert reached[1].wait(60)
    assert control.paused
    assert simulation.world.clock.step == 1
    control.play()
    assert reached[2].wait(60)
    control.stop()
    thread.join(60)
    assert not thread.is_alive()
    assert (simulation.running, "hello" in simulation.world["bob"].diary) == (False, True)
    assert repr(simulation).endswith(" cells; stopped>")


def test_speed_must_be_positive():
    control = Control()
    for speed in (0, -1, "fast", float("nan")):
        with pytest.raises(WorldError, match="more than 0"):
            control.set_speed(speed)
        with pytest.raises(WorldError, match="more than 0"):
            Control(speed=speed)
    control.set_speed(1000)
    assert shoppers(control=control).run(until=3).world.clock.step == 3


def test_what_is_no_cell_is_refused_by_who_submits_it_and_not_by_the_run():
    control = Control()
    for code, agent in ((None, "ann"), ("me.wait()", 5)):
        with pytest.raises(WorldError, match="takes the text of a cell"):
            control.submit(code, agent)
    assert shoppers(control=control).run(until=1).world.clock.step == 1


def test_a_watch_point_tells_of_each_time_that_its_condition_turns_true_and_not_that_it_stays_so():
    watch = Watch("sign", lambda number: number > 0)
    assert [watch.turned_true(number) for number in (0, 1, 2, 0, 3)] == [False, True, False, False, True]
