import io
import re
import subprocess
import sys
import threading
from contextlib import ExitStack
from types import SimpleNamespace

import pytest

from cave_sim import Simulation, World, WorldError, open_run
from cave_sim.dashboards.live.control_lines import RemoteControls, answering
from cave_sim.dashboards.live.run_controls import RunControls
from cave_sim.models.budget import Budgets, Spent
from cave_sim.simulation.control import Control
from cave_sim.simulation.observers import Observer
from cave_sim.simulations import town_day


def test_calls_of_models_are_in_flight_from_their_beginning_to_their_end():
    budgets = Budgets()
    controls = RunControls(Control(), ring=list)
    controls.on_start(SimpleNamespace(calls=SimpleNamespace(budgets=budgets), journal=None), until=1)
    budgets.reserve("mayor", Spent(calls=1))
    assert controls.in_flight == 1
    budgets.settle("mayor", Spent(calls=1), Spent(tokens=5, calls=1))
    assert controls.in_flight == 0


def test_a_run_that_waits_for_a_page_begins_when_the_first_one_is_open():
    controls = RunControls(Control(), ring=list)
    controls.wait_for_page()
    assert controls.control.paused
    controls.opened()
    assert not controls.control.paused
    controls.control.pause()
    controls.opened()  # by a second page
    assert controls.control.paused


class Watches(Observer):
    """Asks controls to watch for something after each step, and keeps what that came to."""

    def __init__(self, controls, text):
        self.controls, self.text, self.refused = controls, text, []

    def on_step(self, simulation):
        try:
            self.controls.obey({"do": "watch", "text": self.text})
        except WorldError as error:
            self.refused.append(str(error))


@pytest.mark.parametrize(
    ("text", "refused"),
    [
        ("town.nix < 3", "town has no field 'nix'. It has: title"),
        ("twon.title == ''", "Did you mean 'town'? Measures are named so: measures["),
        ("energyy > 0.5", "energy"),
        ("energy > 0.5", None),
        ("town.treasury_cents < was(town.treasury_cents)", None),
        ("was(energy) > 0.5", "look back at fields"),
    ],
)
def test_a_watch_point_on_what_is_not_there_is_refused_at_once(tmp_path, text, refused):
    controls = RunControls(Control(), ring=list)
    watches = Watches(controls, text)
    simulation = town_day.create(seed=7, residents=2, out=tmp_path / "run", observers=[controls, watches])
    simulation.control = controls.control
    simulation.run(steps=1)
    simulation.close()
    assert [refused in each for each in watches.refused] == ([] if refused is None else [True]), watches.refused
    assert controls.state()["points"] == ([text] if refused is None else [])


def test_a_watch_point_that_was_taken_away_is_shown_no_longer():
    controls = RunControls(Control(), ring=list)
    controls.obey({"do": "watch", "text": "ann.mood < 0.5"})
    assert controls.state()["points"] == ["ann.mood < 0.5"]
    ((kind, _),) = controls.control.look(World(seed=1))
    assert (kind, controls.state()["points"]) == ("watch_failed", [])


class Gone(io.StringIO):
    """A pipe that nobody reads."""

    def write(self, text):
        raise BrokenPipeError


def test_a_run_ends_where_those_who_steered_it_are_gone():
    control = Control(paused=True)
    simulation = Simulation(World(seed=1), control=control)
    with answering(control, io.StringIO('{"number": 1, "do": "step"}\n'), Gone()) as controls:
        simulation.observers.append(controls)
        simulation.run(steps=5)
    assert control.stopped
    assert simulation.world.clock.step <= 1


@pytest.mark.long
def test_a_run_in_another_process_obeys_and_says_what_does_not_fit(tmp_path):
    words = f"run schelling --steps 50 --set width=4 --set height=4 --out {tmp_path / 'run'} --watch=lines --speed 0.01"
    rung = threading.Event()
    with subprocess.Popen(
        [sys.executable, "-m", "cave_sim", *words.split(), "--quiet"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8",
    ) as process, ExitStack() as ended:  # fmt: skip
        ended.callback(process.kill)  # whatever is found, nobody waits for it
        controls = RemoteControls(process.stdin, process.stdout, rung.set, process.wait)
        assert rung.wait(60)  # it is there
        controls.obey({"do": "pause"})
        assert (controls.state()["paused"], controls.state()["speed"]) == (True, 0.01)
        for wish, why in [({"do": "dance"}, "nothing a run can do"), ({"do": "watch", "text": "1 +"}, "1 +")]:
            with pytest.raises(WorldError, match=re.escape(why)):
                controls.obey(wish)
        controls.obey({"do": "submit", "code": "print(1)"})
        controls.obey({"do": "stop"})
        assert process.wait(60) == 0
        while not controls.over:  # it rings once more when nothing more is told
            assert rung.wait(30)
            rung.clear()
    with pytest.raises(WorldError, match="the run is over"):
        controls.obey({"do": "play"})
    assert controls.state()["stopped"]
    with open_run(tmp_path / "run") as run:
        assert len(run.steps()) < 50
