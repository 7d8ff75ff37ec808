"""A world that is too large for one process: shards, each a simulation of its own, which step side by side.

All shards take a step; then there is a barrier. There, entities that came to a border go over as messages, and all
shards get what the others told, as of the barrier. Nothing else passes between them, and what passes is put in an order
that follows from names and numbers; so it makes no difference in which processes shards are, or in how many.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Protocol

from cave_sim.errors import JournalError, WorldError
from cave_sim.hosts.process.host import ProcessHost
from cave_sim.journal.integrity import problems
from cave_sim.journal.queries import last_turn_of
from cave_sim.journal.reader import Run, open_run
from cave_sim.journal.tables import DATABASE
from cave_sim.journal.tallies import cell_count
from cave_sim.replay.reexecute import reexecute_steps
from cave_sim.replay.resume import continue_run
from cave_sim.sharding.messages import Barrier, Migrant, ShardReport
from cave_sim.sharding.migration import pack, put_in, take_out
from cave_sim.simulation.simulation import Simulation
from cave_sim.world.world import World


class Borders(Protocol):
    """What passes the borders of a shard. It must follow from the state alone: a shard may be asked twice."""

    def leaving(self, world: World) -> Iterable[tuple[str, int]]:
        """Return the names of entities that leave, and to which shard each goes."""

    def arrived(self, world: World, name: str) -> None:
        """Do what is done when an entity comes in; it is in the world already."""

    def counts(self, world: World) -> Mapping[str, float]:
        """Return what is added up over all shards."""

    def news(self, world: World) -> Mapping[str, Any]:
        """Return what this shard tells all others, as plain data; of two that tell the same thing the last holds."""

    def publish(self, world: World, totals: Mapping[str, float], news: Mapping[str, Any]) -> None:
        """Write what all shards told into this one's world."""


Action = Callable[..., Any]
"""Takes a shard's simulation and plain data."""


class Shard:
    """One part of a sharded world.

    Args:
        number: which one, from 0.
        simulation: its own.
        borders: what passes its borders.
        actions: name -> what it may be told to do at a barrier, or asked between two.
        make_host: makes a host for its cells at a level of isolation; None where they can only run in this process.
    """

    def __init__(
        self,
        number: int,
        simulation: Simulation,
        borders: Borders,
        actions: Mapping[str, Action] | None = None,
        make_host: Callable[[str], ProcessHost] | None = None,
    ) -> None:
        self.number: int = number
        self.simulation: Simulation = simulation
        self._borders, self._actions, self._make_host = borders, dict(actions or {}), make_host
        self._recorded: Run | None = None
        self._resources = ExitStack()

    def report(self) -> ShardReport:
        """Return how things stand after the last step, and which entities leave. It changes nothing."""
        simulation, borders = self.simulation, self._borders
        world = simulation.world
        leaving = [Migrant(to, self.number, pack(simulation, name)) for name, to in borders.leaving(world)]
        return ShardReport(
            self.number,
            simulation.state_hash,
            simulation.turns_taken,
            dict(borders.counts(world)),
            dict(borders.news(world)),
            leaving,
        )

    def step(self, barrier: Barrier) -> ShardReport:
        """Let entities go and come in, take in what was told, take a step."""
        if self._recorded is not None:
            self._step_as_recorded(self._recorded)
            return self.report()
        simulation, borders = self.simulation, self._borders
        take_out(simulation, [name for name, _ in borders.leaving(simulation.world)])
        arrivals = [migrant.migration for migrant in barrier.migrants if migrant.to == self.number]
        put_in(simulation, arrivals)
        for migration in arrivals:
            borders.arrived(simulation.world, migration.name)
        borders.publish(simulation.world, barrier.totals, barrier.news)
        for command in barrier.commands:
            if command.shard == self.number:
                self.ask(command.action, *command.args)
        simulation.step()
        if simulation.calls.stopped is not None:
            raise simulation.calls.stopped
        return self.report()

    def ask(self, action: str, *args: Any) -> Any:
        """Return what an action comes to."""
        return self._actions[action](self.simulation, *args)

    def resume(self, folder: Path, step: int) -> None:
        """Come to a step of the journal that lies in the folder of a sharded run, and write on from there.

        Raises:
            JournalError: the journal is not there, or ends before that step.
        """
        continue_run(self.simulation, folder_of(folder, self.number), at=step)

    def replay_from(self, folder: Path) -> None:
        """Do again from now on what the shard's journal in the folder of a sharded run recorded, and nothing else.

        Raises:
            JournalError: the shard's journal is not there, or damaged.
        """
        folder = folder_of(folder, self.number)
        if not (folder / DATABASE).is_file():
            raise JournalError(f"{folder} is not there: a sharded run is run again from the journals of its shards")
        self._recorded = self._resources.enter_context(open_run(folder))
        for problem in problems(self._recorded):
            raise JournalError(f"{folder}: {problem}")

    def stay_local(self) -> None:
        """Have the cells run in this process, whoever writes them."""
        self.simulation.stay_local()

    def isolate(self, require: str) -> dict[str, Any]:
        """Have the cells run in sandboxed processes from now on; returns their level of isolation, as plain data."""
        if self._make_host is None:
            raise WorldError("the cells of these shards can only run in this process: --host local")
        host = self._resources.enter_context(self._make_host(require))
        return host.attach(self.simulation.world).level.to_data()

    def close(self) -> None:
        """Finish the journal, and end the processes of its cells."""
        with self._resources:
            self.simulation.close()

    def _step_as_recorded(self, run: Run) -> None:
        simulation = self.simulation
        step = simulation.world.clock.step
        if mismatch := reexecute_steps(run, simulation.world, step, step + 1):
            raise WorldError(f"in {run.folder.name}, {mismatch}")
        simulation.turns_taken += cell_count(run, last_turn_of(run, step), last_turn_of(run, step + 1))
        simulation.state_hash = simulation.world.state_hash()


def folder_of(folder: str | Path, number: int) -> Path:
    """Return where a shard keeps its journal in the folder of a sharded run."""
    return Path(folder) / f"district-{number}"  # as in runs that were recorded before shards were called so
