"""What methods of entities are given is checked at the call."""

import pytest

from cave_sim import Entity, World


class Thing(Entity):
    """Something."""


def test_arguments_are_checked_wherever_a_method_takes_them():
    class Club(Entity):
        """A club."""

        def meet(self, first: Thing, /, *others: Thing, at_h: int = 18, **seats: int) -> str:
            """Meet: `club.meet(ann, bob, at_h=19, front=2)`."""
            return f"{1 + len(others)} at {at_h}, {seats}"

    world = World(seed=1)
    world.add("club", Club())
    for name in ("ann", "bob", "eve"):
        world.add(name, Thing())

    def told(cell):
        turn = world.execute(cell, agent="ann")
        return turn.error.splitlines()[-1] if turn.error else turn.output

    assert told("club.meet(ann, bob, eve, at_h=19, front=2)") == "\"3 at 19, {'front': 2}\""
    assert (
        told("club.meet(ann, bob, 3)")
        == "SchemaError: club.meet(argument 3=...): Input should be a Thing of this world (got 3)"
    )
    assert "club.meet(at_h=...)" in told("club.meet(ann, at_h='late')")
    assert "club.meet(front=...)" in told("club.meet(ann, front='two')")


@pytest.mark.parametrize(
    ("call", "why"),
    [
        ("count([1, 2], {'a': 1.5}, [ann])", ""),
        ("count([1, 'two'], {}, [])", "club.count(numbers=...): 1: Input should be a valid integer"),
        ("count('12', {}, [])", "club.count(numbers=...): Input should be a valid list"),
        ("count([], {'a': 'b'}, [])", "club.count(shares=...): a: Input should be a valid number"),
        ("count([], {}, ['ann'])", "Thing of this world (got 'ann'; an entity is written without quotes: ann)"),
    ],
)
def test_lists_and_dictionaries_are_checked_at_the_call_although_no_field_keeps_them(call, why):
    class Club(Entity):
        """A club."""

        def count(self, numbers: list[int], shares: dict[str, float], things: list[Thing]) -> int:
            """Count them."""
            return len(numbers) + len(shares) + len(things)

    world = World(seed=1)
    world.add("club", Club())
    world.add("ann", Thing())
    turn = world.execute(f"club.{call}", agent="ann")
    assert why in (turn.error or "") if why else turn.output == "4"
