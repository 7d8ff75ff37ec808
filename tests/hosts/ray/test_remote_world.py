"""A world in a Ray actor is the same world: same turns, same hashes, same journal, for as many drivers as like to."""

import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from random import Random
from uuid import uuid4

import pytest

from cave_sim import CaveSimError, open_run
from cave_sim.cli.main import main
from cave_sim.hosts.ray import connect, launch, pool_of
from cave_sim.models import Asker, Key, Message, ModelError, Request, ScriptedModel
from cave_sim.replay.recipe import Recipe

TOWN = Recipe("town_day", {"seed": 7, "residents": 4})
KILLS = int(os.environ.get("CAVE_SIM_KILLS", "3"))
RAY_RUN = """
import subprocess
import sys
from cave_sim.cli.main import main

sys.exit(main(["run", "town_day", "--residents", "4", "--steps", "500", "--host", "ray", "--quiet", *sys.argv[1:]]))
"""


@pytest.fixture
def town(cluster, tmp_path):
    remote = launch(TOWN, tmp_path / f"town-{uuid4().hex[:8]}")
    yield remote
    remote.end()


def process_of(remote):
    return remote.about()["process"]


def kill(process):
    """End the process of a world's actor as a machine that fails would."""
    os.kill(process, signal.SIGKILL)


def local_run(folder, until, *cells):
    simulation = TOWN.make(folder)
    for cell in cells:
        simulation.world.execute(cell, "mayor")
    simulation.run(until=until)
    simulation.close()
    return simulation.state_hash


def test_it_is_the_world_of_a_local_run_cell_by_cell_and_to_its_end(town):
    here = TOWN.make()
    local = here.world
    cells = [
        ("mayor", "town.announcements.append('Hello')\nlen(town.announcements)"),
        ("mayor", "1 / 0"),
        ("mayor", "import os"),
        ("operator", "sorted(world)[:3]"),
    ]
    for agent, code in cells:
        turn, there = local.execute(code, agent), town.execute(code, agent)
        assert (there.status, there.output, there.error, there.changes) == (
            turn.status,
            turn.output,
            turn.error,
            turn.changes,
        )
    assert town.state_hash() == local.state_hash()
    assert town.observe("mayor") == local.observe("mayor")
    assert town.describe("mayor") == local.describe("mayor")
    batch = {"mayor": "town.announcements.append('a')", "operator": "town.announcements.append('b')"}
    turns, there = local.execute_batch(batch), town.execute_batch(batch)
    assert {agent: turn.status for agent, turn in there.items()} == {
        agent: turn.status for agent, turn in turns.items()
    }
    assert town.state_hash() == local.state_hash()
    assert town.run(until=6) == here.run(until=6).state_hash
    here.close()


@pytest.mark.long
def test_it_is_found_by_its_name_alone_and_others_see_what_was_done(town, tmp_path):
    town.execute("town.announcements.append('first')", "mayor")
    with connect(town.name, address=None) as other:
        assert other.execute("town.announcements[-1]", "mayor").output == "'first'"
    assert town.execute("len(town.announcements)", "mayor").output == "1"
    with pytest.raises(CaveSimError, match="runs in this cluster already"):
        launch(TOWN, tmp_path / "other", name=town.name)
    with pytest.raises(CaveSimError, match=rf"no world called 'nowhere' .* there are: .*{town.name}"):
        connect("nowhere", address=None)


@pytest.mark.long
@pytest.mark.parametrize(
    ("recipe", "folder", "reason"),
    [
        (Recipe("town_day", {"seed": 7, "residents": "four"}), "town", "residents='four': takes a whole number"),
        (TOWN, "file/town", "cannot be written: Not a directory"),
    ],
    ids=["made of what it does not take", "written where nothing can be"],
)
def test_a_world_that_cannot_start_says_why_at_once(cluster, tmp_path, recipe, folder, reason):
    (tmp_path / "file").touch()
    with pytest.raises(CaveSimError, match=f"world '[0-9a-f]+' cannot start: [A-Z]\\w+Error: .*{reason}"):
        launch(recipe, tmp_path / folder, name=uuid4().hex)


@pytest.mark.long
def test_what_was_answered_survives_its_death_and_however_often_it_dies_it_ends_as_if_it_had_not(town, tmp_path):
    said, chance, end = "town.announcements.append('before')", Random(5), 3 * KILLS
    town.execute(said, "mayor")
    before = town.state_hash()
    kill(process_of(town))
    assert town.state_hash() == before
    assert town.execute("town.announcements[-1]", "mayor").output == "'before'"
    with ThreadPoolExecutor(1) as threads:
        for until in range(6, end + 1, 3):
            process, running = process_of(town), threads.submit(town.run, until)
            time.sleep(chance.random() * 0.1)  # any moment will do
            kill(process)
            running.result()
    assert town.run(until=end + 1) == local_run(tmp_path / "local", end + 1, said, "town.announcements[-1]")


@pytest.mark.long
def test_models_think_in_a_pool_of_actors_and_say_the_same(cluster):
    make = partial(ScriptedModel, [("I am (ann|cy)", r"Hello \1.")])
    asked = [Request((Message("user", f"I am {name}"),), key=Key("", name, 0)) for name in ("ann", "bob", "cy")]
    model, pool = make(), pool_of(make)
    with Asker() as asker:
        here = asker.ask_all((model, request) for request in asked)
        there = asker.ask_all((pool, request) for request in asked)
    assert [str(answer) for answer in there] == [str(answer) for answer in here]
    assert isinstance(there[1], ModelError)


@pytest.mark.long
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the sandbox is Linux's")
def test_cells_of_an_actor_can_be_run_in_sandboxed_processes(cluster, tmp_path):
    remote = launch(TOWN, tmp_path / f"sandboxed-{uuid4().hex[:8]}", require="contained")
    try:
        assert remote.execute("open('/etc/passwd')", "mayor").status == "blocked"
        remote.run(until=3)
    finally:
        state_hash = remote.end()
    assert state_hash == local_run(tmp_path / "local", 3, "open('/etc/passwd')")


@pytest.mark.long
def test_the_command_line_runs_a_world_on_ray(cluster, tmp_path, capsys):
    arguments = ["run", "town_day", "--residents", "4", "--steps", "3", "--quiet"]
    hashes = set()
    for host in ("local", "ray"):
        assert main([*arguments, "--host", host, "--out", str(tmp_path / f"cli-{host}-{uuid4().hex[:8]}")]) == 0
        hashes.add(capsys.readouterr().out)
    assert len(hashes) == 1


@pytest.mark.long(cases=0)
@pytest.mark.parametrize("actor", ["outlives its driver", "dies, too"])
def test_a_run_whose_driver_was_killed_goes_on_to_the_same_end(actor, cluster, tmp_path, capsys):
    folder = tmp_path / f"killed-{uuid4().hex[:8]}"
    command = [sys.executable, "-c", RAY_RUN, "--address", cluster.address, "--out", str(folder)]
    driver = subprocess.Popen(command, env={**os.environ, "PYTHONPATH": "."})
    while driver.poll() is None and steps_of(folder) < 3:
        time.sleep(0.02)
    driver.kill()
    assert driver.wait() == -signal.SIGKILL
    if actor == "dies, too":
        with connect(folder.name, address=cluster.address) as remote:
            remote.end()
    until = steps_of(folder) + 9
    resume = ["resume", str(folder), "--host", "ray", "--address", cluster.address, "--quiet"]
    assert main([*resume, "--steps", str(until)]) == 0
    assert capsys.readouterr().out == f"state hash: {local_run(tmp_path / 'local', until)}\n"


def steps_of(folder):
    """Return how many steps a run has come to; -1 if there is none yet."""
    try:
        with open_run(folder) as run:
            return run.last_step
    except CaveSimError:
        return -1


@pytest.mark.long
def test_a_cluster_of_ours_listens_on_this_machine_alone_and_is_found_from_elsewhere(cluster):
    assert cluster.address.startswith("127.0.0.1:")
    join = "import sys; from cave_sim.hosts.ray import start; print(start(sys.argv[1]).address)"
    for address in (cluster.address, "auto"):
        joined = subprocess.run([sys.executable, "-c", join, address], capture_output=True, text=True, check=True)
        assert joined.stdout.startswith("127.0.0.1:")
