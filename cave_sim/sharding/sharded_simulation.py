"""Many shards, run, watched and kept as one simulation."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any, Self

from cave_sim.changes.turn import Turn
from cave_sim.entity.entity import Entity
from cave_sim.entity.field import field
from cave_sim.errors import CaveSimError, JournalError
from cave_sim.hosts.process.isolation_level import LEVELS, IsolationLevel
from cave_sim.journal.writer import Journal
from cave_sim.sharding.messages import ShardCommand, ShardReport
from cave_sim.sharding.worker_pool import Assignment, WorkerPool, address, gather, totals
from cave_sim.simulation.control import Control
from cave_sim.simulation.observers import Observer, tell
from cave_sim.simulation.run_journal import RunJournal, manifest_of
from cave_sim.simulation.run_loop import RunsStretches
from cave_sim.simulation.run_state import RunState
from cave_sim.simulation.runnable import Measure, measured, note_watch_points
from cave_sim.world.world import World


class Districts(Entity):  # the name is in the state hashes of recorded runs, from before shards were called so
    """What a sharded simulation knows of its shards, as of the last step."""

    hashes: list[str] = field([], guarded=True, about="the state hash of each district")
    turns: int = field(0, ge=0, guarded=True, about="turns taken in all of them so far")
    totals: dict[str, float] = field({}, guarded=True, about="what they count, added up")


@dataclass(frozen=True)
class ShardHosts:
    """The sandboxed processes in which the cells of all shards run; they end with the shards.

    Attributes:
        level: the lowest level of isolation among them.
    """

    level: IsolationLevel

    def close(self) -> None:
        """Do nothing: the processes of a shard end with it."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()


class ShardedSimulation(RunsStretches):
    """Runs shards side by side; a :class:`~cave_sim.simulation.runnable.Runnable`, as a simulation is.

    Its own world holds no more than the shards' hashes and what they count; its state hash is a digest of those, in the
    shards' order. The shards keep journals of their own, in folders inside its own. It has no agents and no branches:
    both are the shards' own.

    Args:
        world: empty, with the seed and the clock of the shards.
        pool: the workers, whose shards are at their start.
        assignment: the shards of each worker, as the pool has them.
        out: folder of the run; None keeps no journal.
        observers: told of every step.
        config: what the run was made with, for the manifest.
        manifest: more entries for the manifest.
        labels: total -> what its measure is called, with its unit in brackets; others go by their own names.

    Attributes:
        world: its own world.
        control: how it is played; None for as fast as it goes.
        measures: the totals by what they are called, as functions of its world.
        running: False once it was stopped.
        turns_taken: how many cells have run in all shards.
        state_hash: of the state after the last step.
    """

    def __init__(
        self,
        world: World,
        pool: WorkerPool,
        assignment: Assignment,
        *,
        out: str | Path | None = None,
        observers: Iterable[Observer] = (),
        config: Mapping[str, Any] | None = None,
        manifest: Mapping[str, Any] | None = None,
        labels: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        self.world: World = world
        self.running: bool = True
        self.over: bool = False
        self.control: Control | None = None
        self.observers: list[Observer] = list(observers)
        self._pool, self._assignment = pool, [list(numbers) for numbers in assignment]
        self._commands: list[ShardCommand] = []
        try:
            self._reports = gather(pool.all("report"))
        except CaveSimError:
            self._end_workers()
            raise
        self._book = world.add("districts", Districts())
        _enter(self._book, self._reports)
        world.dynamics(self._step_shards)
        self.measures: dict[str, Measure] = {labels.get(name, name): _total(name) for name in self._book.totals}
        self.turns_taken: int = self._book.turns
        self._turns_before = self._book.turns
        self._busy_s = 0.0
        about: dict[str, Any] = {"agents": {}, "config": config, "measures": self.measures}
        entries = manifest_of(world, simulation=type(self).__name__, scheduler="shards side by side", **about)
        self.run_journal: RunJournal = RunJournal()
        self.run_journal.begin(out, {**entries, **dict(manifest or {})})
        world.state_hash()  # what was built so far is told as one founding turn
        world.sink = self._take_turn
        world.record_founding()
        self._commit()

    # ---- the loop

    def step(self) -> None:
        """Take one step: submitted cells, a step of all shards, the commit."""
        started_s = time.perf_counter()
        for cell in self.control.take_cells() if self.control is not None else ():
            self.world.execute(cell.code, cell.agent)
        self.world.advance()
        self._commit()
        self._busy_s += time.perf_counter() - started_s

    def _step_shards(self, world: World) -> None:
        """Have all shards take a step; the one dynamics of this world."""
        commands, self._commands = self._commands, []
        try:
            self._reports = gather(self._pool.step(address(self._reports, self._assignment, commands)))
        except CaveSimError:
            self._end_workers()
            raise
        _enter(self._book, self._reports)
        self.turns_taken = self._book.turns

    def _take_turn(self, turn: Turn) -> None:
        self.run_journal.add(turn)
        tell(self, "on_turn", turn)

    def _commit(self) -> None:
        """Close a step: state hash, totals, and one transaction of the journal."""
        self.state_hash: str = self.world.state_hash()
        self.latest_measures: dict[str, float] = measured(self)
        note_watch_points(self)
        self.run_journal.write_step(self.world, self.state_hash, self.latest_measures, agents={})
        tell(self, "on_step")

    # ---- what it shows

    @property
    def journal(self) -> Journal | None:
        """The open journal; None if none is kept, or no longer."""
        return self.run_journal.writer

    @property
    def totals(self) -> dict[str, float]:
        """What the shards count, added up, as of the last step."""
        return dict(self._book.totals)

    @property
    def turns_per_s(self) -> float:
        """Cells run in a second of real time so far."""
        return (self.turns_taken - self._turns_before) / self._busy_s if self._busy_s else 0.0

    # ---- reaching the shards

    def tell(self, shard: int, action: str, *args: Any) -> None:
        """Have a shard do something at the next barrier."""
        self._commands.append(ShardCommand(shard, action, list(args)))

    def ask(self, shard: int, action: str, *args: Any) -> Any:
        """Return what an action of a shard comes to now; for looking, since nothing writes it down."""
        return self._pool.ask(shard, action, *args)

    def stay_local(self) -> None:
        """Have the cells of all shards run in the processes of their worlds, whoever writes them."""
        self._pool.all("stay_local")

    def isolate(self, require: str) -> ShardHosts:
        """Have the cells of all shards run in sandboxed processes from now on.

        Args:
            require: the least level; see :data:`cave_sim.hosts.process.isolation_level.LEVELS`.

        Raises:
            WorldError: the level of isolation is below that.
        """
        levels = [IsolationLevel.of(level) for levels in self._pool.all("isolate", require) for level in levels]
        return ShardHosts(min(levels, key=lambda level: LEVELS.index(level.name)))

    # ---- its run

    def note(self, kind: str, data: Mapping[str, Any]) -> None:
        """Put an event of the run into the journal, if it keeps one."""
        self.run_journal.note(kind, data)

    def restore(self, state: RunState) -> None:
        """Come to the state of a run that was made as this one was; its shards follow with the journal.

        Raises:
            WorldError: the run's world has another clock.
        """
        state.put_into_world(self.world)
        self.turns_taken = self._turns_before = self._book.turns
        self.state_hash = self.world.state_hash()

    def continue_journal(self, journal: Journal, state: RunState, changes_since_snapshot: int) -> None:
        """Write on in the journals of a run, the shards' at the last step that all have committed.

        Raises:
            JournalError: the journal of a shard is not there, or does not fit this one.
        """
        try:
            self._pool.all("resume", str(journal.folder.absolute()), self.world.clock.step)
            self._reports = gather(self._pool.all("report"))
            if _hashes(self._reports) != list(self._book.hashes):
                raise JournalError(f"{journal.folder}: the journals of its shards are of another run than its own")
        except BaseException:
            self._pool.close()
            raise
        self.run_journal.continue_in(journal, state.sessions, changes_since_snapshot)

    def replay_from(self, folder: Path) -> None:
        """Have the shards do again what their journals in the folder of a run recorded."""
        self._pool.all("replay_from", str(folder.absolute()))

    def close(self) -> None:
        """Finish the journals, and end the workers."""
        try:
            self._pool.close()
        finally:
            self.run_journal.close()
            self.world.sink = None

    def _end_workers(self) -> None:
        with suppress(CaveSimError):  # of workers that are no more, what went wrong is told already
            self._pool.close()


def _hashes(reports: Iterable[ShardReport]) -> list[str]:
    return [report.state_hash for report in reports]


def _enter(book: Districts, reports: list[ShardReport]) -> None:
    book.hashes = _hashes(reports)
    book.turns = sum(report.turns for report in reports)
    book.totals = totals(reports)


def _total(name: str) -> Callable[[World], float]:
    return lambda world: float(world["districts"].totals[name])
