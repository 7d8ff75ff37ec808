"""Saving what holds of a damaged file: what is called saved is whole, and goes on; what is not is left as it was."""

import random
import shutil
import sqlite3
from contextlib import closing

import pytest

from cave_sim import open_run
from cave_sim.cli.main import main
from cave_sim.journal.integrity import problems
from cave_sim.journal.repair import repair
from cave_sim.replay.recipe import Recipe
from cave_sim.replay.resume import resume
from tests.long_cases import cases
from tests.runtime import yards

STEPS = 12


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    folder = tmp_path_factory.mktemp("repair") / "run"
    simulation = Recipe("town_day", {"seed": 5, "residents": 4}).make(folder)
    simulation.run(until=STEPS)
    simulation.close()
    return folder


@pytest.fixture
def run(whole, tmp_path):
    return shutil.copytree(whole, tmp_path / "run")


def change(run, sql):
    with closing(sqlite3.connect(run / "run.sqlite")) as file:
        file.execute(sql)
        file.commit()


def is_whole(folder):
    with open_run(folder) as opened:
        return next(problems(opened), None) is None


DAMAGE = {
    "a state's digest": ("UPDATE steps SET state_hash = 'x' WHERE step = 5", 4),
    "a seal": ("UPDATE steps SET seal = 'x' WHERE step = 7", 6),
    "a change": ("UPDATE changes SET new = '1' WHERE turn = (SELECT max(turn) FROM turns WHERE step = 6)", None),
    "a text": ("UPDATE cells SET code = code || ' ' WHERE hash IN (SELECT cell FROM turns WHERE step = 9)", None),
    "a cell that is gone": ("DELETE FROM cells WHERE hash IN (SELECT cell FROM turns WHERE step = 8)", None),
    "the first step": ("UPDATE steps SET hash = 'x' WHERE step = 0", None),
    "the last step": (f"DELETE FROM steps WHERE step = {STEPS}", STEPS - 1),
    "the start in the manifest": ("DELETE FROM manifest WHERE key = 'start'", STEPS),
    "the manifest": ("DELETE FROM manifest WHERE key = 'seal'", STEPS),
}


OTHERS = ("a text", "a cell that is gone", "the last step", "the manifest")


@pytest.mark.parametrize("damage", cases(DAMAGE, OTHERS.__contains__))
def test_what_is_called_saved_is_whole(run, damage):
    sql, last_step = DAMAGE[damage]
    change(run, sql)
    saved = repair(run)
    if last_step is not None:
        assert saved.last_step == last_step
    assert (saved.last_step is None) == (damage == "the first step")
    if saved.last_step is not None:
        assert is_whole(run)


def test_what_is_lost_is_told(run, whole, tmp_path, capsys):
    change(run, DAMAGE["a cell that is gone"][0])
    assert main(["doctor", str(run), "--repair"]) == 0
    last, *lost = capsys.readouterr().out.splitlines()[-2:]
    assert last.startswith("saved everything up to step ")
    saved = int(last.split("step ")[1].split(";")[0])
    steps = f"steps {saved + 1} to {STEPS} are lost, of those that the file tells of: they will be lived again"
    assert lost == [steps]
    again = shutil.copytree(whole, tmp_path / "again")
    change(again, f"DELETE FROM steps WHERE step = {STEPS}")
    assert main(["doctor", str(again), "--repair"]) == 0
    told = capsys.readouterr().out
    assert f"step {STEPS} is lost, of those that the file tells of" in told
    assert "not read as a whole" not in told
    torn = shutil.copytree(whole, tmp_path / "torn")
    content = (torn / "run.sqlite").read_bytes()
    (torn / "run.sqlite").write_bytes(content[: len(content) // 5])
    assert main(["doctor", str(torn), "--repair"]) == 1
    assert "not read as a whole: " in capsys.readouterr().out


def test_an_index_that_lacks_rows_without_saying_so_costs_no_step(run):
    sql = "SELECT rootpage FROM sqlite_master WHERE type = 'index' AND tbl_name = 'cells' AND sql IS NULL"
    with closing(sqlite3.connect(run / "run.sqlite")) as file:
        page = file.execute(sql).fetchone()[0]
    content = bytearray((run / "run.sqlite").read_bytes())
    rows = slice((page - 1) * 4_096 + 3, (page - 1) * 4_096 + 5)  # how many lie in the page
    there = int.from_bytes(content[rows], "big")
    assert there > 3
    content[rows] = (there // 2).to_bytes(2, "big")
    (run / "run.sqlite").write_bytes(content)
    saved = repair(run)
    assert (saved.last_step, saved.unread) == (STEPS, ())
    assert is_whole(run)


def test_what_was_saved_goes_on_to_the_same_end(run, whole):
    change(run, "UPDATE steps SET seal = 'x' WHERE step = 7")
    repair(run)
    simulation = resume(run)
    simulation.run(until=STEPS)
    simulation.close()
    with open_run(whole) as opened:
        assert simulation.state_hash == opened.steps()[-1].state_hash


@pytest.mark.parametrize("beside", ["as it was", "[1]", "{", "gone"])
def test_what_the_manifest_lost_is_taken_from_the_copy_beside_it_or_left_unsaid(run, beside, capsys):
    with open_run(run) as opened:
        start = opened.manifest["start"]
    change(run, "DELETE FROM manifest WHERE key = 'start'")
    if beside == "gone":
        (run / "manifest.json").unlink()
    elif beside != "as it was":
        (run / "manifest.json").write_text(beside)
    assert repair(run).last_step == STEPS
    with open_run(run) as opened:
        assert opened.manifest.get("start") == (start if beside == "as it was" else None)
    assert main(["log", str(run)]) == 0
    assert ("01 Jun" in capsys.readouterr().out) == (beside == "as it was")


def test_a_file_of_which_nothing_holds_stays_as_it_was(run, capsys):
    (run / "run.sqlite").write_bytes(b"no database at all")
    assert main(["doctor", str(run), "--repair"]) == 1
    assert "no step could be saved; the file is as it was" in capsys.readouterr().out
    assert (run / "run.sqlite").read_bytes() == b"no database at all"
    assert not list(run.glob("repairing*"))


@pytest.mark.parametrize("share", [0.95, 0.9, 0.8, 0.7, 0.5])
def test_a_file_that_was_cut_off_is_whole_after_its_repair_or_untouched(run, share):
    file = run / "run.sqlite"
    torn = file.read_bytes()[: int(file.stat().st_size * share)]
    file.write_bytes(torn)
    saved = repair(run)
    if saved.last_step is None:
        assert file.read_bytes() == torn
    else:
        assert is_whole(run)


def test_flipped_files_are_whole_after_their_repair_or_untouched(run):
    file, dice = run / "run.sqlite", random.Random(3)
    content = file.read_bytes()
    saved = 0
    for _ in range(12):
        changed = bytearray(content)
        for _ in range(2):
            changed[dice.randrange(len(content))] ^= 1 << dice.randrange(8)
        file.write_bytes(changed)
        if repair(run).last_step is None:
            assert file.read_bytes() == bytes(changed)
        else:
            saved += 1
            assert is_whole(run)
    assert saved


def test_a_beginning_that_was_torn_is_written_anew_from_its_snapshot(tmp_path):
    simulation = Recipe("storm_warning", {"seed": 5}).make(tmp_path / "run")
    simulation.run(until=3).close()
    with closing(sqlite3.connect(tmp_path / "run" / "run.sqlite")) as file, file:
        torn = "UPDATE changes SET new = replace(new, 'fields', 'gields') WHERE op = 'create' AND entity = 'weather'"
        assert file.execute(torn).rowcount == 1
    assert repair(tmp_path / "run").last_step == 3
    with open_run(tmp_path / "run") as run:
        assert list(problems(run)) == []


HEADER = {
    "what it is": 3, "the size of pages": 16, "the share of trees": 21, "how many pages": 30, "the form of tables": 47,
    "how texts are encoded": 59, "the kind of the list of tables": 100, "how many tables": 104, "where they are": 106,
}  # fmt: skip


@pytest.mark.parametrize("place", cases(HEADER, lambda name: name != "what it is"))
def test_a_file_whose_first_page_alone_is_damaged_is_saved_whole(run, place):
    content = bytearray((run / "run.sqlite").read_bytes())
    content[HEADER[place]] ^= 0b110
    (run / "run.sqlite").write_bytes(content)
    assert repair(run).last_step == STEPS
    assert is_whole(run)


def test_a_page_of_what_agents_keep_costs_no_more_steps_than_it_has_rows_of(tmp_path):
    keeps = {f"ann_{number}": [f"x = '{'y' * 900}{step}'" for step in range(6)] for number in range(6)}
    with closing(Recipe(yards.__name__, {"programs": keeps}).make(run := tmp_path / "run")) as simulation:
        simulation.run(until=6)
    with closing(sqlite3.connect(run / "run.sqlite")) as file:
        pages = "SELECT pageno FROM dbstat WHERE name = 'kept' AND pagetype = 'leaf' ORDER BY path"
        last = file.execute(pages).fetchall()[-1][0]
    content = bytearray((run / "run.sqlite").read_bytes())
    content[(last - 1) * 4_096] ^= 0b100
    (run / "run.sqlite").write_bytes(content)
    saved = repair(run)
    assert saved.last_step is not None
    assert saved.last_step >= 2
    assert (saved.unread, saved.last_known) == (("kept",), 6)
    assert is_whole(run)
