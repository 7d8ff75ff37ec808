"""Whoever imports cave_sim keeps the process: what was set is as it was, after the import, a turn, and a run."""

import gc
import signal
import subprocess
import sys
import time
import warnings
from contextlib import contextmanager
from traceback import walk_stack

import pandas as pd
import pytest

from cave_sim.cli.main import main
from cave_sim.entity.asking import CELL_FILE
from tests.policy import square

RECORD = '''
import asyncio, locale, os, random, signal, sys, threading, warnings

# what these change is their own affair
import mesa, networkx, plotly.express, plotly.tools, rich.table, rich.live, scipy.special
import numpy as np
import pandas as pd
from pandas._libs.tslibs import timezones
from pandas.core.arrays import DatetimeArray, datetimes
from pandas.core.tools import datetimes as tools


def record():
    """Return what belongs to the process, by name."""
    return {
        "pandas": [
            datetimes.objects_to_datetime64,
            tools.objects_to_datetime64,
            tools._array_strptime_with_fallback,
            vars(DatetimeArray)["_scalar_from_string"],
            vars(pd.DatetimeIndex)["_parse_with_reso"],
            timezones.maybe_get_tz,
        ],
        "signal handlers": {number: signal.getsignal(number) for number in signal.valid_signals()},
        "timer": signal.getitimer(signal.ITIMER_REAL),
        "warnings": (id(warnings.filters), list(warnings.filters), warnings.showwarning),
        "environment": dict(os.environ),
        "path": list(sys.path),
        "locale": locale.setlocale(locale.LC_ALL),
        "folder": os.getcwd(),
        "hooks": (threading.excepthook, sys.excepthook, sys.unraisablehook, sys.displayhook, sys.gettrace()),
        "recursion": sys.getrecursionlimit(),
        "asyncio": type(asyncio.get_event_loop_policy()),
        "random": hash(random.getstate()),
        "numpy random": hash(str(np.random.get_state())),
        "numpy printing": np.get_printoptions(),
        "numpy errors": np.geterr(),
        "pandas printing": [pd.get_option(f"display.{name}") for name in ("width", "max_rows", "precision")],
        "threads": threading.active_count(),
    }


def compare(before, when):
    now = record()
    for name in before:
        assert before[name] == now[name], f"{name} {when}: {before[name]} is now {now[name]}"


before = record()
'''


def in_a_process(script, *options):
    """Run a script that compares what belongs to its process with what belonged to it before."""
    command = [sys.executable, *options, "-c", RECORD + script]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3_000:]
    assert done.stderr == ""


def test_neither_its_import_nor_a_turn_changes_anything_however_it_ends():
    in_a_process("""
import cave_sim, cave_sim.testing, cave_sim.hosts.ray
compare(before, "after the import")
from cave_sim import Limits, World
world = World(limits=Limits(ticks=10_000))
for code in (
    "x = rng.random()",
    "1 / 0",
    "while True: pass",
    "import pandas as pd\\npd.Timestamp('now')",
    "x = 1 is 1",
    "import os",
):
    world.execute(code, agent="ann")
    compare(before, f"after the turn {code!r}")
world.execute_batch({"ann": "x = 1", "bob": "1 / 0"})
compare(before, "after a batch")
""")


@pytest.mark.long
def test_a_run_changes_nothing(tmp_path):
    in_a_process(f"""
from cave_sim.simulations import town_day
simulation = town_day.create(out={str(tmp_path / "run")!r}, seed=7, residents=3)
simulation.run(until=3)
simulation.close()
compare(before, "after a run")
""")


@pytest.mark.long
def test_cells_in_processes_of_their_own_change_nothing():
    in_a_process("""
from cave_sim.hosts.process.host import ProcessHost
from cave_sim.world.world import World
with ProcessHost("cave_sim.world.world:World") as host:
    world = World()
    host.attach(world)
    assert world.execute("x = 1", agent="ann").committed
compare(before, "after a turn in another process")
""")


# ---- pandas


def test_pandas_reads_the_clock_for_everybody_but_cells():
    world = square.build()
    assert world.execute("me.diary['day'] = pd.Series(pd.to_datetime(['2020-01-01', 'now']))", agent="ann").status == (
        "blocked"
    )
    assert pd.to_datetime(["now"])[0].year > 2000
    assert (pd.Series(pd.to_datetime(["2020-01-01"])) < "now").all()


# ---- alarms

RINGS: list[tuple[float, bool]] = []


@contextmanager
def own_alarm(delay_s=0.0, interval_s=0.0):
    """Have a handler and a timer of one's own, as a script may; yields when it rang, and whether in a cell."""
    RINGS.clear()
    previous = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, delay_s, interval_s)
    try:
        yield RINGS
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, previous)


def ring(_number, frame):
    is_in_cell = any(each.f_code.co_filename == CELL_FILE for each, _ in walk_stack(frame))
    RINGS.append((time.perf_counter(), is_in_cell))


ENDINGS = {
    "brief": "me.mood = 0.9",
    "landing": "me.cheer()",
    "failing": "1 / 0",
    "out of time": "while True: pass",
    "with a turn inside": "await team['ann'].run('me.mood = 0.2')",
}


@pytest.mark.parametrize("code", ENDINGS.values(), ids=ENDINGS.keys())
def test_the_handler_of_alarms_is_given_back_after_a_turn(code):
    world = square.build(ticks=10**9, deadline_s=0.2)
    with own_alarm() as rings:
        world.execute(code, agent="mayor")
        assert signal.getsignal(signal.SIGALRM) is ring
        assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
        time.sleep(0.15)
        assert rings == []


def test_a_handler_that_was_never_set_is_not_set_afterwards():
    previous = signal.signal(signal.SIGALRM, signal.SIG_DFL)
    try:
        square.build().execute("me.cheer()", agent="ann")
        assert signal.getsignal(signal.SIGALRM) is signal.SIG_DFL
    finally:
        signal.signal(signal.SIGALRM, previous)


def test_an_alarm_keeps_the_time_that_it_had_left():
    world = square.build()
    with own_alarm(100.0, 7.0):
        world.execute("me.cheer()", agent="ann")
        world.execute_batch({"ann": "me.cheer()", "bob": "1 / 0"})
        left_s, interval_s = signal.getitimer(signal.ITIMER_REAL)
        assert (90 < left_s < 100, interval_s) == (True, 7.0)


@pytest.fixture
def slow_machine(monkeypatch):
    """Have the machine stand still for a while whenever a timer was set."""
    set_timer = signal.setitimer

    def set_and_stand_still(which, seconds, interval=0.0):
        found = set_timer(which, seconds, interval)
        ends = time.perf_counter() + 4 * interval
        while time.perf_counter() < ends:
            pass
        return found

    monkeypatch.setattr(signal, "setitimer", set_and_stand_still)


@pytest.mark.usefixtures("slow_machine")
def test_a_process_without_an_alarm_is_left_without_one_however_slow_the_machine():
    world = square.build()
    with own_alarm() as rings:
        world.execute("me.cheer()", agent="ann")
        assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
        assert rings == []


@pytest.mark.usefixtures("slow_machine")
def test_an_alarm_that_comes_due_while_a_turn_begins_leaves_it_its_deadline():
    world = square.build(ticks=10**7, deadline_s=0.05)
    with own_alarm(0.1):
        assert "of processor time" in world.execute("while True: pass", agent="ann").error


@pytest.mark.long
@pytest.mark.parametrize("interval_s", [0.0, 0.1])
def test_an_alarm_that_comes_due_in_a_turn_rings_after_it(interval_s):
    world = square.build(ticks=10**9, deadline_s=0.4)
    with own_alarm(0.3, interval_s) as rings:
        assert world.execute("while True: pass", agent="ann").status == "timeout"
        time.sleep(0.25 + 10 * interval_s)
        assert [is_in_cell for _, is_in_cell in rings] == [False] * len(rings)
        assert len(rings) > 1 if interval_s else len(rings) == 1


@pytest.mark.long
def test_an_alarm_that_comes_due_in_a_batch_rings_between_its_turns():
    world = square.build(ticks=10**9, deadline_s=0.2)
    with own_alarm(0.05) as rings:
        turns = world.execute_batch(dict.fromkeys(("ann", "bob", "mayor"), "while True: pass"))
        ended = time.perf_counter()
        assert {turn.status for turn in turns.values()} == {"timeout"}
        assert [(ended - moment > 0.35, is_in_cell) for moment, is_in_cell in rings] == [(True, False)]


def test_without_a_deadline_alarms_are_not_touched():
    world = square.build(deadline_s=0.0)
    with own_alarm(0.05) as rings:
        world.execute("for _ in range(1_000_000): pass", agent="ann")
        assert signal.getsignal(signal.SIGALRM) is ring
        assert len(rings) <= 1


# ---- what is looked through for garbage


@pytest.mark.long(cases=0)
def test_a_command_called_from_python_leaves_what_was_frozen_frozen(tmp_path):
    was_frozen, mine = gc.get_freeze_count(), []
    gc.freeze()
    try:
        assert main(["run", "town_day", "--residents=1", "--steps=1", "--quiet", "--out", str(tmp_path / "run")]) == 0
        assert not any(each is mine for each in gc.get_objects())  # which lists what is not frozen
    finally:
        if not was_frozen:
            gc.unfreeze()


@pytest.mark.parametrize("was_on", [True, False])
def test_garbage_is_looked_for_after_what_a_command_loads_and_not_meanwhile_if_it_was_before(
    tmp_path, monkeypatch, capsys, was_on
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "loads.py").write_text("import gc\nraise RuntimeError(f'looked for: {gc.isenabled()}')\n")
    try:
        gc.enable() if was_on else gc.disable()
        assert main(["run", "loads.py"]) == 1
        assert "looked for: False" in capsys.readouterr().err
        assert gc.isenabled() == was_on
    finally:
        gc.enable()


# ---- warnings


def test_what_libraries_and_the_compiler_think_of_a_cell_is_nobodys_error():
    filters = list(warnings.filters)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", ResourceWarning)  # of what other tests left, when it is cleared away
        world = square.build()
        assert world.execute("x = 1 is 1", agent="ann").committed
        assert world.execute("x = np.float64(1) / np.array([0.0])", agent="bob").committed
        with pytest.raises(UserWarning, match="mine"):
            warnings.warn("mine", UserWarning, stacklevel=1)
    assert warnings.filters == filters
