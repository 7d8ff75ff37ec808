"""Further tasks of ``token_efficiency``, so that it has as many queries as the paper's: 37."""

import json

from cave_sim.experiment.task import Query, call
from cave_sim.simulations.studies._token_worlds import (
    HELD,
    LAMPS,
    PRODUCTS,
    Seen,
    add,
    deciding,
    look,
    quotes,
    worth,
)  # fmt: skip

HOMECOMING = (
    Query("If it is not bright outside, hall and kitchen lamp to 70 percent, the other two lamps to 40.",
          {"hall_lamp.level": 70, "kitchen_lamp.level": 70, "living_lamp.level": 40, "bedroom_lamp.level": 40},
          cave="if outdoors.light != 'bright':\n    for lamp in (hall_lamp, kitchen_lamp):\n"
               "        lamp.set_level(70)\n    for lamp in (living_lamp, bedroom_lamp):\n        lamp.set_level(40)",
          calls=deciding(look("outdoors"), lambda seen: [
              call("Lamp_set_level", entity=name, level=level)
              for name, level in zip(LAMPS, (70, 70, 40, 40), strict=True)])),
    Query("Each lamp at 70 percent gets warm light, every other one that is on red light.",
          {f"{name}.colour": colour for name, colour in zip(LAMPS, ("warm", "warm", "red", "red"), strict=True)},
          cave="for lamp in world.all(Lamp):\n    if lamp.level == 70:\n        lamp.set_colour('warm')\n"
               "    elif lamp.level > 0:\n        lamp.set_colour('red')",
          calls=deciding(look(*LAMPS), lambda seen: [
              call("Lamp_set_colour", entity=name, colour="warm" if lamp["level"] == 70 else "red")
              for name, lamp in zip(LAMPS, seen, strict=True)])),
    Query("If it is under 15 degrees outside, heat one degree warmer for each lamp that is on.",
          {"heating.target_c": 23},
          cave="if outdoors.temperature_c < 15:\n"
               "    heating.set_target(heating.target_c + sum(lamp.level > 0 for lamp in world.all(Lamp)))",
          wrong="heating.set_target(heating.target_c + 1)",
          calls=deciding(look("outdoors", "heating", *LAMPS), lambda seen: [
              call("Heating_set_target", entity="heating",
                   target_c=seen[1]["target_c"] + sum(lamp["level"] > 0 for lamp in seen[2:]))])),
    Query("Open the living room's blinds step by step until they are more than half open, the bedroom's to one step"
          " less than those.",
          {"living_blinds.opening": 75, "bedroom_blinds.opening": 50},
          cave="while living_blinds.opening <= 50:\n    living_blinds.further_open()\n"
               "bedroom_blinds.set_opening(living_blinds.opening - 25)",
          calls=deciding(look("living_blinds"), lambda seen: [
              call("Blinds_set_opening", entity="living_blinds", opening=75),
              call("Blinds_set_opening", entity="bedroom_blinds", opening=50)])),
    Query("Unless something plays already, play 'jazz' at medium volume (40). If nobody moves at the door, camera on"
          " and two recordings.",
          {"speaker.playing": "jazz", "speaker.volume": 40, "camera.on": True, "camera.recordings": 2},
          cave="if not speaker.playing:\n    speaker.play('jazz')\n    speaker.set_volume(40)\n"
               "if not outdoors.motion:\n    camera.switch(True)\n    camera.record()\n    camera.record()",
          calls=deciding(look("speaker", "outdoors"), lambda seen: [
              call("Speaker_play", entity="speaker", what="jazz"),
              call("Speaker_set_volume", entity="speaker", volume=40), call("Camera_switch", entity="camera", on=True)],
              lambda seen: [call("Camera_record", entity="camera")] * 2)),
    Query("How many percent are all lamps together? Deliver it as `light_sum`; then every lamp above 40 goes to 20.",
          {"light_sum": 220, "hall_lamp.level": 20, "kitchen_lamp.level": 20},
          cave="light_sum = sum(lamp.level for lamp in world.all(Lamp))\n"
               "for lamp in world.all(Lamp):\n    if lamp.level > 40:\n        lamp.set_level(20)",
          calls=deciding(look(*LAMPS), lambda seen: [
              call("Lamp_set_level", entity=name, level=20)
              for name, lamp in zip(LAMPS, seen, strict=True) if lamp["level"] > 40],
              says=lambda seen: json.dumps({"light_sum": sum(lamp["level"] for lamp in seen[:4])}))),
)  # fmt: skip

SMALL = {"BIRCH": 10, "ELM": 10}
QUARTER_CASH = 250_000 - 10 * (1_875 + 990 + 655)


def small_positions(seen: Seen) -> str:
    """Return what is delivered of a depot, and of the quotes of what it holds: positions under 1,000 euros."""
    positions = zip(seen[0]["shares"].items(), seen[1:], strict=True)
    return json.dumps({"small": sorted(ticker for (ticker, count), quote in positions if count * quote < 100_000)})


QUARTER = (
    Query("Buy 10 shares of every stock that is rated 4 or better.",
          {"depot.shares": {**HELD, "CEDAR": 210, **SMALL}, "depot.cash_cents": QUARTER_CASH},
          cave="for ticker in exchange.ratings:\n    if exchange.rating(ticker) >= 4:\n        depot.buy(ticker, 10)",
          calls=deciding(look("exchange"), lambda seen: [
              call("Portfolio_buy", entity="depot", ticker=ticker, count=10)
              for ticker, rating in seen[0]["ratings"].items() if rating >= 4])),
    Query("Which positions of the depot are worth less than 1,000 euros? Deliver their tickers as the list `small`, in"
          " alphabetical order.",
          {"small": sorted(SMALL)},
          cave="small = sorted(t for t, count in depot.shares.items() if count * exchange.quote(t) < 100000)",
          wrong="small = sorted(depot.shares)",
          calls=deciding(look("depot"), lambda seen: quotes(*seen[0]["shares"]), says=small_positions)),
    Query("Sell those small positions wholly, and for what they brought buy CEDAR, as many as it pays for.",
          {"depot.shares": {**HELD, "CEDAR": 235}, "depot.cash_cents": QUARTER_CASH + worth(SMALL) - 25 * 990},
          cave="brought = 0\nfor ticker in small:\n    count = depot.shares[ticker]\n"
               "    brought += count * exchange.quote(ticker)\n    depot.sell(ticker, count)\n"
               "depot.buy('CEDAR', brought // exchange.quote('CEDAR'))",
          wrong="for ticker in small:\n    depot.sell(ticker, depot.shares[ticker])",
          calls=deciding([*look("depot"), *quotes(*SMALL, "CEDAR")], lambda seen: [
              *(call("Portfolio_sell", entity="depot", ticker=ticker, count=seen[0]["shares"][ticker])
                for ticker in SMALL),
              call("Portfolio_buy", entity="depot", ticker="CEDAR", count=sum(
                  seen[0]["shares"][ticker] * quote
                  for ticker, quote in zip(SMALL, seen[1:3], strict=True)) // seen[3])])),
    Query("If there are more than 2,000 euros of cash, buy as many BIRCH as 500 euros pay for; else sell 10 ALDER.",
          {"depot.shares": {**HELD, "CEDAR": 235, "BIRCH": 26}, "depot.cash_cents": 166_600},
          cave="if depot.cash_cents > 200000:\n    depot.buy('BIRCH', 50000 // exchange.quote('BIRCH'))\n"
               "else:\n    depot.sell('ALDER', 10)",
          wrong="depot.sell('ALDER', 10)",
          calls=deciding([*look("depot"), *quotes("BIRCH")], lambda seen: [
              call("Portfolio_buy", entity="depot", ticker="BIRCH", count=50_000 // seen[1])])),
    Query("No position may be worth more than 2,000 euros: of each that is, sell as few shares as that takes.",
          {"depot.shares": {**HELD, "CEDAR": 202, "BIRCH": 26}, "depot.cash_cents": 166_600 + 33 * 990},
          cave="for ticker, count in list(depot.shares.items()):\n    most = 200000 // exchange.quote(ticker)\n"
               "    if count > most:\n        depot.sell(ticker, count - most)",
          wrong="depot.sell('CEDAR', 32)",
          calls=deciding(look("depot"), lambda seen: quotes(*seen[0]["shares"]), lambda seen: [
              call("Portfolio_sell", entity="depot", ticker=ticker, count=count - 200_000 // quote)
              for (ticker, count), quote in zip(seen[0]["shares"].items(), seen[1:], strict=True)
              if count * quote > 200_000])),
    Query("What are the cash and all shares worth together, in cents? Deliver it as `all_cents`.",
          {"all_cents": 250_000 + worth(HELD)},
          cave="all_cents = depot.cash_cents + sum(count * exchange.quote(t) for t, count in depot.shares.items())",
          wrong="all_cents = depot.cash_cents",
          calls=deciding(look("depot"), lambda seen: quotes(*seen[0]["shares"]), says=lambda seen: json.dumps({
              "all_cents": seen[0]["cash_cents"] + sum(
                  count * quote for count, quote in zip(seen[0]["shares"].values(), seen[1:], strict=True))}))),
)  # fmt: skip

CATEGORIES = {name: category for name, (category, *_) in PRODUCTS.items()}


def cheapest(seen: Seen) -> list[str]:
    """Return the cheapest product of each category that is in stock, of all products as they look."""
    shelf = {name: look for name, look in zip(PRODUCTS, seen, strict=True) if look["stock"]}
    best: dict[str, str] = {}
    for name in sorted(shelf, key=lambda name: shelf[name]["price_cents"]):
        best.setdefault(CATEGORIES[name], name)
    return list(best.values())


SEASON = (
    Query("What is nearly sold out, fewer than 5 but not none, becomes 10 percent dearer, rounded down to whole cents.",
          {"kettle.price_cents": 3_795, "atlas.price_cents": 4_290},
          cave="for product in world.all(Product):\n    if 1 <= product.stock < 5:\n"
               "        product.reprice(product.price_cents * 110 // 100)",
          calls=deciding(look(*PRODUCTS), lambda seen: [
              call("Product_reprice", entity=name, price_cents=product["price_cents"] * 110 // 100)
              for name, product in zip(PRODUCTS, seen, strict=True) if 1 <= product["stock"] < 5])),
    Query("Which category has the most pieces on the shelves? Deliver its name as `fullest`.",
          {"fullest": "books"},
          cave="pieces = {}\nfor product in world.all(Product):\n"
               "    pieces[product.category] = pieces.get(product.category, 0) + product.stock\n"
               "fullest = max(pieces, key=lambda category: pieces[category])",
          wrong="fullest = 'sport'",
          calls=deciding(look(*PRODUCTS), says=lambda seen: json.dumps({"fullest": max(
              dict.fromkeys(CATEGORIES.values()), key=lambda category: sum(
                  product["stock"] for product in seen if product["category"] == category))}))),
    Query("Of each category put the cheapest product that is in stock into the cart, one of each.",
          {"cart.lines": {"kettle": 1, "novel": 1, "skipping_rope": 1}, "cart.total_cents": 5_975, "kettle.stock": 3,
           "novel.stock": 29, "skipping_rope.stock": 24},
          cave="for category in ('kitchen', 'books', 'sport'):\n"
               "    there = [p for p in world.all(Product) if p.category == category and p.stock]\n"
               "    cart.add(min(there, key=lambda p: p.price_cents), 1)",
          calls=deciding(look(*PRODUCTS), lambda seen: [add(name, 1) for name in cheapest(seen)])),
    Query("Two cookbooks if the cart costs less than half of the budget, else one.",
          {"cart.lines": {"kettle": 1, "novel": 1, "skipping_rope": 1, "cookbook": 2}, "cart.total_cents": 10_875,
           "cookbook.stock": 4},
          cave="cart.add(cookbook, 2 if cart.total_cents < cart.budget_cents / 2 else 1)",
          calls=deciding(look("cart"), lambda seen: [
              add("cookbook", 2 if seen[0]["total_cents"] < seen[0]["budget_cents"] / 2 else 1)])),
    Query("Fill up what has fewer than 4 pieces on the shelf to 12.",
          {"kettle.stock": 12, "toaster.stock": 12, "atlas.stock": 12},
          cave="for product in world.all(Product):\n    if product.stock < 4:\n"
               "        product.restock(12 - product.stock)",
          calls=deciding(look(*PRODUCTS), lambda seen: [
              call("Product_restock", entity=name, count=12 - product["stock"])
              for name, product in zip(PRODUCTS, seen, strict=True) if product["stock"] < 4])),
    Query("Pay if at least 50 euros are left of the budget then. Deliver what is left, in cents, as `left_cents`; 0 if"
          " you did not pay.",
          {"cart.paid": True, "left_cents": 9_125},
          cave="left_cents = 0\nif cart.budget_cents - cart.total_cents >= 5000:\n    left_cents = cart.pay()",
          wrong="left_cents = 0",
          calls=deciding(look("cart"), lambda seen: [call("Cart_pay", entity="cart")],
                         says=lambda seen: json.dumps({"left_cents": seen[-1]}))),
)  # fmt: skip
