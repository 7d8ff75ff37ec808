"""Minds are examined on what the journal knows of them: questions have one right answer, and answers are checked."""

import json
import re

import numpy as np
import pytest

from cave_sim import WorldError, open_run
from cave_sim.journal.rebuild import entities_at
from cave_sim.models import ScriptedModel
from cave_sim.simulations import believability
from cave_sim.simulations.believability.facts import Facts
from cave_sim.simulations.believability.questions import AREAS, BUSY, FREE, NO, YES, questions
from cave_sim.simulations.believability.script import reply

STEPS = 36
OPTIONS = {"seed": 5, "residents": 4, "start": "2012-06-01T09:00", "every": STEPS}


@pytest.fixture(scope="module")
def examined(tmp_path_factory):
    """Return the folder of a run whose people were examined at its end, and its state hash."""
    folder = tmp_path_factory.mktemp("believability") / "run"
    simulation = believability.create(**OPTIONS, out=folder).run(until=STEPS)
    simulation.close()
    return folder, simulation.state_hash


def answering(how, folder):
    """Return the scores of a run whose minds answer what a function of their name, question and options says."""

    def said(request):
        prompt = "\n".join(message.text for message in request.messages)
        asked = re.findall(r'asks you: (".*")\n.*nothing else: (.*)$', prompt, re.MULTILINE)
        return how(request.key.agent, json.loads(asked[-1][0]), asked[-1][1].split(" | ")) if asked else reply(request)

    believability.create(**OPTIONS, out=folder, llm=ScriptedModel(said)).run(until=STEPS).close()
    with open_run(folder) as run:
        return believability.scores(run)


@pytest.fixture(scope="module")
def truths(examined):
    with open_run(examined[0]) as run:
        facts = Facts(run, STEPS)
        return {
            (name, question.item.question): question.truth
            for name in facts.people
            for question in questions(facts, name)
        }


@pytest.mark.long
def test_asking_changes_nothing_in_the_world(examined):
    assert believability.create(**OPTIONS).run(until=STEPS).state_hash == examined[1]


@pytest.mark.long
def test_every_area_is_asked_about_and_one_option_is_right(examined):
    with open_run(examined[0]) as run:
        facts = Facts(run, STEPS)
        asked = [question for name in facts.people for question in questions(facts, name)]
    assert {question.area for question in asked} == set(AREAS)
    for question in asked:
        assert question.item.options.count(question.truth) == 1
        assert question.chance == 1 / len(question.item.options)


def test_the_truth_is_that_of_the_state_and_of_what_happened(examined):
    with open_run(examined[0]) as run:
        facts, entities = Facts(run, STEPS), entities_at(run, STEPS)
        heard = {name: entities[name]["fields"]["heard"] for name in facts.people}
        for name in facts.people:
            me = entities[name]["fields"]
            by_item = {question.item.name: question for question in questions(facts, name)}
            assert by_item["self_knowledge_work"].truth == (me["job"] or "at home")
            price = by_item["reactions_price"]
            asked_eur = int(re.search(r"for (\d+) EUR", price.item.question)[1])
            assert (price.truth == YES) == (100 * asked_eur <= me["money_cents"])
            if meeting := by_item.get("reactions_meeting"):
                at = re.search(r"at (\d\d:\d\d)", meeting.item.question)[1]
                assert (meeting.truth == BUSY) == (at in me["plan"])
            if talk := by_item.get("memory_talk"):
                spoken = [line for line in heard[name] if " you to " in line or re.search(r"\(\w+\): ", line)][-1]
                partner = next(other for other, title in facts.titles.items() if title == talk.truth and other in heard)
                assert partner in spoken


@pytest.mark.long
def test_who_knows_everything_scores_everything_and_who_lies_nothing(truths, tmp_path):
    knowing = answering(lambda name, question, options: truths[name, question], tmp_path / "knowing")
    assert len(knowing) == len(truths)
    assert knowing["right"].all()
    lying = answering(lambda name, asked, said: next(o for o in said if o != truths[name, asked]), tmp_path / "lying")
    assert not lying["right"].any()


@pytest.mark.long
def test_an_answer_that_cannot_be_read_is_not_right(truths, tmp_path):
    found = answering(lambda name, question, options: " or ".join(options), tmp_path / "run")
    assert found["value"].isna().all()
    assert not found["right"].any()


def test_the_script_knows_its_plan_and_its_purse_because_it_is_told(examined):
    with open_run(examined[0]) as run:
        found = believability.scores(run)
    assert found[found["area"] == "reactions"]["right"].all()
    assert set(found[found["item"] == "reactions_meeting"]["truth"]) <= {BUSY, FREE}
    assert set(found[found["item"] == "reactions_price"]["truth"]) <= {YES, NO}


def test_conditions_stand_side_by_side_with_intervals_over_people(examined, tmp_path):
    believability.create(**OPTIONS, without="memory", out=tmp_path / "without").run(until=STEPS).close()
    table = believability.table([examined[0], tmp_path / "without"])
    assert list(dict.fromkeys(table["condition"])) == ["full", "without memory"]
    whole = table[(table["condition"] == "full") & (table["area"] == "all")].iloc[0]
    assert (whole["agents"], 0 <= whole["low"] < whole["score"] < whole["high"] <= 1) == (5, True)
    reactions = table[(table["condition"] == "full") & (table["area"] == "reactions")].iloc[0]
    assert (reactions["score"], np.isnan(reactions["low"])) == (1, True)  # everybody's alike
    told = believability.in_words(table)
    assert all(word in told for word in ("full", "without memory", "guessing", *AREAS))


@pytest.mark.long(cases=0)
def test_the_summary_calls_scripted_minds_scripted(examined):
    with open_run(examined[0]) as run:
        assert "5 scripted minds, whose scores say nothing about any language model" in believability.summary(run)


def test_without_a_journal_or_before_its_hour_nobody_is_asked(tmp_path):
    believability.create(**OPTIONS, out=tmp_path).run(until=2).close()
    with open_run(tmp_path) as run:
        assert believability.scores(run).empty
        assert "Nobody was asked yet" in believability.summary(run)


def test_a_town_without_residents_is_refused():
    with pytest.raises(WorldError, match="at least 1 resident"):
        believability.create(**OPTIONS | {"residents": 0})
