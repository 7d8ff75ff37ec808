"""What a turn that lost in a batch is told."""

from cave_sim import Entity, World, field
from cave_sim.determinism.random_streams import seeded_order

AGENTS = ("ann", "bob", "cem")


def broken(start: int, current: int, written: int) -> int:
    raise RuntimeError


class Scores(Entity):
    best: int = field(0, merge=broken)
    note: str = field("")


def test_a_conflict_names_whoever_wrote_the_same_field_and_nobody_else_and_no_turn_by_its_number():
    world = World(seed=1)
    world.add("scores", Scores())
    first, second, third = seeded_order(AGENTS, 1, "merge", 0)
    for name in AGENTS:
        world.grant(name, "scores")
    turns = world.execute_batch({first: "scores.note = 'a'", second: "scores.best = 3", third: "scores.best = 4"})
    assert f"was written there first, by {second}: RuntimeError" in turns[third].error
    turns = world.execute_batch(dict.fromkeys(AGENTS, "scores.note = 'b'"))
    told = "\n".join(turn.error or "" for turn in turns.values())
    for name in (second, third):
        assert f"step 0: scores.note written twice: by {first}, then by {name}. It takes one writer" in told
