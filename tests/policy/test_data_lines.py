"""Data work that models write runs, means what it means in Python, and is the same wherever it runs."""

import ast
import json
import os
import sqlite3
import subprocess
import sys
import warnings
from contextlib import closing

import numpy as np
import pandas as pd
import pytest

from cave_sim import Limits, World
from cave_sim.hosts.process import ProcessHost
from tests.policy import square
from tests.policy.data_lines import DRAWING, PAGES, REFUSED, SETUP, UNLIKE_PYTHON
from tests.policy.hostile import scripts

LINES = [(page, line) for page, text in PAGES.items() for line in scripts(text)]
pytestmark = pytest.mark.filterwarnings("ignore")


def asking(line):
    """Return a line whose last expression, which stands at its end, is kept under a name."""
    last = ast.parse(line).body[-1]
    if not isinstance(last, ast.Expr):
        return line
    lines = line.split("\n")
    return "\n".join([*lines[: last.lineno - 1], "found_by_the_line = (", *lines[last.lineno - 1 :], ")"])


def database():
    """Return what is injected as ``db``."""
    names = {}
    exec(SETUP, names)
    found = sqlite3.connect(":memory:")
    names["sales"].to_sql("sales", found, index=False)
    return found


def worlds():
    """Return a world in which ann may do data work."""
    world = World(seed=3, limits=Limits(deadline_s=60))
    world.add("ann", square.Citizen())
    world.inject("db", database(), about="a database of sales")
    return world


def in_python(line):
    """Return what a line comes to in Python itself."""
    names = {"db": database()}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        exec(SETUP, names)
        exec(asking(line), names)
    return names.get("found_by_the_line")


def in_a_cell(line):
    """Return the turn in which a line runs after SETUP, and the world."""
    world = worlds()
    assert world.execute(SETUP.strip(), agent="ann").committed
    return world.execute(asking(line), agent="ann"), world


def shown(value):
    """Return a value as a text that tells types, labels and numbers apart."""
    if isinstance(value, (pd.DataFrame, pd.Series)):
        axes = [type(axis).__name__ for axis in value.axes]
        return f"{type(value).__name__} {axes} {value.to_dict()!r} {getattr(value, 'dtypes', '')}"
    if isinstance(value, np.ndarray):
        return f"array {value.dtype} {value.shape} {value.tolist()!r}"
    if isinstance(value, (set, frozenset)):
        return f"set {sorted(map(shown, value))}"
    if isinstance(value, dict):
        return f"dict {[(shown(key), shown(item)) for key, item in value.items()]}"
    if isinstance(value, (list, tuple)):
        return f"{'tuple' if isinstance(value, tuple) else 'list'} {list(map(shown, value))}"
    return repr(value)


@pytest.mark.parametrize(("page", "line"), LINES, ids=[f"{page}-{line[:30]}" for page, line in LINES])
def test_a_line_means_what_it_means_in_python(page, line):
    turn, world = in_a_cell(line)
    if line in REFUSED:
        assert turn.status in ("blocked", "failed")
        return
    assert (turn.status, turn.error) == ("committed", None)
    if page not in DRAWING and line not in UNLIKE_PYTHON and "found_by_the_line" in asking(line):
        assert shown(world.retrieve("found_by_the_line", agent="ann")) == shown(in_python(line))


def test_a_sandbox_comes_to_what_this_process_comes_to():
    lines = [line for _, line in LINES if line not in REFUSED][::9]
    with closing(ProcessHost(f"{__name__}:worlds", {})) as host:
        for line in lines:
            world = worlds()
            host.attach(world)
            assert world.execute(SETUP.strip(), agent="ann").committed
            turn, here = in_a_cell(line)
            there = world.execute(asking(line), agent="ann")
            assert (there.status, there.output, there.error) == (turn.status, turn.output, turn.error), line
            kept, own = (each.interpreter.namespaces["ann"].kept for each in (world, here))
            assert kept == own, line


def told(line):
    """Return what a line comes to, and how what it leaves is kept, as JSON."""
    turn, world = in_a_cell(line)
    kept = world.interpreter.namespaces["ann"].kept
    return json.dumps([turn.status, turn.output, turn.error, kept], default=str)


def test_every_process_comes_to_the_same():
    code = "import json; from tests.policy.test_data_lines import *; print(json.dumps([told(x) for _, x in LINES]))"
    found = []
    for salt in ("1", "4242"):
        process = subprocess.run(
            [sys.executable, "-W", "ignore", "-c", code],
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "PYTHONHASHSEED": salt},
            capture_output=True,
            check=True,
        )
        found.append(json.loads(process.stdout.splitlines()[-1]))
    different = [line for (_, line), one, other in zip(LINES, *found, strict=True) if one != other]
    assert different == []


def test_there_are_enough_of_them():
    assert len(LINES) >= 400
    assert len(REFUSED) <= 0.02 * len(LINES)
