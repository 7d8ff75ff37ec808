"""Runs that an earlier version recorded are opened, checked, run again, continued and branched by this one.

They were recorded by revision 69ced27bc807c847, before the package was divided into rooms: ``town`` by scripted
residents, ``town_with_minds`` by residents who ask a scripted model, ``city`` by two districts with journals of their
own. A change that cannot read them any more is a change of the format, and needs a new ``FORMAT``.
"""

import lzma
import shutil
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
    "town": "0aa135fec5d60e38724b61a5b10568f73327fbb09ff099fc0328c71007b0a0c4",
    "town_with_minds": "3a20dd5da36265bec3145efeab85215ecb58cf23d9086b151012e310d5cc350f",
    "city": "fb6cc5ca90dca4f4e611a6521f38b615bc27ec3c18d7f29600501c8052dd407f",
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


@pytest.mark.parametrize("name", ["town", "city"])  # what minds are asked, and answer, has changed since
def test_an_old_run_goes_on_and_ends_as_a_new_one_of_as_many_steps(name, unpack, tmp_path):
    folder = unpack(name)
    with open_run(folder) as run:
        recipe, last_step = Recipe.of(run.manifest), run.last_step
    resume(folder).run(until=last_step + 3).close()
    recipe.make(tmp_path / "anew").run(until=last_step + 3).close()
    assert last_state(folder) == last_state(tmp_path / "anew")
    assert main(["doctor", str(folder)]) == 0


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


def test_a_branch_of_an_old_run_with_minds_lives_on_from_its_state(unpack, tmp_path):
    parent, branch = unpack("town_with_minds"), tmp_path / "branch"
    fork(parent, 30, branch).run(until=40).close()
    with open_run(parent) as one, open_run(branch) as other:
        assert other.steps()[0].state_hash == one.steps()[30].state_hash
        assert verify(other, Recipe.of(other.manifest).without_model().make).holds
