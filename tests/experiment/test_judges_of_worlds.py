"""What a bank, a home, a depot and a shop are judged by: any right way passes, and nothing that ends otherwise does."""

import pytest

from cave_sim.experiment.task import call, rounds
from tests.experiment.fed_judges import misjudged, played

FAILS = "raise ValueError('on purpose')"
BANK = {
    ("mira_saves", 2): (  # Put 15 % of what is left into her savings: 1,161 and 704.
        {
            "in one call": "mira.save(mira.balance * 15 // 100)",
            "in floats": "mira.save(int(mira.balance * 0.15))",
            "in decimals": "from decimal import Decimal\nmira.save(int(mira.balance * Decimal('0.15')))",
            "in two calls": "mira.save(200)\nmira.save(4)",
            "by a function of its own": "def share(of):\n    return of * 15 // 100\nmira.save(share(mira.balance))",
            "by way of the world": "world['mira'].save(204)",
            "in two cells": ["part = mira.balance * 15 // 100", "mira.save(part)"],
            "too much, and some of it back": "mira.save(304)\nmira.unsave(100)",
            "after a cell that failed": [f"mira.save(100)\n{FAILS}", "mira.save(204)"],
            "noted and printed": "saved = mira.save(204)\nprint(mira)",
        },
        {
            "nothing": "pass",
            "only said": "print('Saved 204 coins.')",
            "only noted": "savings = 704\nbalance = 1161",
            "one coin less": "mira.save(203)",
            "one coin more": "mira.save(205)",
            "rounded up": "mira.save(-(-mira.balance * 15 // 100))",
            "twice": "mira.save(mira.balance * 15 // 100)\nmira.save(mira.balance * 15 // 100)",
            "the other way": "mira.unsave(204)",
            "taken and not put there": "mira.withdraw(204)",
            "put there and not taken": "mira.credit_savings(204)",
            "of the savings": "mira.save(mira.savings * 15 // 100)",
            "of what was there before": "mira.save(2100 * 15 // 100)",
            "the rest": "mira.save(mira.balance - 204)",
            "for points as well": "mira.save(204)\nmira.add_points(1)",
            "and silver": "mira.save(204)\nmira.set_tier('silver')",
            "and frozen": "mira.save(204)\nmira.set_frozen(True)",
            "with a loan that was spent": "mira.save(204)\nmira.borrow(5)\nmira.withdraw(5)",
            "in a cell that fails": f"mira.save(204)\n{FAILS}",
        },
    ),
    ("jonas_pays_off", 6): (  # He borrows 475 coins more and pays 560: a loan of 2,826 and a balance of 934.
        {
            "as it is said": "jonas.borrow(475)\njonas.withdraw(560)",
            "paid first": "jonas.withdraw(560)\njonas.borrow(475)",
            "in parts": "for part in (400, 75):\n    jonas.borrow(part)\njonas.withdraw(500)\njonas.withdraw(60)",
            "in two cells": ["jonas.borrow(475)", "jonas.withdraw(560)"],
        },
        {
            "the loan alone": "jonas.borrow(475)",
            "the bill alone": "jonas.withdraw(560)",
            "the difference": "jonas.withdraw(85)",
            "the loan as a charge": "jonas.charge_loan(475)\njonas.withdraw(560)",
            "the loan as wages": "jonas.deposit(475)\njonas.withdraw(560)",
            "the bill as a payment of the loan": "jonas.borrow(475)\njonas.repay(560)",
            "the bill to the savings": "jonas.borrow(475)\njonas.save(560)",
            "the numbers the other way round": "jonas.borrow(560)\njonas.withdraw(475)",
            "digits of the loan swapped": "jonas.borrow(457)\njonas.withdraw(560)",
            "digits of the bill swapped": "jonas.borrow(475)\njonas.withdraw(506)",
            "the second cell fails": ["jonas.borrow(475)", f"jonas.withdraw(560)\n{FAILS}"],
            "from the savings": "jonas.borrow(475)\njonas.unsave(100)\njonas.withdraw(560)",
        },
    ),
    ("mira_saves", 6): (  # The balance, 772, is under 800 coins: 100 coins from the savings.
        {
            "by its condition": "if mira.balance < 800:\n    mira.unsave(100)",
            "refused first": "try:\n    mira.withdraw(9000)\nexcept Exception:\n    mira.unsave(100)",
        },
        {
            "by the other condition": "if mira.balance > 800:\n    mira.unsave(100)",
            "the other way": "mira.save(100)",
            "as a gift": "mira.deposit(100)",
            "out of the savings alone": "mira.unsave(100)\nmira.withdraw(100)",
            "up to 800": "mira.unsave(800 - mira.balance)",
            "all": "mira.unsave(mira.savings)",
        },
    ),
}  # fmt: skip
HOME = {
    ("working_day", 3): (  # Full light in the kitchen, and the bedroom dark.
        {
            "as it is said": "kitchen_lamp.set_level(100)\nbedroom_lamp.set_level(0)",
            "backwards": "bedroom_lamp.set_level(0)\nkitchen_lamp.set_level(100)",
            "step by step": "while kitchen_lamp.level < 100:\n    kitchen_lamp.brighter()\n"
            "while bedroom_lamp.level:\n    bedroom_lamp.dimmer()",
            "steps that there are not": "for _ in range(9):\n    kitchen_lamp.brighter()\n    bedroom_lamp.dimmer()",
            "by way of the world": "world['kitchen_lamp'].set_level(level=100)\n"
            "world['bedroom_lamp'].set_level(level=0)",
            "in two cells": ["kitchen_lamp.set_level(100)", "bedroom_lamp.set_level(0)"],
            "by a table": "for lamp, level in {'kitchen_lamp': 100, 'bedroom_lamp': 0}.items():\n"
            "    world[lamp].set_level(level)",
            "with others for a moment": "hall_lamp.set_level(100)\nhall_lamp.set_level(0)\n"
            "kitchen_lamp.set_level(100)\nbedroom_lamp.set_level(0)",
        },
        {
            "nothing": "pass",
            "only said": "print('The kitchen is bright.')",
            "the kitchen alone": "kitchen_lamp.set_level(100)",
            "the bedroom alone": "bedroom_lamp.set_level(0)",
            "the other way round": "kitchen_lamp.set_level(0)\nbedroom_lamp.set_level(100)",
            "a step brighter": "kitchen_lamp.brighter()\nbedroom_lamp.set_level(0)",
            "nearly full": "kitchen_lamp.set_level(70)\nbedroom_lamp.set_level(0)",
            "nearly dark": "kitchen_lamp.set_level(100)\nbedroom_lamp.dimmer()",
            "the living room": "living_lamp.set_level(100)\nbedroom_lamp.set_level(0)",
            "the living room, too": "for lamp in (kitchen_lamp, living_lamp):\n    lamp.set_level(100)\n"
            "bedroom_lamp.set_level(0)",
            "in a colour": "kitchen_lamp.set_level(100)\nbedroom_lamp.set_level(0)\nkitchen_lamp.set_colour('warm')",
            "with the door open": "kitchen_lamp.set_level(100)\nbedroom_lamp.set_level(0)\nfront_door.unlock()",
            "with a camera": "kitchen_lamp.set_level(100)\nbedroom_lamp.set_level(0)\ncamera.switch(True)",
            "with no heating": "kitchen_lamp.set_level(100)\nbedroom_lamp.set_level(0)\nheating.switch(False)",
            "the second cell fails": ["kitchen_lamp.set_level(100)", f"bedroom_lamp.set_level(0)\n{FAILS}"],
        },
    ),
    ("party", 3): (  # The radio, at low volume.
        {
            "as it is said": "speaker.play('radio')\nspeaker.set_volume(15)",
            "by a step": "speaker.louder()\nspeaker.play(what='radio')",
            "from above": "speaker.set_volume(80)\nspeaker.play('radio')\nwhile speaker.volume > 15:\n"
            "    speaker.quieter()",
            "another first": "speaker.play('jazz')\nspeaker.play('radio')\nspeaker.set_volume(15)",
        },
        {
            "another text": "speaker.play('radios')\nspeaker.set_volume(15)",
            "in capitals": "speaker.play('Radio')\nspeaker.set_volume(15)",
            "with a space": "speaker.play('radio ')\nspeaker.set_volume(15)",
            "in quotes": "speaker.play('\"radio\"')\nspeaker.set_volume(15)",
            "stopped": "speaker.play('radio')\nspeaker.set_volume(15)\nspeaker.play('')",
            "silent": "speaker.play('radio')",
            "medium": "speaker.play('radio')\nspeaker.set_volume(40)",
            "volume alone": "speaker.set_volume(15)",
            "blinds moved": "speaker.play('radio')\nspeaker.set_volume(15)\nbedroom_blinds.further_closed()",
            "warmer": "speaker.play('radio')\nspeaker.set_volume(15)\nheating.set_target(heating.target_c + 1)",
            "heating on": "speaker.play('radio')\nspeaker.set_volume(15)\nheating.switch(True)",
            "a lamp on": "speaker.play('radio')\nspeaker.set_volume(15)\nhall_lamp.brighter()",
        },
    ),
}  # fmt: skip
SHOPS = {
    ("evening", 1): (  # Every lamp above 40 percent goes down by one step: hall and kitchen.
        {
            "as it is said": "for lamp in world.all(Lamp):\n    if lamp.level > 40:\n        lamp.dimmer()",
            "by name": "hall_lamp.dimmer()\nkitchen_lamp.set_level(40)",
        },
        {
            "40 as well": "for lamp in world.all(Lamp):\n    if lamp.level >= 40:\n        lamp.dimmer()",
            "all": "for lamp in world.all(Lamp):\n    lamp.dimmer()",
            "one of them": "hall_lamp.dimmer()",
            "two steps": "for lamp in world.all(Lamp):\n    while lamp.level > 40:\n        lamp.dimmer()",
            "out": "for lamp in world.all(Lamp):\n    if lamp.level > 40:\n        lamp.set_level(0)",
            "all to 40": "for lamp in world.all(Lamp):\n    lamp.set_level(min(lamp.level, 40))",
        },
    ),
    ("rebalancing", 1): (  # Sell everything that is rated 1 or 2: ALDER and DOGWOOD.
        {
            "by name": "depot.sell('DOGWOOD', 12)\ndepot.sell('ALDER', 30)",
            "share by share": "for _ in range(12):\n    depot.sell('DOGWOOD', 1)\ndepot.sell('ALDER', 30)",
            "too much, and back": "for t, n in list(depot.shares.items()):\n    depot.sell(t, n)\n"
            "depot.buy('CEDAR', 200)",
        },
        {
            "rated 1 only": "depot.sell('DOGWOOD', 12)",
            "rated 2 only": "depot.sell('ALDER', 30)",
            "a share kept": "depot.sell('DOGWOOD', 12)\ndepot.sell('ALDER', 29)",
            "everything": "for t, n in list(depot.shares.items()):\n    depot.sell(t, n)",
            "the good ones": "depot.sell('CEDAR', 200)",
            "and spent": "depot.sell('DOGWOOD', 12)\ndepot.sell('ALDER', 30)\ndepot.buy('ELM', 1)",
        },
    ),
    ("rebalancing", 0): (  # What the shares are worth, in cents, as worth_cents.
        {
            "as it is said": "worth_cents = sum(n * exchange.quote(t) for t, n in depot.shares.items())",
            "by numpy": "import numpy as np\nworth_cents = np.dot(list(depot.shares.values()), [4120, 990, 12300])",
            "by pandas": "import pandas as pd\n"
            "worth_cents = int((pd.Series(depot.shares) * pd.Series(exchange.quotes_cents)).sum())",
            "first wrong": ["worth_cents = 1", "worth_cents = 469200"],
            "before the cell fails": f"worth_cents = 469200\n{FAILS}",  # the cell's writes are undone, its names stay
            "with more": "worth_cents = 469200\nworth = worth_cents / 100\nprint(worth)",
        },
        {
            "in euros": "worth_cents = 4692.0",
            "in whole euros": "worth_cents = 4692",
            "as a fraction": "worth_cents = 469200.0",
            "as a text": "worth_cents = '469200'",
            "as a formatted text": "worth_cents = '469,200'",
            "as a list": "worth_cents = [469200]",
            "as a dict": "worth_cents = {'worth_cents': 469200}",
            "with the cash": "worth_cents = 469200 + depot.cash_cents",
            "one cent off": "worth_cents = 469201",
            "how many": "worth_cents = sum(depot.shares.values())",
            "under another name": "worth = 469200",
            "in capitals": "WORTH_CENTS = 469200",
            "printed": "print(469200)",
            "printed with its name": "print('{\"worth_cents\": 469200}')",
            "and deleted": "worth_cents = 469200\ndel worth_cents",
            "and traded": "worth_cents = 469200\ndepot.sell('CEDAR', 1)",
            "and traded for nothing": "worth_cents = 469200\ndepot.buy('ELM', 1)\ndepot.sell('ELM', 1)\n"
            "depot.sell('ALDER', 1)",
        },
    ),
    ("quarter", 1): (  # Small positions as the list small, in alphabetical order.
        {
            "as it is said": "small = sorted(t for t, n in depot.shares.items() if n * exchange.quote(t) < 100000)",
            "written down": "small = ['BIRCH', 'ELM']",
            "by numpy": "import numpy as np\nsmall = np.array(['BIRCH', 'ELM']).tolist()",
        },
        {
            "as a tuple": "small = ('BIRCH', 'ELM')",
            "as a set": "small = {'BIRCH', 'ELM'}",
            "as an array": "import numpy as np\nsmall = np.array(['BIRCH', 'ELM'])",
            "as a series": "import pandas as pd\nsmall = pd.Series(['BIRCH', 'ELM'])",
            "as a text": "small = 'BIRCH, ELM'",
            "as a dict": "small = dict.fromkeys(['BIRCH', 'ELM'])",
            "backwards": "small = ['ELM', 'BIRCH']",
            "one less": "small = ['BIRCH']",
            "one more": "small = ['BIRCH', 'DOGWOOD', 'ELM']",
            "twice": "small = ['BIRCH', 'BIRCH', 'ELM']",
            "in small letters": "small = ['birch', 'elm']",
            "in one list more": "small = [['BIRCH', 'ELM']]",
        },
    ),
    ("shopping", 2): (  # Four skipping ropes, paid.
        {
            "as it is said": "cart.add(skipping_rope, 4)\ncart.pay()",
            "one by one": "for _ in range(4):\n    cart.add(skipping_rope, 1)\ncart.pay()",
            "paid first": "cart.pay()\ncart.add(skipping_rope, 4)",
        },
        {
            "one less": "cart.add(skipping_rope, 3)\ncart.pay()",
            "one more": "cart.add(skipping_rope, 5)\ncart.pay()",
            "not paid": "cart.add(skipping_rope, 4)",
            "paid alone": "cart.pay()",
            "the shelf filled again": "cart.add(skipping_rope, 4)\nskipping_rope.restock(4)\ncart.pay()",
            "cheaper": "skipping_rope.reprice(889)\ncart.add(skipping_rope, 4)\ncart.pay()",
            "cheaper for a moment": "skipping_rope.reprice(880)\ncart.add(skipping_rope, 4)\n"
            "skipping_rope.reprice(890)\ncart.pay()",
        },
    ),
}  # fmt: skip
ALL = {"bank_account": BANK, "smart_home": HOME, "token_efficiency": SHOPS}


@pytest.mark.long
@pytest.mark.parametrize("study", ALL)
def test_what_was_done_is_judged_by_all_that_there_is_afterwards(study):
    assert {query: found for query, cases in ALL[study].items() if (found := misjudged(study, query, *cases))} == {}


def worth(says):
    """Return whether an answer in words to the first question about the depot is right, by who calls functions."""
    return played("token_efficiency", "rebalancing", 0, rounds([call("look", entity="depot")], says=says))[0].ok


DELIVERED = {
    "a line": '{"worth_cents": 469200}',
    "without spaces": '{"worth_cents":469200}',
    "behind words": 'They are worth 4,692 euros.\n{"worth_cents": 469200}',
    "in front of words": '{"worth_cents": 469200}\nThat is all.',
    "in a block": '```json\n{"worth_cents": 469200}\n```',
    "in a block, over lines": 'Here:\n\n```json\n{\n  "worth_cents": 469200\n}\n```\n',
    "over lines": '{\n  "worth_cents": 469200\n}',
    "as code": '`{"worth_cents": 469200}`',
    "in bold": '**{"worth_cents": 469200}**',
    "with a full stop": '{"worth_cents": 469200}.',
    "with more": '{"worth_cents": 469200, "currency": "cents"}',
    "mended": '{"worth_cents": 1}\nNo:\n{"worth_cents": 469200}',
}
NOT_DELIVERED = {
    "in words": "They are worth 469200 cents.",
    "with its name": "worth_cents = 469200",
    "as code of Python": "```python\nworth_cents = 469200\n```",
    "one off": '{"worth_cents": 469201}',
    "as a fraction": '{"worth_cents": 469200.0}',
    "as a text": '{"worth_cents": "469200"}',
    "with a comma": '{"worth_cents": "469,200"}',
    "in a list": '{"worth_cents": [469200]}',
    "deeper": '{"result": {"worth_cents": 469200}}',
    "as a list": '[{"worth_cents": 469200}]',
    "under another name": '{"worth": 469200}',
    "of the name in capitals": '{"WORTH_CENTS": 469200}',
    "spoilt": '{"worth_cents": 469200}\nNo:\n{"worth_cents": 1}',
    "null": '{"worth_cents": null}',
    "not closed": '{"worth_cents": 469200',
    "nothing": "",
}


def test_what_is_delivered_in_words_is_read_as_json_and_as_nothing_else():
    assert [case for case, says in DELIVERED.items() if not worth(says)] == []
    assert [case for case, says in NOT_DELIVERED.items() if worth(says)] == []


def lamps(*levels, dims="Lamp_dimmer"):
    """Return calls by which lamps are dimmed, by their names."""
    return rounds([call(dims, entity=f"{name}_lamp") for name in levels])


BY_CALLS = {
    "at once": (lamps("hall", "kitchen"), True),
    "one after another": (rounds([call("Lamp_dimmer", entity="hall_lamp")],
                                 [call("Lamp_dimmer", entity="kitchen_lamp")]), True),
    "by their numbers": (rounds([call("Lamp_set_level", entity="hall_lamp", level=70),
                                 call("Lamp_set_level", entity="kitchen_lamp", level=40)]), True),
    "after a call that is refused": (rounds([call("Lamp_set_level", entity="hall_lamp", level=71)],
                                            [call("Lamp_dimmer", entity="hall_lamp"),
                                             call("Lamp_dimmer", entity="kitchen_lamp")]), True),
    "one of them": (lamps("hall"), False),
    "one of them twice": (lamps("hall", "hall"), False),
    "one more": (lamps("hall", "kitchen", "living"), False),
    "brighter": (lamps("hall", "kitchen", dims="Lamp_brighter"), False),
    "no lamp of the house": (lamps("hall", "cellar"), False),
    "none of its functions": (lamps("hall", "kitchen", dims="Lamp_dim"), False),
    "none": (rounds([call("look", entity="hall_lamp")]), False),
    "one refused": (rounds([call("Lamp_dimmer", entity="hall_lamp"),
                            call("Lamp_set_level", entity="kitchen_lamp", level="forty")]), False),
}  # fmt: skip


@pytest.mark.long
def test_what_was_called_is_judged_by_all_that_there_is_afterwards():
    def right(calls):
        return played("token_efficiency", "evening", 1, calls)[0].ok

    assert [case for case, (calls, ok) in BY_CALLS.items() if right(calls) != ok] == []
