"""A field is nested no deeper than a value may be, by whatever steps it came to that, on either host alike."""

import pytest

from cave_sim.entity.values import LIMITS
from tests.policy import square
from tests.policy.judge import true_hash

DEEPER = {
    "a list in a list": "me.memory = []\nx = me.memory\nfor _ in range(N):\n    x.append([])\n    x = x[0]",
    "a dict in a dict": "me.memory = {}\nx = me.memory\nfor _ in range(N):\n    x['a'] = {}\n    x = x['a']",
    "by setdefault": "me.memory = {}\nx = me.memory\nfor _ in range(N):\n    x = x.setdefault('a', {})",
    "by update": "me.memory = {}\nx = me.memory\nfor _ in range(N):\n    x.update(a={})\n    x = x['a']",
    "by |=": "me.memory = {}\nx = me.memory\nfor _ in range(N):\n    x |= {'a': {}}\n    x = x['a']",
    "by insert": "me.memory = []\nx = me.memory\nfor _ in range(N):\n    x.insert(0, [1])\n    x = x[0]",
    "by extend": "me.memory = []\nx = me.memory\nfor _ in range(N):\n    x.extend([[]])\n    x = x[-1]",
    "by +=": "me.memory = []\nx = me.memory\nfor _ in range(N):\n    x += [[]]\n    x = x[-1]",
    "by an item": "me.memory = [0]\nx = me.memory\nfor _ in range(N):\n    x[0] = [0]\n    x = x[0]",
    "by a slice": "me.memory = []\nx = me.memory\nfor _ in range(N):\n    x[:] = [[]]\n    x = x[0]",
    "lists, dicts": "me.memory = []\nx = me.memory\nfor _ in range(N):\n    x.append({'a': []})\n    x = x[0]['a']",
}
PARTS = {"lists, dicts": 2}


@pytest.mark.long
@pytest.mark.parametrize("way", DEEPER)
def test_steps_lead_no_deeper_than_one_value_may_be(hosted, way):
    deepest = (LIMITS.depth - 1) // PARTS.get(way, 1)
    for world in (square.build(), hosted()):
        assert world.execute(DEEPER[way].replace("N", str(deepest)), agent="ann").committed
        kept = world.state_hash()
        turn = world.execute(DEEPER[way].replace("N", str(deepest + 1)), agent="ann")
        assert turn.status == "failed"
        assert f"ann.memory: a value nested more than {LIMITS.depth} deep" in turn.error
        assert world.state_hash() == kept


def test_steps_of_several_turns_lead_no_deeper_either(hosted):
    found = []
    for world in (square.build(), hosted()):
        statuses = [world.execute("me.memory = []\nx = me.memory", agent="ann").status]
        statuses += [world.execute("x.append([[[]]])\nx = x[0][0][0]", agent="ann").status for _ in range(9)]
        assert world.state_hash() == true_hash(world)
        found.append((statuses, world.state_hash()))
    assert found[0] == found[1]
    assert found[0][0] == ["committed"] * 8 + ["failed"] * 2


def test_what_is_taken_out_and_put_in_higher_up_may_be_as_deep_again():
    world = square.build()
    deep = "[" * 20 + "]" * 20
    assert world.execute(f"me.memory = [{deep}]\ninner = me.memory.pop()", agent="ann").committed
    assert world.execute("me.memory.append([inner])", agent="ann").committed
    assert world.execute("me.memory[0][0].append(1)", agent="ann").committed
