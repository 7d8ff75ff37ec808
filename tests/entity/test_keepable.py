"""Which types a field can be declared of: what is kept comes back as it was, and nothing in it changes unseen."""

import collections
import dataclasses
import datetime as dt
import decimal
import enum
import fractions
import pathlib
import typing
import uuid

import pytest

from cave_sim import Entity, SchemaError, World, field


class Mood(enum.Enum):
    WELL = "well"
    ILL = "ill"


@dataclasses.dataclass(frozen=True)
class Spot:
    row: int
    marks: list[int] = dataclasses.field(default_factory=list)


class Pair(typing.NamedTuple):
    left: int
    right: list[int]


@dataclasses.dataclass
class Loose:
    row: int = 1


class Place(Entity):
    """Somewhere."""


def holder(kind, value):
    """Return a world with one thing that has a field of a type."""
    thing = type("Thing", (Entity,), {"__annotations__": {"held": kind}, "held": value, "__module__": __name__})
    world = World(seed=1)
    world.add("thing", thing())
    return world


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        (Mood, Mood.ILL),
        (Spot, Spot(2, [3])),
        (list[Spot], [Spot(1)]),
        (Pair, Pair(1, [2])),
        (dt.date, dt.date(2020, 2, 3)),
        (dt.timedelta, dt.timedelta(seconds=90.5)),
        (decimal.Decimal, decimal.Decimal("3.10")),
        (fractions.Fraction, fractions.Fraction(1, 3)),
        (uuid.UUID, uuid.UUID(int=5)),
        (pathlib.PurePosixPath, pathlib.PurePosixPath("a/b")),
        (frozenset[int], frozenset({3, 1})),
        (collections.abc.Sequence[int], [1, 2]),
        (collections.abc.Mapping[str, int], {"a": 1}),
        (bytes, b"ab"),
        (tuple, (1, "a")),
    ],
    ids=str,
)
def test_what_a_field_holds_comes_back_from_a_snapshot_as_it_was(kind, value):
    world = holder(kind, value)
    again = World.restore(world.snapshot())
    assert again["thing"].held == value
    assert again.state_hash() == world.state_hash()


def test_a_frozen_value_whose_parts_are_not_what_its_class_says_is_refused():
    world = holder(Spot, Spot(2))
    world.inject("Spot", Spot)
    assert "row: Input should be a valid integer" in world.execute("world['thing'].held = Spot('two')").error
    assert world["thing"].held == Spot(2)


def test_a_method_takes_a_frozen_dataclass_of_the_researchers():
    class Board(Entity):
        seen: list[Spot] = field([])

        def mark(self, spot: Spot) -> None:
            self.seen.append(spot)

    world = World(seed=1)
    world.add("board", Board())
    world.inject("Spot", Spot)
    assert world.execute("world['board'].mark(Spot(3))\nworld['board'].mark({'row': 4})").committed
    assert [spot.row for spot in world["board"].seen] == [3, 4]
    assert "takes data" in world.execute("world['board'].mark(Spot(3, [print]))").error


@pytest.mark.parametrize(
    ("kind", "way_out"),
    [
        (collections.deque, "Write list"),
        (tuple[collections.deque[int], int], "Write list"),
        (collections.Counter, "Write dict"),
        (collections.OrderedDict, "Write dict"),
        (collections.defaultdict, "Use plain data"),
        (dict[str, collections.defaultdict[str, int]], "Write dict"),
        (collections.abc.Iterable[int], "Write list"),
        (complex, "Write tuple"),
        (collections.abc.Callable, "Write a method of the entity"),
        (type, "Use plain data"),
        (tuple[object, bytearray], "Use plain data"),
        (Loose, r"write @dataclass\(frozen=True\)"),
        (Place | str, r"list\[Place\]"),
        (tuple[Place, int], r"list\[Place\]"),
        (dict[str, set[Place]], "declare a list of them"),
        (list[set[Place] | None], "declare a list of them"),
    ],
    ids=str,
)
def test_a_type_that_would_lose_writes_or_not_come_back_is_refused_as_it_is_declared(kind, way_out):
    with pytest.raises(TypeError, match=f"Thing.held: .*{way_out}"):
        holder(kind, None)


@pytest.mark.parametrize("kind", [collections.abc.MutableSequence[int], list[int]], ids=str)
def test_a_list_by_whatever_name_takes_writes_in_place_and_tells_them(kind):
    world = holder(kind, [1])
    turn = world.execute("thing.held.append(2)", agent="thing")
    assert turn.committed
    assert len(turn.changes) == 1
    assert world["thing"].held == [1, 2]


@pytest.mark.parametrize(
    ("kind", "value", "cell"),
    [(Spot, Spot(2, [3]), "me.held.marks.append(1)"), (Pair, Pair(1, [2]), "me.held.right.append(1)")],
    ids=["dataclass", "named tuple"],
)
def test_what_an_immutable_value_holds_is_not_written_in_place(kind, value, cell):
    world = holder(kind, value)
    before = world.state_hash()
    turn = world.execute(cell, agent="thing")
    assert "set the whole anew" in turn.error
    assert (world["thing"].held, world.state_hash()) == (value, before)


def test_a_tuple_of_anything_holds_nothing_that_can_change_unseen():
    world = holder(tuple, ())
    with pytest.raises(SchemaError, match="deque objects cannot be kept"):
        world["thing"].held = (collections.deque([1]),)
    with pytest.raises(SchemaError, match="cannot be kept"):
        world["thing"].held = (object(),)
