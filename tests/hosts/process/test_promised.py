"""What the pages on safety say in passing of the process host."""

from contextlib import suppress

import pytest

from cave_sim.hosts.process.following_process import FollowingProcess, serve
from cave_sim.hosts.process.sandbox import Sandbox
from tests.hosts.process.conftest import children, doing, name_of
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
