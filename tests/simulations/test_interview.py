"""Residents are asked on copies that are thrown away: they answer, and the run is the run it would have been."""

import pytest

from cave_sim import WorldError, open_run
from cave_sim.journal.queries import answers as answers_of
from cave_sim.models import ScriptedModel
from cave_sim.replay.recipe import Recipe
from cave_sim.simulations import interview as story
from cave_sim.simulations.scripted_model import reply
from cave_sim.survey import interview

STEPS, OPTIONS = 6, {"seed": 7, "residents": 4}


@pytest.fixture(scope="module")
def undisturbed():
    return story.create(**OPTIONS, whom="0").run(until=STEPS).state_hash


def test_the_hash_of_a_run_does_not_change_by_asking(undisturbed, tmp_path):
    simulation = story.create(**OPTIONS, every=2, out=tmp_path).run(until=STEPS)
    simulation.close()
    assert simulation.state_hash == undisturbed
    with open_run(tmp_path) as run:
        answers, told = answers_of(run), story.summary(run)
    assert len(answers) == 3 * 3 * 3  # times, people, questions
    assert f"I am {simulation.world[answers[0]['agent']].title}" in answers[0]["text"]
    assert answers[0]["text"] in told


def test_code_in_an_answer_is_not_run(undisturbed):
    def busybody(request):
        asked = any("outside your world" in each.text for each in request.messages)
        return "```python\nme.note('I was asked')\nme.mood_of_town = 1\n```" if asked else reply(request)

    simulation = story.create(**OPTIONS, whom="0", llm=ScriptedModel(busybody)).run(until=STEPS // 2)
    assert {answer.value for answer in interview(simulation, ["Who are you?"])} == {None}
    assert simulation.run(until=STEPS).state_hash == undisturbed


def test_who_is_asked_twice_remembers_the_first_question_and_nobody_else_does():
    heard = []

    def listener(request):
        heard.append((request.key.agent, sum("outside your world" in each.text for each in request.messages)))
        return reply(request)

    simulation = story.create(**OPTIONS, whom="0", llm=ScriptedModel(listener))
    names = sorted(simulation.by_name)[:2]
    interview(simulation, ["Who are you?", "How are you?"], names)
    assert heard == [(names[0], 1), (names[1], 1), (names[0], 2), (names[1], 2)]
    assert len(simulation.by_name[names[0]].session.rows) == 0


def test_what_asking_costs_is_recorded_with_the_run(tmp_path):
    story.create(**OPTIONS, whom="1", ask="Who are you?", every=STEPS, out=tmp_path).run(until=STEPS).close()
    with open_run(tmp_path) as run:
        calls = [call for call in run.calls() if "outside your world" in str(call["request"])]
    assert len(calls) == 1


@pytest.mark.parametrize(("options", "wrong"), [({"whom": "nobody"}, "no 'nobody'"), ({"every": "0"}, "1 or more")])
def test_options_that_do_not_fit_say_why(options, wrong):
    with pytest.raises(WorldError, match=wrong):
        Recipe("interview", {**OPTIONS, **options}).make()


def test_only_minds_can_be_asked():
    simulation = story.create(**OPTIONS, whom="0")
    with pytest.raises(WorldError, match="'the_weather' cannot be asked"):
        interview(simulation, ["How do you do?"], ["the_weather"])
