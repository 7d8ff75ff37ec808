"""Entities: what enters a field, what is refused, and in which words."""

import dataclasses
import enum
import functools
import math
from typing import Any, Literal

import networkx as nx
import numpy as np
import pandas as pd
import pydantic
import pytest

from cave_sim import Entity, SchemaError, World, WorldError, field, json_schema
from tests.world.market import Buyer, Stall, Weather, make_market


class Colour(enum.Enum):
    RED = "red"
    BLUE = "blue"


class Spot(pydantic.BaseModel):
    model_config = pydantic.ConfigDict(frozen=True)
    row: int
    name: str = "here"


class Thing(Entity):
    number: int = 1
    share: float = field(0.5, ge=0, le=1)
    text: str = ""
    sure: bool = False
    maybe: int | None = None
    kind: Literal["a", "b"] = "a"
    colour: Colour = Colour.RED
    spot: Spot = Spot(row=1)
    pair: tuple[int, str] = (1, "x")
    scores: list[int] = field([], ge=0)
    anything: Any = None
    by_number: dict[int, str] = field({})


def test_an_entity_of_two_classes_has_the_fields_and_methods_of_both_as_python_resolves_them():
    class Named(Entity):
        """Has a name."""

        title: str = field("somebody")

    class Walker(Named):
        """Can walk."""

        metres: float = field(0.0, ge=0)

        def walk(self, metres: float) -> None:
            """Walk on."""
            self.metres += metres

    class Swimmer(Named):
        """Can swim, and is called so."""

        title: str = field("a swimmer")
        lengths: int = field(0, ge=0)

    class Athlete(Walker, Swimmer):
        """Can do both."""

    world = World(seed=1)
    world.add("ann", Athlete(lengths=2))
    assert world.execute("me.walk(5); me.lengths += 1", agent="ann").committed
    ann = world["ann"]
    assert (ann.title, ann.metres, ann.lengths) == ("a swimmer", 5.0, 3)
    assert World.restore(world.snapshot()).state_hash() == world.state_hash()
    assert "may not" not in (world.execute("me.lengths = -1", agent="ann").error or "")
    assert world.execute("me.lengths = -1", agent="ann").status == "failed"


def test_a_field_takes_its_type_and_keeps_it():
    thing = Thing(number=3, share=1, text="é", sure=True, maybe=4, kind="b", colour=Colour.BLUE, pair=(2, "y"))
    assert (thing.number, thing.share, thing.text, thing.sure, thing.maybe) == (3, 1.0, "é", True, 4)
    assert type(thing.share) is float


@pytest.mark.parametrize(
    ("field_name", "value", "words"),
    [
        ("number", "3", "Input should be a valid integer (got '3')"),
        ("number", 1.5, "valid integer"),
        ("number", True, "valid integer"),
        ("share", 1.01, "less than or equal to 1 (got 1.01)"),
        ("share", math.nan, "finite number"),
        ("share", math.inf, "finite number"),
        ("text", 3, "valid string"),
        ("text", "\ud800", "surrogate"),
        ("text", "x" * 300_000, "at most 200,000"),
        ("text", "<object at 0x7f00>", "memory address"),
        ("sure", 1, "valid boolean"),
        ("maybe", "x", "valid integer"),
        ("kind", "c", "'a' or 'b'"),
        ("colour", "green", "Input should be 'red' or 'blue' (got 'green')"),
        ("spot", {"row": "x"}, "row: Input should be a valid integer"),
        ("pair", (1, 2), "valid string"),
        ("scores", [1, "x"], "valid integer"),
        ("scores", [-1], "greater than or equal to 0"),
        ("scores", "abc", "valid list"),
        ("anything", object(), "object objects cannot be kept"),
        ("anything", lambda: 1, "only plain data"),
        ("anything", [1, [math.nan]], "finite"),
        ("number", 2**300, "301 bits; at most 256"),
        ("number", 2**256, "257 bits; at most 256"),
        ("by_number", {"x": "y"}, "valid integer"),
    ],
)
def test_a_value_that_does_not_fit_is_refused_with_field_rule_and_value(field_name, value, words):
    thing = Thing()
    before = thing.__dict__[field_name]
    with pytest.raises(SchemaError) as caught:
        setattr(thing, field_name, value)
    assert f"Thing.{field_name}" in str(caught.value)
    assert words in str(caught.value)
    assert thing.__dict__[field_name] is before


def test_numbers_of_numpy_become_plain_ones():
    thing = Thing(number=np.int64(5), share=np.float64(0.25))
    assert (type(thing.number), type(thing.share)) == (int, float)


def test_an_unknown_field_is_named_with_the_nearest_one():
    with pytest.raises(SchemaError, match=r"no field 'numbr'. Did you mean 'number'"):
        Thing().numbr = 3
    with pytest.raises(SchemaError, match="no field 'nix'"):
        Thing(nix=1)


def test_a_required_field_must_be_given():
    class Needs(Entity):
        size: int

    with pytest.raises(SchemaError, match=r"Needs\.size: Field required"):
        Needs()


def test_a_cycle_a_giant_and_a_deep_nest_are_refused_at_the_write():
    cycle: list = []
    cycle.append(cycle)
    deep: list = []
    for _ in range(60):
        deep = [deep, deep]  # 2 ** 60 leaves, shared
    for value, words in (
        (cycle, "contains itself"),
        (deep, "nested more than"),
        ([0] * 50_000, "more than 20,000 parts"),
    ):
        with pytest.raises(SchemaError, match=words):
            Thing(anything=value)


def test_a_container_is_copied_in_so_that_nothing_is_shared():
    mine = [1, 2]
    one, other = Thing(scores=mine), Thing()
    other.scores = one.scores
    mine.append(3)
    one.scores.append(4)
    assert (one.scores, other.scores) == ([1, 2, 4], [1, 2])


def test_a_mutable_default_belongs_to_each_entity_alone():
    one, other = Thing(), Thing()
    one.scores.append(1)
    assert other.scores == []


def test_items_are_checked_on_every_way_in():
    thing = Thing(scores=[1])
    ways = [
        lambda: thing.scores.append("x"),
        lambda: thing.scores.extend([2, "x"]),
        lambda: thing.scores.insert(0, -1),
        lambda: thing.scores.__setitem__(0, "x"),
        lambda: thing.scores.__setitem__(slice(0, 1), ["x"]),
        lambda: thing.scores.__iadd__([-5]),
        lambda: thing.by_number.update({"k": "v"}),
        lambda: thing.by_number.setdefault("k", "v"),
        lambda: thing.by_number.__setitem__(1, 2),
    ]
    for way in ways:
        with pytest.raises(SchemaError):
            way()
    assert (thing.scores, thing.by_number) == ([1], {})


def test_types_that_could_change_unseen_are_refused_when_the_class_is_first_used():
    class Loose(pydantic.BaseModel):
        x: int = 1

    class Holds(Entity):
        loose: Loose = None

    class Foreign:
        pass

    class HoldsForeign(Entity):
        foreign: Foreign = None

    with pytest.raises(TypeError, match="make it frozen, or an Entity"):
        Holds()
    with pytest.raises(TypeError, match=r"register_codec\(Foreign"):
        HoldsForeign()


def test_a_reference_reads_as_the_live_entity_and_is_kept_by_name():
    world = World()
    stall, ann = world.add("stall", Stall()), world.add("ann", Buyer())
    ann.favourite = stall
    assert ann.favourite is stall
    world.remove("stall")
    assert ann.favourite is None
    newer = world.add("stall", Stall(title="New"))
    assert ann.favourite is newer


def test_a_reference_to_someone_outside_the_world_is_refused():
    world = World()
    with pytest.raises(WorldError, match="add that one first"):
        world.add("ann", Buyer(favourite=Stall()))
    ann = world.add("bob", Buyer())
    with pytest.raises(SchemaError, match="a Stall of this world"):
        ann.favourite = ann


def test_the_json_schema_is_pydantics():
    schema = json_schema(Weather)
    assert schema["properties"]["temperature_c"]["minimum"] == -60
    assert schema["properties"]["temperature_c"]["unit"] == "degC"
    assert schema["description"] == "The weather."


def test_arrays_tables_and_graphs_keep_their_kind():
    ann = World().add("ann", Buyer())
    ann.grid = np.ones((2, 2))
    ann.table = pd.DataFrame({"z": [1.5]})
    ann.map = nx.Graph([("a", "b")])
    for value in ([1, 2], "x"):
        for name in ("grid", "table", "map"):
            with pytest.raises(SchemaError):
                setattr(ann, name, value)
    with pytest.raises(SchemaError, match="may hold any object"):
        ann.grid = np.array([object()])
    with pytest.raises(SchemaError, match="multigraph"):
        ann.map = nx.MultiGraph()


def test_a_class_cannot_be_patched_after_it_was_declared():
    with pytest.raises(SchemaError, match="not changed after it was declared"):
        Stall.sell = lambda self: 0


def test_fields_of_a_forward_reference_across_classes_resolve():
    class Owner(Entity):
        pet: "Pet | None" = None

    class Pet(Entity):
        owner: Owner | None = None

    world = World()
    owner, pet = world.add("owner", Owner()), world.add("pet", Pet())
    owner.pet, pet.owner = pet, owner
    assert owner.pet.owner is owner


@pytest.mark.parametrize("index", ["x", "y"])
def test_a_table_keeps_the_kind_of_its_index_through_changes_and_snapshots(index):
    market = make_market()
    market["ann"].table = pd.DataFrame({"x": [0, 1, 2], "y": ["a", "b", "c"], "z": [1.5, 2.5, 3.5]})
    assert market.execute(f"me.table = me.table.set_index('{index}')\nme.table['z'] = 2.0", agent="ann").committed
    again = World.restore(market.snapshot())
    assert again.state_hash() == market.state_hash()
    pd.testing.assert_index_equal(again["ann"].table.index, market["ann"].table.index, exact=True)
    market["ann"].table = market["ann"].table.reset_index(drop=True)
    assert isinstance(World.restore(market.snapshot())["ann"].table.index, pd.RangeIndex)


def test_an_entity_says_by_what_name_it_goes_and_in_which_world():
    market = make_market()
    ann = market["ann"]
    assert (ann.id, ann.world is market) == ("ann", True)
    with pytest.raises(SchemaError, match="has no field 'id'"):
        ann.id = "bob"


def test_an_entity_in_no_world_has_neither_id_nor_world():
    with pytest.raises(WorldError, match="this Weather is not in a world, so it has no id"):
        Weather().id  # noqa: B018
    with pytest.raises(WorldError, match="this Weather is not in a world yet"):
        Weather().world  # noqa: B018
    left = make_market().remove("weather")
    with pytest.raises(WorldError, match="has no id"):
        left.id  # noqa: B018


@pytest.mark.parametrize("name", ["id", "world"])
@pytest.mark.parametrize("member", [{"__annotations__": {"NAME": str}, "NAME": ""}, {"NAME": lambda self: 1}])
def test_what_every_entity_has_by_itself_is_declared_by_none(name, member):
    body = {key.replace("NAME", name): value for key, value in member.items()}
    if "__annotations__" in body:
        body["__annotations__"] = {name: str}
    with pytest.raises(SchemaError, match=f"^Passport.{name}: every entity has '{name}' by itself"):
        type("Passport", (Entity,), body)


class Friend(Entity):
    """Somebody who knows others."""

    best: "Friend | None" = field(None)
    others: list["Friend"] = field([])
    by_name: dict[str, "Friend"] = field({})


@pytest.mark.parametrize(
    "befriend",
    [
        lambda one, other: setattr(one, "best", other),
        lambda one, other: setattr(one, "others", [one, other]),
        lambda one, other: one.others.append(other),
        lambda one, other: one.others.extend([other]),
        lambda one, other: setattr(one, "by_name", {"bob": other}),
        lambda one, other: one.by_name.update(bob=other),
    ],
)
def test_an_entity_of_another_world_is_not_taken_for_the_one_of_its_name_here(befriend):
    here, there = World(seed=1), World(seed=1)
    for world in (here, there):
        world.add("ann", Friend())
        world.add("bob", Friend())
    with pytest.raises(SchemaError, match=r"of this world .*'bob' of another one"):
        befriend(here["ann"], there["bob"])
    befriend(here["ann"], here["bob"])


def test_what_would_keep_what_no_journal_has_is_not_declared():
    with pytest.raises(SchemaError, match="use @property"):

        class Cached(Entity):
            number: int = 1

            @functools.cached_property
            def double(self):
                return 2 * self.number


def test_bytes_that_are_no_text_are_refused_in_words():
    class Blob(Entity):
        data: bytes = b"text"

    with pytest.raises(SchemaError, match=r"Blob.data: Input should be text.*np.uint8"):
        Blob(data=b"\xff")


def test_a_class_that_is_made_a_dataclass_is_told_that_it_need_not_be():
    with pytest.raises(SchemaError, match="Lamp takes its fields by name already: leave @dataclass away"):

        @dataclasses.dataclass
        class Lamp(Entity):
            watts: int = 9
