"""Observers watch a simulation, and never change it."""

from io import StringIO

from cave_sim.simulation.observers import Observer, Printer, ProgressBar, Recorder
from tests.simulation.shoppers import shoppers


def test_observers_see_turns_and_steps(capsys):
    recorder, seen = Recorder(), []

    class Steps(Observer):
        def on_start(self, simulation, until):
            seen.append(("start", until))

        def on_step(self, simulation):
            seen.append(simulation.world.clock.step)

        def on_end(self, simulation):
            seen.append("end")

    shoppers(observers=[recorder, Steps(), Printer(), ProgressBar()]).run(until=2)
    assert seen == [0, ("start", 2), 1, 2, "end"]
    assert sum(turn.kind == "cell" for turn in recorder.turns) == 6
    assert "Fri 1 June 2012 06:10  " in capsys.readouterr().out


def test_where_there_is_no_terminal_progress_comes_in_lines_now_and_then():
    often, seldom = StringIO(), StringIO()
    shoppers(observers=[ProgressBar(often, line_every_s=0), ProgressBar(seldom, line_every_s=3600)]).run(until=2)
    lines = often.getvalue().splitlines()
    assert lines[-1].startswith("Fri 1 June 2012 06:20  step 2 of 2, ")
    assert lines[-1].endswith(" turns/s")
    assert seldom.getvalue() == ""


def test_an_observer_that_fails_is_removed_and_the_others_go_on():
    class Failing(Observer):
        def on_turn(self, simulation, turn):
            raise RuntimeError("cannot look")

    recorder = Recorder()
    simulation = shoppers(observers=[Failing(), recorder]).run(until=2)
    assert simulation.observers == [recorder]
    assert sum(turn.kind == "cell" for turn in recorder.turns) == 6
