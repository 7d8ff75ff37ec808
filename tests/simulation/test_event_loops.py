"""Where an event loop runs already, as in a notebook: minds, interviews and trials come out as anywhere else."""

import asyncio
import threading

import pytest

from cave_sim import WorldError, open_run
from cave_sim.models import ScriptedModel
from cave_sim.replay.resume import resume
from cave_sim.replay.verify import verify
from cave_sim.simulation.control import Control
from cave_sim.simulation.observers import Observer
from cave_sim.simulations import town_day
from cave_sim.simulations.scripted_model import reply
from cave_sim.survey.interview import interview

STEPS = 8


def town(out=None, **options):
    return town_day.create(
        seed=7, residents=3, minds="scripted", out=out, start="2012-06-01T11:00", step_s=1800, **options
    )


@pytest.fixture(scope="module")
def elsewhere(tmp_path_factory):
    """Return the state hash of a town with minds, and how many calls it made, where no event loop runs."""
    with open_run(lived(tmp_path_factory.mktemp("loops") / "town")) as run:
        calls = run.query("SELECT count(*) FROM calls")[0][0]
        assert calls > STEPS
        return run.manifest["state_hash"], calls


def lived(folder, **options):
    town(folder, **options).run(until=STEPS).close()
    return folder


def on_a_loop(function):
    async def cell():
        return function()

    return asyncio.run(cell())


def told(folder):
    with open_run(folder) as run:
        assert verify(run, town).holds
        return run.manifest["state_hash"], run.query("SELECT count(*) FROM calls")[0][0]


def test_minds_live_the_same_day_in_a_cell_of_a_notebook(tmp_path, elsewhere):
    assert told(on_a_loop(lambda: lived(tmp_path / "town"))) == elsewhere


def test_minds_live_the_same_day_when_awaited(tmp_path, elsewhere):
    async def cell():
        simulation = await town(tmp_path / "town").arun(steps=STEPS)
        assert simulation.steps == STEPS
        simulation.close()

    asyncio.run(cell())
    assert told(tmp_path / "town") == elsewhere


def test_an_interview_in_a_cell_has_the_same_answers():
    def asked():
        return [answer.text for answer in interview(town().run(steps=2), ["What do you plan?"])]

    answers = asked()
    assert on_a_loop(asked) == answers
    assert all(answers)


class Patient(ScriptedModel):
    """Answers when somebody opens the door."""

    def __init__(self):
        super().__init__(reply)
        self.door, self.asked = threading.Event(), threading.Event()

    async def reply(self, request):
        self.asked.set()
        while not self.door.is_set():
            await asyncio.sleep(0.001)
        return await super().reply(request)


@pytest.mark.long
def test_others_on_the_loop_go_on_while_a_model_is_asked():
    async def cell():
        model = Patient()
        running = asyncio.ensure_future(town(llm=model).arun(steps=3))
        while not model.asked.is_set():
            await asyncio.sleep(0.001)
        for _ in range(20):
            await asyncio.sleep(0.001)
        assert not running.done()
        model.door.set()
        return (await running).state_hash

    assert asyncio.run(cell()) == town().run(until=3).state_hash


@pytest.mark.long
def test_a_day_that_was_cancelled_while_a_model_was_asked_can_be_gone_on_with(tmp_path, elsewhere):
    async def cell():
        model = Patient()
        simulation = town(tmp_path / "town", llm=model)
        running = asyncio.ensure_future(simulation.arun(steps=STEPS))
        while not model.asked.is_set():
            await asyncio.sleep(0.001)
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running
        assert simulation.steps <= STEPS
        simulation.close()

    asyncio.run(cell())
    resume(tmp_path / "town", simulation=town()).run(until=STEPS).close()
    with open_run(tmp_path / "town") as run:
        assert run.manifest["state_hash"] == elsewhere[0]


def test_a_paused_day_is_played_from_the_loop_that_awaits_it():
    async def cell():
        simulation = town_day.create(seed=7, residents=2)
        simulation.control = control = Control(paused=True)
        running = asyncio.ensure_future(simulation.arun(steps=10))
        await asyncio.sleep(0.05)
        seen = [simulation.world.clock.step]
        control.step()
        while simulation.world.clock.step == 0:
            await asyncio.sleep(0.001)
        await asyncio.sleep(0.05)
        seen.append(simulation.world.clock.step)
        control.stop()
        await running
        return [*seen, simulation.world.clock.step, simulation.running]

    assert asyncio.run(cell()) == [0, 1, 1, False]


def test_steps_are_so_many_more_and_until_is_where_to_come_to():
    simulation = town_day.create(seed=7, residents=2)
    simulation.run(steps=3).run(steps=2)
    assert simulation.world.clock.step == 5
    assert simulation.state_hash == town_day.create(seed=7, residents=2).run(until=5).state_hash


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, r"until=STEP.*or steps=N"),
        ({"until": 3, "steps": 3}, r"until=STEP.*or steps=N"),
        ({"steps": "10"}, r"steps='10'.*whole number, such as run\(steps=10\)"),
        ({"until": 2.5}, r"until=2.5.*whole number"),
        ({"steps": -1}, r"steps=-1.*fork goes back"),
    ],
)
def test_how_long_is_said_in_one_way(arguments, message):
    with pytest.raises(WorldError, match=message):
        town_day.create(seed=7, residents=2).run(**arguments)


def test_whoever_watches_hears_of_the_end_also_when_a_step_fails():
    heard = []

    class Listening(Observer):
        def on_end(self, simulation):
            heard.append(simulation.world.clock.step)

    simulation = town_day.create(seed=7, residents=2, observers=[Listening()])

    @simulation.world.dynamics
    def trip(world):
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        simulation.run(steps=2)
    assert len(heard) == 1
