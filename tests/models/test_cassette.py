"""Cassettes: what was answered once is answered again, and nothing else is."""

import json
from contextlib import suppress

import pytest

from cave_sim import CaveSimError, Simulation, World, WorldError
from cave_sim.models import (
    ESTIMATE,
    Asker,
    Budget,
    Budgeted,
    BudgetReached,
    Budgets,
    Cassette,
    CassetteMiss,
    Chaotic,
    Faults,
    ModelError,
    Price,
    Recalled,
    RecordedModel,
    RecordingModel,
    Reply,
    Retrying,
    ScriptedModel,
    ask,
)
from tests.models.asking import Stub, Time, down, question


def recorded(*pairs):
    """Return the calls of a run where each question got its answer, as a file would give them back."""
    calls = []
    for asked, answer in pairs:
        with suppress(ModelError):
            ask(RecordingModel(Stub(answer), calls.append), asked)
    return json.loads(json.dumps(calls))


def outcomes(model, questions):
    with Asker() as asker:
        found = asker.ask_all((model, each) for each in questions)
    return [str(each) if isinstance(each, ModelError) else each for each in found]


def test_a_model_of_ones_own_is_told_what_it_lacks_and_what_to_return():
    class Mind:
        name, window_tokens = "mine/mind", 8_000

        async def reply(self, request):
            return "Hello"

    with pytest.raises(WorldError, match=r"`async def reply\(request\)`; this Mind lacks price$"):
        Simulation(World(), llm=Mind())
    Mind.price = None
    with pytest.raises(TypeError, match=r"Mind\.reply\(request\) returned 'Hello': return Reply\(text\)"):
        ask(RecordingModel(Mind(), print), question())
    Mind.reply = lambda self, request: Reply("Hello")
    with pytest.raises(TypeError, match="write it as `async def reply"):
        ask(RecordingModel(Mind(), print), question())
    with pytest.raises(WorldError, match=r"is one as ScriptedModel\(function\)"):
        Simulation(World(), llm=lambda request: "Hello")


def test_a_call_is_stored_as_plain_data():
    (call,) = recorded((question(), "hi"))
    assert {name: call[name] for name in ("run", "agent", "step", "attempt", "retry")} == {
        "run": "town-7",
        "agent": "ann",
        "step": 1,
        "attempt": 0,
        "retry": 0,
    }
    assert call["hash"] == question().hash
    assert call["request"] == question().to_data()
    assert call["reply"]["text"] == "hi"
    assert call["error"] is None
    assert call["model"]["name"] == "stub/one"


def test_the_same_request_gets_the_same_reply():
    model = RecordedModel(Cassette(recorded((question(), "hi"))))
    reply = ask(model, question())
    assert (reply.text, reply.usage.tokens, reply.cost_usd, reply.latency_s) == ("hi", 15, 0.25, 2.0)


def test_identical_prompts_of_two_agents_stay_two():
    cassette = Cassette(
        recorded(
            (question(agent="ann"), "I am Ann"), (question(agent="bob"), "I am Bob"), (question(attempt=1), "again")
        )
    )
    model = RecordedModel(cassette)
    assert len(cassette) == 3
    assert ask(model, question(agent="bob")).text == "I am Bob"
    assert [ask(model, question(attempt=attempt)).text for attempt in (0, 1)] == ["I am Ann", "again"]


def test_a_model_that_failed_fails_again():
    model = RecordedModel(Cassette(recorded((question(), down()))))
    with pytest.raises(ModelError, match="500") as found:
        ask(model, question())
    assert found.value.kind == "unavailable"


def test_a_model_that_failed_before_is_asked_again_where_a_run_goes_on():
    live = Stub("hi")
    kept = []
    model = Recalled(live, Cassette(recorded((question(), down()), (question(step=2), "ho"))), kept.append)
    assert [ask(model, question(step=step)).text for step in (1, 2)] == ["hi", "ho"]
    assert (model.reused, len(kept)) == (1, 1)


def test_a_chaotic_run_replays_without_a_model():
    calls, questions = [], [question(agent=f"agent {number}") for number in range(100)]
    faults = Faults(rate_limited=0.2, unavailable=0.2, broken=0.1, empty=0.1, truncated=0.1)
    live = ScriptedModel(lambda request: f"{request.key.agent} speaks")
    chaos = Chaotic(live, faults, latency_s=lambda rng: rng.random() / 50)
    first = outcomes(RecordingModel(Retrying(chaos, retries=3, sleep=Time().sleep), calls.append), questions)
    asked = live.calls
    second = outcomes(RecordedModel(Cassette(json.loads(json.dumps(calls)))), questions[::-1])[::-1]
    assert first == second
    assert any(isinstance(each, str) for each in first)
    assert live.calls == asked


def test_a_miss_shows_how_the_nearest_request_differs():
    model = RecordedModel(
        Cassette(recorded((question("It rains.\nGo home."), "hi"), (question("?", agent="bob"), "ho")))
    )
    with pytest.raises(CassetteMiss) as found:
        ask(model, question("It rains.\nGo out.", step=3))
    message = str(found.value)
    assert "run 'town-7', agent 'ann', step 3, attempt 0 asks what was not recorded" in message
    assert "The nearest is of run 'town-7', agent 'ann', step 1, attempt 0:" in message
    assert message.endswith("@@ -9,2 +9,2 @@\n It rains.\n-Go home.\n+Go out.")


def test_a_miss_says_so_if_only_the_key_differs():
    model = RecordedModel(Cassette(recorded((question(step=1), "hi"))))
    with pytest.raises(CassetteMiss, match="the same request was recorded, but of run 'town-7', agent 'ann', step 1"):
        ask(model, question(step=2))


def test_the_difference_in_a_long_line_is_shown_and_a_long_difference_is_cut():
    model = RecordedModel(Cassette(recorded((question("word " * 2_000 + "end"), "hi"))))
    with pytest.raises(CassetteMiss, match=r"-.*end\n\+.*END"):
        ask(model, question("word " * 2_000 + "END"))
    with pytest.raises(CassetteMiss, match=r"and \d+ lines more") as found:
        ask(model, question("\n".join(map(str, range(2_000)))))
    assert len(str(found.value)) < 6_000


def test_an_empty_cassette_says_that_it_is():
    with pytest.raises(CassetteMiss, match="the cassette is empty"):
        ask(RecordedModel(Cassette()), question())


def test_a_miss_is_no_failure_of_a_model():
    assert not issubclass(CassetteMiss, ModelError)
    with Asker() as asker, pytest.raises(CassetteMiss):
        asker.ask_all([(RecordedModel(Cassette()), question())])


def test_a_reworded_prompt_gets_the_reply_of_its_place_if_one_is_not_strict():
    model = RecordedModel(Cassette(recorded((question("what now?"), "hi"))), strict=False)
    assert ask(model, question("And now?")).text == "hi"
    assert model.drifted == 1
    with pytest.raises(CassetteMiss):
        ask(model, question("And now?", step=9))


def test_a_run_of_another_name_can_be_answered():
    model = RecordedModel(Cassette(recorded((question(), "hi"))), run="town-7")
    other = question()
    object.__setattr__(other, "key", type(other.key)("another", "ann", 1))
    assert ask(model, other).text == "hi"


def test_two_answers_to_one_question_are_refused_when_the_cassette_is_read():
    with pytest.raises(CaveSimError, match=r"asked the same thing twice.*Key\(attempt="):
        Cassette(recorded((question(), "hi"), (question(), "ho")))


def test_a_cassette_is_read_from_a_function_and_again_only_for_a_miss():
    calls, read = recorded((question(), "hi")), []

    def journal():
        read.append(1)
        return iter(calls)

    model = RecordedModel(Cassette(journal))
    assert ask(model, question()).text == "hi"
    assert len(read) == 1
    with pytest.raises(CassetteMiss, match="nearest"):
        ask(model, question("?"))
    assert len(read) == 2


def test_a_replay_has_the_window_and_the_price_of_the_recorded_model():
    calls = []
    stub = Stub("hi")
    stub.price = Price(1.0, 2.0, 0.5)
    ask(RecordingModel(stub, calls.append), question())
    model = RecordedModel(Cassette(json.loads(json.dumps(calls))))
    assert (model.name, model.window_tokens, model.price) == ("recorded/stub/one", 1_000, Price(1.0, 2.0, 0.5))
    with pytest.raises(CaveSimError, match="'gpt' was not asked in it; asked was stub/one"):
        RecordedModel(model.cassette, model="gpt")


def test_a_replay_stops_at_the_budget_that_the_run_stopped_at():
    calls, questions = [], [question(step=step, max_tokens=20) for step in range(9)]
    stub = Stub("hi")
    stub.price = Price(1e4, 1e4)

    def spend(model):
        limited = Budgeted(model, Budgets(run=Budget(money_usd=2)), counter=ESTIMATE)
        with Asker() as asker:
            found = [asker.ask_all([(limited, each)])[0] for each in questions]
        return [
            str(each) if isinstance(each, BudgetReached) else each.text for each in found
        ], limited.budgets.to_data()

    assert spend(RecordingModel(stub, calls.append)) == spend(RecordedModel(Cassette(calls)))
    assert 1 < len(calls) < 9
