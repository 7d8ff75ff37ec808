"""What answers otherwise than it is gets past no bound, into nobody else's turn, and into no state."""

from collections.abc import Callable
from dataclasses import dataclass

import pytest

from cave_sim import World
from tests.policy import square
from tests.policy.hostile_answers import PAGES
from tests.policy.judge import run


def scripts(category: str) -> list[str]:
    return [script.strip("\n") for script in PAGES[category].split("\n\n") if script.strip()]


@pytest.mark.parametrize("script", scripts("numbers and texts that answer otherwise"))
def test_a_number_or_a_text_of_a_cell_answers_no_bound_but_for_what_it_is(script):
    assert [turn.status for turn in run(script).turns] == ["blocked"]


@pytest.mark.parametrize(
    "cell",
    [
        "class Level(IntEnum):\n    LOW = 1\n    def __str__(self):\n        return 'low'\nprint(Level.LOW)",
        "class Level(Enum):\n    LOW = 1\n    def __gt__(self, other):\n        return True\nprint(Level.LOW > 3)",
        "class Part(StrEnum):\n    A = 'a'\n    def shout(self):\n        return self.upper()\nprint(Part.A.shout())",
        "class Part(StrEnum):\n    A = 'a'\nPart.A.seen = 2\nprint(Part.A.seen)",
    ],
)
def test_enums_of_numbers_and_texts_have_methods_and_attributes_of_their_own(cell):
    turn = square.build().execute("from enum import *\n".replace("*", "Enum, IntEnum, StrEnum") + cell, agent="ann")
    assert turn.committed, turn.error
    assert turn.output.strip() in {"low", "True", "A", "2"}


@pytest.mark.parametrize("script", scripts("code left in what all hold"))
def test_no_code_of_a_cell_stays_in_what_all_hold(script):
    first, second = run(script).turns
    assert not first.committed
    assert second.committed, second.error


def test_what_all_hold_keeps_the_data_of_cells_and_the_objects_of_the_researcher():
    class Pinned:
        """A note."""

    class Wall:
        def __init__(self) -> None:
            self.notes = [Pinned()]
            self.by_name = {"first": [Pinned()]}

    world, wall = World(), Wall()
    world.add("ann", square.Citizen())
    world.inject("wall", wall)
    turn = world.execute("wall.notes.append('mine')\nwall.by_name['first'].insert(0, (1, 2))", agent="ann")
    assert turn.committed, turn.error
    assert [type(note).__name__ for note in wall.notes] == ["Pinned", "str"]
    assert [type(note).__name__ for note in wall.by_name["first"]] == ["tuple", "Pinned"]


@dataclass
class Note:
    """An object of the researcher's in an object of the researcher's."""

    words: set[str]
    lines: list[object]


class Bureau:
    """Keeps whatever it is handed, and calls it if that is wanted."""

    def __init__(self) -> None:
        self.kept: list[object] = [Note({"oak", "ash", "elm"}, [])]
        self.handler: object = None
        self.by_name: dict[str, object] = {}

    def keep(self, thing: object) -> None:
        self.kept.append(thing)

    def handle(self, *, by: object) -> None:
        self.handler = by

    def file(self, name: str, thing: object) -> None:
        self.by_name = {**self.by_name, name: thing}

    def call(self, function: Callable[[], object]) -> object:
        return function()


def bureau() -> tuple[World, Bureau]:
    world, one = square.build(), Bureau()
    world.inject("bureau", one)
    return world, one


@pytest.mark.parametrize(
    "cell",
    [
        "bureau.keep(lambda: 1)",
        "bureau.keep(thing=lambda: 1)",
        "class K: pass\nbureau.keep(K())",
        "class K: pass\nbureau.keep(K)",
        "bureau.keep(i for i in [1])",
        "bureau.keep(bureau.call)",
        "bureau.handle(by=lambda: 1)",
        "bureau.file('x', lambda: 1)",
        "bureau.file('x', [print])",
        "bureau.call(lambda: bureau.keep(print))",
        "bureau.kept[0].lines.append(lambda: 1)",
        "keep = bureau.keep\nkeep(print)",
        "list(map(bureau.keep, [print]))",
        "bureau.keep(functools.partial(print, 1))",
        "bureau.handle(by=None)\nbureau.handle(by=len)\n1 / 0",
    ],
)
def test_a_method_that_is_handed_code_calls_it_and_keeps_none(cell):
    world, one = bureau()
    assert not world.execute("import functools\n" + cell, agent="ann").committed
    assert (len(one.kept), one.handler, one.by_name) == (1, None, {})
    assert one.kept[0].lines == []
    assert world.execute("print(len(bureau.kept))", agent="bob").output == "1\n"


def test_what_is_data_in_a_list_that_was_handed_over_is_kept_without_the_code_in_it():
    world, one = bureau()
    assert not world.execute("bureau.keep([2, {'a': (1, print), 'b': 3}])", agent="ann").committed
    assert one.kept[1] == [2, {"b": 3}]


@pytest.mark.parametrize(
    "cell",
    [
        "bureau.call(lambda: 5)",
        "bureau.keep(me)",
        "bureau.keep([1, {'a': (2, 'b')}])",
        "bureau.keep(bureau)",
        "bureau.keep(bureau.kept[0])",
        "bureau.handle(by=bureau.kept)",
        "bureau.keep(np.arange(3))",
        "from fractions import Fraction\nbureau.keep(Fraction(1, 2))\nbureau.kept.append(1j)",
        "from decimal import Decimal\nbureau.kept.append(Decimal('1.5'))\nbureau.keep(range(3))",
        "bureau.call(lambda: bureau.keep('a'))",
    ],
)
def test_a_method_keeps_data_and_what_is_the_researchers_own(cell):
    world, _ = bureau()
    turn = world.execute(cell, agent="ann")
    assert turn.committed, turn.error


def test_a_set_in_an_object_of_the_researchers_is_read_in_one_order_however_deep_it_lies():
    world, _ = bureau()
    assert world.execute("print(*bureau.kept[0].words)", agent="ann").output == "ash elm oak\n"


@pytest.mark.parametrize("name", ["crowd", "tags", "text", "count", "values", "upper", "real", "keys"])
@pytest.mark.parametrize("of", ["injected", "returned"])
def test_a_set_of_the_researchers_is_read_in_one_order_whatever_its_attribute_is_called(name, of):
    class Shelf:
        def __init__(self) -> None:
            setattr(self, name, {"oak", "ash", "elm", "fir", "yew", "bay"})

    world, shelf = square.build(), Shelf()
    world.inject("Shelf", Shelf)
    world.inject("shelf" if of == "injected" else "find_shelf", shelf if of == "injected" else lambda: shelf)
    turn = world.execute(f"print(*{'shelf' if of == 'injected' else 'find_shelf()'}.{name})", agent="ann")
    assert turn.output.split() == ["ash", "bay", "elm", "fir", "oak", "yew"]


@pytest.mark.parametrize("script", scripts("errors that list sets"))
def test_an_error_lists_names_in_one_order(script):
    (turn,) = run(script).turns
    told = turn.error or turn.output or str(list(turn.changes))
    names = [name for name in ("ash", "bay", "elm", "fir", "oak", "yew") if name in told.rpartition("Error")[2]]
    assert len(names) > 1
    assert sorted(names, key=told.rpartition("Error")[2].index) == names


@pytest.mark.parametrize("script", scripts("one call that goes on and on"))
def test_one_call_that_would_go_on_and_on_is_refused(script):
    assert [turn.status for turn in run(script).turns] == ["blocked"]


def test_what_libraries_warn_of_behind_a_cells_lines_is_not_told_on_the_terminal(capfd):
    turn = square.build().execute("from scipy import stats\nstats.spearmanr(np.ones((9, 3)))", agent="ann")
    assert turn.committed, turn.error
    assert capfd.readouterr().err == ""
