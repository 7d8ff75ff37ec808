"""Each rule of the gate and of the guards, by a cell that it refuses and the words in which it does."""

import sys
import time
from pathlib import Path

import pytest

from cave_sim import World
from cave_sim.policy.ast_check import MAX_NODES
from cave_sim.policy.syntax import MAX_BRACKETS, MAX_CELL_CHARS
from tests.policy import square

PATTERNS = {
    "a class pattern that reads attributes": (
        "match me.cheer:\n    case object(__func__=function):\n        print(function)",
        "a class pattern names a private attribute",
    ),
    "a class pattern of what a module holds": (
        "match 1:\n    case datetime.date():\n        pass",
        "a dotted class in a pattern",
    ),
    "a class pattern over an entity": (
        "match me:\n    case Citizen(mood=found):\n        pass",
        "a pattern reads attributes of 'Citizen'",
    ),
    "a value pattern that reads an attribute": (
        "match 1:\n    case me.mood:\n        pass",
        "a pattern reads attributes of",
    ),
    "a mapping pattern that reads an attribute": (
        "match {}:\n    case {me.mood: 1}:\n        pass",
        "a dotted name in a pattern",
    ),
    "a mapping pattern that binds a hidden name": (
        "match {'a': 1}:\n    case {**_attr_}:\n        pass",
        "'_attr_' belongs to Python or to the world",
    ),
}
MACHINES = {
    f"how {kind} is made on this machine": (f"np.finfo({kind!r}).eps", "they differ from machine to machine")
    for kind in ("longdouble", "clongdouble", "g")
}
UNSEEN = {
    f"U+{code:04X}": (f"x = 'a{chr(code)}b'", "invisible or control character")
    for code in (0x200B, 0x200F, 0x202A, 0x202E, 0x2060, 0x2066, 0x2069)
}
NAMES = {
    "a hidden attribute": ("me._undo_log", "Citizen._undo_log is not for cells"),
    "a part of a library": (
        "from sklearn.manifold import TSNE",
        "not for cells; use what there is of sklearn.linear_model",
    ),
    "a folder of what was fitted": (
        "from sklearn import pipeline, preprocessing as p\npipeline.make_pipeline(p.Normalizer(), memory='kept')",
        "make_pipeline: memory= keeps what was fitted in files, and cells write none; leave it out",
    ),
    "a hidden attribute that is written": ("me._name = 'bob'", "private attributes of a Citizen are not written"),
    "a guard as an argument": ("def f(_attr_):\n    return 1", "'_attr_' belongs to Python or to the world"),
    "a guard as a global": ("def f():\n    global _attr_\n    return 1", "'_attr_' belongs to Python or to the world"),
    "a special method that runs unseen": ("class C:\n    def __del__(self):\n        pass", "may not define __del__"),
    "a class with keywords": ("class C(metaclass=type):\n    pass", "takes no keywords"),
    "a class of any base": ("class C(dict):\n    pass", "cannot be a base"),
    "getattr of a hidden name": ("getattr(me, '_undo_log')", "Citizen._undo_log is not for cells"),
    "a hidden name in a format of the class": ("str.format('{0._undo_log}', me)", "Citizen._undo_log is not for cells"),
    "an append of the class": ("list.append(bob.notes, 'x')", "ann may not write bob.notes"),
    "setattr of a hidden name": ("setattr(me, '_name', 'bob')", "private attributes of a Citizen are not written"),
    "a guard's kind of name, asked for": (
        "class A:\n    pass\na = A()\nx = {a}\ngetattr(a, '_serial_')",
        "getattr: '_serial_' is no name that cells may read",
    ),
    "a guard's kind of name, set": (
        "class A:\n    pass\na = A()\nsetattr(a, '_serial_', 1)",
        "setattr: '_serial_' is no name that cells may write",
    ),
    "a guard's kind of name, read": ("class A:\n    pass\nA()._serial_", "._serial_ belongs to Python or to the world"),
    "an argument that is private": ("pd.DataFrame({'a': [1]}, _mgr=1)", "an argument '_mgr' is private"),
    "an attribute of a module that is written": ("math.pi = 3", "are not written by cells"),
    "the class of a class": ("type(type(me))", "not for cells"),
}
IMPORTS = {
    "a module that is not for cells": ("import os", "module 'os' is not for cells"),
    "a library that draws": ("import matplotlib.pyplot as plt", "figures are drawn by plotly.express"),
    "a table's own plot": ("census.people.plot(kind='bar')", "Series.plot is not for cells; draw with plotly.express"),
    "a table's style": (
        "census.style.bar()",
        "DataFrame.style is not for cells; round the numbers, and take to_markdown()",
    ),
    "a table as LaTeX, of rows of two levels": (
        "census.set_index(list(census.columns[:2])).to_latex()",
        "take reset_index() first",
    ),
    "a table in a file": ("census.to_excel('canary.xlsx')", "variables stay from cell to cell"),
    "a part of a figure that is written": (
        "import plotly.graph_objects as go\ngo.Figure().layout.title = 'x'",
        "attributes of a Layout are not written by cells; call update_layout",
    ),
    "a part of one": ("from os import path", "module 'os' is not for cells"),
    "everything of a module": ("from math import *", "hides what it brings"),
    "a relative import": ("from . import math", "no package to import from"),
}
SIZES = {
    "a giant integer": ("x = " + "9" * 1_300, "more than 4,096 bits"),
    "a format without end": ("f'{1:99999}'", "wider than 9999"),
    "a sequence without end": ("x = [0] * 100_000_000", "at most 5,000,000"),
    "a range without end": ("range(10 ** 9)", "at most 10,000,000"),
}
CLOCKS = {
    f"{word}, the machine's": (f"import datetime\ndatetime.{word}()", "not for cells; the world's time is clock.now")
    for word in ("datetime.now", "datetime.utcnow", "datetime.today", "date.today")
}
ORDINARY = {
    "what a table is said to be": ("pd.DataFrame({'a': [1]}).attrs", "in a variable of its own"),
    "what an array looks at": ("np.zeros(3).base", "ask np.may_share_memory(a, b)"),
    "reading attributes by code": ("class C:\n    def __getattr__(self, name):\n        pass", "write a property"),
    "a descriptor": ("class C:\n    def __set__(self, holder, value):\n        pass", "write a property"),
    "making objects": ("class C:\n    def __new__(cls):\n        pass", "write __init__"),
    "a hook of classes": ("class C:\n    def __init_subclass__(cls):\n        pass", "write a method, and call it"),
    "a number that may change": ("class C:\n    def __index__(self):\n        return 1", "write int(x)"),
    "a base that is a dict": ("class C(dict):\n    pass", "write it below collections.UserDict"),
    "a base that is a list": ("class C(list):\n    pass", "write it below collections.UserList"),
    "a base that is a mapping": (
        "from collections.abc import Mapping\nclass C(Mapping):\n    pass",
        "write it below collections.UserDict",
    ),
    "a base that is a group": ("class C(ExceptionGroup):\n    pass", "write it below Exception"),
    "a named tuple that is equal to what it likes": (
        "from typing import NamedTuple\nclass P(NamedTuple):\n    x: int\n    def __eq__(self, it):\n        pass",
        "keeps __eq__ as tuples have it; use @dataclass(frozen=True)",
    ),
    "a layout of the machine": ("import struct\nstruct.pack('l', 1)", "follows the machine; begin it with '<' or '>'"),
    "leaving a handler of groups": (
        "for n in range(3):\n    try:\n        1 / 0\n    except* ValueError:\n        break",
        "leave no `except*`; go on after it",
    ),
    "output that goes anywhere": (
        "from contextlib import redirect_stdout\nwith redirect_stdout(me):\n    pass",
        "takes an io.StringIO, not a Citizen",
    ),
    "closing what is not the cell's": (
        "from contextlib import closing\nwith closing(shop):\n    pass",
        "takes objects of the cell's own classes",
    ),
    "a window into a bytearray": ("np.asarray(bytearray(b'ab'))", "of a bytearray: take list(data)"),
    "secrets": ("import secrets", "chance comes from rng"),
    "open": ("open('x')", "hold a text in a variable, or write to an io.StringIO"),
    "dir": ("dir(me)", "help(x) prints what something offers"),
    "vars": ("vars(me)", "help(x) prints what something offers"),
    "globals": ("globals()['x'] = 1", "a variable is read by its name; hold what varies in a dict"),
    "eval": ("eval('1')", "data in a text are read by json.loads"),
    "input": ("input('name?')", "nobody answers within a turn"),
    "__dict__": ("me.__dict__", "hold what varies in a dict"),
    "what is called super and is none": ("super = lambda: me\nsuper().__eq__", "is for classes that the cell defined"),
    "a template without end": (
        "from string import Template\nTemplate('$a' * 60_000).substitute(a='x' * 10 ** 6)",
        "a text of more than 5,000,000 characters",
    ),
    "a layout without end": ("import struct\nstruct.pack('<1000000000x')", "more than 5,000,000 bytes"),
    "a bytearray without end": ("bytearray(10 ** 10)", "at most 5,000,000 can be made"),
    "a comparison without end": (
        "import difflib\ndifflib.ndiff(['a'] * 10_000, ['b'] * 10_000)",
        "compares at most 300 lines",
    ),
}
REFUSED = {**CLOCKS, **ORDINARY, **PATTERNS, **MACHINES, **UNSEEN, **NAMES, **IMPORTS, **SIZES}


DEEP = "from contextlib import ExitStack\ndef deep():\n    return deep()\n"
FAILING = {
    "a member of an Enum that is not yet one": (
        "from enum import Enum\nclass E(Enum):\n    A = 1\n    def __init__(self, n):\n        shop.look_up(self)",
        "takes data, not an E",
    ),
    "batched": ("from itertools import batched", "it is Python 3.12's; write iter(lambda"),
    "batched of the module": ("import itertools\nitertools.batched('ab', 2)", "it is Python 3.12's; write iter(lambda"),
    "redirect_stderr": ("from contextlib import redirect_stderr", "take redirect_stdout"),
    "a chain of what is no dict": (
        "from collections import ChainMap\nc = ChainMap({})\nc.maps[0] = world\nc.pop('bob')",
        "a ChainMap is made of dicts, not of a",
    ),
    "a dict of one's own that holds none": (
        "from collections import UserDict\nclass D(UserDict):\n    pass\nd = D()\nd.data = world\nd.pop('bob')",
        "D.data is a dict, not a",
    ),
    "a list of one's own that holds none": (
        "from collections import UserList\nclass L(UserList):\n    pass\nl = L()\nl.data = world\nl.remove('bob')",
        "L.data is a list, not a",
    ),
    "a stack that swallows how deep it went": (
        f"{DEEP}with ExitStack() as s:\n    s.push(lambda *_: True)\n    s.callback(deep)",
        "RecursionError",
    ),
    "a group that hides how deep it went": (
        f"{DEEP}try:\n    try:\n        1 / 0\n    except* ArithmeticError:\n        deep()\nexcept Exception: pass",
        "RecursionError",
    ),
    "pack_into": ("import struct\nstruct.pack_into('<B', b'', 0, 1)", "write data[at:end] = struct.pack(...)"),
}


@pytest.fixture(scope="module")
def world():
    return square.build(ticks=1_000)


@pytest.mark.parametrize(("cell", "words"), REFUSED.values(), ids=REFUSED)
def test_it_is_refused_in_words_that_name_the_rule(cell, words, world):
    before = world.state_hash()
    turn = world.execute(cell, agent="ann")
    assert turn.status == "blocked"
    assert words in turn.error
    assert world.state_hash() == before


@pytest.mark.parametrize("zone", ["", "None", "datetime.UTC", "datetime.timezone(datetime.timedelta(hours=2))"])
def test_a_moment_without_a_zone_is_told_in_none(world, zone):
    """Python would take it for one of the machine's zone."""
    turn = world.execute(f"datetime.datetime(2020, 1, 1).astimezone({zone})", agent="ann")
    assert turn.status == "failed"
    assert "world time has no zone; say whose it is with .replace(tzinfo=...)" in turn.error


@pytest.mark.parametrize("zone", ["", "None"])
def test_a_moment_with_a_zone_is_not_told_in_that_of_the_machine(world, zone):
    turn = world.execute(f"datetime.datetime(2020, 1, 1, tzinfo=datetime.UTC).astimezone({zone})", agent="ann")
    assert (turn.status, "world time has no zone" in turn.error) == ("failed", True)


def test_where_the_machine_stands_changes_no_moment(world, monkeypatch):
    cell = "datetime.datetime.fromtimestamp(0).isoformat(), datetime.datetime(1970, 1, 1).timestamp()"
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    time.tzset()
    try:
        assert world.execute(cell, agent="ann").output == "('1970-01-01T00:00:00', 0.0)"
    finally:
        monkeypatch.undo()
        time.tzset()


def test_what_a_class_lacks_is_not_there(world):
    turn = world.execute("datetime.datetime.nwo()", agent="ann")
    assert "type object 'datetime' has no attribute 'nwo'" in turn.error


@pytest.mark.parametrize(
    ("misspelt", "meant"),
    [
        ("shops.seats", "'shop'"),
        ("prnt(1)", "'print'"),
        ("jsn.dumps(1)", "'json'"),
        ("total_cent + 1", "'total_cents'"),
        ("def count():\n    guests = 1\n    return guest\ncount()", "'guests'"),
    ],
)
def test_who_misspells_a_name_is_told_the_nearest(world, misspelt, meant):
    world.execute("total_cents = 5", agent="ann")
    assert world.execute(misspelt, agent="ann").error.endswith(f"what you defined. Did you mean {meant}?")


def test_a_name_that_is_like_no_other_is_said_to_mean_none(world):
    assert world.execute("xylophone", agent="ann").error.endswith("and what you defined.")


def test_half_a_surrogate_is_refused_before_anything_reads_the_cell(world):
    assert "invisible or control character" in world.execute("x = '\ud800'", agent="ann").error


def assignments(parts):
    """Return a cell of so many parts, names not counted: each assignment is two."""
    return "\n".join(["x = 1"] * (parts // 2) + ["pass"] * (parts % 2))


@pytest.mark.parametrize(
    ("largest", "too_large"),
    [
        ("(" * MAX_BRACKETS + "1" + ")" * MAX_BRACKETS, "(" * (MAX_BRACKETS + 1) + "1" + ")" * (MAX_BRACKETS + 1)),
        ("#" * MAX_CELL_CHARS, "#" * (MAX_CELL_CHARS + 1)),
        (assignments(MAX_NODES - 1), assignments(MAX_NODES)),
        ("f'{1:9999}'", "f'{1:10000}'"),
    ],
    ids=["brackets", "characters", "parts", "width"],
)
def test_a_limit_holds_to_the_last_one(largest, too_large, world):
    assert world.execute(largest, agent="ann").status == "committed"
    assert world.execute(too_large, agent="ann").status == "blocked"


@pytest.mark.parametrize(
    "endless",
    [
        "while True:\n    pass",
        "for n in itertools.count():\n    pass",
        "sum(1 for n in itertools.count())",
        "def f(n):\n    for m in range(3):\n        f(n + 1) if n < 20 else None\nf(0)",
        "[n for n in range(1_000_000)]",
        "{n for n in range(1_000_000)}",
        "list(map(lambda n: 1, range(1_000_000)))",
        "def one(n):\n    return 1\nlist(map(one, range(1_000_000)))",
    ],
)
def test_whatever_goes_on_for_ever_runs_out_of_ticks(endless, world):
    turn = world.execute(endless, agent="ann")
    assert (turn.status, "loop steps and calls" in turn.error) == ("timeout", True)


@pytest.mark.parametrize(
    "held_on",
    [
        "try:\n    while True:\n        pass\nexcept BaseException:\n    pass",
        "try:\n    while True:\n        pass\nexcept Exception:\n    pass",
        "try:\n    world.remove('shop')\nexcept:\n    left = 1",
        "def f():\n    global left\n    left = 1\ntry:\n    world.remove('shop')\nexcept f():\n    pass",
        "try:\n    world.remove('shop')\nfinally:\n    left = 1",
    ],
)
def test_no_handler_of_a_cell_holds_on_to_a_turn_that_ends(held_on, world):
    assert world.execute(held_on, agent="bob").status != "committed"
    assert "left" not in world.variables("bob")


def test_a_constant_of_a_class_is_handed_out_as_a_copy(world):
    cell = "hours = shop.HOURS\nhours.append(24)\nlen(shop.HOURS)"
    assert world.execute(cell, agent="ann").output == "2"


def test_a_cell_with_a_wrong_word_has_python_read_no_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    opened = []

    def look(event, arguments):
        if event == "open" and watching:
            opened.append(str(arguments[0]))

    world, watching = square.build(), True
    sys.addaudithook(look)
    turn = world.execute("x = = 1", agent="ann")
    watching = False
    assert turn.error.endswith("SyntaxError: invalid syntax")
    assert not [path for path in opened if Path(path).exists()]


@pytest.mark.parametrize("zone", ["5", "'tzlocal()'", "'dateutil/Europe/Oslo'", "'localtime'", "'Mars/Base'", "' UTC'"])
@pytest.mark.parametrize(
    "taking",
    ["dates.tz_localize({})", "dates.tz_localize('UTC').tz_convert({})", "dates.to_series().dt.tz_localize({})"],
)
def test_times_are_converted_to_no_zone_that_is_another_on_another_machine(world, taking, zone):
    turn = world.execute(f"dates = pd.to_datetime(['2024-06-01'])\n{taking.format(zone)}", agent="ann")
    assert turn.status == "blocked"
    assert "take 'UTC', a distance from it" in turn.error


@pytest.mark.parametrize(("cell", "words"), FAILING.values(), ids=FAILING)
def test_what_fails_says_which_rule_and_the_way_out(cell, words, world):
    turn = world.execute(cell, agent="ann")
    assert turn.status == "failed"
    assert words in turn.error


@pytest.mark.skipif(sys.version_info < (3, 12), reason="Python's own syntax since 3.12")
@pytest.mark.parametrize(
    ("code", "way"),
    [("type Pair = tuple[int, int]", "write X = "), ("class A[T]:\n    pass", "class Name(Generic[T])"),
     ("def f[T](x: T) -> T:\n    return x", "leave them out")],
)  # fmt: skip
def test_who_writes_types_in_a_new_way_is_told_the_old_one(code, way):
    turn = square.build().execute(code, agent="ann")
    assert turn.status == "blocked"
    assert way in turn.error


def test_data_that_a_library_fetches_are_refused_with_another_way_to_data():
    turn = World().execute("from sklearn.datasets import fetch_openml")
    assert "take load_iris or load_diabetes, make data by make_classification, or ask for a table" in turn.error
