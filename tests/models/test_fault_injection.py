"""The chaotic model fails as often as it should, and the same way every time."""

from collections import Counter

import pytest

from cave_sim.models import Asker, Chaotic, Faults, ModelError, Retrying, ScriptedModel, ask
from tests.models.asking import Stub, Time, question

CELL = "Good morning.\n```python\nme.mood = 1\n```\nBye."
ALL = Faults(rate_limited=0.1, unavailable=0.1, broken=0.1, truncated=0.1, empty=0.1, malformed=0.1, wrong=0.1)


def only(**rates):
    return Chaotic(Stub(CELL), Faults(**rates))


def outcomes(questions, seed=1, **options):
    model = Chaotic(ScriptedModel([("", CELL)]), ALL, seed=seed, **options)
    with Asker() as asker:
        found = asker.ask_all((model, each) for each in questions)
    return {
        each.key: str(answer) if isinstance(answer, ModelError) else answer.text
        for each, answer in zip(questions, found, strict=True)
    }


def many(count=200):
    return [question(agent=f"agent {number % 20}", step=number // 20) for number in range(count)]


def test_each_fault_comes_about_as_often_as_asked():
    model = Chaotic(Stub(CELL), ALL, seed=3)
    found = Counter(model.fault_of(each) for each in many(4_000))
    assert all(300 < found[fault] < 500 for fault, _ in ALL.rates())
    assert 1_050 < found[None] < 1_350


def test_what_happens_does_not_depend_on_when_one_asks():
    questions = many()
    assert outcomes(questions) == outcomes(questions[::-1])
    assert outcomes(questions) == outcomes(questions, latency_s=lambda rng: rng.random() / 100)


def test_what_happens_does_not_depend_on_who_else_asks():
    everyone, few = outcomes(many()), outcomes(many()[::7])
    assert few.items() <= everyone.items()


def test_another_seed_has_other_victims():
    assert outcomes(many()) != outcomes(many(), seed=2)


def test_a_rate_limit_says_when_to_come_back():
    with pytest.raises(ModelError) as found:
        ask(Chaotic(Stub(CELL), Faults(rate_limited=1), retry_after_s=7), question())
    assert (found.value.kind, found.value.retry_after_s) == ("rate_limited", 7)


def test_an_outage_may_be_over_at_the_next_retry_and_a_broken_request_stays_broken():
    asked = [question(agent=f"agent {number}") for number in range(50)]
    sometimes = Retrying(Chaotic(Stub(CELL), Faults(unavailable=0.5)), retries=30, sleep=Time().sleep)
    assert all(ask(sometimes, each).text == CELL for each in asked)
    model = Chaotic(Stub(CELL), Faults(broken=0.5))
    broken = [each for each in asked if model.fault_of(each) == "broken"]
    assert 10 < len(broken) < 40
    assert all(model.fault_of(each.again().again()) == "broken" for each in broken)


def test_spoiled_replies_are_replies():
    truncated = ask(only(truncated=1), question())
    assert truncated.is_truncated
    assert CELL.startswith(truncated.text)
    assert ask(only(empty=1), question()).text == ""
    assert "1 / 0" in {ask(only(wrong=1), question(step=step)).text.splitlines()[1] for step in range(40)}


def test_malformed_fences_are_missing_or_never_close():
    found = {ask(only(malformed=1), question(step=step)).text for step in range(20)}
    assert found == {CELL.replace("```", "``"), CELL[: CELL.rindex("```")]}
    assert ask(Chaotic(Stub("me.mood = 1"), Faults(malformed=1)), question()).text == "```pyhton\nme.mood = 1"


def test_it_counts_what_happened():
    model = only(empty=1)
    ask(model, question())
    assert model.happened["empty"] == 1


@pytest.mark.parametrize("rates", [{"empty": 1.5}, {"empty": -0.1}, {"empty": 0.6, "wrong": 0.6}])
def test_rates_are_shares(rates):
    with pytest.raises(ValueError, match="at most 1 together"):
        Faults(**rates)


def test_latency_is_added_to_the_replys():
    assert ask(Chaotic(Stub(CELL), latency_s=0.01), question()).latency_s == 2.01
