"""Data work that models write runs, means what it means in Python, and is the same wherever it runs."""

import ast
import json
import os
import sqlite3
import subprocess
import sys
import warnings
from contextlib import closing
from functools import cache

import numpy as np
import pandas as pd
import plotly.graph_objects as graphs
import pytest

from cave_sim import Limits, World
from cave_sim.hosts.process import ProcessHost
from tests.policy import square
from tests.policy.data_lines import DRAWING, PAGES, REFUSED, SETUP, UNLIKE_PYTHON
from tests.policy.hostile import scripts

LINES = [(page, line) for page, text in PAGES.items() for line in scripts(text)]
SHARES = 3
"""Tests among which the lines are dealt out, each of which starts one process more."""
EACH = 9
"""Of so many lines, one runs in a sandbox, too."""
pytestmark = pytest.mark.filterwarnings("ignore")


def asking(line):
    """Return a line whose last expression, which stands at its end, is kept under a name."""
    last = ast.parse(line).body[-1]
    if not isinstance(last, ast.Expr):
        return line
    lines = line.split("\n")
    return "\n".join([*lines[: last.lineno - 1], "found_by_the_line = (", *lines[last.lineno - 1 :], ")"])


def sandboxed():
    """Return the lines that run in a sandbox, too: what is large, and some of the rest."""
    return [line for at, (page, line) in enumerate(LINES) if at % EACH == 0 or page.startswith("large")]


@cache
def sales():
    """Return the bytes of a database with the sales of SETUP in it."""
    names = {}
    exec(SETUP, names)
    with closing(sqlite3.connect(":memory:")) as found:
        names["sales"].to_sql("sales", found, index=False)
        return found.serialize()


def database():
    """Return what is injected as ``db``."""
    found = sqlite3.connect(":memory:")
    found.deserialize(sales())
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
    with warnings.catch_warnings(), np.printoptions():  # which a line may set, for all that comes after it
        warnings.simplefilter("ignore")
        exec(SETUP, names)
        exec(asking(line), names)
    return names.get("found_by_the_line")


def in_a_cell(line):
    """Return the turn in which a line runs after SETUP, and the world."""
    world = worlds()
    assert world.execute(SETUP.strip(), agent="ann").committed
    return world.execute(asking(line), agent="ann"), world


def told(turn, world):
    """Return what a line came to, and how what it left is kept, as JSON."""
    kept = world.interpreter.namespaces["ann"].data
    return json.dumps([turn.status, turn.output, turn.error, kept], default=str)


def elsewhere(share):
    """Start a process with a salt of its own, which prints what a share of the lines comes to there."""
    code = (
        "import json; from tests.policy.test_data_lines import LINES, SHARES, in_a_cell, told; "
        f"print(json.dumps([told(*in_a_cell(line)) for _, line in LINES[{share}::SHARES]]))"
    )
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "PYTHONHASHSEED": str(4242 + share)}
    return subprocess.Popen([sys.executable, "-W", "ignore", "-c", code], env=env, stdout=subprocess.PIPE)


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


@pytest.mark.long(cases=0)
@pytest.mark.parametrize("share", range(SHARES))
def test_each_line_means_what_it_means_in_python_and_every_process_comes_to_the_same(share):
    lines, found = LINES[share::SHARES], []
    with elsewhere(share) as process:
        for page, line in lines:
            turn, world = in_a_cell(line)
            found.append(told(turn, world))
            if line in REFUSED:
                assert turn.status in ("blocked", "failed"), line
                continue
            assert (turn.status, turn.error) == ("committed", None), line
            if page not in DRAWING and line not in UNLIKE_PYTHON and "found_by_the_line" in asking(line):
                meant = in_python(line)
                assert shown(world.retrieve("found_by_the_line", agent="ann")) == shown(meant), line
        found_there = json.loads(process.communicate()[0].splitlines()[-1])
    different = [line for (_, line), one, other in zip(lines, found, found_there, strict=True) if one != other]
    assert different == []


@pytest.mark.long
def test_a_sandbox_comes_to_what_this_process_comes_to():
    with closing(ProcessHost(f"{__name__}:worlds", {})) as host:
        for line in sandboxed():
            world = worlds()
            host.attach(world)
            assert world.execute(SETUP.strip(), agent="ann").committed
            turn, here = in_a_cell(line)
            there = world.execute(asking(line), agent="ann")
            assert (there.status, there.output, there.error) == (turn.status, turn.output, turn.error), line
            kept, own = (each.interpreter.namespaces["ann"].data for each in (world, here))
            assert kept == own, line


def bars(names: list[str], heights: list[float]) -> object:
    """A tool that draws more than lines."""
    figure = graphs.Figure([graphs.Bar(x=names, y=heights), graphs.Pie(values=heights), graphs.Heatmap(z=[heights])])
    return figure.update_layout(barmode="stack", legend={"x": 1}, coloraxis={"colorbar": {"title": "m"}})


def drawing():
    """Return a world in which ann may have figures drawn."""
    world = worlds()
    world.inject("bars", bars)
    return world


@pytest.mark.long
def test_figures_of_any_kind_are_drawn_kept_and_shown_in_a_sandbox():
    with closing(ProcessHost(f"{__name__}:drawing", {})) as host:
        here, there = drawing(), drawing()
        host.attach(there)
        for cell in (
            "figure = bars(['a', 'b'], [1.0, 2.0])",
            "figure.update_layout(xaxis_tickangle=5, title_font_size=9)\nfigure.update_traces(opacity=0.5)\nfigure",
            "str(figure.data[0].marker.line), figure.to_json()[:200]",
        ):
            one, other = here.execute(cell, agent="ann"), there.execute(cell, agent="ann")
            assert (one.status, one.output, one.error) == (other.status, other.output, other.error)
            assert one.committed, one.error


def test_what_an_agent_is_given_in_the_time_of_a_place_is_read_in_a_sandbox():
    with closing(ProcessHost(f"{__name__}:worlds", {})) as host:
        world = worlds()
        host.attach(world)
        days = pd.date_range("2024-06-01", periods=2, tz="Asia/Tokyo")
        world.inject("days", pd.DataFrame({"at": days}), agent="ann")
        world.inject("noon", pd.Timestamp("2024-06-01 12:00", tz="Europe/Helsinki"), agent="ann")
        for _ in range(2):
            turn = world.execute("days['at'].dt.hour.tolist(), str(noon + pd.Timedelta(days=180))", agent="ann")
            assert turn.output == "([0, 0], '2024-11-28 11:00:00+02:00')", turn.error


def test_a_sandbox_knows_zones_of_places_that_a_cell_names():
    cell = """
from zoneinfo import ZoneInfo
from datetime import datetime
place = "Tokyo"
zone = ZoneInfo("Asia/" + place)
moment = datetime(2024, 7, 1, 9, 30, tzinfo=ZoneInfo("Europe/London"))
days = pd.Series(pd.date_range("2024-03-30 22:00", periods=3, freq="h", tz="UTC")).dt.tz_convert("Europe/Berlin")
[moment.astimezone(zone).isoformat(), days.dt.hour.tolist(), str(pd.Timestamp("2024-07-01", tz="America/New_York"))]
"""
    with closing(ProcessHost(f"{__name__}:worlds", {})) as host:
        world = worlds()
        host.attach(world)
        here = worlds()
        for asked in (cell, "zone.key, moment.tzinfo is not None, days.dt.tz.key, moment.dst()"):
            turn = world.execute(asked, agent="ann")
            assert (turn.error, turn.output) == (None, here.execute(asked, agent="ann").output)
        assert turn.output == "('Asia/Tokyo', True, 'Europe/Berlin', datetime.timedelta(seconds=3600))"


def test_a_sandbox_finds_the_greatest_text_of_each_group_which_takes_no_thread():
    cell = """
import plotly.express as px
tree = px.treemap(sales, path=["city", "product"], values="units")
sales.groupby("city")["product"].agg(["min", "max", "first"]).to_dict(), len(tree.data[0].ids)
"""
    with closing(ProcessHost(f"{__name__}:worlds", {})) as host:
        here, there = worlds(), worlds()
        host.attach(there)
        for each in (SETUP.strip(), cell):
            one, other = here.execute(each, agent="ann"), there.execute(each, agent="ann")
            assert (one.error, other.error, other.output) == (None, None, one.output)


AUDIT = """
import sys
from cave_sim.hosts.process.fork_server import LATE, warm_up
from cave_sim.policy.libraries.late import named_in
from cave_sim.policy.libraries.one_thread import find_libraries
from tests.policy.test_data_lines import LINES, in_a_cell
warm_up(), find_libraries(), in_a_cell("1")
asked = []
lines = [line for _, line in LINES]
for name in named_in(lines):
    LATE[name]()
def hear(event, args):
    if event in ("open", "os.listdir") or (event == "import" and args[0] not in sys.modules):
        asked.append(f"{event} {args[0]}")
sys.addaudithook(hear)
for line in lines:
    in_a_cell(line)
print(asked)
"""


@pytest.mark.long
def test_what_is_forked_for_sandboxes_has_read_and_loaded_all_that_they_use():
    found = subprocess.run([sys.executable, "-W", "ignore", "-c", AUDIT], capture_output=True, text=True)
    assert found.stdout == "[]\n", found.stderr


def test_there_are_enough_of_them():
    assert len(LINES) >= 400
    assert len(REFUSED) <= 0.02 * len(LINES)
