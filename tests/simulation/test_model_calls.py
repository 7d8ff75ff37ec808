"""A simulation's calls: an agent whose model only ever fails is asked no more; one success, and it is asked on."""

import pytest

from cave_sim import Agent, Simulation, World
from cave_sim.models import Message, Request
from cave_sim.models.base import Key, ModelError, Reply
from cave_sim.models.prices import FREE
from cave_sim.simulation.deliberation import Question
from cave_sim.simulation.model_calls import QUARANTINE_AFTER


class Moody:
    """A model that fails in some steps.

    Args:
        answers_in: the steps in which it answers.
    """

    name, window_tokens, price = "moody", 1_000, FREE

    def __init__(self, answers_in=()):
        self.answers_in, self.asked = set(answers_in), 0

    async def reply(self, request):
        self.asked += 1
        if request.key.step in self.answers_in:
            return Reply("well")
        raise ModelError("refused", "not today")


class Asker(Agent):
    """Asks its model once in every step."""

    def deliberate(self, observation):
        step = self.model.world.clock.step
        yield Question(self.model.llm, Request((Message("user", "?"),), key=Key("", self.name, step)))


def play(model, steps):
    simulation = Simulation(World(), [(Asker, "ann")], llm=model)
    simulation.run(until=steps)
    return simulation


def test_an_agent_whose_model_failed_so_often_in_a_row_is_not_asked_again():
    model = Moody()
    simulation = play(model, QUARANTINE_AFTER + 3)
    assert model.asked == QUARANTINE_AFTER
    assert simulation.calls.quarantined == {"ann"}


@pytest.mark.parametrize("good_step", [0, 3, QUARANTINE_AFTER - 1])
def test_one_success_ends_the_series_of_failures(good_step):
    model = Moody({good_step})
    play(model, good_step + QUARANTINE_AFTER)
    assert model.asked == good_step + QUARANTINE_AFTER
