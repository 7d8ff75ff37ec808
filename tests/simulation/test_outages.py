"""A provider that answers nobody stops a run at a question, where it goes on later; one that answers others, not."""

import copy

import pytest

from cave_sim import Agent, Entity, Simulation, World, field, open_run
from cave_sim.models import Cassette, Key, Message, ModelError, RecordedModel, Reply, Request, ScriptedModel
from cave_sim.models.prices import FREE
from cave_sim.replay.fork import fork
from cave_sim.replay.resume import resume
from cave_sim.simulation.deliberation import Cell, Question
from cave_sim.simulation.outages import ProviderOutage
from tests.long_cases import cases

NAMES = ("ann", "bob", "cid", "dan")
STEPS = 6


class Talker(Entity):
    """Keeps what it was answered."""

    words: list[str] = field([])


class Listener(Agent):
    """Asks its model twice in every step, and writes down the answers."""

    def deliberate(self, observation):
        for attempt in range(2):
            step = self.model.world.clock.step
            key = Key("", self.name, step, attempt)
            reply = yield Question(
                self.model.llm, Request((Message("user", f"{self.name} {step} {attempt}"),), key=key)
            )
            said = reply.text if isinstance(reply, Reply) else f"no: {reply.kind}"
            yield Cell(f"me.words.append({said!r})")


class Provider:
    """Echoes, but for what its ``fails`` says of a request; notes what it has answered."""

    is_scripted = True

    name, window_tokens, price = "stub/echo", 1_000, FREE

    def __init__(self, fails=lambda key: None):
        self.fails, self.answered = fails, []

    async def reply(self, request):
        if kind := self.fails(request.key):
            raise ModelError(kind, "there is nobody here")
        self.answered.append(request.messages[-1].text)
        return Reply(request.messages[-1].text.upper())


def society(llm, out=None):
    world = World(seed=1)
    for name in NAMES:
        world.add(name, Talker())
    return Simulation(world, [(Listener, name) for name in NAMES], llm=llm, out=out)


@pytest.fixture(scope="module")
def undisturbed():
    return society(Provider()).run(until=STEPS).state_hash


@pytest.mark.long
@pytest.mark.parametrize("kind", ["unavailable", "timeout", "rate_limited", "denied"])
@pytest.mark.parametrize("down_from", cases([(3, "cid"), (3, "ann"), (0, "ann")], lambda place: place != (3, "cid")))
def test_a_run_waits_for_a_provider_that_is_down_and_goes_on_where_it_was(kind, down_from, undisturbed, tmp_path):
    dead = Provider(lambda key: kind if key.agent not in NAMES or (key.step, key.agent) >= down_from else None)
    stopped = society(dead, tmp_path).run(until=STEPS)
    assert not stopped.running
    assert isinstance(stopped.calls.stopped, ProviderOutage)
    assert "; stopped: outage: stub/echo answers nobody" in repr(stopped)
    with pytest.raises(ProviderOutage, match="stub/echo answers nobody"):
        stopped.step()
    stopped.close()
    with open_run(tmp_path) as run:
        assert (run.last_step, run.manifest["stopped"]["outage"]) == (down_from[0], "stub/echo")
    again = resume(tmp_path, simulation=society(dead)).run(until=STEPS)  # it is not over yet
    again.close()
    well = Provider()
    gone_on = resume(tmp_path, simulation=society(well)).run(until=STEPS)
    gone_on.close()
    assert gone_on.state_hash == undisturbed
    answered = dead.answered + well.answered
    assert sorted(answered) == sorted({f"{name} {step} {n}" for name in NAMES for step in range(STEPS) for n in (0, 1)})
    with open_run(tmp_path) as run:
        assert run.manifest["stopped"] is None
        assert run.query("SELECT step FROM events WHERE kind = 'stopped'") == [(down_from[0] + 1,)]
        assert run.query("SELECT count(*), count(error) FROM calls") == [(len(NAMES) * STEPS * 2, 0)]


def test_a_request_that_fails_alone_costs_its_agent_an_answer_and_the_run_goes_on(tmp_path):
    provider = Provider(lambda key: "timeout" if (key.agent, key.step) == ("bob", 2) else None)
    simulation = society(provider, tmp_path).run(until=STEPS)
    simulation.close()
    assert simulation.world["bob"].words.count("no: timeout") == 2
    assert "SAY: YES" not in simulation.world["bob"].words
    with open_run(tmp_path) as run:
        assert run.query("SELECT count(error) FROM calls") == [(2,)]
        cassette = Cassette(list(run.calls()))
    assert society(RecordedModel(cassette)).run(until=STEPS).state_hash == simulation.state_hash


def test_a_branch_meets_the_failures_of_its_parent(tmp_path):
    moody = Provider(lambda key: "timeout" if (key.agent, key.step) == ("bob", 2) else None)
    parent = society(moody, tmp_path / "run").run(until=STEPS)
    parent.close()
    well = Provider()
    branch = fork(tmp_path / "run", 1, tmp_path / "branch", simulation=society(well)).run(until=STEPS)
    branch.close()
    assert branch.state_hash == parent.state_hash
    assert well.answered == []


def test_whoever_is_asked_alone_is_no_outage_when_there_is_a_sign_of_life():
    provider = Provider(lambda key: "unavailable" if key.agent == "ann" else None)
    world = World(seed=1)
    world.add("ann", Talker())
    simulation = Simulation(world, [(Listener, "ann")], llm=provider).run(until=2)
    assert simulation.running
    assert provider.answered == ["Say: yes"] * 3 * 2 * 4  # each question is asked once more after a sign, in vain


def test_a_question_whose_provider_has_come_back_in_the_meantime_is_asked_once_more(undisturbed, tmp_path):
    failed = set()

    def fails_once(key):
        is_new = key not in failed
        failed.add(key)
        return "unavailable" if is_new and key.agent == "bob" else None

    provider = Provider(fails_once)
    simulation = society(provider, tmp_path).run(until=STEPS)
    simulation.close()
    assert (simulation.running, simulation.state_hash) == (True, undisturbed)
    with open_run(tmp_path) as run:
        assert run.query("SELECT count(error) FROM calls") == [(0,)]


def test_an_outage_is_the_same_when_it_comes_from_another_process():
    outage = ProviderOutage("some/model", 3, "503")
    again = copy.copy(outage)  # is made anew as it would be there
    assert (str(again), again.why()) == (str(outage), outage.why())


def test_a_script_is_never_down():
    assert society(ScriptedModel(lambda request: "hm")).run(until=2).running
