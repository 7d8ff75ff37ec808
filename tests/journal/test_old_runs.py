"""Runs that an earlier version recorded are opened, checked, run again, continued and branched by this one.

They were recorded when format 3 began: ``town`` by scripted residents, ``town_with_minds`` by residents who ask a
scripted model, ``city`` by two districts with journals of their own. A change that cannot read them any more is a
change of the format, and needs a new ``FORMAT``.
"""

import lzma
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from cave_sim import open_run
from cave_sim.cli.main import main
from cave_sim.replay.fork import fork
from cave_sim.replay.recipe import Recipe
from cave_sim.replay.resume import resume
from cave_sim.replay.verify import verify

FIXTURES = Path(__file__).parent.parent / "fixtures" / "old_runs"
STATES = {
    "town": "bacda55351a53a94ea71d025a49b5fa5a5ffd1ef7b77f7decbcc530611f9411e",
    "town_with_minds": "7d3862d4ec86e96cd8c19e3d8b759d758a3f694cd24a07e2ea05929045e4b82e",
    "city": "489d73305cec42f98372aaa9c86e327913c9e6dc43d47a1c7945dbeafe3f1a6d",
}
RECORDED = sorted(STATES)


@pytest.fixture
def unpack(tmp_path):
    """Return a function that unpacks a recorded run into a folder."""

    def unpacked(name):
        folder = tmp_path / name
        shutil.copytree(FIXTURES / name, folder)
        for packed in folder.rglob("run.sqlite.xz"):
            packed.with_suffix("").write_bytes(lzma.decompress(packed.read_bytes()))
            packed.unlink()
        return folder

    return unpacked


def last_state(folder):
    with open_run(folder) as run:
        return run.steps()[-1].state_hash


@pytest.mark.parametrize("name", RECORDED)
def test_an_old_run_opens_and_holds_the_state_it_ended_in(name, unpack):
    folder = unpack(name)
    with open_run(folder) as run:
        assert run.manifest["state_hash"] == STATES[name]
    assert last_state(folder) == STATES[name]


@pytest.mark.parametrize("name", RECORDED)
def test_the_doctor_finds_an_old_run_whole(name, unpack, capsys):
    assert main(["doctor", str(unpack(name))]) == 0
    assert "steps" in capsys.readouterr().out


@pytest.mark.parametrize("name", RECORDED)
def test_the_cells_of_an_old_run_come_out_as_they_were_recorded(name, unpack):
    with open_run(unpack(name)) as run:
        verdict = verify(run, Recipe.of(run.manifest).without_model().make)
    assert verdict.holds, verdict


@pytest.mark.long
@pytest.mark.parametrize("name", ["town", "city"])  # what minds are asked, and answer, has changed since
def test_an_old_run_goes_on_and_ends_as_a_new_one_of_as_many_steps(name, unpack, tmp_path):
    folder = unpack(name)
    with open_run(folder) as run:
        recipe, last_step = Recipe.of(run.manifest), run.last_step
    resume(folder).run(until=last_step + 3).close()
    recipe.make(tmp_path / "anew").run(until=last_step + 3).close()
    assert last_state(folder) == last_state(tmp_path / "anew")
    assert main(["doctor", str(folder)]) == 0


@pytest.mark.long
def test_an_old_run_with_minds_goes_on_with_the_prompts_of_now_and_holds(unpack):
    folder = unpack("town_with_minds")
    with open_run(folder) as run:
        last_step = run.last_step
    resume(folder).run(until=last_step + 3).close()
    with open_run(folder) as run:
        assert run.last_step == last_step + 3
        assert verify(run, Recipe.of(run.manifest).without_model().make).holds


def test_a_branch_of_an_old_run_on_which_nothing_changes_ends_as_its_parent(unpack, tmp_path):
    fork(unpack("town"), 30, tmp_path / "branch").run(until=40).close()  # a city has no branches
    assert last_state(tmp_path / "branch") == STATES["town"]


@pytest.mark.long
def test_a_branch_of_an_old_run_with_minds_lives_on_from_its_state(unpack, tmp_path):
    parent, branch = unpack("town_with_minds"), tmp_path / "branch"
    fork(parent, 30, branch).run(until=40).close()
    with open_run(parent) as one, open_run(branch) as other:
        assert other.steps()[0].state_hash == one.steps()[30].state_hash
        assert verify(other, Recipe.of(other.manifest).without_model().make).holds


def test_a_run_of_another_format_is_read_and_neither_accused_nor_gone_on_with(unpack, tmp_path, capsys):
    folder = unpack("town")
    with closing(sqlite3.connect(folder / "run.sqlite")) as file:
        file.execute("UPDATE manifest SET value = '2' WHERE key = 'format'")
        file.commit()
    assert main(["log", str(folder), "--last", "1"]) == 0
    capsys.readouterr()
    branch = ["fork", str(folder), "--at", "30", "--out", str(tmp_path / "branch")]
    for command in (["verify", str(folder)], ["resume", str(folder)], ["doctor", str(folder)], branch):
        assert main(command) == 1
        said = capsys.readouterr()
        assert "has format 2, whose hashes were made otherwise" in said.out + said.err
        assert "damaged" not in said.out + said.err
