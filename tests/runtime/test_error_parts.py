"""What an error was made with is told as a value where Python or numpy writes it, else by its kind."""

import numpy as np
import pytest

from cave_sim.errors import Blocked
from tests.policy import square

SPIES = "".join(f"    def {name}(self):\n        note()\n        return 'spied'\n" for name in ("__repr__", "__str__"))
HASHES = "    def __hash__(self):\n        note()\n        return 1\n"
OWN = (
    "from collections import namedtuple\nfrom enum import Enum\nKind = namedtuple('Kind', 'x')\n"
    f"class Spy:\n{SPIES}class Key:\n{HASHES}class Own(Exception):\n{SPIES}class Color(Enum):\n    RED = 1\n{SPIES}"
)


def told(cell: str) -> str:
    turn = square.build().execute(cell, agent="ann")
    assert turn.status == "failed", turn.error
    return turn.error.splitlines()[-1]


@pytest.mark.parametrize(
    ("cell", "text"),
    [
        ("{}[1, 'b']", "KeyError: there is no (1, 'b')"),
        ("{}[(1,)]", "KeyError: there is no (1,)"),
        ("{}[frozenset(['b', 'a'])]", "KeyError: there is no frozenset({'a', 'b'})"),
        ("{}[np.int64(3), None]", "KeyError: there is no (np.int64(3), None)"),
        ("{}[pd.Timestamp('2024-02-01')]", "KeyError: there is no Timestamp('2024-02-01 00:00:00')"),
        ("{}[len]", "KeyError: there is no such builtin_function_or_method"),
        ("{}[int]", "KeyError: there is no <class 'int'>"),
        ("pd.DataFrame({('a', 1): [1]})['b', 2]", "KeyError: there is no ('b', 2)"),
        ("import networkx as nx\nnx.Graph().nodes[0, 1]", "KeyError: there is no (0, 1)"),
        ("raise ValueError({'a': [1, (2.5, b'x')]}, 'why', 7)", "ValueError: {'a': [1, (2.5, b'x')]}, why, 7"),
        ("raise ValueError([*range(1000)])", f"ValueError: [{', '.join(map(str, range(19)))}, ...]"),
        ("raise ValueError(['a' * 300])", f"ValueError: ['{'a' * 200}'...]"),
        ("raise ValueError([10 ** 5000])", "ValueError: [an int of 16,610 bits]"),
        ("raise ValueError(10 ** 5000)", "ValueError: an int of 16,610 bits"),
        ("{}[10 ** 5000]", "KeyError: there is no such int"),
        ("from decimal import Decimal\nraise KeyError(Decimal('1.50'), 1)", "KeyError: Decimal('1.50'), 1"),
        ("raise ValueError([me, np.arange(3)])", "ValueError: [a Citizen, a ndarray]"),
        ("raise ValueError({(1, 2)})", "ValueError: a set of 1 item"),
        ("class No(Exception):\n    pass\nraise No('a', (1, 2))", "No: a, (1, 2)"),
    ],
)
def test_values_are_told(cell, text):
    assert told(cell) == text


@pytest.mark.parametrize(
    "expression",
    [
        "np.array(['a']) + np.array([1])",
        "np.array(['a']) @ np.array([1])",
        "np.multiply(np.array([1, 2]), 0.5, out=np.array([1, 2]))",
        "np.add(np.array([1], 'M8[D]'), np.array([1], 'M8[D]'))",
    ],
)
def test_an_error_of_a_function_of_numpy_names_it(expression):
    with pytest.raises(TypeError) as known:
        eval(expression, {"np": np})
    assert told(expression) == f"UFuncTypeError: {known.value}"


def test_no_list_that_holds_itself_is_told_for_ever():
    assert told("x = []\nx.append(x)\nraise ValueError(x)").startswith("ValueError: [[[[")


@pytest.mark.parametrize(
    "held",
    [
        *("Spy()", "[Spy()]", "{1: Spy()}", "{Spy: (Spy(),)}", "Spy", "Color.RED", "Kind(Spy())", "{Key(): Key()}"),
        "np.array([Spy()], dtype=object)",
    ],
)
@pytest.mark.parametrize("error", ["ValueError(held)", "KeyError((1, held))", "KeyError(held)", "Own(held, 1)"])
def test_nothing_of_a_cells_own_runs_for_the_text_of_an_error(held, error):
    world, calls = square.build(), []
    world.inject("note", lambda: calls.append(1))
    world.inject("forget", calls.clear)
    assert world.execute(f"{OWN}str(Spy())", agent="ann").committed
    assert calls.pop()
    turn = world.execute(f"held = {held}\nforget()\nraise {error}", agent="ann")
    assert (turn.status, calls) == ("failed", [])
    assert "spied" not in turn.error
    assert "its text cannot be read" not in turn.error


def test_whatever_the_text_of_an_error_runs_into_ends_the_turn_alone(monkeypatch):
    def reaches(error):
        raise Blocked("code that a cell left behind was called outside of its agent's turns")

    world = square.build()
    monkeypatch.setattr("cave_sim.runtime.output.settled", reaches)
    turn = world.execute("1 / 0", agent="ann")
    assert (turn.status, turn.error.splitlines()[-1]) == ("failed", "ZeroDivisionError: its text cannot be read")
    assert world.execute("2", agent="ann").output == "2"
