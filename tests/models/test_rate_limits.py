"""Rates and adaptive concurrency."""

import asyncio

import pytest

from cave_sim.models import (
    Asker,
    Message,
    ModelError,
    Rate,
    Request,
    ScriptedModel,
    Throttle,
    Throttled,
    Throttles,
    ask,
)
from tests.models.asking import Stub, Time, busy, question


def throttle(**rate):
    time = Time()
    return Throttle(Rate(**rate), clock=time.clock, sleep=time.sleep), time


async def pass_through(gate, times=1, error=None, tokens=0):
    for _ in range(times):
        try:
            async with gate.slot(tokens):
                if error:
                    raise error
        except ModelError:
            pass


async def crowd(gate, count, error=None):
    """Let many in, and let them out when no more can get in."""
    leave = asyncio.Event()

    async def one():
        async with gate.slot():
            await leave.wait()
            if error:
                raise error

    tasks = [asyncio.create_task(one()) for _ in range(count)]
    for _ in range(count + 5):
        await asyncio.sleep(0)
    inside = gate.in_flight
    leave.set()
    await asyncio.gather(*tasks, return_exceptions=True)
    return inside


def test_no_more_are_let_in_than_the_limit():
    gate, _ = throttle(start_in_flight=3, most_in_flight=3)
    assert asyncio.run(crowd(gate, 10)) == 3
    assert (gate.in_flight, gate.peak_in_flight) == (0, 3)


def test_first_come_first_served():
    gate, _ = throttle(start_in_flight=1, most_in_flight=1)
    order = []

    async def one(number):
        async with gate.slot():
            await asyncio.sleep(0)
            order.append(number)

    async def all_of_them():
        await asyncio.gather(*(one(number) for number in range(20)))

    asyncio.run(all_of_them())
    assert order == list(range(20))


def test_the_limit_doubles_each_round_until_the_first_overload():
    gate, _ = throttle(start_in_flight=4)
    limits = []
    for _ in range(3):
        asyncio.run(crowd(gate, int(gate.limit)))
        limits.append(gate.limit)
    assert limits[0] > 5
    assert limits[0] < limits[1] < limits[2]
    assert limits[2] > 10


def test_an_overload_halves_the_limit_once_however_many_fail():
    gate, _ = throttle(start_in_flight=16)
    assert asyncio.run(crowd(gate, 16, busy())) == 16
    assert gate.limit == 8


def test_after_an_overload_the_limit_grows_by_about_one_a_round():
    gate, _ = throttle(start_in_flight=16)
    asyncio.run(crowd(gate, 16, busy()))
    asyncio.run(crowd(gate, 8))
    assert 8 < gate.limit < 9


def test_one_is_always_let_in():
    gate, _ = throttle(start_in_flight=2)
    asyncio.run(pass_through(gate, 20, busy()))
    assert gate.limit == 1


def test_what_is_no_overload_does_not_slow_anyone():
    gate, _ = throttle(start_in_flight=4)
    asyncio.run(pass_through(gate, 5, ModelError("refused", "no")))
    assert gate.limit == 4


def test_a_success_among_few_says_nothing_about_many():
    gate, _ = throttle(start_in_flight=16)
    asyncio.run(pass_through(gate, 50))
    assert gate.limit == 16


def test_everyone_waits_when_the_provider_asks_for_it():
    gate, time = throttle()
    asyncio.run(pass_through(gate, error=busy(30)))
    asyncio.run(pass_through(gate))
    assert time.now_s == 30


def test_requests_are_paced_to_the_rate():
    gate, time = throttle(requests_per_minute=60)
    asyncio.run(pass_through(gate, 11))
    assert time.now_s == pytest.approx(10)


def test_tokens_are_paced_to_the_rate():
    gate, time = throttle(tokens_per_minute=6_000)
    asyncio.run(pass_through(gate, 4, tokens=1_000))
    assert time.now_s == pytest.approx(30)


def test_whoever_gives_up_waiting_leaves_no_gap():
    gate, _ = throttle(start_in_flight=1, most_in_flight=1)

    async def scene():
        async with gate.slot():
            waiting = asyncio.create_task(pass_through(gate))
            await asyncio.sleep(0)
            waiting.cancel()
            await asyncio.gather(waiting, return_exceptions=True)
        await asyncio.wait_for(pass_through(gate), 1)

    asyncio.run(scene())
    assert gate.in_flight == 0


def test_whoever_gives_up_just_when_let_in_leaves_no_gap():
    gate, _ = throttle(start_in_flight=1, most_in_flight=1)

    async def scene():
        async with gate.slot():
            waiting = asyncio.create_task(pass_through(gate))
            await asyncio.sleep(0)
        waiting.cancel()  # its place is free now, and it has not run since
        await asyncio.gather(waiting, return_exceptions=True)
        await asyncio.wait_for(pass_through(gate), 1)

    asyncio.run(scene())
    assert gate.in_flight == 0


def test_models_of_one_provider_share_its_throttle():
    shared = Throttles({"stub": Rate(most_in_flight=32)})
    one, two = Throttled(Stub("hi"), shared), Throttled(Stub("hi"), shared)
    assert one.throttle is two.throttle
    assert one.throttle.rate.most_in_flight == 32
    assert Throttled(ScriptedModel(["hi"]), shared).throttle is not one.throttle


def test_a_throttled_model_books_the_tokens_it_will_read_and_may_write():
    gate, time = throttle(tokens_per_minute=60)
    model = Throttled(Stub("hi"), gate)
    request = Request((Message("user", "hi"),), max_tokens=50)
    ask(model, request)
    ask(model, request)
    assert time.now_s == pytest.approx(model.counter.of_request(request) + 50)


def test_a_thousand_get_through_in_a_few_rounds():
    model = ScriptedModel(lambda request: "hi", latency_s=0.01)
    throttled = Throttled(model)
    with Asker() as asker:
        asker.ask_all((throttled, question(agent=str(number))) for number in range(1_000))
    assert model.calls == 1_000
    assert 64 <= model.peak_in_flight <= throttled.throttle.peak_in_flight < 1_000


@pytest.mark.parametrize("rate", [{"start_in_flight": 0}, {"cut": 1.0}, {"requests_per_minute": 0}])
def test_a_rate_that_lets_nobody_through_is_refused(rate):
    with pytest.raises(ValueError, match=next(iter(rate))):
        Rate(**rate)


@pytest.mark.parametrize("wanted_s", [3_600.0, 86_400.0 * 365 * 73, float("inf")])
def test_a_long_pause_is_capped_and_shown(wanted_s, caplog):
    gate, time = throttle()
    error = ModelError("rate_limited", "slow down", wanted_s)
    asyncio.run(pass_through(gate, error=error))
    before_s = time.clock()
    asyncio.run(pass_through(gate))
    assert time.clock() - before_s <= 60
    assert len(caplog.records) == 1
    assert "nobody is asked for 60 s" in caplog.text


def test_a_short_pause_is_not_worth_a_line(caplog):
    gate, _ = throttle()
    asyncio.run(pass_through(gate, error=ModelError("rate_limited", "slow down", 1.0)))
    assert not caplog.records
