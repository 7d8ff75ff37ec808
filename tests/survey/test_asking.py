"""Minds are asked all at once, what they say is read or asked again, and the run never learns of it."""

import asyncio

import pytest

from cave_sim import WorldError
from cave_sim.models import ModelError, Reply, ScriptedModel
from cave_sim.simulations import interview as story
from cave_sim.survey import Choice, FreeText, Likert, Questionnaire, ask, interview

SURVEY = Questionnaire(
    name="mood",
    items=(
        Likert(name="well", question="I feel well."),
        Choice(name="where", question="Where would you rather be?", options=("home", "outside")),
        FreeText(name="why", question="Why?"),
    ),
)


def town(reply, residents=4):
    return story.create(seed=7, residents=residents, whom="0", llm=ScriptedModel(reply))


def said(request):
    return next(message.text for message in reversed(request.messages) if "nswer" in message.text)


def test_everybody_is_asked_every_item_in_an_order_of_their_own():
    replies = {"whole number": "4", "word for word": "Home, please", "own words": "It rains."}
    simulation = town(lambda request: next(text for how, text in replies.items() if how in said(request)))
    answers = ask(simulation, SURVEY)
    assert len(answers) == 3 * 5
    assert {(answer.item, answer.value) for answer in answers} == {("well", 4), ("where", "home"), ("why", "It rains.")}
    orders = {tuple(answer.item for answer in answers if answer.agent == name) for name in simulation.by_name}
    assert len(orders) > 1
    assert [answer.place for answer in answers] == [1, 2, 3] * 5
    assert ask(simulation, SURVEY) == answers


def test_all_respondents_wait_for_the_model_at_the_same_time():
    together = asyncio.Barrier(10)

    class Waiting(ScriptedModel):
        async def reply(self, request):
            await asyncio.wait_for(together.wait(), 60)
            return await super().reply(request)

    simulation = story.create(seed=7, residents=9, whom="0", llm=Waiting(lambda request: "Fine."))
    assert [answer.text for answer in interview(simulation, ["How are you?"])] == ["Fine."] * 10


def test_an_answer_that_cannot_be_read_is_asked_for_again_and_then_left_empty():
    tries = []

    def reply(request):
        tries.append(request.key.agent)
        stubborn = request.key.agent == "mayor"
        return "perhaps" if stubborn or tries.count(request.key.agent) == 1 else "2"

    simulation = town(reply)
    answers = ask(simulation, Questionnaire(name="one", items=SURVEY.items[:1]))
    by_name = {answer.agent: (answer.value, answer.tries, answer.text) for answer in answers}
    assert by_name.pop("mayor") == (None, 3, "perhaps")
    assert set(by_name.values()) == {(2, 2, "2")}


def test_a_model_that_fails_leaves_the_item_without_a_value_and_asks_the_next():
    class Failing(ScriptedModel):
        async def reply(self, request):
            if "whole number" in said(request):
                raise ModelError("unavailable", "no such luck")
            return Reply("home")

    simulation = story.create(seed=7, residents=1, whom="0", llm=Failing(lambda request: ""))
    fixed = SURVEY.model_copy(update={"random_order": False})
    values = [answer.value for answer in ask(simulation, fixed, ["mayor"])]
    assert values[0] is None
    assert values[1] == "home"


def test_what_is_asked_brings_to_mind_what_it_is_about():
    prompts = []

    def reply(request):
        prompts.append("\n".join(message.text for message in request.messages))
        return "I cannot say."

    simulation = town(reply, residents=1)
    mind = simulation.by_name["mayor"]
    for number in range(60):
        mind.memory.commit(mind.session, f"At the market with Ann, number {number}.", importance=5, step=0, time_s=0)
    mind.memory.commit(mind.session, "Tuuli gives a Valentine party at the café.", importance=1, step=0, time_s=0)
    for number in range(60):
        mind.memory.commit(mind.session, f"In the library with Bo, number {number}.", importance=5, step=0, time_s=0)
    interview(simulation, ["Did you hear of a Valentine party?"], ["mayor"])
    assert "Tuuli gives a Valentine party" in prompts[-1]


def test_who_is_no_mind_cannot_be_asked():
    with pytest.raises(WorldError, match=r"'the_weather' cannot be asked; minds here: .*mayor"):
        ask(town(lambda request: ""), SURVEY, ["the_weather"])
