"""City: many districts, played, watched and kept as one simulation."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from cave_sim.entity.entity import Entity
from cave_sim.entity.field import field
from cave_sim.errors import CaveSimError, JournalError, WorldError
from cave_sim.hosts.process.isolation_level import LEVELS, IsolationLevel
from cave_sim.journal.writer import Journal
from cave_sim.sharding.shard import ShardCommand, ShardReport
from cave_sim.sharding.workers import WorkerPool, address, gather, totals
from cave_sim.simulation.observers import Observer
from cave_sim.simulation.simulation import Simulation
from cave_sim.world.world import World


class Districts(Entity):
    """What a city knows of its districts, as of the last step."""

    hashes: list[str] = field([], guarded=True, about="the state hash of each district")
    turns: int = field(0, ge=0, guarded=True, about="turns taken in all of them so far")
    totals: dict[str, float] = field({}, guarded=True, about="what they count, added up")


@dataclass(frozen=True)
class ShardHosts:
    """The jailed processes in which the cells of a city's districts run; they end with the districts.

    Attributes:
        level: how well cells are held in the district where they are held least.
    """

    level: IsolationLevel

    def close(self) -> None:
        """Do nothing: whoever has a district ends its processes with it."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()


class ShardedSimulation(Simulation):
    """A simulation whose one dynamics is that all districts take a step.

    Its own world holds no more than the districts' hashes and what they count; its state hash is a digest of those, in
    the districts' order. The districts keep journals of their own, in folders inside its own.

    Args:
        world: empty, with the seed and the clock of the districts.
        crew: who has the districts, at their start.
        posts: the districts of each worker, as the crew has them.
        out: folder of the run; None keeps no journal.
        observers: told of every step.
        config: for the manifest.
    """

    def __init__(
        self,
        world: World,
        crew: WorkerPool,
        posts: Sequence[Sequence[int]],
        *,
        out: str | Path | None = None,
        observers: Iterable[Observer] = (),
        config: Mapping[str, Any] | None = None,
    ) -> None:
        self._crew: WorkerPool = crew
        self._posts = [list(numbers) for numbers in posts]
        self._orders: list[ShardCommand] = []
        try:
            self._reports = gather(crew.all("report"))
        except CaveSimError:
            self._end_workers()
            raise
        self._book = world.add("districts", Districts())
        _enter(self._book, self._reports)
        world.dynamics(self._exchange)
        measures = {name: _total(name) for name in self._book.totals}
        super().__init__(world, out=out, observers=observers, measures=measures, config=config)

    @property
    def totals(self) -> dict[str, float]:
        """What the districts count, added up, as of the last step."""
        return dict(self._book.totals)

    def tell(self, district: int, action: str, *args: Any) -> None:
        """Have a district do something at the next barrier."""
        self._orders.append(ShardCommand(district, action, list(args)))

    def ask(self, district: int, action: str, *args: Any) -> Any:
        """Return what an action of a district comes to now; for looking, since nothing writes it down."""
        return self._crew.ask(district, action, *args)

    def isolate(self, require: str) -> ShardHosts:
        """Have the cells of all districts run in jailed processes from now on.

        Args:
            require: the least level; see :data:`cave_sim.hosts.process.isolation_level.LEVELS`.

        Raises:
            WorldError: the level of isolation is below that.
        """
        levels = [IsolationLevel.of(each) for found in self._crew.all("isolate", require) for each in found]
        return ShardHosts(min(levels, key=lambda level: LEVELS.index(level.name)))

    def write_on(self, journal: Journal, *, asleep: bool = False) -> None:
        """Go on with the journals of a run, the districts' at the last step that all have committed.

        Raises:
            JournalError: the journal of a district is not there, or does not fit the city's.
        """
        try:
            self._crew.all("go_on", str(journal.folder.absolute()), self.world.clock.step, asleep)
            self._reports = gather(self._crew.all("report"))
            if self._hashes() != list(self._book.hashes):
                raise JournalError(f"{journal.folder}: its districts' journals are of another run than its own")
        except BaseException:
            self._crew.close()
            raise
        super().write_on(journal, asleep=asleep)

    def follow(self, folder: Path) -> None:
        """Have the districts do again what their journals in the folder of a run recorded."""
        self._crew.all("follow", str(folder.absolute()))

    def expect_branches(self) -> None:
        """Refuse: what a branch would change is in the districts."""
        raise WorldError("a city of districts has no branches: run it anew with another --seed, --set or --residents")

    def fork(self) -> Simulation:
        """Refuse: districts are in other processes."""
        raise WorldError("a city of districts has no fork(); make it anew from its recipe, with the same seed")

    def close(self) -> None:
        """Finish the journals, and end the workers."""
        try:
            self._crew.close()
        finally:
            super().close()

    def _exchange(self, world: World) -> None:
        orders, self._orders = self._orders, []
        try:
            self._reports = gather(self._crew.step(address(self._reports, self._posts, orders)))
        except CaveSimError:
            self._end_workers()
            raise
        _enter(self._book, self._reports)
        self.turns_taken = self._book.turns

    def _end_workers(self) -> None:
        with suppress(CaveSimError):  # of workers that are no more, what went wrong is told already
            self._crew.close()

    def _hashes(self) -> list[str]:
        return [report.state_hash for report in self._reports]


def _enter(book: Districts, reports: Sequence[ShardReport]) -> None:
    book.hashes = [report.state_hash for report in reports]
    book.turns = sum(report.turns for report in reports)
    book.totals = totals(reports)


def _total(name: str) -> Any:
    return lambda world: world["districts"].totals[name]
