"""A step does not wait for everybody: who is late acts in the next, in replays, branches and resumed runs as well."""

import asyncio

import pytest

from cave_sim import Agent, Entity, Simulation, World, field, open_run
from cave_sim.models import Cassette, Key, Message, ModelError, RecordedModel, Reply, Request, Sampling
from cave_sim.models.prices import FREE
from cave_sim.models.resilience import Hedged
from cave_sim.models.wrapped import Tuned
from cave_sim.replay.fork import fork
from cave_sim.replay.resume import resume
from cave_sim.simulation.deliberation import Cell, Question
from tests.models.asking import Stub, down, question

STEPS = 6


class Walker(Entity):
    """Writes down what it was told, and when."""

    told: list[str] = field([])


class Thinker(Agent):
    """Asks once in every step."""

    def deliberate(self, observation):
        step = self.model.world.clock.step
        request = Request((Message("user", f"{self.name} {step}"),), key=Key("", self.name, step))
        reply = yield Question(self.model.llm, request)
        said = f"{reply.text} late by {reply.late_by}" if isinstance(reply, Reply) else reply.kind
        yield Cell(f"me.told.append('{step}: {said}')")


class Straggling:
    """Answers at once, but for one question, whose answer waits until so many others have been asked."""

    is_scripted = True

    name, window_tokens, price = "stub/slow", 1_000, FREE

    def __init__(self, slow, until):
        self.slow, self.until, self.asked = slow, until, []

    async def reply(self, request):
        text = request.messages[-1].text
        self.asked.append(text)
        while text == self.slow and self.until not in self.asked:
            await asyncio.sleep(0.001)
        return Reply(text)


def society(model, out=None):
    world = World(seed=1)
    for name in ("ann", "bob"):
        world.add(name, Walker())
    return Simulation(world, [(Thinker, "ann"), (Thinker, "bob")], llm=model, out=out)


def late(until, deadline_s=0.2):
    return Tuned(Straggling("ann 2", until), Sampling(), deadline_s)


@pytest.mark.long
@pytest.mark.parametrize(("until", "steps_late"), [("bob 3", 1), ("bob 4", 2)])
def test_who_is_late_acts_in_the_step_in_which_the_reply_comes(until, steps_late, tmp_path):
    simulation = society(late(until), tmp_path / "run").run(until=STEPS)
    simulation.close()
    told = list(simulation.world["ann"].told)
    assert told[2 : 2 + steps_late] == [f"{step}: late" for step in range(2, 2 + steps_late)]
    assert told[2 + steps_late] == f"{2 + steps_late}: ann 2 late by {steps_late}"
    assert list(simulation.world["bob"].told) == [f"{n}: bob {n} late by 0" for n in range(STEPS)]
    with open_run(tmp_path / "run") as run:
        cassette = Cassette(list(run.calls()))
        assert run.query("SELECT json_extract(reply, '$.late_by') FROM calls WHERE reply LIKE '%late_by%'") == [
            (steps_late,)
        ]
    replayed = society(RecordedModel(cassette)).run(until=STEPS)
    branch = fork(tmp_path / "run", 1, tmp_path / "branch", simulation=society(late("nobody"))).run(until=STEPS)
    branch.close()
    assert replayed.state_hash == branch.state_hash == simulation.state_hash


@pytest.mark.long(cases=0)
def test_a_run_that_is_resumed_asks_anew_whom_it_had_not_heard_from(tmp_path):
    first = society(late("never"), tmp_path)
    first.run(until=3).close()
    again = late("bob 3")
    resumed = resume(tmp_path, simulation=society(again)).run(until=4)
    resumed.close()
    assert list(resumed.world["ann"].told)[2:] == ["2: late", "3: ann 3 late by 0"]
    assert sorted(again.model.asked) == ["ann 3", "bob 3"]


def test_without_a_deadline_a_step_waits():
    simulation = society(Tuned(Straggling("ann 2", "bob 2"), Sampling())).run(until=3)
    assert simulation.world["ann"].told[2] == "2: ann 2 late by 0"


def test_a_second_question_is_asked_where_the_first_takes_long():
    class FirstSlow(Stub):
        async def reply(self, request):
            if not request.key.retry:
                await asyncio.sleep(30)
            return await super().reply(request)

    reply = asyncio.run(Hedged(FirstSlow("well"), 0.01).reply(question()))
    assert (reply.text, reply.is_hedged) == ("well", True)


def test_what_is_quick_is_not_asked_twice_and_a_failure_waits_for_the_other():
    quick = Stub("well")
    assert not asyncio.run(Hedged(quick, 5.0).reply(question())).is_hedged
    assert len(quick.asked) == 1

    class Failing(Stub):
        async def reply(self, request):
            await asyncio.sleep(0.05 if request.key.retry else 0.02)
            return await super().reply(request)

    assert asyncio.run(Hedged(Failing(down(), "well"), 0.01).reply(question())).text == "well"
    with pytest.raises(ModelError):
        asyncio.run(Hedged(Failing(down()), 0.01).reply(question()))
