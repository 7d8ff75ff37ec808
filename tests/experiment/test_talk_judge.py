"""Judges of talks: what they read, what counts as a rating, and what becomes of one that cannot be read."""

import json

import pytest

from cave_sim import Simulation, World
from cave_sim.experiment.talk_judge import JudgedTalk, TalkJudge, TalkRating, read_rating
from cave_sim.models import ScriptedModel

GOOD = {"classification": 1, "assistant_quality_score": 4, "feedback": "Curt, but right."}
SAID = ({"role": "user", "content": "A ride!"},)
TALK = JudgedTalk("A ride home.", "", ("book_ride",), SAID, ("book_ride", "delegate"))


def judged(*replies, talk=TALK, steps=3):
    """Return the judge of a talk after some steps, and what it was sent."""
    asked, left = [], list(replies)
    llm = ScriptedModel(lambda request: asked.append(request) or left.pop(0))
    simulation = Simulation(World(seed=1), lambda it: [TalkJudge(it, "judge", lambda: talk)], llm=llm)
    simulation.run(until=steps)
    return simulation.by_name["judge"], asked


def test_a_judge_reads_wish_notes_tools_and_talk_and_is_asked_once():
    judge, asked = judged(json.dumps(GOOD))
    assert judge.rating == TalkRating(True, 4, "Curt, but right.")
    (request,) = asked
    told = request.messages[-1].text
    assert all(part in told for part in ("A ride home.", "Notes: none", "in order: book_ride", '"A ride!"', "delegate"))
    assert judge.session.rows[-1].data["by"] == "scripted"


def test_a_talk_that_goes_on_is_not_judged():
    judge, asked = judged(talk=None)
    assert judge.rating is None
    assert not asked


@pytest.mark.parametrize("wrapped", ["{}", "```json\n{}\n```", "My rating:\n{}\nThat is all."])
def test_a_rating_is_read_whatever_stands_around_it(wrapped):
    assert read_rating(wrapped.replace("{}", json.dumps(GOOD))).score == 4


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"assistant_quality_score": 6}, "not a whole number from 1 to 5"),
        ({"assistant_quality_score": 0}, "not a whole number"),
        ({"assistant_quality_score": 4.5}, "not a whole number"),
        ({"assistant_quality_score": "4"}, "not a whole number"),
        ({"assistant_quality_score": True}, "not a whole number"),
        ({"classification": 2}, "not 0 or 1"),
        ({"classification": True}, "not 0 or 1"),
        ({"classification": "1"}, "not 0 or 1"),
        ({"feedback": None}, "feedback is no text"),
        ({"feedback": ...}, "it lacks feedback"),
    ],
)
def test_what_is_no_rating_is_told_and_asked_for_once_more(change, told):
    wrong = {key: value for key, value in {**GOOD, **change}.items() if value is not ...}
    with pytest.raises(ValueError, match=told):
        read_rating(json.dumps(wrong))
    judge, asked = judged(json.dumps(wrong), json.dumps(GOOD))
    assert judge.rating.score == 4
    assert told in asked[1].messages[-1].text


def test_a_judge_that_gives_no_rating_has_none_and_is_left_alone():
    judge, asked = judged("It was fine.", "Really.")
    assert judge.rating is None
    assert judge.session.rows[-1].text == "no rating: there is no JSON object in it"
    assert len(asked) == 2
