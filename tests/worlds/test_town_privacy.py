"""In two towns that differ in what is private to one person, somebody else is told the very same, whatever they try."""

import json

import pytest

from cave_sim import Simulation
from cave_sim.agents import script
from cave_sim.agents.resident import LLMResident
from cave_sim.hosts.process.host import ProcessHost
from cave_sim.models import ScriptedModel
from cave_sim.survey import Choice, Questionnaire
from cave_sim.survey.asking import ask
from tests.policy.hostile import scripts
from tests.policy.judge import turns_of
from tests.worlds import two_towns
from tests.worlds.line_town import wait

KEEPS = "#> ann\nprint(me.plan, me.diary, me.heard, me.attitudes, me.money_cents)"
WAYS = scripts(two_towns.WAYS)
PHONE = Choice(name="busy", question="Is bob busy at 18:00?", options=("yes", "no"))


def told(world, way, *, at_once=False, steps=7):
    """Return all that ann is told by a way, and what she keeps and perceives some steps later."""
    turns = turns_of(way)
    if at_once:
        others = {"bob": "me.plan['18:00'] = me.plan.get('18:00', 'a walk')", "eve": "me.note('tired')"}
        landed = world.execute_batch(others | dict(turns))
        hers = [landed["ann"]]
    else:
        hers = [turn for agent, code in turns if (turn := world.execute(code, agent)) and agent == "ann"]
    wait(world, steps)
    hers += [world.execute(code, agent) for agent, code in turns_of(KEEPS)]
    return json.dumps([[(turn.status, turn.output, turn.error) for turn in hers], world.observe("ann")], default=repr)


def ways_that_tell(**how):
    """Return the ways that tell one town from the other."""
    at_once = how.pop("at_once", False)
    pairs = {way: [told(two_towns.build(secret=n, **how), way, at_once=at_once) for n in (0, 1)] for way in WAYS}
    return [way for way, (one, other) in pairs.items() if one != other]


@pytest.mark.parametrize(
    "how", [{}, *(pytest.param(how, marks=pytest.mark.long) for how in ({"apart": True}, {"at_once": True}))]
)
def test_nobody_learns_what_is_private_to_somebody_else_in_a_town(how):
    assert len(WAYS) >= 55
    assert ways_that_tell(**how) == []


@pytest.mark.long
def test_who_may_read_everything_can_tell_one_town_from_the_other_by_many_of_these_ways():
    assert len(ways_that_tell(granted=True)) >= 20


@pytest.mark.long(cases=0)
@pytest.mark.parametrize("apart", [False, True])
def test_nor_in_a_process(apart):
    with ProcessHost("tests.worlds.two_towns:build") as host:
        for way in WAYS:
            there, here = two_towns.build(secret=1, apart=apart), two_towns.build(secret=0, apart=apart)
            host.attach(there)
            assert told(there, way) == told(here, way), way


def test_a_mind_is_not_told_of_it_in_its_prompts_nor_as_it_is_asked():
    def asked(secret):
        requests = []
        llm = ScriptedModel(lambda request: requests.append(request) or script.reply(request))
        town = Simulation(two_towns.build(secret=secret), [(LLMResident, "ann")], llm=llm)
        town.run(until=6)
        answers = ask(town, Questionnaire(name="phone", items=(PHONE,)))
        return [[message.text for message in request.messages] for request in requests], answers

    assert asked(0) == asked(1) != ([], [])


def test_whom_somebody_tells_does_learn_of_it():
    shows = "#> bob\nme.say(ann, me.diary[0])\n#> ann\nprint(me.heard)"
    one, other = (told(two_towns.build(secret=secret), shows) for secret in (0, 1))
    assert ("love" in one, "hate" in other) == (True, True)
