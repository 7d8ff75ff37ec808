"""Asking again, and asking another."""

import pytest

from cave_sim.models import Fallback, ModelError, Retrying, ask
from tests.models.asking import Stub, Time, busy, down, question


def retrying(*answers, **options):
    time, model = Time(), Stub(*answers)
    return Retrying(model, sleep=time.sleep, **options), model, time


def test_an_outage_is_waited_out_with_growing_pauses():
    model, stub, time = retrying(down(), down(), down(), "hi", first_s=0.5, jitter=0.25)
    assert ask(model, question()).text == "hi"
    assert all(least <= nap <= 1.25 * least for nap, least in zip(time.naps_s, (0.5, 1.0, 2.0), strict=True))
    assert [each.key.retry for each in stub.asked] == [0, 1, 2, 3]
    assert {each.hash for each in stub.asked} == {question().hash}


def test_pauses_stop_growing():
    model, _, time = retrying(*[down()] * 6, "hi", retries=9, longest_s=4, jitter=0)
    ask(model, question())
    assert time.naps_s == [0.5, 1, 2, 4, 4, 4]


def test_a_provider_that_names_a_time_is_given_it():
    model, _, time = retrying(busy(9), "hi", jitter=0)
    ask(model, question())
    assert time.naps_s == [9]


def test_a_provider_that_wants_an_hour_is_not_waited_for():
    model, stub, time = retrying(busy(3_600), "hi")
    with pytest.raises(ModelError, match=r"wants 3600 s, more than the 60 s that are waited at most"):
        ask(model, question())
    assert (len(stub.asked), time.naps_s) == (1, [])


@pytest.mark.parametrize("kind", ["refused", "too_long"])
def test_what_cannot_help_is_not_retried(kind):
    model, stub, _ = retrying(ModelError(kind, "no"), "hi")
    with pytest.raises(ModelError, match=r"^no$"):
        ask(model, question())
    assert len(stub.asked) == 1


def test_patience_ends_and_says_how_often_it_asked():
    model, stub, _ = retrying(down(), retries=2)
    with pytest.raises(ModelError, match=r"500 \(asked 3 times\)") as found:
        ask(model, question())
    assert (found.value.kind, len(stub.asked)) == ("unavailable", 3)


def test_pauses_follow_from_seed_and_request():
    model, other = Retrying(Stub("hi"), seed=1), Retrying(Stub("hi"), seed=2)
    assert model.pause_s(question()) == Retrying(Stub("hi"), seed=1).pause_s(question())
    assert model.pause_s(question()) != model.pause_s(question(agent="bob"))
    assert model.pause_s(question()) != other.pause_s(question())


def test_another_model_replies_where_one_fails():
    first, second = Stub(down()), Stub("hi")
    model = Fallback(first, second)
    assert ask(model, question()).text == "hi"
    assert (len(first.asked), len(second.asked)) == (1, 1)


def test_the_first_model_is_asked_first_each_time():
    model = Fallback(Stub(down(), "first"), Stub("second"))
    assert [ask(model, question()).text for _ in range(2)] == ["second", "first"]


def test_where_all_fail_each_is_named_with_its_reason():
    with pytest.raises(ModelError, match="no model replied: stub/one: 429; stub/one: 500") as found:
        ask(Fallback(Stub(busy()), Stub(down())), question())
    assert found.value.kind == "unavailable"


def test_what_fits_a_fallback_fits_all_of_its_models():
    small = Stub("hi")
    small.window_tokens = 10
    assert Fallback(Stub("hi"), small).window_tokens == 10
