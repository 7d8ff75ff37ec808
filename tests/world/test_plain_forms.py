"""Values of classes that cells have no name for: what is told of them, and how cells write them."""

import dataclasses
import datetime as dt
import enum

import pytest

from cave_sim import Entity, World, field


class Genre(enum.Enum):
    """What a book is."""

    NOVEL = "novel"
    SCIENCE = "science"


@dataclasses.dataclass(frozen=True)
class Shelf:
    row: int
    kinds: tuple[Genre, ...] = ()


class Book(Entity):
    """A book."""

    genre: Genre = Genre.NOVEL
    also: set[Genre] = field(set())
    due: dt.date | None = None
    shelf: Shelf = Shelf(1)
    pair: tuple[int, str] = (1, "x")
    heard: str = ""

    def file(self, genre: Genre, *more: Genre, due: dt.date | None = None) -> str:
        """File it anew."""
        self.heard = repr((genre, more, due))
        return self.heard


def library():
    world = World(seed=1)
    world.add("book", Book())
    return world


@pytest.mark.parametrize(
    ("cell", "field", "value"),
    [
        ("me.genre = 'science'", "genre", Genre.SCIENCE),
        ("me.also.add('science')", "also", {Genre.SCIENCE}),
        ("me.due = '2024-05-06'", "due", dt.date(2024, 5, 6)),
        ("me.shelf = {'row': 3, 'kinds': ['novel']}", "shelf", Shelf(3, (Genre.NOVEL,))),
        ("me.pair = [2, 'y']", "pair", (2, "y")),
        ("me.genre = book.genre", "genre", Genre.NOVEL),
        ("me.file('novel', 'science', due='2024-05-06')", "heard",
         repr((Genre.NOVEL, (Genre.SCIENCE,), dt.date(2024, 5, 6)))),
    ],
)  # fmt: skip
def test_a_cell_writes_the_plain_form_of_a_value_and_the_world_keeps_the_value(cell, field, value):
    world = library()
    turn = world.execute(cell, agent="book")
    assert turn.committed, turn.error
    assert getattr(world["book"], field) == value
    assert getattr(World.restore(world.snapshot())["book"], field) == value


@pytest.mark.parametrize(
    ("cell", "words"),
    [
        ("me.genre = 'poem'", "book.genre: Input should be 'novel' or 'science' (got 'poem')"),
        ("me.genre = 3", "'novel' or 'science'"),
        ("me.due = 'soon'", "valid date"),
        ("me.shelf = {'row': '3'}", "row: Input should be a valid integer (got '3')"),
        ("me.pair = ['2', 'y']", "valid integer (got '2')"),
        ("me.file('poem')", "book.file(genre=...): Input should be 'novel' or 'science'"),
    ],
)
def test_no_text_becomes_a_number_and_what_fits_nothing_is_told_what_would(cell, words):
    world = library()
    before = world.state_hash()
    turn = world.execute(cell, agent="book")
    assert words in turn.error
    assert world.state_hash() == before


def test_an_injected_function_gets_the_value_too():
    world = library()
    world.inject("named", named)
    assert world.execute("print(named('novel'))", agent="book").output.strip() == "NOVEL"


def named(genre: Genre) -> str:
    """Return the name of a genre."""
    return genre.name


def test_agents_read_how_such_values_are_written_and_nothing_where_there_are_none():
    told = library().describe("book")
    assert (
        "# As plain data: Genre: 'novel' or 'science' (read: .value); Shelf: {'row': int, 'kinds': tuple[Genre, ...]}"
        in told
    )
    assert "plain data" not in World(seed=1).describe("book")


@pytest.mark.parametrize(
    ("cell", "way_out"),
    [
        ("book.genre = Genre.SCIENCE", "A Genre is written as plain data: 'novel' or 'science' (read: .value)"),
        ("Decimal('1')", "Of the libraries: from decimal import Decimal"),
        ("defaultdict(int)", "Of the libraries: collections.defaultdict"),
        ("heapq.heapify([])", "Of the libraries: import heapq"),
        ("zebra", "what you defined."),
    ],
)
def test_a_name_that_a_cell_does_not_have_is_answered_with_what_it_writes_instead(cell, way_out):
    turn = library().execute(cell, agent="book")
    assert turn.error.endswith(way_out)
