"""Whatever a cell's process says in place of a proposal is refused, or done within its agent's rights."""

import json
import random
from copy import deepcopy

import pytest

from cave_sim.determinism.canonical_json import to_json
from cave_sim.entity.entity import encode_fields
from cave_sim.hosts.process import cell_process
from cave_sim.hosts.process.commit import land
from cave_sim.hosts.process.proposal import read
from cave_sim.hosts.process.proposal_check import InvalidProposal, check_depth
from cave_sim.policy.permissions import EVERYTHING
from cave_sim.runtime.graph.errors import Malformed
from cave_sim.runtime.graph.shape import check_shape
from cave_sim.runtime.variable_names import is_variable
from tests.hosts.process import broken

CELLS = [
    "me.mood = 0.1\nme.plan = 'walk'\nx = {'a': [1, 2], 'b': {3, 4}}",
    "shop.buy(me, 'bread')\nme.notes.append('bought')\nme.cheer()",
    "me.counts['walks'] += 1\nme.tags.add('new')\nme.friends = [bob]\nme.memory = {'a': [1, (2, 3)]}",
    "me.map.add_edge(0, 7, weight=2)\nme.grid[1] = 5.0\nme.diary.loc[0, 'text'] = 'fog'",
    "def f(n):\n    return n + 1\nclass P:\n    pass\np = P()\np.q = [f, p]\nshop.look_up({'a': 1})",
    "print(rng.random())\nweather_of(2)\nme.notes.insert(0, 'x')\n1 / 0",
    "world.add('eve', Citizen())\nvault.grid[0] = 3\nteam['bob'].run('me.mood = 0.9')",
]
ATOMS = [
    None, True, -1, 0, 7, 10**18, 1.5, -0.0, "", "x", "bob", "vault", "mayor", "mayor.mint", "$system", "_name", "*",
    "set", "splice", "patch", "create", "remove", "add", "call", "turn", "writes", "money_cents", "treasury_cents",
    "__class__", "_revert", "committed", "failed", "\u202e", "a" * 1_000, [], {}, [[]], [None], {"$ref": "vault"},
    {"$ref": "nobody"}, {"$at": ["$system", "grants"]}, {"$name": ["print"]}, {"$heap": {}, "value": {"$see": "0"}},
    {"$items": [[[], 1]]}, {"$array": {"dtype": "|O", "shape": [1], "base64": "AAAA"}}, {"at": -1, "items": [1]},
]  # fmt: skip
ROUNDS = 400


def places(data, path=()):
    """Return every place in a tree of JSON."""
    found = [path]
    for key, item in data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ():
        found += places(item, (*path, key))
    return found


def mutated(data: bytes, others: list[bytes], draw: random.Random) -> bytes:
    """Return a proposal that says something else in a few places, as bytes."""
    tree = json.loads(data)
    for _ in range(draw.choice((1, 1, 1, 2, 3))):
        *way, last = draw.choice([place for place in places(tree) if place])
        holder = tree
        for key in way:
            holder = holder[key]
        deed = draw.randrange(6)
        if deed < 3:
            holder[last] = deepcopy(draw.choice(ATOMS))
        elif deed == 3:
            del holder[last]
        elif isinstance(holder, list):
            holder.insert(last, deepcopy(holder[draw.randrange(len(holder))]))
        else:
            other = json.loads(draw.choice(others))
            holder[draw.choice([last, *other])] = other["turn"]
        if not places(tree)[1:]:
            break
    said = bytearray(json.dumps(tree).encode())
    if draw.random() < 0.2:
        said[draw.randrange(len(said))] = draw.randrange(256)
    return bytes(said)


def take(world, said: bytes, code: str, agent: str) -> str:
    """Do with what a process said as the world process does; returns what it came to."""
    try:
        check_depth(said)
        proposal = read(said)
    except ValueError:
        return "no proposal"
    try:
        for news in proposal.variables.values():
            for name, data in news.bound.items():
                check_shape(data)
                assert isinstance(is_variable(name), bool)
        return land(world, proposal, code, agent).status
    except (InvalidProposal, Malformed):
        return "refused"


@pytest.mark.long
@pytest.mark.parametrize("agent", ["ann", "mayor"])
def test_a_forged_proposal_raises_nothing_else_and_goes_no_further_than_rights(agent):
    draw = random.Random(agent)
    honest = [cell_process.run(broken.build_square(), cell, agent) for cell in CELLS]
    world, came_to = broken.build_square(), set()
    before = guarded_part(world)
    for _ in range(ROUNDS):
        state, said = world.state_hash(), mutated(draw.choice(honest), honest, draw)
        status = take(world, said, "1", agent)
        came_to.add(status)
        if status != "committed":
            assert world.state_hash() == state, said
        if agent == "ann":
            assert guarded_part(world) == before, said
        else:
            world = broken.build_square()
        log = world.undo_log
        assert (log.guard, log.depth, log.undo, log.checkouts, world.turns.current_id) == (None, 0, [], {}, 0), said
    assert {"no proposal", "refused", "committed"} <= came_to
    assert (EVERYTHING in world.rights_of(agent).targets) is (agent == "mayor")


def guarded_part(world):
    """Return what ann may change by no proposal at all."""
    names = sorted(world.undo_log.entities)
    fields = {name: encode_fields(world.undo_log.entities[name]) for name in ("bob", "mayor", "vault")}
    return to_json([names, fields, dict(world.system.grants)], sort=True)
