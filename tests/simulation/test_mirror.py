"""A run that is copied to another place can be fetched from there, verified, and gone on with."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from cave_sim import JournalError, MissingExtra, open_run
from cave_sim.cli.main import main
from cave_sim.replay.recipe import Recipe
from cave_sim.replay.resume import resume
from cave_sim.replay.verify import verify
from cave_sim.simulation.mirror import Mirror, copy, fetch
from tests.late_imports import LateImport

fsspec = LateImport("fsspec")
TOWN = Recipe("town_day", {"seed": 7, "residents": 3})
ROOT = Path(__file__).parents[2]


@pytest.fixture
def url(tmp_path):
    """Return a place in memory of its own."""
    place = f"memory://{tmp_path.name}-{id(tmp_path)}/town"
    yield place
    fsspec.filesystem("memory").rm(place.rpartition("/")[0], recursive=True)


@pytest.mark.long
def test_a_copy_is_a_run_that_verifies_and_goes_on_to_the_same_end(tmp_path, url):
    whole = TOWN.make(tmp_path / "whole", [Mirror(url, every_steps=4)])
    whole.run(until=10)
    fetched = fetch(url, tmp_path / "fetched")
    with open_run(fetched) as run:
        assert verify(run, TOWN.make).holds
        assert run.last_step == 10
    assert end(resume(fetched), 14) == end(whole, 14)


@pytest.mark.long
def test_a_run_that_loses_its_disk_goes_on_from_its_last_copy(tmp_path):
    url = (tmp_path / "far" / "away").as_uri()
    lived = "import sys; from tests.simulation.test_mirror import live_until_killed; live_until_killed(*sys.argv[1:])"
    killed = subprocess.run([sys.executable, "-c", lived, str(tmp_path / "lost"), url], cwd=ROOT, check=False)
    assert killed.returncode == -9
    fetched = resume(fetch(url, tmp_path / "fetched"))
    assert fetched.world.clock.step == 8
    assert end(fetched, 12) == end(TOWN.make(), 12)


def end(simulation, until):
    """Bring a simulation to its end; returns the state hash."""
    simulation.run(until=until)
    simulation.close()
    return simulation.state_hash


def live_until_killed(folder, url):
    """Live eleven steps, then end as a machine that fails does."""
    simulation = TOWN.make(folder, [Mirror(url, every_steps=4)])
    for _ in range(11):
        simulation.step()
    os.kill(os.getpid(), 9)


def test_the_command_line_leaves_a_closed_copy(tmp_path, capsys):
    url = (tmp_path / "copy").as_uri()
    arguments = ["run", "town_day", "--residents", "2", "--steps", "3", "--quiet", "--out", str(tmp_path / "run")]
    assert main([*arguments, "--mirror", url]) == 0
    state_hash = capsys.readouterr().out.removeprefix("state hash: ").strip()
    with open_run(fetch(url, tmp_path / "fetched")) as run:
        assert run.manifest["state_hash"] == state_hash


def test_what_cannot_be_is_said_in_a_line(tmp_path, url):
    with pytest.raises(JournalError, match="no run could be fetched"):
        fetch(f"{url}/nothing", tmp_path / "fetched")
    with pytest.raises((JournalError, MissingExtra), match="nowhere://"):
        Mirror("nowhere://at/all")
    TOWN.make(tmp_path / "run").run(until=1).close()
    copy(tmp_path / "run", url)
    with pytest.raises(JournalError, match="holds a run already"):
        fetch(url, tmp_path / "run")


def test_a_world_on_ray_is_not_copied_and_says_so(capsys):
    assert main(["run", "town_day", "--host", "ray", "--mirror", "memory://kept"]) == 1
    assert "--mirror copies a run that this process writes" in capsys.readouterr().err
