"""The contract that every host must satisfy: a simulation is the same wherever its cells run, also after a resume.

The tests compare turns, changes, state hashes, the chain of step hashes, model calls, and private data of agents.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from operator import itemgetter
from pathlib import Path
from typing import Any

from cave_sim.hosts.placement import isolated
from cave_sim.hosts.process.host import ProcessHost
from cave_sim.journal.queries import recorded_changes, recorded_turns
from cave_sim.journal.reader import open_run
from cave_sim.replay.fork import fork
from cave_sim.replay.recipe import Recipe
from cave_sim.replay.resume import resume
from cave_sim.replay.verify import verify
from cave_sim.simulation.runnable import Runnable
from cave_sim.world.world import World

DRIVERS = "drivers"
"""What a world on Ray keeps of those who acted in it."""

HOSTS = ("local", "process", "ray")
ALL = 2**62
DURATION = 9
"""The column of a recorded turn from which on it tells of this machine: seconds, and what was paid."""


class HostContract:
    """A simulation on a host ends as it does in this process, turn by turn.

    Attributes:
        recipe: of the simulation.
        steps: how far it is followed.
        host: ``local``, ``process`` or ``ray``; the last in a cluster that was started or joined before.
        agent: a name that may act in its world.
    """

    recipe: Recipe
    steps = 6
    host = "process"
    agent = "operator"

    def test_a_run_is_the_same_turn_by_turn_and_its_file_is_whole(self, tmp_path: Path) -> None:
        there = self._live(tmp_path / "there")
        assert recorded_run(there) == recorded_run(self._live(tmp_path / "here", "local"))
        with open_run(there) as run:
            verdict = verify(run, self.recipe.without_model().make)
        assert verdict.holds, verdict

    def test_a_run_that_was_cut_off_here_goes_on_there_to_the_same_end(self, tmp_path: Path) -> None:
        there = self._live(tmp_path / "there", "local", until=self.steps // 2)
        with self._going_on(there) as world:
            world.run(until=self.steps)
        assert recorded_run(there) == recorded_run(self._live(tmp_path / "here", "local"))

    def test_a_branch_on_which_nothing_changes_ends_as_its_parent(self, tmp_path: Path) -> None:
        parent, branch = self._live(tmp_path / "here", "local"), tmp_path / "branch"
        fork(parent, self.steps // 2, branch).close()
        with self._going_on(branch) as world:
            world.run(until=self.steps)
        assert states(branch) == {step: state for step, state in states(parent).items() if step >= self.steps // 2}

    def test_failures_and_looking_leave_no_trace_and_snapshots_are_whole(self, tmp_path: Path) -> None:
        local = self.recipe.make().world
        with self._begun(tmp_path / "there") as world:
            turn = world.execute("kept = 1\nraise ValueError('on purpose')", agent=self.agent)
            assert (turn.status, turn.changes) == ("failed", [])
            assert world.observe(self.agent) == local.observe(self.agent)
            assert world.describe(self.agent) == local.describe(self.agent)
            assert world.state_hash() == local.state_hash()
            world.run(until=2)
            assert World.restore(world.snapshot()).state_hash() == world.state_hash()

    # ---- within

    def _live(self, folder: Path, host: str | None = None, until: int | None = None) -> Path:
        """Return the folder of a run that was lived on a host."""
        with self._begun(folder, host) as world:
            world.run(until=self.steps if until is None else until)
        return folder

    @contextmanager
    def _begun(self, folder: Path, host: str | None = None) -> Iterator[Any]:
        """Begin a run; gives its world, which takes steps with ``run(until=...)`` wherever it is."""
        host = host or self.host
        with self._on_ray(folder) if host == "ray" else self._here(self.recipe.make(folder), host) as world:
            yield world

    @contextmanager
    def _going_on(self, folder: Path) -> Iterator[Any]:
        """Go on with a run on the host."""
        if self.host == "ray":
            going_on = self._on_ray(folder)
        else:
            going_on = self._here(resume(folder), self.host)
        with going_on as world:
            yield world

    @contextmanager
    def _here(self, simulation: Runnable, host: str) -> Iterator[Any]:
        host_of_cells = isolated(simulation, self.recipe) if host == "process" else None
        try:
            yield _Stepping(simulation)
            if isinstance(host_of_cells, ProcessHost):
                assert host_of_cells.canonical_hash() == simulation.world.state_hash()
        finally:
            simulation.close()
            if host_of_cells is not None:
                host_of_cells.close()

    @contextmanager
    def _on_ray(self, folder: Path) -> Iterator[Any]:
        from cave_sim.hosts.ray import launch

        remote = launch(self.recipe, folder, name="-".join(folder.parts[-3:]))
        try:
            yield remote
        finally:
            remote.end()


class _Stepping:
    """The world of a simulation, with the step of a remote one."""

    def __init__(self, simulation: Runnable) -> None:
        self._simulation = simulation

    def run(self, until: int) -> object:
        """Step until the clock shows ``until``."""
        return self._simulation.run(until=until)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._simulation.world, name)


def recorded_run(folder: Path) -> dict[str, Any]:
    """Return the deterministic part of a run's journal."""
    with open_run(folder) as run:
        turns, changes = [row[:DURATION] for row in recorded_turns(run, 0, ALL)], recorded_changes(run, 0, ALL)
        calls = sorted(run.calls(), key=itemgetter("step", "agent", "attempt", "retry"))
        answers = [(call["step"], call["agent"], call["request"], call["reply"]) for call in calls]
        hashes = [(step.step, step.state_hash, step.hash) for step in run.steps()]
        private_data = {
            place: data for place, data in run.private_data(run.last_step).items() if place != ("", DRIVERS)
        }
        return {"turns": turns, "changes": changes, "calls": answers, "steps": hashes, "kept": private_data}


def states(folder: Path) -> dict[int, str]:
    """Return the state hash after each step of a run."""
    with open_run(folder) as run:
        return {step.step: step.state_hash for step in run.steps()}
