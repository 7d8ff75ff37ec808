"""tau2's evaluator behind our adapter: any way to what was asked for gets the reward, and nothing else does."""

from dataclasses import replace

from tests.simulations.test_tau2 import installed, play, tasks_of

CARD = "credit_card_9513926"
FAILS = "raise ValueError('on purpose')"


def shirt(order, item, new="9647292434", by=CARD, call="modify_pending_order_items"):
    """Return the call by which an item of an order becomes another one."""
    return f"{call}(order_id={order!r}, item_ids=[{item!r}], new_item_ids=[{new!r}], payment_method_id={by!r})"


FIRST, SECOND = shirt("#W6247578", "3799046073"), shirt("#W4776164", "8349118980")
LOOKS = "get_order_details(order_id='#W6247578')\nget_user_details(user_id='yusuf_rossi_9620')"
LOOP = f"""
for order, item in (("#W6247578", "3799046073"), ("#W4776164", "8349118980")):
    modify_pending_order_items(order, [item], ["9647292434"], {CARD!r})
"""
ADDRESS = "modify_user_address('yusuf_rossi_9620', '1 Main', '', 'Reno', 'NV', 'USA', '89501')"
RETAIL = {  # both T-shirts of pending orders become purple ones
    "as it is said": [FIRST, SECOND],
    "in one cell": [f"{FIRST}\n{SECOND}"],
    "the second first": [SECOND, FIRST],
    "after looks": [LOOKS, FIRST, LOOKS, SECOND, LOOKS],
    "by place": ["modify_pending_order_items('#W6247578', ['3799046073'], ['9647292434'], " + repr(CARD) + ")", SECOND],
    "in a loop": [LOOP],
    "after what is refused": [shirt("#W6247578", "3799046073", by="gift_card_1"), FIRST, SECOND],
    "after a misspelt function": ["modify_order_items()", FIRST, SECOND],
    "after a cell that failed": [f"{shirt('#W6247578', '3799046073', '3234800602')}\n{FAILS}", FIRST, SECOND],
    "once more, which is refused": [FIRST, FIRST, SECOND],
}  # fmt: skip
RETAIL_WRONG = {
    "nothing": [],
    "looks alone": [LOOKS],
    "the first alone": [FIRST],
    "the second alone": [SECOND],
    "the first twice": [FIRST, FIRST],
    "another shirt": [shirt("#W6247578", "3799046073", "3234800602"), SECOND],
    "another shirt first, which stays": [shirt("#W6247578", "3799046073", "3234800602"), FIRST, SECOND],
    "the other's item": [shirt("#W6247578", "8349118980"), SECOND],
    "paid by what there is not": [shirt("#W6247578", "3799046073", by="paypal_1"), SECOND],
    "as an exchange": [shirt("#W6247578", "3799046073", call="exchange_delivered_order_items"), SECOND],
    "in a cell that fails": [f"{FIRST}\n{FAILS}", SECOND],
    "all in a cell that fails": [f"{FIRST}\n{SECOND}\n{FAILS}"],
    "as texts": [repr(FIRST), repr(SECOND)],
    "printed": [f"print({FIRST!r})", SECOND],
    "in a function that nobody calls": [f"def change():\n    {FIRST}", SECOND],
    "a call misspelt": [shirt("#W6247578", "3799046073", call="modify_order_items"), SECOND],
    "an argument misspelt": [FIRST.replace("order_id", "order"), SECOND],
    "an order misspelt": [FIRST.replace("#W", "W"), SECOND],
    "a number in place of a text": [FIRST.replace("'9647292434'", "9647292434"), SECOND],
    "and an address": [FIRST, SECOND, ADDRESS],
    "and a return": [FIRST, SECOND, f"return_delivered_order_items('#W2378156', ['4602305039'], {CARD!r})"],
    "and cancelled": ["cancel_pending_order('#W6247578', 'no longer needed')", SECOND],
}  # fmt: skip


def outcomes(task, cells, partner_cells=()):
    """Return what comes of a task whose agent runs these cells, in one turn, after the customer has run others."""
    (query,) = task.queries
    last = replace(query.exchanges[-1], cells=tuple(cells), partner_cells=tuple(partner_cells))
    return play(replace(task, queries=(replace(query, exchanges=(last,)),)))


@installed
def test_what_an_agent_did_is_judged_by_what_the_shop_holds_afterwards():
    task = next(task for task in tasks_of("retail", "") if task.name == "retail_4")
    assert [case for case, cells in RETAIL.items() if not outcomes(task, cells).ok] == []
    assert [case for case, cells in RETAIL_WRONG.items() if outcomes(task, cells).ok] == []


ROAMING = "enable_roaming(customer_id='C1001', line_id='L1002')"
ON = "toggle_roaming()"
TELECOM = {  # roaming is switched on by the agent, for the line, and by the customer, on the phone
    "as it is said": ([ON], [ROAMING]),
    "in one cell with a look": (["check_network_status()\ntoggle_roaming()"], ["get_details_by_id('L1002')", ROAMING]),
    "off and on again": ([ON, ON, ON], [ROAMING]),
    "by place": ([ON], ["enable_roaming('C1001', 'L1002')"]),
    "after another's line, which is refused": ([ON], ["enable_roaming('C1001', 'L9999')", ROAMING]),
}
TELECOM_WRONG = {
    "nobody": ([], []),
    "the agent alone": ([], [ROAMING]),
    "the customer alone": ([ON], []),
    "looks alone": (["check_network_status()"], ["get_details_by_id('L1002')"]),
    "on and off": ([ON, ON], [ROAMING]),
    "another line": ([ON], ["enable_roaming('C1001', 'L1001')"]),
    "another customer": ([ON], ["enable_roaming('C1002', 'L1002')"]),
    "enabled and disabled": ([ON], [ROAMING, ROAMING.replace("enable", "disable")]),
    "the agent's by the customer": ([ON, ROAMING], []),
    "the customer's by the agent": ([], [ROAMING, ON]),
    "data off as well": ([ON, "toggle_data()"], [ROAMING]),
    "in flight": ([ON, "toggle_airplane_mode()"], [ROAMING]),
    "the agent's cell fails": ([ON], [f"{ROAMING}\n{FAILS}"]),
    "the customer's cell fails": ([f"{ON}\n{FAILS}"], [ROAMING]),
}


@installed
def test_what_both_sides_did_is_judged_by_how_the_phone_works_afterwards():
    found = tasks_of("telecom", "telecom_small")
    task = next(task for task in found if "roaming_disabled_off" in task.name)
    for cases, ok in ((TELECOM, True), (TELECOM_WRONG, False)):
        judged = {case: outcomes(task, agents, customers).ok for case, (customers, agents) in cases.items()}
        assert [case for case, right in judged.items() if right != ok] == []
