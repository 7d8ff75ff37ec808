"""What the pages on safety say in passing of the process host."""

from contextlib import suppress

import pytest

from cave_sim import open_run
from cave_sim.hosts.placement import isolated
from cave_sim.hosts.process.following_process import FollowingProcess, serve
from cave_sim.hosts.process.host import ProcessHost
from cave_sim.hosts.process.plain_cells import read_plain
from cave_sim.hosts.process.sandbox import Sandbox
from cave_sim.journal.queries import code_of
from cave_sim.replay.recipe import Recipe
from cave_sim.testing import HostContract
from tests.docs.pages import ROOT, blocks
from tests.hosts.process.conftest import attached, children, doing, ends, name_of
from tests.policy import square

PATIENCE_S = 60.0


def fails(_limits: object, _used: int) -> None:
    raise OSError("this step cannot be taken")


@pytest.mark.parametrize(("steps", "said"), [((), b"ran"), ((fails,), None)], ids=["all taken", "one fails"])
def test_where_a_step_of_the_sandbox_fails_no_cell_runs(steps, said):
    world, jail = square.build(), Sandbox(steps, (), ())

    def be(sock: int) -> None:
        serve(sock, world, jail, 0, lambda _request: b"ran", name="cell", is_kept=False)

    follower = FollowingProcess.fork(world, be)
    with suppress(OSError):  # it may be gone
        follower.request(world, "1 + 1", "ann")
        while follower.proposal is None and follower.listen():
            pass
    assert follower.proposal == said
    follower.end()
    assert follower.wait(PATIENCE_S) is not None


def test_processes_go_by_the_names_that_the_page_says(hosted):
    world = hosted()
    world.execute("me.mood = 0.25", agent="ann")  # a plain one
    world.execute("def f():\n    return 1\nf()", agent="ann")
    (*_, of_the_world) = world.host.pids
    names = {name_of(pid) for pid in children(of_the_world) if doing(pid) != "X"}
    assert name_of(of_the_world) == "world"
    assert "plain cells" in names <= {"plain cells", "cell"}


def test_a_host_has_processes_until_the_end_of_the_with_and_tells_what_it_stopped():
    told = []
    with ProcessHost("tests.policy.square:build", note=lambda kind, data: told.append((kind, data["agent"]))) as host:
        world = attached(host, square.build(deadline_s=0.1))
        pids = list(host.pids)
        assert pids
        assert "X" not in {doing(pid) for pid in pids}
        world.execute("nests = ()\nfor _ in range(60):\n    nests = (nests, nests)\nhash(nests)", agent="ann")
    assert told == [("cell_stopped", "ann")]
    assert all(ends(pid) for pid in pids)


def test_what_was_stopped_is_in_the_journal_of_a_run_with_its_cell_as_the_page_asks_for_it(tmp_path):
    recipe = Recipe("tests.hosts.process.stands_still")
    simulation = recipe.make(tmp_path / "run")
    with isolated(simulation, recipe):
        simulation.run(until=2)
        simulation.close()
    (asked,) = (block.text for block in blocks(ROOT / "docs" / "security.md", "sql"))
    with open_run(tmp_path / "run") as run:
        assert [row[:3] for row in run.query(asked)] == [(1, "ann", "timeout")]
        ((cell,),) = run.query(asked.replace("step, agent, status, error", "cell"))
        assert "a == b" in code_of(run, cell)
        assert ("cell_stopped",) in list(run.query("SELECT kind FROM events"))


def test_a_simulation_that_is_another_one_in_each_process_does_not_pass_the_suite(tmp_path):
    class Astray(HostContract):
        recipe = Recipe("tests.hosts.process.astray")
        steps = 1

    with pytest.raises(AssertionError):
        Astray().test_a_run_is_the_same_turn_by_turn_and_its_file_is_whole(tmp_path)


def test_plain_cells_are_told_apart_without_a_parser(monkeypatch):
    def refuse(*_, **__):
        raise AssertionError("something was parsed")

    read_plain.cache_clear()
    with monkeypatch.context() as patched:
        patched.setattr("builtins.compile", refuse)  # which ast.parse calls
        found = read_plain("me.mood = 0.5\nnotes = 3"), read_plain("def f():\n    pass")
    assert [each is not None for each in found] == [True, False]
