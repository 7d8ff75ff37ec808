"""Whose cells are jailed: those that a language model writes, unless somebody says otherwise."""

import ctypes
import os
from contextlib import suppress
from pathlib import Path

import pytest

from cave_sim import Entity, Simulation, World, WorldError, field
from cave_sim.journal.reader import open_run
from cave_sim.llm_agent.llm_agent import LLMAgent
from cave_sim.models import ScriptedModel
from cave_sim.models.cassette import Cassette, RecordedModel
from cave_sim.models.origin import is_language_model
from cave_sim.models.per_agent import PerAgent
from cave_sim.models.resilience import Retrying
from cave_sim.simulation.jail import Jail

SECRET = "CAVE_SIM_TEST_OWN_KEY"


class Live(ScriptedModel):
    """Stands for a language model: nobody says of it that it is scripted."""

    is_scripted = False


class Well(Entity):
    """A class that only this script knows."""

    found: list[str] = field([])

    def look(self) -> None:
        """Write down whose process this is, and what it has of the environment."""
        libc = ctypes.CDLL(None)
        libc.getenv.restype = ctypes.c_char_p
        self.found.append(f"{os.environ.get(SECRET)} {libc.getenv(SECRET.encode())}")


CELL = "```python\nwell.look()\nprint(pid())\ncount = 3\n```"


def pid() -> int:
    """Return the process that this is called in."""
    return os.getpid()


def lived(llm, *, out=None, host=None, own=None):
    """Return a simulation of one mind after two steps."""
    world = World(seed=1)
    world.add("well", Well())
    world.inject("pid", pid)
    world.dynamics(lambda world: None)
    minds = [lambda simulation: LLMAgent(simulation, "ann", llm=own)]
    simulation = Simulation(world, lambda simulation: [mind(simulation) for mind in minds], llm=llm, out=out, host=host)
    simulation.run(until=2)
    return simulation


def processes(simulation):
    return {row.text.split("\n")[1] for row in simulation.by_name["ann"].session.rows.since(0) if row.kind == "output"}


@pytest.fixture(scope="module")
def jailed(tmp_path_factory):
    folder = tmp_path_factory.mktemp("jail") / "run"
    os.environ[SECRET] = "xyz"
    try:
        simulation = lived(Live(lambda request: CELL), out=folder)
    finally:
        del os.environ[SECRET]
    yield simulation, folder
    simulation.close()


def test_cells_that_a_language_model_writes_run_in_processes_of_their_own(jailed):
    simulation, folder = jailed
    assert processes(simulation).isdisjoint({str(os.getpid())})
    assert simulation.by_name["ann"].retrieve("count") == 3
    with open_run(folder) as run:
        assert run.manifest["host"] == "process"
        assert run.manifest["isolation"]["name"] == "contained"
        assert "memory of the script" in run.manifest["isolation"]["missing"][-1]


def test_what_they_do_is_the_same_as_in_this_process(jailed):
    simulation, _ = jailed
    local = lived(ScriptedModel(lambda request: CELL))
    assert processes(local) == {str(os.getpid())}
    assert len(local.world["well"].found) == len(simulation.world["well"].found) > 1
    assert local.world.clock.step == simulation.world.clock.step


def test_the_environment_of_the_script_is_not_there(jailed):
    assert set(jailed[0].world["well"].found) == {"None None"}


@pytest.mark.long
def test_a_second_simulation_says_no_second_line(jailed, capfd):
    other = lived(None, own=Live(lambda request: CELL))
    assert str(os.getpid()) not in processes(other)
    other.close()
    assert "sandboxed" not in capfd.readouterr().err


@pytest.mark.long
def test_the_script_has_no_process_to_bury():
    def children():
        pids = set()
        for task in Path("/proc/self/task").iterdir():
            with suppress(FileNotFoundError, ProcessLookupError):  # a thread that has ended meanwhile
                pids.update((task / "children").read_text().split())
        return pids

    before = children()
    simulation = lived(Live(lambda request: CELL))
    assert str(os.getpid()) not in processes(simulation)
    simulation.close()
    assert children() <= before


def test_who_is_told_local_stays_here():
    assert processes(lived(Live(lambda request: CELL), host="local")) == {str(os.getpid())}


def test_a_place_that_is_none_is_refused():
    with pytest.raises(WorldError, match="takes 'process', 'local', or None"):
        Simulation(World(), host="moon")


@pytest.mark.parametrize(
    ("model", "is_one"),
    [
        (ScriptedModel([]), False), (Live([]), True), (Retrying(Live([])), True), (Retrying(ScriptedModel([])), False),
        (RecordedModel(Cassette([])), False), (PerAgent(ScriptedModel([]), {"ann": Live([])}), True),
        (PerAgent(ScriptedModel([]), {"ann": ScriptedModel([])}), False),
    ],
)  # fmt: skip
def test_scripts_and_recordings_are_no_language_models(model, is_one):
    assert is_language_model(model) is is_one


def test_where_there_is_no_jail_it_says_so(monkeypatch, capsys):
    monkeypatch.setattr("sys.platform", "plan9")
    Jail(Simulation(World()), None).expect(Live([]))
    assert "only guarded: plan9 has no jail" in capsys.readouterr().err
