"""How cells run: what they show, when they are stopped, what they keep, and that nothing piles up behind them."""

import importlib
import subprocess
import sys
import time

import pytest

from cave_sim.policy.text_cleaning import clean
from cave_sim.runtime.output import explain
from tests.policy import square


def test_too_much_output_says_so_and_what_to_do():
    shown = square.build().execute("print('x' * 50_000)", agent="ann").output
    assert len(shown) < 4_200
    assert shown.endswith("[output stopped at 4,000 of 50,001 characters; print a summary instead]")


def test_what_is_shown_has_no_control_characters_and_can_be_stored():
    shown = square.build().execute("print('a\\x1b[31mb\\x07\\x9b\\u202e', chr(0xD800) + 'c\\td')", agent="ann").output
    assert shown == "a[31mb c\td\n"
    assert shown.encode()


@pytest.mark.parametrize(
    "shown", ["print(lambda: 1)", "object()", "print(f'{print}')", "print(x for x in [1])", "repr(print)"]
)
def test_no_output_tells_where_things_lie_in_memory(shown):
    assert "0x" not in square.build().execute(shown, agent="ann").output


def test_an_error_shows_the_agents_own_lines_and_none_of_ours():
    cell = "def pay(n):\n    return shop.half(n)\nx = 1\npay(0)\n"
    told = square.build().execute(cell, agent="ann").error
    assert told == "line 4: pay(0)\nline 2: return shop.half(n)\nZeroDivisionError: integer division or modulo by zero"


def test_an_error_of_a_cells_own_class_is_told_without_running_it():
    class Talks(Exception):
        def __str__(self):
            raise AssertionError("ran")

    assert explain(ValueError(Talks()), "") == "ValueError: a Talks"


def test_plain_text_is_shown_as_it_is():
    assert clean("Näin on – 20 °C\n\tja 0x1f") == "Näin on – 20 °C\n\tja 0x1f"


def test_the_deadline_stops_real_time_and_leaves_nothing():
    world = square.build(ticks=10**9, deadline_s=0.3)
    before, started = world.state_hash(), time.process_time()
    turn = world.execute(
        "me.mood = 0.9\nwhile True:\n    try:\n        while True: pass\n    except Exception: pass", agent="ann"
    )
    assert (turn.status, world.state_hash()) == ("timeout", before)
    assert time.process_time() - started < 1.5  # of computing: how long it waits for a processor is not its fault
    assert world.execute("me.mood", agent="ann").committed


def test_the_first_use_of_a_library_is_not_cut_off_half_way(tmp_path, monkeypatch):
    """It would be as long as this in each turn that needs it, and never be there."""
    code = "import time\nuntil = time.thread_time() + 0.3\nwhile time.thread_time() < until: pass\nwhole = True\n"
    (tmp_path / "slow_to_import.py").write_text(code)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "slow_to_import", raising=False)

    def lazy() -> bool:
        """Use a library that is read when it is needed."""
        return importlib.import_module("slow_to_import").whole

    try:
        world = square.build(ticks=10**9, deadline_s=0.05)
        world.inject("lazy", lazy)
        world.execute("lazy()", agent="ann")
        assert "slow_to_import" in sys.modules
        assert world.execute("lazy()", agent="ann").output == "True"
        assert world.execute("lazy()\nwhile True:\n    pass", agent="ann").status == "timeout"
    finally:
        sys.modules.pop("slow_to_import", None)


def test_an_inner_turn_does_not_outlive_the_deadline_of_the_outer_one():
    world, started = square.build(ticks=10**9, deadline_s=0.3), time.process_time()
    turn = world.execute("while True:\n    await team['ann'].run('while True: pass')", agent="ann")
    assert turn.status == "timeout"
    assert time.process_time() - started < 1.5  # of computing: how long it waits for a processor is not its fault


def last_count(code, agent="ann"):
    world = square.build(ticks=5_000, deadline_s=0)
    turn = world.execute(f"n = 0\n{code}", agent=agent)
    return turn.status, world.retrieve("n", agent="ann")


@pytest.mark.parametrize("code", ["while True:\n    n += 1", "for x in itertools.count():\n    n += 1"])
def test_ticks_run_out_at_the_same_place_every_time(code):
    assert last_count(code) == last_count(code)
    assert last_count(code)[0] == "timeout"


def test_inner_turns_draw_on_the_ticks_of_the_outer_one():
    code = "while True:\n    await team['ann'].run('for _ in range(100): pass')\n    n += 1"
    status, n = last_count(code)
    assert (status, n <= 50) == ("timeout", True)


def test_two_agents_never_see_each_others_variables():
    world = square.build()
    world.execute("own = 1\nprices = 5\ndef shared():\n    return 1", agent="ann")
    assert world.execute("own", agent="bob").status == "failed"
    assert world.execute("shared()", agent="bob").status == "failed"
    assert world.execute("prices['bread']", agent="bob").output == "300"


def test_variables_persist_and_keep_what_was_set_before_an_error():
    world = square.build()
    world.execute("x = 1\ny = me.nothing", agent="ann")
    assert world.execute("x", agent="ann").output == "1"


def test_inner_turns_are_undone_with_their_parent():
    world = square.build()
    before = world.state_hash()
    cell = "await team['bob'].run('me.mood = 0.9')\nawait team['ann'].run('me.plan = \"x\"')\nme.mood = 0.1\n1 / 0"
    assert world.execute(cell, agent="mayor").status == "failed"
    assert world.state_hash() == before


def test_an_inner_turn_that_fails_leaves_its_parent_whole():
    world = square.build()
    cell = "me.mood = 0.1\nturn = await team['bob'].run('me.mood = 0.9; 1 / 0')\nturn.status"
    turn = world.execute(cell, agent="mayor")
    assert (turn.output, world["mayor"].mood, world["bob"].mood) == ("'failed'", 0.1, 0.5)


def test_agents_that_run_each_other_do_not_deadlock():
    world = square.build()
    world.grant("bob", "*")
    inner = 'await team["mayor"].run("me.mood = 0.2")'
    turn = world.execute(f"turn = await team['bob'].run('''{inner}''')\nturn.status", agent="mayor")
    assert (turn.output, world["mayor"].mood) == ("'committed'", 0.2)


def test_what_no_cell_can_await_is_told():
    turn = square.build().execute("await 5", agent="ann")
    assert (turn.status, "await" in turn.error) == ("failed", True)


def test_what_a_restored_world_defines_again_has_no_more_rights_than_its_agent():
    world = square.build()
    world.execute("class Plan:\n    vault.treasury_cents = 0", agent="ann")
    world.execute("Plan = lambda: 1\ndef kept():\n    return 7", agent="ann")
    for again in (world.fork(), type(world).restore(world.snapshot())):
        assert (again["vault"].treasury_cents, again.state_hash()) == (100_000, world.state_hash())
        assert again.execute("kept()", agent="ann").output == "7"


@pytest.mark.long
def test_a_warning_of_a_library_is_no_variable_no_output_and_no_error_however_python_was_started():
    script = """
from cave_sim import World
world = World()
lines = ["import pandas as pd", "table = pd.DataFrame({'a': [1], 'b': [2]})", "table.drop(columns='a', inplace=True)"]
code = "\\n".join(lines)
turn = world.execute(code, agent="ann")
print(turn.status, sorted(world.variable_types("ann")))
"""
    done = subprocess.run([sys.executable, "-W", "error", "-c", script], capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("committed ['pd', 'table']\n", "")
