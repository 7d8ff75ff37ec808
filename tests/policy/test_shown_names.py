"""What stands for a name of Python's is shown as plain Python shows it: in texts, in errors, and after keeping."""

import builtins
import importlib
import re

import numpy as np
import pytest

from cave_sim import World

STANDARD = "abc bisect collections contextlib csv decimal fractions functools heapq itertools math operator queue time"
LISTED = "binascii copy dataclasses difflib json pprint re shlex statistics string struct textwrap warnings zlib"
OTHERWISE = {
    "UnicodeDecodeError UnicodeEncodeError help": "one base stands for both; help is a page of the world",
    "ABCMeta SimpleQueue localcontext reader singledispatch writer": "of one class with another, or a class of its own",
    "A ASCII I IGNORECASE M MULTILINE S DOTALL U UNICODE X VERBOSE NOFLAG": "flags are numbers",
}
"""Names that are shown in another way, and why."""

ASK = """
def ask(x):
    return [repr(x), str([x]), f"{x}", "%s" % (x,), x.__name__ if callable(x) else None]
"""


def shown(names, start):
    """Return what a cell, or plain Python, says of each name: five texts a line; the cell has kept them for a turn."""
    world, told = World(), []
    kept = world.execute(f"{start}{ASK}kept = [{', '.join(names)}]", agent="ann")
    assert kept.committed, kept.error
    turn = world.execute("print(*map(ask, kept), sep='\\n')", agent="ann")
    assert turn.committed, turn.error
    exec(f"{start}{ASK}told += map(str, map(ask, [{', '.join(names)}]))", {"told": told})
    return turn.output.splitlines(), [re.sub(r" at 0x[0-9a-f]+", "", line) for line in told]


def compared(names):
    """Return the names that are to be shown as in Python."""
    return [name for name in names if name[0] != "_" and name not in " ".join(OTHERWISE).split()]


def test_builtins_are_shown_as_in_python():
    scope = World().interpreter.scope
    names = compared(name for name in dir(builtins) if name in scope and name != "print")
    assert len(names) > 100
    in_cell, in_python = shown(names, "")
    assert in_cell == in_python


def test_a_builtin_is_called_what_it_is_also_where_a_library_has_replaced_it(monkeypatch):
    monkeypatch.setattr(builtins, "print", lambda *args, **named: None)  # as a progress bar does
    turn = World().execute("repr(print), print.__name__", agent="ann")
    assert turn.output == "('<built-in function print>', 'print')"


@pytest.mark.parametrize("module", f"{STANDARD} {LISTED}".split())
def test_names_of_libraries_are_shown_as_in_python(module):
    offered = World().interpreter.scope["__import__"](module)
    own = importlib.import_module(module)
    names = [f"m.{name}" for name in compared(dir(offered)) if not isinstance(getattr(own, name), type(importlib))]
    in_cell, in_python = shown(names, f"import {module} as m\n")
    assert in_cell == in_python


def test_names_of_numpy_are_called_as_in_numpy_and_none_tells_of_a_class_of_ours():
    offered = [name for name in dir(World().interpreter.scope["np"]) if hasattr(np, name)]
    assert len(offered) > 300
    named = [name for name in offered if callable(getattr(np, name)) and hasattr(getattr(np, name), "__name__")]
    told = World().execute("\n".join(f"print(np.{name}.__name__)" for name in named))
    assert told.output.split() == [getattr(np, name).__name__ for name in named], told.error
    shown = World().execute(f"for name in '{' '.join(offered)}'.split():\n    print(repr(getattr(np, name)))")
    assert shown.committed
    assert "cave_sim" not in shown.output


def test_type_is_asked_for_and_asked_like_a_class():
    cell = (
        "print(isinstance(int, type), isinstance(3, type), type(int) is type, type(set()) is set)\n"
        "print(type[int], type | None)\n"
        "match set:\n    case type():\n        print(type(print) is type(len), type(math).__name__, type({1}))"
    )
    told = "True False True True\ntype[int] type | None\nTrue module <class 'set'>\n"
    assert World().execute(cell, agent="ann").output == told


def test_a_sorted_list_is_given_by_name_too_and_is_a_plain_one():
    world = World()
    cell = "import bisect\nxs = [1, 3]\nbisect.insort(a=xs, x=2)\nprint(xs)\nbisect.insort(x=2, a=range(3))"
    turn = world.execute(cell, agent="ann")
    assert turn.output == "[1, 2, 3]\n"
    assert "insort_right() takes a plain list" in turn.error


def test_a_builtin_in_a_class_is_no_method_of_it():
    cell = "class Tool:\n    show = repr\n    first = itertools.islice\nprint(Tool().show(3), *Tool().first('abc', 2))"
    assert World().execute(cell, agent="ann").output == "3 a b\n"
