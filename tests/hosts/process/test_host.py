"""Whole runs: the same turns, states and step hashes wherever cells run, and a journal that says how they were held."""

import pytest

from cave_sim import open_run
from cave_sim.cli.main import main
from cave_sim.hosts.process.host import ProcessHost
from cave_sim.simulations.town_day import create
from cave_sim.testing import AgentContract

RUN = ["run", "town_day", "--steps", "12", "--residents", "3", "--seed", "5", "--quiet"]


def rows(folder):
    with open_run(folder) as run:
        told = run.query("SELECT step, turn, parent, agent, status, output, error FROM turns ORDER BY turn")
        changes = run.query("SELECT turn, entity, path, op, old, new FROM changes ORDER BY turn, position")
        return told, changes, [step.state_hash for step in run.steps()], [step.hash for step in run.steps()]


def test_a_run_is_the_same_on_both_hosts(tmp_path, capsys):
    for host in ("local", "process"):
        assert main([*RUN, "--host", host, "--out", str(tmp_path / host)]) == 0
    here, there = rows(tmp_path / "local"), rows(tmp_path / "process")
    assert here == there
    assert len(set(capsys.readouterr().out.splitlines())) == 1


def test_the_journal_says_how_cells_were_held(tmp_path, capsys):
    main([*RUN, "--host", "process", "--out", str(tmp_path / "run")])
    with open_run(tmp_path / "run") as run:
        assert run.manifest["host"] == "process"
        assert run.manifest["isolation"]["name"] in ("contained", "isolated")
    assert capsys.readouterr().out.startswith("state hash: ")


def test_what_is_required_and_not_there_is_refused_in_one_line(tmp_path, capsys):
    assert main([*RUN, "--host", "local", "--require", "isolated", "--out", str(tmp_path / "run")]) == 1
    assert "--require isolated: cells are only guarded here" in capsys.readouterr().err


def test_a_run_goes_on_in_processes(tmp_path, capsys):
    for host in ("local", "process"):
        folder = str(tmp_path / host)
        main([*RUN[:2], "--steps", "6", *RUN[4:], "--out", folder])
        assert main(["resume", folder, "--steps", "12", "--host", host, "--quiet"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[1] == lines[3]


def test_doctor_without_a_run_tells_the_level(capsys):
    assert main(["doctor"]) == 0
    assert "\nisolation " in capsys.readouterr().out


class TestResidentsInProcesses(AgentContract):
    steps = 6

    @pytest.fixture(autouse=True)
    def _host(self, town_host):
        self.host = town_host

    def make(self, seed):
        simulation = create(seed=seed, residents=2)
        self.host.attach(simulation.world)
        return simulation


@pytest.fixture(scope="module")
def town_host():
    with ProcessHost("cave_sim.simulations.town_day:create", {"seed": 3, "residents": 2}) as host:
        yield host
