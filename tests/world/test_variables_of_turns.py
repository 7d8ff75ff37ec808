"""What is left of variables where a turn does not land, whatever refused it; in processes as here."""

NOT_ADDED = "[not added, because this turn failed; None in variables: zed]\n"


def test_variables_of_a_turn_that_is_refused_as_it_lands_fit_the_world_that_it_leaves(market):
    market.execute("bob = world['bob']\nbuyers = []", agent="mayor")
    refused = market.execute(
        "new = world.add('zed', Buyer())\nbuyers.append(new)\nworld.remove('bob')\nworld.add('yan', Buyer())\n"
        "world.add('xia', Buyer())\nn = 1\nbuyers.append(bob)",
        agent="mayor",
    )
    assert "the world's rule 'money is conserved' would no longer hold" in refused.error
    assert refused.output == NOT_ADDED
    assert market.execute("world.add('zed', Buyer(purse_cents=0))", agent="mayor").committed
    assert market.execute("print(new, buyers, bob, n)", agent="mayor").output == "None [None, <Buyer bob>] bob 1\n"


def test_what_a_failed_turn_made_such_that_it_cannot_be_kept_is_as_before_it(market):
    market.execute("xs = [[1], 2]\nfirst = xs[0]\nys = [3]", agent="ann")
    failed = market.execute("first.append((n for n in xs))\nxs.append(4)\ndel first\nys.append(5)\nn = 6", agent="ann")
    assert "xs holds a generator" in failed.error
    assert failed.output == "[as before this turn, because they cannot be kept as it left them: first, xs]\n"
    told = market.execute("print(xs, xs[0] is first, ys, n)", agent="ann").output
    assert told == "[[1], 2] True [3, 5] 6\n"


def test_whom_a_turn_would_have_added_that_came_to_a_conflict_is_nobody_in_its_variables(market):
    market.grant("bob", "*")
    cells = dict.fromkeys(("mayor", "bob"), "new = world.add('zed', Buyer(purse_cents=0))\nxs = [new]")
    turns = market.execute_batch(cells, order="simultaneous")
    assert [*turns] == ["mayor", "bob"]
    outputs = {turn.status: turn.output for turn in turns.values()}
    assert outputs == {"committed": "", "conflict": NOT_ADDED}
    told = {turns[agent].status: market.execute("print(new, xs)", agent=agent).output for agent in cells}
    assert told == {"committed": "zed [<Buyer zed>]\n", "conflict": "None [None]\n"}
