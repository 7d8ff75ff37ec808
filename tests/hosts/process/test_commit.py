"""The commit door under random proposals: it refuses, or what lands lies within the agent's rights and types."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cave_sim import World
from cave_sim.hosts.process.commit import land
from cave_sim.hosts.process.proposal import read
from cave_sim.hosts.process.proposal_check import InvalidProposal
from tests.policy import parlour, square
from tests.policy.judge import fields, may_change, plain, true_hash

NAMES = st.sampled_from(["ann", "bob", "shop", "vault", "$system", "prices", "nobody", "_"])
FIELDS = st.sampled_from(
    "mood plan notes counts friends tags memory money_cents map grid diary stock guests owner till_cents "
    "treasury_cents entries streets accounts step events grants value _name __class__ cheer".split()
)
PARTS = FIELDS | st.sampled_from(["node", "edge", "graph", "walks", "bread", 0, 1, -1]) | st.none()
PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 10**20) | st.floats(allow_nan=False, allow_infinity=False)
    | st.sampled_from(["", "x", "ann", "bob", "Vault", "Citizen", " at 0x1f", "|O", "<f8", "AAAA"]),
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(
        st.sampled_from(
            "a at items old new data $ref $at $items $set $tuple $codec $name $object type fields dtype shape base64 "
            "columns index nodes edges graph directed".split()
        ),
        inner,
        max_size=4,
    ),
    max_leaves=12,
)  # fmt: skip
OPERATIONS = st.sampled_from(["set", "delete", "splice", "add", "discard", "patch", "create", "remove", "other"])
CHANGES = st.tuples(NAMES, st.lists(FIELDS | PARTS, max_size=3), OPERATIONS, PLAIN, PLAIN)
METHODS = st.sampled_from("buy open look_up half cheer observe _settle __init__ apply_to_each".split())
ACTS = st.one_of(
    st.fixed_dictionaries({"type": st.just("writes"), "changes": st.lists(CHANGES, max_size=3)}),
    st.fixed_dictionaries({
        "type": st.just("call"), "entity": NAMES | st.none(), "method": METHODS,
        "args": st.lists(PLAIN, max_size=3), "kwargs": st.dictionaries(FIELDS, PLAIN, max_size=1),
    }),
)  # fmt: skip
TURNS = st.recursive(
    ACTS,
    lambda inner: st.fixed_dictionaries({
        "type": st.just("turn"), "agent": NAMES, "code": st.just("1"), "acts": st.lists(inner, max_size=3),
        "status": st.sampled_from(["committed", "failed"]), "drew": st.booleans(),
    }),
    max_leaves=4,
)  # fmt: skip
WORLD = square.build()


@given(acts=st.lists(TURNS, max_size=3), claimed=st.none() | st.lists(CHANGES, max_size=2))
def test_only_what_the_agent_may_do_lands(acts, claimed):
    turn = {"type": "turn", "agent": "bob", "code": "", "status": "committed", "acts": acts}
    offer(WORLD, json.dumps({"turn": turn, "claimed": claimed, "variables": {}}).encode())


@given(data=st.binary(max_size=300) | PLAIN.map(lambda data: json.dumps(data).encode()))
def test_what_is_no_proposal_is_refused(data):
    before = WORLD.state_hash()
    offer(WORLD, data)
    assert WORLD.state_hash() == before


@pytest.mark.parametrize(
    "reads",
    [
        [["bob", "title"]],  # everybody may
        [["ann", "diary"]],  # her own
        [["bob", "soul"]],
        [["nobody", "diary"]],
        [["$system", "grants"]],
        [["bob", "wearing"], ["bob", "room"]],  # out of order
        [["bob", "room"], ["bob", "room"]],
    ],
)
def test_reads_that_no_cell_would_have_noted_are_refused(reads):
    turn = {"type": "turn", "agent": "ann", "code": "", "status": "committed", "reads": reads}
    with pytest.raises(InvalidProposal, match="read"):
        land(parlour.build(), read(json.dumps({"turn": turn, "claimed": None, "variables": {}}).encode()), "1", "ann")


def test_reads_that_a_cell_may_have_made_are_noted():
    turn = {"type": "turn", "agent": "ann", "code": "", "status": "committed", "reads": [["bob", "wearing"]]}
    proposal = read(json.dumps({"turn": turn, "claimed": None, "variables": {}}).encode())
    assert land(parlour.build(), proposal, "1", "ann").reads == [("bob", "wearing")]


def test_whom_one_runs_runs_nobody_else():
    """A mayor's cell may run ann's, in which there is no way to run bob's: a process that claims so lies."""
    bobs = {"type": "turn", "agent": "bob", "code": "1", "status": "committed"}
    for inner, message in ((bobs, "bob may not be operated"), ({**bobs, "agent": "ann"}, None)):
        anns = {"type": "turn", "agent": "ann", "code": "1", "status": "committed", "acts": [inner]}
        turn = {"type": "turn", "agent": "mayor", "code": "", "status": "committed", "acts": [anns]}
        proposal = read(json.dumps({"turn": turn, "claimed": None, "variables": {}}).encode())
        if message is None:
            assert land(square.build(), proposal, "1", "mayor").committed
        else:
            with pytest.raises(InvalidProposal, match=message):
                land(square.build(), proposal, "1", "mayor")


def offer(world: World, data: bytes) -> None:
    """Hand a message to the commit door as ann's; check what became of the world."""
    before = fields(plain(world))
    try:
        land(world, read(data), "the cell", "ann")
    except (InvalidProposal, ValueError):
        assert fields(plain(world)) == before
    after = fields(plain(world))
    for place in before.keys() | after.keys():
        by_a_method = place[0] == "shop" or place[1] == "money_cents"
        assert before.get(place) == after.get(place) or by_a_method or may_change(world, {"ann"}, place), place
    assert world.state_hash() == true_hash(world)
    ledger = world.undo_log
    assert not any((ledger.guard, ledger.depth, ledger.undo, ledger.checkouts, world.turns.current_id))
