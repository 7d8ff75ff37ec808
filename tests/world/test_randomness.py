"""What a turn drew that did not land is taken back, however many turns of the step drew before it."""

from cave_sim import Entity, World

FAILS = "me.count = rng.randrange(1000)\n1 / 0"
NESTED = """
print(rng.random())
await team['ann'].run('me.count = rng.randrange(1000)')
await team['bob'].run('me.count = rng.randrange(1000)\\n1 / 0')
await team['bob'].run('me.count = rng.randrange(1000)')
"""


class Counter(Entity):
    count: int = 0


def worlds():
    for _ in range(2):
        world = World(seed=3)
        world.add("ann", Counter())
        world.add("bob", Counter())
        world.add("boss", Counter())
        world.grant("boss", "*")
        yield world


def test_failed_draws_shift_nobody_who_draws_after_them():
    one, other = worlds()
    for world, failing in ((one, False), (other, True)):
        for number in range(20):
            world.execute("me.count = rng.randrange(1000)", agent=("ann", "bob")[number % 2])
            if failing:
                assert not world.execute(FAILS, agent=("ann", "bob", "boss")[number % 3]).committed
    assert one.state_hash() == other.state_hash()
    assert one.randomness.draws == {"ann": 10, "bob": 10}
    assert other.randomness.draws == {"ann": 10, "bob": 10, "boss": 0}


def test_a_turn_that_fails_takes_back_what_its_child_turns_drew():
    one, other = worlds()
    failed = other.execute(NESTED + "1 / 0", agent="boss")
    assert failed.status == "failed"
    assert "division" in failed.error
    assert other.randomness.draws.get("ann", 0) == 0
    for world in (one, other):
        turn = world.execute(NESTED, agent="boss")
        assert turn.committed, turn.error
    assert one.state_hash() == other.state_hash()
    assert one.randomness.draws == other.randomness.draws
