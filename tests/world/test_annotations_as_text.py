"""What is told of types where a module keeps its annotations as text: the same as elsewhere, and nothing is run."""

from __future__ import annotations

import dataclasses
import typing
from typing import Annotated, NamedTuple, Protocol, TypedDict

import pydantic
import pytest
from pydantic import Field
from typing_extensions import Doc

from cave_sim import Entity, World
from cave_sim.world.tool_reference import short_values, tool_text

Cents = Annotated[int, "in cents"]
Rows = list[dict[str, int]]


def pay(
    amount: Annotated[int, "in cents"],
    to: typing.Annotated[str, Field(min_length=1, description="who gets it")],
    fee: Cents = 0,
    note: Annotated[str | None, Doc("for the receipt")] = None,
    rows: Rows | None = None,
) -> Annotated[bool, "whether it arrived"]:
    """Move money."""


@dataclasses.dataclass
class Parcel:
    """What is sent."""

    grams: Annotated[int, "with its box"]
    rows: Rows
    stamp: dataclasses.InitVar[str]

    @property
    def cost(self) -> Cents:
        """What it takes."""


class Spot(NamedTuple):
    x: Annotated[int, "from the left"]
    y: Cents = 0


class Told(TypedDict):
    at: Annotated[int, "in minutes"]


class Bill(pydantic.BaseModel):
    total: Annotated[int, Field(description="in all")] = 1
    fee: Cents = 2


class Teller(Protocol):
    def tell(self, amount: Annotated[int, "in cents"], to: Teller) -> Rows:
        """Say it."""


GOLDEN = {
    "pay": (
        pay,
        """\
def pay(amount: int, to: str, fee: int = 0, note: str | None = None, rows: Rows | None = None) -> bool  # Move money.
    # amount: in cents
    # to: who gets it
    # fee: in cents
    # note: for the receipt""",
    ),
    "Parcel": (
        Parcel,
        """\
@dataclass
class Parcel:  # What is sent.
    grams: int  # with its box
    rows: list[dict[str, int]]
    stamp: InitVar[str]
    cost: int  # property: What it takes.""",
    ),
    "parcel": (
        Parcel(3, [], "red"),
        """\
parcel: Parcel
    grams: int = 3  # with its box
    rows: list[dict[str, int]] = []
    cost: int  # property: What it takes.""",
    ),
    "Spot": (
        Spot,
        """\
class Spot(NamedTuple):
    x: int  # from the left
    y: int = 0  # in cents""",
    ),
    "Told": (
        Told,
        """\
class Told(TypedDict):
    at: int  # in minutes""",
    ),
    "Bill": (
        Bill,
        """\
class Bill(BaseModel):
    total: int = 1  # in all
    fee: int = 2  # in cents""",
    ),
    "Teller": (
        Teller,
        """\
class Teller(Protocol):
    def tell(amount: int, to: Teller) -> list[dict[str, int]]  # Say it.
        # amount: in cents""",
    ),
}


@pytest.mark.parametrize("name", GOLDEN)
def test_what_is_said_of_types_is_told_where_annotations_are_text(name):
    value, told = GOLDEN[name]
    assert tool_text(name, value, "", short_values(value)) == told


class Purse(Entity):
    cents: int = 0

    def pay(self, amount: Annotated[int, "in cents"], to: Purse) -> Cents:
        """Move money."""


def test_methods_of_entities_tell_their_types_as_well():
    world = World(seed=1)
    world.add("ann", Purse())
    assert "    def pay(amount: int, to: Purse) -> int  # Move money." in world.describe("ann").splitlines()


ran = []


def hostile(
    x: ran.append(1),
    y: Annotated[ran.append(2), ran.append(3)],
    z: [ran.append(4) for _ in (1,)],
):
    """Take anything."""


def test_no_annotation_is_run():
    tool_text("hostile", hostile, "", {})
    assert ran == []
