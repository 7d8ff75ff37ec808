"""A city's run is its own journal and those of its districts: it goes on from them, and is checked against them."""

import shutil
import sqlite3

import pytest

from cave_sim import open_run
from cave_sim.cli.main import main
from cave_sim.replay.recipe import Recipe
from cave_sim.replay.resume import resume
from cave_sim.replay.verify import verify
from tests.sharding.conftest import SMALL

RECIPE = Recipe("city_day", {**SMALL, "minds": "scripted"})


def begun(folder, until, recipe=RECIPE, orders=()):
    """Run a city for some steps; returns its hash."""
    city = recipe.make(folder)
    for order in orders:
        city.tell(*order)
    city.run(until=until)
    city.close()
    return city.state_hash


def gone_on(folder, until):
    """Resume a city; returns its hash."""
    city = resume(folder)
    city.run(until=until)
    city.close()
    return city.state_hash


def verdict(folder):
    with open_run(folder) as run:
        return verify(run, RECIPE.without_model().make)


@pytest.fixture
def run(tmp_path):
    """Return the folder of a city of 12 steps, in which somebody was called out of the crowd."""
    begun(tmp_path / "run", 12, orders=[(0, "promote", 5)])
    return tmp_path / "run"


@pytest.mark.long
def test_a_city_that_was_stopped_goes_on_as_if_it_had_not_been(tmp_path):
    begun(tmp_path / "stopped", 9)
    assert gone_on(tmp_path / "stopped", 14) == begun(tmp_path / "whole", 14)
    for number in range(4):
        with open_run(tmp_path / "stopped" / f"district-{number}") as part:
            assert part.last_step == 14
    assert verdict(tmp_path / "stopped").holds


@pytest.mark.long
def test_what_a_city_was_told_by_hand_is_there_when_it_is_resumed(tmp_path):
    promote = [(0, "promote", 5)]
    begun(tmp_path / "stopped", 3, orders=promote)
    assert gone_on(tmp_path / "stopped", 6) == begun(tmp_path / "whole", 6, orders=promote)


@pytest.mark.long
def test_districts_that_were_a_step_ahead_when_all_was_killed_take_it_again(tmp_path):
    whole = begun(tmp_path / "whole", 14)
    begun(tmp_path / "city", 9)
    begun(tmp_path / "ahead", 10)
    for number in (0, 2):
        name = f"district-{number}"
        shutil.rmtree(tmp_path / "city" / name)
        shutil.copytree(tmp_path / "ahead" / name, tmp_path / "city" / name)
    assert gone_on(tmp_path / "city", 14) == whole
    assert verdict(tmp_path / "city").holds


@pytest.mark.long
def test_a_district_that_is_behind_or_missing_is_told_in_one_line(tmp_path, capsys):
    begun(tmp_path / "city", 4)
    begun(tmp_path / "behind", 3)
    shutil.rmtree(tmp_path / "city" / "district-1")
    shutil.copytree(tmp_path / "behind" / "district-1", tmp_path / "city" / "district-1")
    assert main(["resume", str(tmp_path / "city"), "--quiet"]) == 1
    assert "district-1 cannot go on behind step 4" in capsys.readouterr().err
    shutil.rmtree(tmp_path / "city" / "district-1")
    assert main(["resume", str(tmp_path / "city"), "--quiet"]) == 1
    assert "district-1 holds no run" in capsys.readouterr().err


@pytest.mark.long
def test_a_run_is_verified_with_the_cells_of_all_its_districts(run):
    assert verdict(run).holds


@pytest.mark.long
def test_a_cell_that_somebody_changed_in_a_district_is_found(run):
    file = sqlite3.connect(run / "district-3" / "run.sqlite")
    file.execute("UPDATE cells SET code = code || '\n' WHERE hash = (SELECT min(hash) FROM cells)")
    file.commit()
    file.close()
    found = verdict(run)
    assert not found.holds
    assert "district-3" in found.why


@pytest.mark.long
def test_recorded_replies_of_all_districts_answer_a_run_from_the_command_line(run, tmp_path, capsys):
    sizes = [f"--set={name}={SMALL[name]}" for name in ("crowd", "districts")]
    line = ["run", "city_day", "--steps=4", "--residents=24", *sizes, "--quiet", "--host=local"]
    hashes = set()
    for more in (["--model=scripted"], [f"--replay-model={tmp_path / 'run_0'}"]):
        assert main([*line, *more, "--out", str(tmp_path / f"run_{len(hashes)}")]) == 0
        hashes.add(capsys.readouterr().out)
        assert len(hashes) == 1


@pytest.mark.long(cases=0)
@pytest.mark.parametrize(
    ("line", "said"),
    [
        (["fork", "RUN", "--at", "4", "--out", "OUT"], "has no branches"),
        (["verify", "RUN/district-1"], "name the city's, RUN"),
        (["resume", "RUN/district-1"], "name the city's, RUN"),
    ],
)
def test_what_cannot_be_done_with_a_city_is_told_in_one_line(run, tmp_path, capsys, line, said):
    line = [each.replace("RUN", str(run)).replace("OUT", str(tmp_path / "out")) for each in line]
    assert main(line) == 1
    assert said.replace("RUN", str(run)) in capsys.readouterr().err
    assert not (tmp_path / "out").exists()
