"""What a model is told of functions, classes and objects of every kind, in few tokens; an odd one by its name."""

import abc
import dataclasses
import datetime
import enum
import functools
from collections.abc import AsyncIterator
from typing import Annotated, Any, Generic, NewType, NotRequired, Optional, Protocol, TypedDict, TypeVar, overload

import pytest

from cave_sim import Entity, World
from cave_sim.errors import WorldError
from cave_sim.models.tokens import estimate_tokens


class Shape:
    pass


T = TypeVar("T")
K = TypeVar("K", bound=Shape)


class Film(TypedDict):
    """What is shown."""

    title: str
    year: NotRequired[int]


class Rated(Film, total=False):
    rating: Annotated[float, "of ten"]


class Priced(Protocol[T]):
    """What has a price."""

    price: float

    def pay(self, amount: Annotated[int, "in cents"]) -> T:
        """Pay it."""


class Box(Generic[T, K]):
    """Holds one.

    Args:
        thing: what it holds.
    """

    def __init__(self, thing: T, *others: T) -> None:
        self.thing = thing

    def get(self) -> T:
        """Take it out."""


@dataclasses.dataclass
class Order:
    """What is bought.

    Attributes:
        items: by name.
    """

    items: list[str] = dataclasses.field(default_factory=list)
    made: datetime.date = dataclasses.field(default_factory=lambda: datetime.date(2024, 1, 1))
    tags: set[str] = dataclasses.field(default_factory=set)
    fee: Annotated[float, "in euros"] = 0.5


class Heater:
    """Warms."""

    _target = 20.0

    @property
    def target(self) -> float:
        """Degrees wanted."""
        return self._target

    @target.setter
    def target(self, degrees: float) -> None:
        self._target = degrees

    @overload
    def at(self, hour: int) -> float: ...
    @overload
    def at(self, hour: str, *, strict: bool = True) -> str: ...
    def at(self, hour, **options):
        """Look it up."""

    async def wait(self, seconds: float = 1.0) -> None:
        """Wait a while."""

    async def readings(self) -> AsyncIterator[float]:
        yield 1.0

    @functools.lru_cache  # noqa: B019 -- it is never called
    def cost(self, hours: int) -> float:
        """What it takes."""

    night = functools.partialmethod(cost, 8)

    @functools.singledispatchmethod
    def show(self, where: object) -> str:
        """Draw it."""


class Level(enum.IntEnum):
    """How loud."""

    LOW = 1
    HIGH = 2

    @property
    def decibels(self) -> float:
        """On the meter."""


class Planet(enum.Enum):
    EARTH = (5.9e24, 6.3e6)

    def __init__(self, mass: float, radius: float) -> None:
        self.mass, self.radius = mass, radius


class Region(abc.ABC):
    @property
    @abc.abstractmethod
    def area(self) -> float:
        """In acres."""


class Unpaid(ValueError):
    """When nobody pays."""

    def __init__(self, code: int) -> None:
        self.code = code


@overload
def look(at: int) -> float: ...
@overload
def look(at: str, *, strict: bool = True) -> str: ...
def look(at, **options):
    """Look it up."""


async def fetch(url: str, timeout: float = 5.0) -> dict[str, Any]:
    """Get a page.

    Args:
        url: where it is.
    """


GOLDEN = {
    "Film": (Film, "class Film(TypedDict):  # What is shown.\n    title: str\n    year: NotRequired[int]", 22),
    "Rated": (
        Rated,
        "class Rated(TypedDict, total=False):\n    title: str\n    year: NotRequired[int]\n    rating: float  # of ten",
        28,
    ),
    "Priced": (
        Priced,
        """\
class Priced[T](Protocol):  # What has a price.
    price: float
    def pay(amount: int) -> T  # Pay it.
        # amount: in cents""",
        36,
    ),
    "Box": (
        Box,
        """\
class Box[T, K: Shape]:  # Holds one.
    def __init__(thing: T, *others: T)
        # thing: what it holds.
    def get() -> T  # Take it out.""",
        40,
    ),
    "Crate": (
        Box[int, Shape],
        """\
Crate = Box[int, Shape]
    def __init__(thing: T, *others: T)
        # thing: what it holds.
    def get() -> T  # Take it out.""",
        38,
    ),
    "Order": (
        Order,
        """\
@dataclass
class Order:  # What is bought.
    items: list[str] = []  # by name.
    made: date = ...
    tags: set[str] = set()
    fee: float = 0.5  # in euros""",
        44,
    ),
    "Heater": (
        Heater,
        """\
class Heater:  # Warms.
    target: float  # property, can be set: Degrees wanted.
    @overload def at(hour: int) -> float  # Look it up.
    @overload def at(hour: str, *, strict: bool = True) -> str
    async def wait(seconds: float = 1.0) -> None  # Wait a while.
    def readings() -> AsyncIterator[float]
    def cost(hours: int) -> float  # What it takes.
    def night() -> float  # What it takes.
    def show(where: object) -> str  # Draw it.""",
        113,
    ),
    "Level": (
        Level,
        "class Level(IntEnum):  # How loud.\n    LOW = 1\n    HIGH = 2\n    decibels: float  # property: On the meter.",
        28,
    ),
    "loud": (
        Level.HIGH,
        "loud: Level = Level.HIGH  # How loud.\n    decibels: float  # property: On the meter.",
        22,
    ),
    "Planet": (
        Planet,
        "class Planet(Enum):\n    EARTH = (5.9e+24, 6300000.0)\n    mass, radius  # of each member",
        26,
    ),
    "home": (Planet.EARTH, "home: Planet = Planet.EARTH\n    mass = 5.9e+24\n    radius = 6300000.0", 22),
    "Region": (Region, "class Region(ABC):\n    area: float  # property: In acres.", 16),
    "Unpaid": (Unpaid, "class Unpaid(ValueError):  # When nobody pays.\n    def __init__(code: int)", 22),
    "look": (
        look,
        """\
@overload def look(at: int) -> float  # Look it up.
@overload def look(at: str, *, strict: bool = True) -> str""",
        28,
    ),
    "fetch": (
        fetch,
        "async def fetch(url: str, timeout: float = 5.0) -> dict[str, Any]  # Get a page.\n    # url: where it is.",
        28,
    ),
    "Rows": (NewType("Rows", list), 'Rows = NewType("Rows", list)', 8),
    "Count": (Optional[int], "Count = Optional[int]", 6),  # noqa: UP045 -- the other one is the next
    "Some": (int | None, "Some = int | None", 6),
}


@pytest.mark.parametrize("name", GOLDEN)
def test_each_kind_is_told_as_a_stub_in_few_tokens(name):
    value, stubs, tokens = GOLDEN[name]
    world = World(seed=1)
    world.inject(name, value)
    assert world.describe("ann") == stubs
    assert tokens * 0.6 < estimate_tokens(stubs) <= tokens


class Meta(type):
    def __getattr__(cls, name):
        raise RuntimeError(f"no {name}")


class OfMeta(metaclass=Meta):
    pass


class Silent:
    __doc__ = 5  # type: ignore[assignment]
    __annotations__ = {"here": "1/0", 3: int, "there": 5}

    def __getattribute__(self, name):
        raise RuntimeError(name)


class LooksLikeData:
    __dataclass_fields__ = 5


def around():
    """Nobody sees it."""


around.__wrapped__ = around  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("value", "told"),
    [
        (OfMeta, "class odd"),
        (Silent, "class odd:\n    here: 1/0\n    there: 5"),
        (LooksLikeData, "class odd"),
        (around, "def odd(...)  # Nobody sees it."),
        (Shape, "class odd:"),
    ],
)
def test_an_odd_class_is_told_by_what_can_be_read_of_it(value, told):
    world = World(seed=1)
    world.inject("odd", value)
    assert world.describe("ann") == told


@pytest.mark.parametrize("kind", [Silent, OfMeta])
def test_an_object_that_cannot_be_looked_at_is_refused_with_a_way_out(kind):
    with pytest.raises(WorldError, match=r"inject 'odd': looking at it raises RuntimeError: .*; inject functions that"):
        World(seed=1).inject("odd", kind())


MAKES = """
from dataclasses import dataclass, field
def price(amount: int, tax: float = 0.2) -> float:
    '''Return it with tax.

    Args:
        amount: in cents.
    '''
    return amount * (1 + tax)
@dataclass
class Stop:
    '''Where a tram halts.'''
    name: str
    lines: list[int] = field(default_factory=list)
"""


def test_what_was_made_in_a_cell_and_is_given_to_another_agent_is_told_as_anything_else():
    world = World(seed=1)
    assert world.execute(MAKES.strip(), agent="bob").committed
    for name in ("price", "Stop"):
        world.inject(name, world.retrieve(name, agent="bob"), agent="ann")
    world.inject("fetch", fetch, agent="ann")
    told = world.describe("ann")
    assert "def price(amount, tax=0.2)  # Return it with tax.\n    # amount: in cents." in told
    assert "@dataclass\nclass Stop:  # Where a tram halts.\n    name: str\n    lines: list[int] = []" in told
    assert GOLDEN["fetch"][1] in told
    assert world.execute("price(100), Stop('Mill', [1])", agent="ann").output == "(120.0, Stop(name='Mill', lines=[1]))"
    assert world.execute("help(price)", agent="ann").output.startswith("def price(amount, tax=0.2)")
    assert "price" not in world.fork().describe("bob")


def test_a_cell_that_hands_its_function_to_another_is_told_how_it_gets_there():
    world = World(seed=1)
    world.add("ann", Entity())
    world.grant("chief", "*")
    turn = world.execute("team['ann'].inject('double', lambda x: 2 * x)", agent="chief")
    assert turn.status == "blocked"
    assert "await team['ann'].run('def ...')" in turn.error
