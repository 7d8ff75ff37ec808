"""What a model is told of how an injected class is made, and of what its fields are: by types and by docstrings."""

import dataclasses
from typing import Annotated, NotRequired, Protocol, TypedDict

import pydantic

from tests.world.test_tool_reference import told


class Row(TypedDict):
    """A row of sales."""

    item: str
    count: NotRequired[int]


class Size(TypedDict, total=False):
    width: Annotated[int, "in pixels"]


@dataclasses.dataclass
class Box:
    """A box.

    Attributes:
        width: in metres,
            of the bottom.
        area: in square metres.
    """

    width: float
    area: float = dataclasses.field(init=False)
    sides: int = dataclasses.field(default=4, init=False)
    tags: list[str] = dataclasses.field(default_factory=list, kw_only=True)
    scale: dataclasses.InitVar[int] = 1

    def __post_init__(self, scale: int) -> None:
        self.area = self.width**2 * scale


@dataclasses.dataclass(frozen=True, kw_only=True)
class Pin:
    x: int
    y: int = 0


class Priced(Protocol):
    """What has a price."""

    price: int

    def pay(self, amount: int) -> int:
        """Pay."""


class Tea(Priced):
    price = 3


class Parcel(pydantic.BaseModel):
    grams: int = pydantic.Field(1, description="what it weighs")


class Ramp:
    """A ramp.

    Attributes:
        slope: rise per metre.
        height: of its end.
    """

    def __init__(self, slope: float):
        self.slope = slope

    @property
    def height(self) -> float:
        """How high it ends."""
        return self.slope


def charge(amount: Annotated[int, "in cents"], to: Annotated[str, "whose card"] = "bob"):
    """Take money.

    Args:
        to: who pays.
    """


TOLD = [
    (Row, "class Row(TypedDict):  # A row of sales.\n    item: str\n    count: NotRequired[int]"),
    (Size, "class Size(TypedDict, total=False):\n    width: int  # in pixels"),
    (Box, """\
@dataclass
class Box:  # A box.
    width: float  # in metres,
    area: float = field(init=False)  # in square metres.
    sides: int = field(init=False, default=4)
    tags: list[str] = field(kw_only=True, default=[])
    scale: InitVar[int] = 1"""),
    (Box(2.0), """\
it: Box  # A box.
    width: float = 2.0  # in metres,
    area: float = 4.0  # in square metres.
    sides: int = 4
    tags: list[str] = []"""),
    (Pin, "@dataclass(frozen=True, kw_only=True)\nclass Pin:\n    x: int\n    y: int = 0"),
    (Priced, """\
class Priced(Protocol):  # What has a price.
    price: int
    def pay(amount: int) -> int  # Pay."""),
    (Tea, "class Tea:\n    price: int = 3\n    def pay(amount: int) -> int  # Pay."),
    (Parcel, "class Parcel(BaseModel):\n    grams: int = 1  # what it weighs"),
    (Ramp, """\
class Ramp:  # A ramp.
    def __init__(slope: float)
    slope  # rise per metre.
    height: float  # property: How high it ends."""),
    (Ramp(0.5), """\
it: Ramp  # A ramp.
    slope = 0.5  # rise per metre.
    height: float  # property: How high it ends."""),
    (charge, """\
def charge(amount: int, to: str = "bob")  # Take money.
    # amount: in cents
    # to: who pays."""),
]  # fmt: skip


def test_how_a_thing_is_made_and_what_is_said_of_its_fields_is_told():
    found = [(told(**{getattr(value, "__name__", "it"): value}), stubs) for value, stubs in TOLD]
    assert [said for said, stubs in found if said != stubs] == []
