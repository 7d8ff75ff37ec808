"""Ctrl-C in a cell that somebody runs in a notebook, and going on: no turn is lost, and the run holds."""

import gc
import os
import signal
import threading
from functools import partial

import pytest

from cave_sim import open_run
from cave_sim.replay.verify import verify
from cave_sim.simulations import town_day
from tests.policy import square

ENDLESS = [
    "kept = 'half'\nwhile True:\n    pass",
    "while True:\n    pass",
    "me.money_cents\nfor n in range(10 ** 7):\n    me.biography = str(n)",
    "def go():\n    while True:\n        pass\nmap_ = list(map(lambda n: go(), [1]))",
    "sorted(itertools.cycle([1]), key=lambda n: -n)",
    "try:\n    while True:\n        pass\nexcept Exception:\n    me.biography = 'a'\nfinally:\n    me.biography = 'b'",
    "def f():\n    while True:\n        yield 1\nsum(f())",
]


@pytest.fixture
def simulation(tmp_path):
    made = town_day.create(out=tmp_path / "run", seed=7, residents=4)
    made.run(until=3)
    yield made
    made.close()


def interrupted(world, cell, agent):
    """Run a cell that does not end, and press Ctrl-C; the limits are set so far that nothing else ends it."""
    timer = threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT))

    def execute():
        timer.start()
        world.execute(cell, agent=agent)

    gc.disable()  # what is raised while a callback of the collector runs, such as Hypothesis's, is lost
    try:
        with pytest.raises(KeyboardInterrupt):
            execute()
    finally:
        timer.join()
        gc.enable()


@pytest.mark.long
def test_going_on_after_ctrl_c_loses_no_turn(simulation, tmp_path):
    world = simulation.world
    names = sorted(simulation.by_name)
    agent = names[0]
    simulation.step()
    told, written = [], []
    for number, cell in enumerate(ENDLESS):
        world.limits = type(world.limits)(deadline_s=0, ticks=10**12)
        before = world.state_hash(), world.variables_hash()
        interrupted(world, cell, agent)
        assert (world.state_hash(), world.variables_hash()) == before
        assert (world.undo_log.guard, world.undo_log.depth, world.turns.current_id) == (None, 0, 0)
        world.limits = type(world.limits)()
        turn = world.execute(f"me.biography = 'after {number}'\nkept = {number}", agent=agent)
        assert (turn.committed, turn.parent) == (True, None), turn.error
        told.append(turn.code)
        simulation.step()
        assert world.retrieve("kept", agent=agent) == number
        written.append(world.state_hash())
    simulation.close()
    with open_run(tmp_path / "run") as run:
        assert [turn.code for turn in run.turns() if turn.code in told] == told
        assert run.steps()[-1].state_hash == written[-1]
        verdict = verify(run, partial(town_day.create, seed=7, residents=4))
        assert verdict.holds, verdict


def test_a_turn_inside_one_that_ctrl_c_ended_is_told_to_nobody():
    world = square.build(ticks=10**12, deadline_s=0)
    before, told = world.state_hash(), []
    world.sink = told.append
    interrupted(world, "await team['bob'].run('me.plan = \"a\"')\nwhile True:\n    pass", "mayor")
    assert (told, world.state_hash()) == ([], before)
    last = world.turns.last_id
    world.execute("await team['bob'].run('me.plan = \"b\"')", agent="mayor")
    assert [(turn.id, turn.agent, turn.parent) for turn in told] == [
        (last + 2, "bob", last + 1),
        (last + 1, "mayor", None),
    ]


def press_ctrl_c(*_):
    os.kill(os.getpid(), signal.SIGINT)
    return 1.0


@pytest.mark.parametrize("place", ["a measure", "the journal, again and again"])
def test_ctrl_c_while_a_step_is_closed_leaves_it_whole_or_not_at_all(tmp_path, monkeypatch, place):
    simulation = town_day.create(out=tmp_path / "run", seed=7, residents=1)
    with monkeypatch.context() as patch:
        if place == "a measure":
            patch.setitem(simulation.measures, "pressed", press_ctrl_c)
        else:
            insert = simulation.journal.file.insert
            patch.setattr(simulation.journal.file, "insert", lambda *rows: insert(*rows) or press_ctrl_c())
        with pytest.raises(KeyboardInterrupt):
            simulation.run(until=5)
    simulation.close()
    with open_run(tmp_path / "run") as run:
        last = run.steps()[-1]
        assert (run.manifest["steps"], run.manifest["state_hash"]) == (last.step, last.state_hash)
        assert last.step == (1 if place == "a measure" else 0)


def test_ctrl_c_in_the_middle_of_a_step_leaves_nothing_of_it_in_the_run(tmp_path):
    simulation = town_day.create(out=tmp_path / "run", seed=7, residents=2)
    simulation.run(until=2)
    simulation.world.sink, taken = press_ctrl_c, simulation.state_hash
    with pytest.raises(KeyboardInterrupt):
        simulation.step()
    simulation.close()
    with open_run(tmp_path / "run") as run:
        assert (run.last_step, run.manifest["steps"], run.manifest["state_hash"]) == (2, 2, taken)
