"""A double auction: its rules hold for any cell, efficiency is ordered as was published, and runs stay the same."""

from pathlib import Path

import pytest

from cave_sim.replay.recipe import Recipe
from cave_sim.scenario import load_scenario
from cave_sim.scenario.check import check_scenario
from cave_sim.simulations import bargaining
from cave_sim.simulations.bargaining.exchange import equilibrium

SCENARIO = Path(bargaining.__file__).with_name("bargaining.yaml")
GOLDEN = {"zi_unconstrained": "83c36d29cc3485a7", "zi_constrained": "a2cfa838602aba0d", "learning": "b1837f34beac6eb6"}


@pytest.fixture(scope="module")
def markets():
    return {kind: Recipe("bargaining", {"seed": 7, "kind": kind}).make().run(until=100) for kind in GOLDEN}


@pytest.mark.long(cases=0)
@pytest.mark.parametrize("kind", GOLDEN)
def test_a_market_comes_to_the_state_that_it_always_came_to(kind, markets):
    assert markets[kind].state_hash[:16] == GOLDEN[kind]


@pytest.mark.long(cases=0)
def test_a_budget_raises_efficiency_and_learning_brings_prices_to_equilibrium(markets):
    efficiency, alpha = (
        {kind: market.latest_measures[name] for kind, market in markets.items()}
        for name in ("efficiency (share)", "alpha (%)")
    )
    assert efficiency["zi_unconstrained"] < 0.6 < 0.9 < min(efficiency["zi_constrained"], efficiency["learning"])
    assert alpha["learning"] < 5 < alpha["zi_constrained"] < alpha["zi_unconstrained"]


@pytest.mark.long
def test_nobody_loses_by_a_trade_unless_the_exchange_lets_them(markets):
    for kind, market in markets.items():
        gains, traders = market.world["exchange"].gains_c, market.world.all(bargaining.Trader)
        assert len(gains) == 5
        assert max(gains) <= market.world["exchange"].most_c
        refused = market.world.execute(f"me.offer({traders[0].worth_c + 20})", agent=traders[0].id)
        assert refused.committed == (kind == "zi_unconstrained")


def test_the_equilibrium_is_where_demand_meets_supply():
    assert equilibrium([155, 145, 105, 95], [45, 95, 105, 135]) == (105.0, 160)
    assert equilibrium([30, 20, 10], [5, 15, 25]) == (17.5 + 0.0, 30)


@pytest.fixture
def market():
    return bargaining.create(seed=7, pairs=2).world  # values 155 and 65, costs 45 and 135


def test_offers_that_cross_trade_at_the_price_that_stood_and_clear_the_floor(market):
    assert market.execute("me.offer(80)", agent="buyer_1").committed
    assert market.execute("me.offer(60)", agent="seller_1").output.strip() == "'traded'"
    exchange = market["exchange"]
    assert (list(exchange.prices), exchange.gain_c) == ([80], 110)
    assert (exchange.bid_c, exchange.asker) == (0, "")
    assert "today is traded" in market.execute("me.offer(90)", agent="buyer_1").error


@pytest.mark.parametrize(
    ("cell", "rule"),
    [
        ("me.offer(156)", "at a loss"),
        ("me.offer(0)", "from 1 to 200"),
        ("me.offer(70)", "bids 80 already"),
        ("seller_1.worth_c", "may not read"),
        ("exchange.equilibrium_c", "may not read"),
        ("seller_1.offer(50)", "seller_1"),
        ("me.worth_c = 200", "may not write"),
        ("exchange.prices.append(1)", "may not write"),
    ],
)
def test_cells_are_held_to_the_rules(market, cell, rule):
    assert market.execute("me.offer(80)", agent="buyer_1").committed
    turn = market.execute(cell, agent="buyer_1")
    assert not turn.committed
    assert rule in turn.error


def test_the_scenario_that_comes_along_can_be_run():
    assert check_scenario(load_scenario(SCENARIO)).problems == []
