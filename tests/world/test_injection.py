"""What is put into a world from outside: native objects of any kind, and tools."""

import dataclasses
import typing
from typing import Annotated

import numpy as np
import pandas as pd
import pytest
from pydantic import BaseModel, SkipValidation

from cave_sim import Entity, World, WorldError, register_codec


def test_injected_objects_come_back_native_with_changes_and_rollback(market):
    market.inject("prices", pd.DataFrame({"day": [1, 2], "cents": [100, 120]}), about="apple prices")
    market.inject("board", {"news": []})
    market.inject("grid", np.zeros(4))
    turn = market.execute(
        "prices['cents'] = prices['cents'] + 10\nboard['news'].append('hi')\ngrid[2] = 5", agent="ann"
    )
    assert {(c.entity, c.op) for c in turn.changes} == {("prices", "patch"), ("board", "set"), ("grid", "patch")}
    market.execute("prices['cents'] = 0\nboard['news'].clear()\ngrid[:] = 1\n1/0", agent="bob")
    assert list(market.retrieve("prices")["cents"]) == [110, 130]
    assert market.retrieve("board") == {"news": ["hi"]}
    assert list(market.retrieve("grid")) == [0, 0, 5, 0]
    assert isinstance(market.retrieve("prices"), pd.DataFrame)
    assert "prices: DataFrame  # apple prices" in market.describe("ann")


def test_what_a_cell_changes_of_shared_arrays_is_journaled_in_the_order_of_their_names_however_hashes_are_salted():
    world = World()
    names = [f"grid_{letter}" for letter in "plkqzamobw"]
    for name in names:
        world.inject(name, np.zeros(2))
    turn = world.execute("\n".join(f"{name}[0] = 1" for name in names))
    assert [change.entity for change in turn.changes] == sorted(names)


def test_a_class_of_the_users_lives_in_the_world_once_it_is_registered():
    class Clockwork:
        def __init__(self, wound):
            self.wound = wound

        def wind(self, turns):
            self.wound += turns
            return self.wound

    register_codec(
        Clockwork, lambda c: {"wound": c.wound}, lambda d: Clockwork(d["wound"]), lambda a, b: b["wound"] - a["wound"]
    )
    world = World()
    toy = Clockwork(1)
    world.inject("toy", toy)
    turn = world.execute("toy.wind(4)")
    assert (turn.output, turn.changes[0].new) == ("5", {"data": {"wound": 5}, "diff": 4})
    world.execute("toy.wind(4)\n1/0")
    assert world.retrieve("toy").wound == 5
    assert World.restore(world.snapshot()).state_hash() == world.state_hash()


def test_functions_are_tools_that_run_with_the_worlds_rights(market):
    def announce(text: str) -> int:
        """Put a note on the weather board."""
        market["weather"].notes.append(text)
        return len(market["weather"].notes)

    market.inject("announce", announce)
    assert market.execute("announce('rain')", agent="ann").output == "1"
    assert market["weather"].notes == ["rain"]
    assert "def announce(text: str) -> int  # Put a note on the weather board." in market.describe("ann")
    assert market.retrieve("announce") is announce


def test_what_was_not_injected_is_named_with_what_comes_nearest():
    world = World()
    world.inject("prices", np.zeros(2))
    with pytest.raises(KeyError, match=r"was injected. Did you mean .prices."):
        world.retrieve("price")


def test_a_grant_of_what_is_not_there_names_what_comes_nearest(market):
    with pytest.raises(WorldError, match=r"nor a class of them called .stal.. Did you mean .stall."):
        market.grant("ann", "stal")


def test_a_function_gets_what_was_handed_to_it_where_its_annotations_say_more_than_a_type(market):
    taken = []

    def tag(names: Annotated[list[str], "of stalls"], many: SkipValidation[int] = 1) -> None:
        taken.append((list(names), type(names).__name__, many))

    market.inject("tag", tag)
    assert market.execute("tag(['b', 'a'])\ntag([], 'some')", agent="ann").committed
    assert taken == [(["b", "a"], "list", 1), ([], "list", "some")]
    assert "Input should be a valid list" in market.execute("tag('b')", agent="ann").error
    assert "Input should be a valid list" in market.execute("tag(('b',))", agent="ann").error


@dataclasses.dataclass
class Order:
    item: str
    count: int = 1


class Guest(BaseModel):
    name: str


class Ticket(typing.TypedDict):
    title: str
    room: typing.NotRequired[int]


def show(
    order: Order | None = None,
    orders: list[Order] | None = None,
    guest: Guest | None = None,
    ticket: Ticket | None = None,
    table: pd.DataFrame | None = None,
) -> str:
    return repr(next(each for each in (order, orders, guest, ticket, table) if each is not None))


@pytest.fixture
def shop():
    world = World(seed=7)
    for each in (show, Order, Guest):
        world.inject(each.__name__, each)
    return world


@pytest.mark.parametrize(
    ("arguments", "got"),
    [
        ("Order('pie', 2)", "Order(item='pie', count=2)"),
        ("{'item': 'pie'}", "Order(item='pie', count=1)"),
        ("orders=[{'item': 'pie'}]", "[Order(item='pie', count=1)]"),
        ("guest=Guest(name='Bo')", "Guest(name='Bo')"),
        ("guest={'name': 'Bo'}", "Guest(name='Bo')"),
        ("ticket={'title': 'leak', 'room': 2}", "{'title': 'leak', 'room': 2}"),
    ],
)
def test_plain_data_stands_for_an_object_that_a_function_takes(shop, arguments, got):
    assert shop.execute(f"print(show({arguments}))").output == got + "\n"


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        ("5", "show(order=...)"),
        ("Order('pie', 'two')", "count: Input should be a valid integer"),
        ("{'item': 'pie', 'cout': 2}", "cout: Unexpected keyword argument"),
        ("orders=[{'item': 3}]", "0.item: Input should be a valid string"),
        ("guest={'name': 'Bo', 'age': 3}", "age: Extra inputs are not permitted"),
        ("guest=Guest(name='Bo').model_copy(update={'name': 3})", "name: Input should be a valid string"),
        ("ticket={'titel': 'leak'}", "title: Field required"),
        ("ticket={'title': 'leak', 'rom': 2}", "rom: Extra inputs are not permitted"),
        ("table=[1, 2]", "Input should be an instance of DataFrame"),
    ],
)
def test_an_object_that_a_function_cannot_take_is_named_with_the_part_that_is_wrong(shop, arguments, why):
    assert why in shop.execute(f"show({arguments})").error


def test_a_function_may_change_a_list_that_it_is_handed():
    world = World(seed=7)

    def sort(orders: list[Order]) -> None:
        orders.sort(key=lambda order: order.item)

    world.inject("sort", sort)
    world.inject("Order", Order)
    turn = world.execute("orders = [Order('b'), Order('a')]\nsort(orders)\nprint(orders[0].item)")
    assert turn.output == "a\n"


@pytest.mark.parametrize("rows", ["list(range(25_000))", "[[0.5, 'a']] * 10_000", "{n: None for n in range(25_000)}"])
def test_a_tool_that_is_handed_more_data_than_a_field_holds_acts_for_the_world_all_the_same(market, rows):
    def note(rows: object) -> None:
        market["bob"].mood = 0.25

    market.inject("note", note)
    assert market.execute(f"note({rows})", agent="ann").error is None


@pytest.mark.parametrize("last", ["lambda: 1", "Own()", "float('nan')"])
def test_a_tool_that_is_handed_anything_but_data_in_a_long_list_has_the_rights_of_the_cell(market, last):
    def note(rows: object) -> None:
        market["bob"].mood = 0.25

    market.inject("note", note)
    turn = market.execute(f"class Own:\n    pass\nnote([*[1, 0.5] * 12_500, {last}])", agent="ann")
    assert "ann may not write bob.mood" in turn.error


@pytest.mark.parametrize("name", ["print", "me", "rng", "len", "np", "Refused", "True"])
@pytest.mark.parametrize("agent", [None, "ann"])
def test_nothing_takes_the_place_of_what_cells_have(name, agent):
    world = World(seed=1)
    world.add("ann", Entity())
    with pytest.raises(WorldError, match=f"inject '{name}': cells (know something else|find it by name)"):
        world.inject(name, lambda *words: "mine", agent=agent)
    assert world.execute("print('still there')", agent="ann").output == "still there\n"
