"""A simulation's calls: an agent whose requests only ever fail is left alone for a while, and then tried again."""

import shutil

import pytest

from cave_sim import Agent, Simulation, World, open_run
from cave_sim.models import Message, Request
from cave_sim.models.base import Key, ModelError, Reply
from cave_sim.models.prices import FREE
from cave_sim.replay.resume import resume
from cave_sim.simulation.deliberation import Question
from cave_sim.simulation.quarantine import QUARANTINE_AFTER


class Moody:
    """A model that fails in some steps.

    Args:
        answers_in: the steps in which it answers.
    """

    is_scripted = True

    name, window_tokens, price = "moody", 1_000, FREE

    def __init__(self, answers_in=(), otherwise=None):
        self.answers_in, self.asked_in = set(answers_in), []
        self.otherwise = otherwise or ModelError("refused", "not today")

    @property
    def asked(self):
        return len(self.asked_in)

    async def reply(self, request):
        self.asked_in.append(request.key.step)
        if request.key.step in self.answers_in:
            return Reply("well")
        if isinstance(self.otherwise, Reply):
            return self.otherwise
        raise self.otherwise


class Asker(Agent):
    """Asks its model once in every step."""

    def deliberate(self, observation):
        step = self.model.world.clock.step
        yield Question(self.model.llm, Request((Message("user", "?"),), key=Key("", self.name, step)))


def play(model, steps):
    simulation = Simulation(World(), [(Asker, "ann")], llm=model)
    simulation.run(until=steps)
    return simulation


WITHHELD = (Reply("me.x =", finish_reason="content_filter"), Reply("", refusal="I will not."))


@pytest.mark.parametrize("otherwise", [ModelError("refused", "no"), ModelError("too_long", "no"), *WITHHELD])
def test_an_agent_whose_requests_fail_again_and_again_is_left_alone_for_longer_each_time(otherwise):
    model = Moody(otherwise=otherwise)
    simulation = play(model, 5 + 5 + 1 + 10 + 1 + 20 + 1)
    assert model.asked_in == [*range(QUARANTINE_AFTER), 10, 21, 42]
    assert simulation.calls.quarantine.agents(step=43) == {"ann"}


def test_what_comes_of_a_next_chance_ends_it():
    model = Moody({10})
    play(model, 15)
    assert model.asked_in == [*range(QUARANTINE_AFTER), *range(10, 15)]


@pytest.mark.parametrize("kind", ["rate_limited", "timeout"])
def test_nobody_is_left_alone_for_what_a_provider_does(kind):
    class Busy(Moody):
        async def reply(self, request):
            return Reply("yes") if request.key.agent != "ann" else await super().reply(request)

    model = Busy(otherwise=ModelError(kind, "not now"))
    play(model, 12)
    assert sorted(set(model.asked_in)) == [*range(12)]


def test_a_resumed_run_leaves_alone_whom_it_left_alone_unless_it_is_told_to_retry(tmp_path):
    def make(model, out=None):
        return Simulation(World(), [(Asker, "ann")], llm=model, out=out)

    make(Moody(), tmp_path / "run").run(until=6).close()
    shutil.copytree(tmp_path / "run", tmp_path / "again")
    patient, eager = Moody({6, 7}), Moody({6, 7})
    resume(tmp_path / "run", simulation=make(patient)).run(until=8).close()
    resume(tmp_path / "again", simulation=make(eager), retry=True).run(until=8).close()
    assert (patient.asked_in, eager.asked_in) == ([], [6, 7])
    with open_run(tmp_path / "again") as run:
        assert run.query("SELECT step, data FROM events WHERE kind = 'freed'") == [(7, '{"agents": ["ann"]}')]


@pytest.mark.parametrize("good_step", [0, 3, QUARANTINE_AFTER - 1])
def test_one_success_ends_the_series_of_failures(good_step):
    model = Moody({good_step})
    play(model, good_step + QUARANTINE_AFTER)
    assert model.asked == good_step + QUARANTINE_AFTER
