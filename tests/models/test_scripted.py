"""The scripted model plays what it was given."""

import pytest

from cave_sim.models import ESTIMATE, Asker, ModelError, ScriptedModel, Untold, ask
from tests.models.asking import question


def texts(model, *questions):
    with Asker() as asker:
        return [asker.ask(model, each).text for each in questions]


def test_a_function_answers_what_it_is_asked():
    model = ScriptedModel(lambda request: f"{request.key.agent}: {request.messages[-1].text}")
    assert texts(model, question("a"), question("b", agent="bob")) == ["ann: a", "bob: b"]


def test_a_script_that_is_not_told_what_it_has_to_know_says_so():
    def answer(request):
        raise Untold("I am not told the way.")

    assert ask(ScriptedModel(answer), question("go home")).text == "I am not told the way."


def test_a_list_is_played_to_each_agent_from_its_start():
    model = ScriptedModel(["one", "two"])
    assert texts(model, question(), question(agent="bob"), question(), question(agent="bob")) == [
        "one",
        "one",
        "two",
        "two",
    ]


def test_a_list_that_is_over_says_who_asks_on():
    with pytest.raises(ModelError, match="script of 1 reply is over, and ann asks on"):
        texts(ScriptedModel(["one"]), question(), question())


def test_the_first_rule_that_fits_answers_with_its_groups():
    model = ScriptedModel([(r"rain in (\w+)", r"me.visit('\1')"), ("rain", "pass"), ("", "me.rest()")])
    asked = (question("rain in Espoo"), question("rain"), question("sun"))
    assert texts(model, *asked) == ["me.visit('Espoo')", "pass", "me.rest()"]


def test_no_rule_that_fits_names_the_rules():
    with pytest.raises(ModelError, match="no rule fits 'snow'; there are 'rain'"):
        ask(ScriptedModel([("rain", "pass")]), question("snow"))


def test_a_reply_without_groups_is_taken_as_it_is():
    assert ask(ScriptedModel([("", r"print('\n')")]), question()).text == r"print('\n')"


def test_a_script_is_of_one_kind():
    with pytest.raises(TypeError, match="not a mixture"):
        ScriptedModel(["one", ("a", "b")])


def test_it_stops_where_it_is_told_to():
    assert ask(ScriptedModel(["one END two"]), question(stop=("two", "END"))).text == "one "


def test_it_counts_tokens_costs_nothing_and_says_that_it_is_scripted():
    model = ScriptedModel(["12345678"], counter=ESTIMATE)
    reply = ask(model, question())
    assert reply.usage.completion_tokens == 2
    assert reply.usage.prompt_tokens == ESTIMATE.of_request(question())
    assert reply.usage.is_estimate
    assert (reply.cost_usd, reply.latency_s, reply.model, model.is_scripted) == (0.0, 0.0, "scripted", True)


def test_a_thousand_wait_together():
    model = ScriptedModel(lambda request: request.key.agent, latency_s=1.0)
    agents = [f"agent {number}" for number in range(1_000)]
    with Asker() as asker:
        replies = asker.ask_all((model, question(agent=agent)) for agent in agents)
    assert [reply.text for reply in replies] == agents
    assert (model.peak_in_flight, model.in_flight, model.calls) == (1_000, 0, 1_000)


@pytest.mark.parametrize("script", ["a reply", {"ann": ["a reply"]}, None, 5, b"a reply"])
def test_what_would_be_played_letter_by_letter_is_no_script(script):
    with pytest.raises(TypeError, match=r"a list of replies.*request\.key\.agent|not a mixture"):
        ScriptedModel(script)
