"""``bank_account``: whole numbers over 20 turns, twice; after one slip all that follows is wrong (§4.2.3, D.3.2)."""

from cave_sim import World
from cave_sim.experiment.study import Study
from cave_sim.experiment.task import Query, Task
from cave_sim.worlds.bank import Account


def mira(world: World) -> None:
    """Open the account of somebody who saves."""
    world.add("mira", Account(owner="Mira", balance=1_240, savings=500, points=15))


def jonas(world: World) -> None:
    """Open the account of somebody who owes."""
    world.add("jonas", Account(owner="Jonas", balance=905, savings=120, loan=2_600, tier="silver"))


RULES = "All amounts are whole coins: round every share down. "

SAVING = (
    Query(RULES + "Mira is paid 860 coins of wages. Pay them in.", {"mira.balance": 2_100}, cave="mira.deposit(860)"),
    Query("Her rent is 35 % of the balance. Pay it out.", {"mira.balance": 1_365},
          cave="mira.withdraw(mira.balance * 35 // 100)"),
    Query("Put 15 % of what is left into her savings.", {"mira.balance": 1_161, "mira.savings": 704},
          cave="mira.save(mira.balance * 15 // 100)"),
    Query("The savings bear 3 % interest. Credit it to them.", {"mira.savings": 725},
          cave="mira.credit_savings(mira.savings * 3 // 100)"),
    Query("She gets one point for every full 100 coins that she has altogether, balance and savings.",
          {"mira.points": 33}, cave="mira.add_points((mira.balance + mira.savings) // 100)",
          wrong="mira.add_points(mira.balance // 100)"),
    Query("She buys a bicycle for 389 coins.", {"mira.balance": 772}, cave="mira.withdraw(389)"),
    Query("If the balance is under 800 coins now, fetch 100 coins from the savings.",
          {"mira.balance": 872, "mira.savings": 625}, cave="if mira.balance < 800:\n    mira.unsave(100)"),
    Query("Wages again: 860 coins, and a bonus of 12 % on top of them.", {"mira.balance": 1_835},
          cave="mira.deposit(860 + 860 * 12 // 100)"),
    Query("Rent again: 35 % of the balance.", {"mira.balance": 1_193}, cave="mira.withdraw(mira.balance * 35 // 100)"),
    Query("With more than 30 points she becomes silver; otherwise she stays what she is.", {"mira.tier": "silver"},
          cave="if mira.points > 30:\n    mira.set_tier('silver')",
          wrong="if mira.points < 30:\n    mira.set_tier('silver')"),
    Query("Exchange 20 points for coins, 7 coins each.", {"mira.points": 13, "mira.balance": 1_333},
          cave="mira.spend_points(20)\nmira.deposit(20 * 7)"),
    Query("Save a third of the balance.", {"mira.balance": 889, "mira.savings": 1_069},
          cave="mira.save(mira.balance // 3)"),
    Query("Interest on the savings, 3 % as before.", {"mira.savings": 1_101},
          cave="mira.credit_savings(mira.savings * 3 // 100)"),
    Query("She lends a friend the smaller of 250 coins and a fifth of the balance. Pay it out.", {"mira.balance": 712},
          cave="mira.withdraw(min(250, mira.balance // 5))"),
    Query("Someone has copied her card. Freeze the account.", {"mira.frozen": True}, cave="mira.set_frozen(True)"),
    Query("She tries to withdraw 50 coins. Do it only if the account is not frozen; if it is, give her 2 points for"
          " the trouble instead.", {"mira.points": 15},
          cave="if mira.frozen:\n    mira.add_points(2)\nelse:\n    mira.withdraw(50)"),
    Query("The card is replaced: open the account again, for a fee of 9 coins.",
          {"mira.frozen": False, "mira.balance": 703}, cave="mira.set_frozen(False)\nmira.withdraw(9)"),
    Query("The friend pays back 40 % of 177 coins.", {"mira.balance": 773}, cave="mira.deposit(177 * 40 // 100)"),
    Query("Move coins from the savings to the balance until the balance is exactly 1,000.",
          {"mira.balance": 1_000, "mira.savings": 874}, cave="mira.unsave(1000 - mira.balance)"),
    Query("If balance and savings together are more than 1,800 coins, make her gold and double her points.",
          {"mira.tier": "gold", "mira.points": 30},
          cave="if mira.balance + mira.savings > 1800:\n    mira.set_tier('gold')\n    mira.add_points(mira.points)",
          wrong="mira.set_tier('gold')\nmira.add_points(mira.points // 2)"),
)  # fmt: skip

OWING = (
    Query(RULES + "The bank adds 4 % interest to what Jonas owes.", {"jonas.loan": 2_704},
          cave="jonas.charge_loan(jonas.loan * 4 // 100)"),
    Query("He is paid 1,310 coins.", {"jonas.balance": 2_215}, cave="jonas.deposit(1310)"),
    Query("He pays back the smaller of 20 % of his balance and 20 % of his loan.",
          {"jonas.balance": 1_772, "jonas.loan": 2_261},
          cave="jonas.repay(min(jonas.balance * 20 // 100, jonas.loan * 20 // 100))"),
    Query("Rent: 640 coins.", {"jonas.balance": 1_132}, cave="jonas.withdraw(640)"),
    Query("Interest on the loan, 4 % as before.", {"jonas.loan": 2_351},
          cave="jonas.charge_loan(jonas.loan * 4 // 100)"),
    Query("He puts a tenth of his balance aside.", {"jonas.balance": 1_019, "jonas.savings": 233},
          cave="jonas.save(jonas.balance // 10)"),
    Query("His car breaks down: he borrows 475 coins more and pays 560 for the repair.",
          {"jonas.loan": 2_826, "jonas.balance": 934}, cave="jonas.borrow(475)\njonas.withdraw(560)"),
    Query("If he owes more than three times his balance, he becomes basic.", {"jonas.tier": "basic"},
          cave="if jonas.loan > 3 * jonas.balance:\n    jonas.set_tier('basic')"),
    Query("He is paid 1,310 coins again, and 15 % more for working at night.", {"jonas.balance": 2_440},
          cave="jonas.deposit(1310 + 1310 * 15 // 100)"),
    Query("He pays back the larger of 600 coins and a quarter of his balance.",
          {"jonas.balance": 1_830, "jonas.loan": 2_216}, cave="jonas.repay(max(600, jonas.balance // 4))"),
    Query("He gets 3 points for every full 250 coins of that payment of 610 coins.", {"jonas.points": 6},
          cave="jonas.add_points(610 // 250 * 3)"),
    Query("Interest on the loan, now 5 %.", {"jonas.loan": 2_326}, cave="jonas.charge_loan(jonas.loan * 5 // 100)"),
    Query("Use all his savings to pay back the loan.", {"jonas.savings": 0, "jonas.loan": 2_093},
          cave="saved = jonas.savings\njonas.unsave(saved)\njonas.repay(saved)",
          wrong="jonas.repay(jonas.savings)"),
    Query("If he has more in the balance than he owes, he pays everything back; otherwise half of what he has.",
          {"jonas.balance": 915, "jonas.loan": 1_178},
          cave="jonas.repay(jonas.loan if jonas.balance > jonas.loan else jonas.balance // 2)"),
    Query("He inherits 2,048 coins, of which an eighth goes to the taxes.", {"jonas.balance": 2_707},
          cave="jonas.deposit(2048 - 2048 // 8)"),
    Query("If he has more in the balance than he owes now, he pays everything back; otherwise half of what he has.",
          {"jonas.balance": 1_529, "jonas.loan": 0},
          cave="jonas.repay(jonas.loan if jonas.balance > jonas.loan else jonas.balance // 2)",
          wrong="jonas.repay(jonas.balance // 2)"),
    Query("Free of debts: make him silver, with 25 points.", {"jonas.tier": "silver", "jonas.points": 31},
          cave="jonas.set_tier('silver')\njonas.add_points(25)"),
    Query("He saves 45 % of his balance.", {"jonas.balance": 841, "jonas.savings": 688},
          cave="jonas.save(jonas.balance * 45 // 100)"),
    Query("He exchanges all his points, 11 coins each.", {"jonas.points": 0, "jonas.balance": 1_182},
          cave="points = jonas.points\njonas.spend_points(points)\njonas.deposit(points * 11)"),
    Query("Everything that he has beyond 1,000 coins in the balance goes into the savings; with savings of at least 800"
          " coins he becomes gold.", {"jonas.balance": 1_000, "jonas.savings": 870, "jonas.tier": "gold"},
          cave="jonas.save(max(0, jonas.balance - 1000))\nif jonas.savings >= 800:\n    jonas.set_tier('gold')"),
)  # fmt: skip


def tasks(_seed: int) -> list[Task]:
    """Return the two conversations; they are the same for every seed."""
    return [
        Task("mira_saves", "bank account", SAVING, build=mira),
        Task("jonas_pays_off", "bank account", OWING, build=jonas),
    ]


STUDY = Study(
    "bank_account", "Two bank accounts, 20 turns each, in whole coins", "After CaveAgent §4.2.3 and D.3.2.", tasks
)
