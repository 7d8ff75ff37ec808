"""``token_efficiency``: check, decide, act, by code on live objects and by function calls (§4.3).

Both scripts have the same skill: neither looks at what it need not see, and calls that do not depend on each other
are made together. What differs is that code decides where it looks, and calls only when their results were read.
"""

from cave_sim.experiment.study import Study
from cave_sim.experiment.task import Query, Task, call, rounds
from cave_sim.simulations.studies._token_more import HOMECOMING, QUARTER, SEASON
from cave_sim.simulations.studies._token_worlds import (
    BOOKS,
    COLD,
    DUSK,
    HELD,
    HOT,
    LAMPS,
    PRODUCTS,
    add,
    deciding,
    look,
    quotes,
    shop,
    trading,
    worth,
)  # fmt: skip
from cave_sim.worlds.smart_home import build_home

EVENING = (
    Query("Set the four lamps: hall 100, kitchen 70, living 40, bedroom 20.",
          {"hall_lamp.level": 100, "kitchen_lamp.level": 70, "living_lamp.level": 40, "bedroom_lamp.level": 20},
          cave="for lamp, level in ((hall_lamp, 100), (kitchen_lamp, 70), (living_lamp, 40), (bedroom_lamp, 20)):\n"
               "    lamp.set_level(level)",
          calls=rounds([call("Lamp_set_level", entity=name, level=level)
                        for name, level in zip(LAMPS, (100, 70, 40, 20), strict=True)])),
    Query("Every lamp above 40 percent goes down by one step.", {"hall_lamp.level": 70, "kitchen_lamp.level": 40},
          cave="for lamp in world.all(Lamp):\n    if lamp.level > 40:\n        lamp.dimmer()",
          wrong="for lamp in world.all(Lamp):\n    lamp.dimmer()",
          calls=deciding(look(*LAMPS), lambda seen: [
              call("Lamp_dimmer", entity=name) for name, lamp in zip(LAMPS, seen, strict=True) if lamp["level"] > 40])),
    Query("If it is under 5 degrees outside, heat two degrees warmer than now; and if somebody moves at the door,"
          " camera on, a recording, and the door locked.",
          {"heating.target_c": 21, "camera.on": True, "camera.recordings": 1},
          cave="if outdoors.temperature_c < 5:\n    heating.set_target(heating.target_c + 2)\n"
               "if outdoors.motion:\n    camera.switch(True)\n    camera.record()\n    front_door.lock()",
          calls=deciding(look("outdoors", "heating"), lambda seen: [
              call("Heating_set_target", entity="heating", target_c=seen[1]["target_c"] + 2),
              call("Camera_switch", entity="camera", on=True), call("Door_lock", entity="front_door")],
              lambda seen: [call("Camera_record", entity="camera")])),
    Query("Night: every lamp that is on goes out, all blinds that are open close, heating to 17 if it is above that.",
          {f"{name}.level": 0 for name in LAMPS} | {"heating.target_c": 17},
          cave="for lamp in world.all(Lamp):\n    lamp.set_level(0)\nfor blinds in world.all(Blinds):\n"
               "    blinds.set_opening(0)\nheating.set_target(min(17, heating.target_c))",
          calls=deciding(look(*LAMPS, "living_blinds", "bedroom_blinds", "heating"), lambda seen: [
              *(call("Lamp_set_level", entity=name, level=0) for name in LAMPS),
              call("Heating_set_target", entity="heating", target_c=17)])),
)  # fmt: skip

HEAT = (
    Query("Over 25 degrees outside: all blinds two steps open, heating off.",
          {"living_blinds.opening": 50, "bedroom_blinds.opening": 50, "heating.on": False},
          cave="if outdoors.temperature_c > 25:\n    for blinds in world.all(Blinds):\n"
               "        blinds.set_opening(blinds.opening + 50)\n    heating.switch(False)",
          calls=deciding(look("outdoors", "living_blinds", "bedroom_blinds"), lambda seen: [
              *(call("Blinds_set_opening", entity=name, opening=each["opening"] + 50)
                for name, each in zip(("living_blinds", "bedroom_blinds"), seen[1:], strict=True)),
              call("Heating_switch", entity="heating", on=False)])),
    Query("Music: play 'summer', and turn it up until it is at party volume (60).",
          {"speaker.playing": "summer", "speaker.volume": 60},
          cave="speaker.play('summer')\nwhile speaker.volume < 60:\n    speaker.louder()",
          calls=deciding(look("speaker"), lambda seen: [
              call("Speaker_play", entity="speaker", what="summer"),
              *[call("Speaker_louder", entity="speaker")] * 3])),
    Query("Where a lamp is off, make it warm and set 20 percent; then lock the door if the camera is off.",
          {f"{name}.{part}": value for name in LAMPS for part, value in (("level", 20), ("colour", "warm"))}
          | {"front_door.locked": True},
          cave="for lamp in world.all(Lamp):\n    if lamp.level == 0:\n        lamp.set_colour('warm')\n"
               "        lamp.set_level(20)\nif not camera.on:\n    front_door.lock()",
          wrong="for lamp in world.all(Lamp):\n    if lamp.level == 0:\n        lamp.set_level(20)",
          calls=deciding(look(*LAMPS, "camera"), lambda seen: [
              *(call("Lamp_set_colour", entity=name, colour="warm") for name in LAMPS),
              *(call("Lamp_set_level", entity=name, level=20) for name in LAMPS),
              call("Door_lock", entity="front_door")])),
)  # fmt: skip

REBALANCING = (
    Query("What are the shares of the depot worth, in cents? Deliver it as `worth_cents`.",
          {"worth_cents": worth(HELD)},
          cave="worth_cents = sum(count * exchange.quote(ticker) for ticker, count in depot.shares.items())",
          wrong="worth_cents = sum(depot.shares.values())",
          calls=deciding(look("depot"), lambda seen: quotes(*seen[0]["shares"]), says=lambda seen: (
              f'{{"worth_cents": {sum(n * q for n, q in zip(seen[0]["shares"].values(), seen[1:], strict=True))}}}'))),
    Query("Sell everything that is rated 1 or 2.",
          {"depot.shares": {"CEDAR": 200}, "depot.cash_cents": 250_000 + 30 * 4_120 + 12 * 12_300},
          cave="for ticker, count in list(depot.shares.items()):\n    if exchange.rating(ticker) <= 2:\n"
               "        depot.sell(ticker, count)",
          wrong="for ticker, count in list(depot.shares.items()):\n    depot.sell(ticker, count)",
          calls=deciding(look("depot"), lambda seen: [
              call("Exchange_rating", entity="exchange", ticker=ticker) for ticker in seen[0]["shares"]],
              lambda seen: [call("Portfolio_sell", entity="depot", ticker=ticker, count=count)
                            for (ticker, count), rating in zip(seen[0]["shares"].items(), seen[1:], strict=True)
                            if rating <= 2])),
    Query("For half of the cash, rounded down, buy as many shares as possible of the cheapest stock rated 5.",
          {"depot.shares": {"CEDAR": 200, "ELM": 397}, "depot.cash_cents": 521_200 - 397 * 655},
          cave="best = min((t for t in exchange.ratings if exchange.rating(t) == 5), key=exchange.quote)\n"
               "depot.buy(best, depot.cash_cents // 2 // exchange.quote(best))",
          wrong="best = max((t for t in exchange.ratings if exchange.rating(t) == 5), key=exchange.quote)\n"
                "depot.buy(best, depot.cash_cents // 2 // exchange.quote(best))",
          calls=deciding(look("exchange", "depot"), lambda seen: [
              call("Portfolio_buy", entity="depot", ticker="ELM", count=seen[1]["cash_cents"] // 2 // 655)])),
)  # fmt: skip

PROFITS = (
    Query("Buy 40 BIRCH if a share costs less than 20 euros, and 5 DOGWOOD if a share costs less than 100 euros.",
          {"depot.shares": {**HELD, "BIRCH": 40}, "depot.cash_cents": 175_000},
          cave="for ticker, count, limit in (('BIRCH', 40, 2000), ('DOGWOOD', 5, 10000)):\n"
               "    if exchange.quote(ticker) < limit:\n        depot.buy(ticker, count)",
          calls=deciding(quotes("BIRCH", "DOGWOOD"), lambda seen: [
              call("Portfolio_buy", entity="depot", ticker="BIRCH", count=40)])),
    Query("Sell half of every position that is worth more than 1,500 euros.",
          {"depot.shares": {"ALDER": 30, "BIRCH": 40, "CEDAR": 100, "DOGWOOD": 12}, "depot.cash_cents": 274_000},
          cave="for ticker, count in list(depot.shares.items()):\n"
               "    if count * exchange.quote(ticker) > 150000:\n        depot.sell(ticker, count // 2)",
          calls=deciding(look("depot"), lambda seen: quotes(*seen[0]["shares"]), lambda seen: [
              call("Portfolio_sell", entity="depot", ticker=ticker, count=count // 2)
              for (ticker, count), quote in zip(seen[0]["shares"].items(), seen[1:], strict=True)
              if count * quote > 150_000])),
    Query("Which ticker of the depot is its largest position by worth? Deliver it as `largest`.",
          {"largest": "DOGWOOD"},
          cave="largest = max(depot.shares, key=lambda ticker: depot.shares[ticker] * exchange.quote(ticker))",
          wrong="largest = min(depot.shares, key=lambda ticker: depot.shares[ticker] * exchange.quote(ticker))",
          calls=deciding(look("depot"), lambda seen: quotes(*seen[0]["shares"]),
                         says=lambda seen: '{"largest": "DOGWOOD"}')),
)  # fmt: skip

SHOPPING = (
    Query("Put the best rated kitchen product that is in stock into the cart, two of it.",
          {"cart.lines": {"pan": 2}, "cart.total_cents": 8_400, "pan.stock": 7},
          cave="best = max((p for p in world.all(Product) if p.category == 'kitchen' and p.stock),"
               " key=lambda p: p.stars)\ncart.add(best, 2)",
          calls=deciding(look(*PRODUCTS), lambda seen: [add("pan", 2)])),
    Query("One of each book with more than 4.4 stars, as long as the total stays within the budget.",
          {"cart.lines": {"pan": 2, "atlas": 1, "cookbook": 1}, "cart.total_cents": 14_750, "atlas.stock": 1,
           "cookbook.stock": 5},
          cave="for book in world.all(Product):\n    if book.category == 'books' and book.stars > 4.4:\n"
               "        if cart.total_cents + book.price_cents <= cart.budget_cents:\n            cart.add(book, 1)",
          calls=deciding(look("cart", *BOOKS), lambda seen: [add("atlas", 1), add("cookbook", 1)])),
    Query("Fill up with skipping ropes for the rest of the budget, leaving at least 10 euros; then pay.",
          {"cart.lines": {"pan": 2, "atlas": 1, "cookbook": 1, "skipping_rope": 4}, "cart.total_cents": 18_310,
           "skipping_rope.stock": 21, "cart.paid": True},
          cave="rest = cart.budget_cents - cart.total_cents - 1000\n"
               "cart.add(skipping_rope, min(skipping_rope.stock, rest // skipping_rope.price_cents))\ncart.pay()",
          wrong="cart.add(skipping_rope, 3)\ncart.pay()",
          calls=deciding(look("cart", "skipping_rope"), lambda seen: [add("skipping_rope", min(
              seen[1]["stock"], (seen[0]["budget_cents"] - seen[0]["total_cents"] - 1_000) // seen[1]["price_cents"]))],
              lambda seen: [call("Cart_pay", entity="cart")])),
)  # fmt: skip

STOCKTAKING = (
    Query("Everything with fewer than 5 in stock is ordered: put 10 more of it on the shelf.",
          {"kettle.stock": 14, "toaster.stock": 10, "atlas.stock": 12},
          cave="for product in world.all(Product):\n    if product.stock < 5:\n        product.restock(10)",
          calls=deciding(look(*PRODUCTS), lambda seen: [
              call("Product_restock", entity=name, count=10)
              for name, product in zip(PRODUCTS, seen, strict=True) if product["stock"] < 5])),
    Query("All books become 10 percent cheaper, rounded down to whole cents.",
          {"novel.price_cents": 1_161, "atlas.price_cents": 3_510, "cookbook.price_cents": 2_205},
          cave="for product in world.all(Product):\n    if product.category == 'books':\n"
               "        product.reprice(product.price_cents * 90 // 100)",
          calls=deciding(look(*BOOKS), lambda seen: [
              call("Product_reprice", entity=name, price_cents=book["price_cents"] * 90 // 100)
              for name, book in zip(BOOKS, seen, strict=True)])),
    Query("How much is all that is on the shelves worth, in cents? Deliver it as `shelf_cents`.",
          {"shelf_cents": 14 * 3_450 + 10 * 2_890 + 9 * 4_200 + 30 * 1_161 + 12 * 3_510 + 6 * 2_205 + 12 * 1_990
           + 25 * 890},
          cave="shelf_cents = sum(product.price_cents * product.stock for product in world.all(Product))",
          wrong="shelf_cents = sum(product.price_cents for product in world.all(Product))",
          calls=deciding(look(*PRODUCTS), says=lambda seen: (
              f'{{"shelf_cents": {sum(each["price_cents"] * each["stock"] for each in seen)}}}'))),
)  # fmt: skip


def tasks(_seed: int) -> list[Task]:
    """Return the tasks; they are the same for every seed."""
    return [
        Task("evening", "devices", EVENING, build=lambda world: build_home(world, COLD)),
        Task("heat", "devices", HEAT, build=lambda world: build_home(world, HOT)),
        Task("homecoming", "devices", HOMECOMING, build=lambda world: build_home(world, DUSK)),
        Task("rebalancing", "portfolio", REBALANCING, build=trading),
        Task("profits", "portfolio", PROFITS, build=trading),
        Task("quarter", "portfolio", QUARTER, build=trading),
        Task("shopping", "shop", SHOPPING, build=shop),
        Task("stocktaking", "shop", STOCKTAKING, build=shop),
        Task("season", "shop", SEASON, build=shop),
    ]


STUDY = Study(
    "token_efficiency",
    "Steps and tokens: code on live objects beside JSON function calls",
    "After CaveAgent §4.3.",
    tasks,
    ("cave", "json"),
)
