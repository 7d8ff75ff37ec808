"""Verifying, replaying and branching hold cells as the run did: those of a sandboxed run never run in this process."""

import shutil
from contextlib import nullcontext

import pytest

from cave_sim import Agent, Simulation, open_run
from cave_sim.cli.main import main
from cave_sim.replay.reexecute import reexecute
from cave_sim.runtime.cell import CellCache
from tests.world.market import make_market

RUN = ["run", "town_day", "--steps", "8", "--residents", "2", "--seed", "5", "--quiet"]


@pytest.fixture(scope="module")
def sandboxed(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs") / "run"
    assert main([*RUN, "--host", "process", "--out", str(folder)]) == 0
    return str(folder)


@pytest.fixture(scope="module")
def unjailed(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs") / "run"
    assert main([*RUN, "--host", "local", "--out", str(folder)]) == 0
    return str(folder)


@pytest.fixture
def compiled_here(monkeypatch):
    """Return the list of cells that are compiled in this process from here on."""
    cells, make = [], CellCache._make
    monkeypatch.setattr(CellCache, "_make", lambda self, source: cells.append(source) or make(self, source))
    return cells


@pytest.mark.long
@pytest.mark.parametrize("command", ["verify", "replay"])
def test_a_sandboxed_run_is_run_again_in_sandboxes(command, sandboxed, compiled_here, capsys):
    assert main([command, sandboxed]) == 0
    assert compiled_here == []
    assert "came out the same" in capsys.readouterr().out


@pytest.mark.parametrize("command", ["verify", "replay"])
def test_it_is_run_again_here_if_that_is_asked_for(command, sandboxed, compiled_here):
    assert main([command, sandboxed, "--host", "local"]) == 0
    assert compiled_here


@pytest.mark.long(cases=0)
@pytest.mark.parametrize("command", ["verify", "replay"])
def test_a_run_of_this_process_is_run_again_here_or_in_sandboxes(command, unjailed, compiled_here):
    assert main([command, unjailed, "--host", "process"]) == 0
    assert compiled_here == []
    assert main([command, unjailed]) == 0
    assert compiled_here


def test_a_level_that_is_not_reached_is_refused(unjailed, capsys):
    assert main(["verify", unjailed, "--require", "isolated"]) == 1
    assert "cells are only guarded here" in capsys.readouterr().err


BRANCHES = {
    "a cell": ["--cell", "note = 'here'\ntown.announcements.append('A fair at noon')"],
    "a value": ["--set", "weather.kind=storm"],
    "nothing": [],
}


@pytest.mark.long(cases=0)
@pytest.mark.parametrize("changes", BRANCHES.values(), ids=BRANCHES)
def test_a_branch_of_a_sandboxed_run_runs_in_sandboxes_from_its_first_cell_on(
    changes, sandboxed, compiled_here, tmp_path, capsys
):
    sandboxed_branch, other = str(tmp_path / "branch"), str(tmp_path / "other")
    arguments = ["fork", sandboxed, "--at", "4", "--steps", "8", "--quiet", *changes]
    assert main([*arguments, "--out", sandboxed_branch]) == 0
    assert compiled_here == []
    assert main([*arguments, "--out", other, "--host", "local"]) == 0
    one, two = capsys.readouterr().out.splitlines()
    assert one == two
    with open_run(sandboxed_branch) as run:
        assert (run.manifest["host"], run.manifest["isolation"]["name"] != "guarded") == ("process", True)
    compiled_here.clear()
    assert main(["verify", sandboxed_branch]) == 0
    assert compiled_here == []


@pytest.mark.long
def test_a_cell_that_does_not_land_leaves_no_branch(sandboxed, compiled_here, tmp_path, capsys):
    out = tmp_path / "branch"
    assert main(["fork", sandboxed, "--at", "4", "--cell", "1 / 0", "--out", str(out)]) == 1
    assert "ZeroDivisionError" in capsys.readouterr().err
    assert (out.exists(), compiled_here) == (False, [])


@pytest.mark.long(cases=0)
def test_a_sandboxed_run_goes_on_in_sandboxes(sandboxed, compiled_here, tmp_path):
    shutil.copytree(sandboxed, tmp_path / "run")
    assert main(["resume", str(tmp_path / "run"), "--steps", "10", "--quiet"]) == 0
    assert compiled_here == []


class Counter(Agent):
    """Adds up what the program gave it."""

    def act(self, observation):
        return "me.mood = sum(seats) / 10 % 1\nseats.append(clock.step)"


def market(folder=None):
    return Simulation(make_market(7), [(Counter, "ann")], out=folder)


def test_variables_that_the_program_gave_are_given_again_on_a_host(market_host, tmp_path):
    simulation = market(tmp_path / "run")
    simulation.world.inject("seats", [1, 2], agent="ann")
    simulation.run(until=4).close()
    with open_run(tmp_path / "run") as run:
        assert reexecute(run, market(), place=lambda again: nullcontext(market_host.attach(again.world))) is None
        assert reexecute(run, market()) is None
