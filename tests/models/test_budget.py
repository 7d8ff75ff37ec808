"""Budgets are kept: before a call by estimate, after it by what it took."""

import json
import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cave_sim import CaveSimError
from cave_sim.models import (
    ESTIMATE,
    FREE,
    Asker,
    Budget,
    Budgeted,
    BudgetReached,
    Budgets,
    Chaotic,
    Fallback,
    Price,
    Reply,
    Retrying,
    ScriptedModel,
    Spent,
    Throttled,
    Usage,
    ask,
)
from tests.models.asking import Stub, down, question

DOLLAR_A_TOKEN = Price(1e6, 1e6)


def budgeted(*answers, price=None, run=None, agent=None, step=None):
    return Budgeted(Stub(*answers), Budgets(run, agent, step), price=price, counter=ESTIMATE)


def test_a_reply_is_booked_for_run_step_and_agent():
    model = budgeted("hi")
    ask(model, question())
    spent = Spent(tokens=15, money_usd=0.25, seconds=2.0, calls=1)
    books = model.budgets
    assert (books.spent, books.spent_in_step, books.spent_by) == (spent, spent, {"ann": spent})


@pytest.mark.parametrize(("limit", "value"), [("tokens", 30), ("money_usd", 0.5), ("seconds", 4.0), ("calls", 2)])
def test_a_limit_that_is_used_up_refuses_the_next_call(limit, value):
    model = budgeted("hi", run=Budget(**{limit: value}))
    if limit == "tokens":
        model.counter = type(ESTIMATE)("nothing", lambda text: 0, is_estimate=True)
    ask(model, question())
    assert model.budgets.reached() is None
    ask(model, question())
    with pytest.raises(BudgetReached) as found:
        ask(model, question())
    assert (found.value.scope, found.value.limit, found.value.allowed, found.value.spent) == (
        "run",
        limit,
        value,
        value,
    )
    assert model.budgets.reached().limit == limit
    assert len(model.model.asked) == 2


def test_a_call_that_might_take_too_much_is_not_made():
    model = budgeted("hi", run=Budget(tokens=100))
    with pytest.raises(
        BudgetReached, match=r"budget of run: 0 of tokens=100 spent, and another call takes up to 1\d\d"
    ):
        ask(model, question(max_tokens=100))
    assert model.model.asked == []


def test_the_error_names_the_way_out():
    model = budgeted("hi", run=Budget(calls=0))
    with pytest.raises(
        BudgetReached, match=r"Nothing is lost: resume with a larger one, or raise Budgets\(run=Budget\(calls="
    ):
        ask(model, question())


def test_money_is_checked_before_it_is_spent():
    model = budgeted("hi", price=DOLLAR_A_TOKEN, run=Budget(money_usd=20))
    with pytest.raises(BudgetReached, match="money_usd=20"):
        ask(model, question(max_tokens=10))


def test_money_cannot_be_limited_where_prices_are_unknown():
    model = Stub("hi")
    model.price = None
    with pytest.raises(CaveSimError, match=r"price of 'stub/one' is not known.*Price\(prompt_usd"):
        Budgeted(model, Budgets(agent=Budget(money_usd=1)))
    Budgeted(model, Budgets(agent=Budget(tokens=1)))


def test_no_money_is_enough_for_a_model_that_costs_nothing():
    model = Budgeted(ScriptedModel([("", "hi")]), Budgets(run=Budget(money_usd=0)))
    assert [ask(model, question()).text for _ in range(3)] == ["hi"] * 3


def test_a_reply_without_cost_is_booked_at_the_models_price():
    model = budgeted(Reply("hi", Usage(10, 5)), price=DOLLAR_A_TOKEN)
    ask(model, question())
    assert model.budgets.spent.money_usd == 15


def test_each_agent_has_a_budget_of_its_own():
    model = budgeted("hi", agent=Budget(calls=1))
    ask(model, question(agent="ann"))
    ask(model, question(agent="bob"))
    with pytest.raises(BudgetReached, match="budget of agent ann"):
        ask(model, question(agent="ann"))


def test_each_step_starts_with_a_budget_of_its_own():
    model = budgeted("hi", step=Budget(calls=1))
    ask(model, question())
    with pytest.raises(BudgetReached, match="starts anew with the next step"):
        ask(model, question())
    model.budgets.begin_step()
    assert ask(model, question()).text == "hi"


def test_calls_in_flight_together_do_not_overspend():
    model = ScriptedModel([("", "hi")], latency_s=0.01)
    limited = Budgeted(model, Budgets(run=Budget(calls=7)))
    with Asker() as asker:
        found = asker.ask_all((limited, question(agent=str(number))) for number in range(20))
    assert [isinstance(each, BudgetReached) for each in found] == [False] * 7 + [True] * 13
    assert (model.calls, limited.budgets.spent.calls) == (7, 7)


def test_a_dear_reply_is_not_thrown_away():
    model = budgeted(Reply("hi", Usage(500, 500)), run=Budget(tokens=100))
    assert ask(model, question()).text == "hi"
    assert str(model.budgets.reached()).startswith("budget of run: 1000 of tokens=100 spent. Nothing is lost")


def test_a_call_that_failed_counts_as_a_call_and_sets_nothing_aside():
    model = budgeted(down(), "hi", run=Budget(calls=2))
    with pytest.raises(Exception, match="500"):
        ask(model, question())
    ask(model, question())
    assert model.budgets.spent == Spent(15, 0.25, 2.0, 2)


def test_the_books_go_on_where_they_were_saved():
    first = budgeted("hi", agent=Budget(calls=2))
    ask(first, question())
    saved = json.loads(json.dumps(first.budgets.to_data()))
    second = budgeted("hi", agent=Budget(calls=2))
    second.budgets.restore(saved)
    assert second.budgets.to_data() == saved
    ask(second, question())
    with pytest.raises(BudgetReached):
        ask(second, question())


def test_the_books_do_not_depend_on_the_order_of_replies():
    def books(seed):
        model = ScriptedModel([("", "hi")], counter=ESTIMATE)
        slow = Chaotic(model, seed=seed, latency_s=lambda rng: rng.random() / 50)
        limited = Budgeted(slow, Budgets(), price=Price(0.15, 0.6), counter=ESTIMATE)
        with Asker() as asker:
            asker.ask_all((limited, question("word " * number, agent=str(number))) for number in range(30))
        data = limited.budgets.to_data()
        return data["run"]["tokens"], data["run"]["money_usd"], data["run"]["calls"]

    assert books(1) == books(2)


@given(st.lists(st.floats(0, 100), max_size=40), st.randoms(use_true_random=False))
def test_sums_are_exact_in_any_order(amounts, rng):
    def total(order):
        return sum((Spent(1, amount, amount, 1) for amount in order), Spent())

    shuffled = random.Random(rng.random()).sample(amounts, len(amounts))
    assert total(amounts) == total(shuffled)
    assert total(amounts) + -total(shuffled) == Spent()


@pytest.mark.parametrize("limit", [-1, float("nan"), float("inf")])
def test_a_limit_is_a_number_from_nothing_up(limit):
    with pytest.raises(ValueError, match="0 or more, or None for no limit"):
        Budget(seconds=limit)


def test_cached_tokens_have_a_price_of_their_own():
    usage = Usage(1_000_000, 1_000_000, 400_000)
    assert usage.cost_usd(Price(1.0, 2.0)) == pytest.approx(3.0)
    assert usage.cost_usd(Price(1.0, 2.0, 0.1)) == pytest.approx(0.6 + 0.04 + 2.0)
    assert usage.cost_usd(FREE) == 0


@pytest.mark.parametrize("limit", [-1, math.nan, math.inf, "100", True])
def test_a_limit_that_would_hold_nothing_is_refused(limit):
    with pytest.raises(ValueError, match="a limit is 0 or more"):
        Budget(calls=limit)


@pytest.mark.parametrize("which", ["run", "agent", "step"])
def test_a_number_is_no_budget(which):
    with pytest.raises(TypeError, match=rf"{which}=Budget\(calls=100\)"):
        Budgets(**{which: 100})


@pytest.mark.parametrize("wrapper", [Retrying, Throttled, Chaotic, Fallback])
def test_what_is_no_model_is_not_wrapped(wrapper):
    with pytest.raises(TypeError, match=f"{wrapper.__name__}.*wraps a model"):
        wrapper("gpt")
