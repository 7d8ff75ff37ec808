"""A world that is too large for one process: districts, each a simulation of its own, which step side by side.

All districts take a step; then there is a barrier. There, whoever came to a border goes over as a message, and all
districts hear what the others told, as of the barrier. Nothing else passes between them, and what passes is put in an
order that follows from names and numbers; so it makes no difference in which processes districts are, or in how many.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Protocol

import msgspec

from cave_sim.canonical_json import to_json
from cave_sim.entry_points import load
from cave_sim.errors import JournalError, WorldError
from cave_sim.hosts.process.host import ProcessHost
from cave_sim.journal.integrity import problems
from cave_sim.journal.reader import Run, open_run
from cave_sim.journal.rebuild import turn_at
from cave_sim.journal.writer import DATABASE
from cave_sim.replay.reexecute import repeat
from cave_sim.replay.resume import go_on
from cave_sim.sharding.migration import Migration, pack, put_in, take_out
from cave_sim.simulation.simulation import Simulation
from cave_sim.world.world import World


class Borders(Protocol):
    """What passes the borders of a world. It must follow from the state alone: a district may be asked twice."""

    def leaving(self, world: World) -> Iterable[tuple[str, int]]:
        """Return who leaves, and to which district."""

    def arrived(self, world: World, name: str) -> None:
        """Do what is done when somebody comes in; they are there already."""

    def counts(self, world: World) -> Mapping[str, float]:
        """Return what is added up over all districts."""

    def news(self, world: World) -> Mapping[str, Any]:
        """Return what this district tells all others, as plain data; of two that tell the same thing the last holds."""

    def publish(self, world: World, totals: Mapping[str, float], news: Mapping[str, Any]) -> None:
        """Write what all districts told into this one's world."""


class Migrant(msgspec.Struct, frozen=True):
    """Somebody on the way from one district to another."""

    to: int
    origin: int
    luggage: Migration


class ShardCommand(msgspec.Struct, frozen=True):
    """Something that a district is told to do at the barrier: an action by name."""

    district: int
    action: str
    args: list[Any]


class Barrier(msgspec.Struct, frozen=True):
    """What a worker's districts are told before their next step."""

    totals: dict[str, float]
    news: dict[str, Any]
    travellers: list[Migrant]
    orders: list[ShardCommand] = []


class ShardReport(msgspec.Struct, frozen=True):
    """What a district says after a step."""

    district: int
    state_hash: str
    turns: int
    counts: dict[str, float]
    news: dict[str, Any]
    leaving: list[Migrant]


Action = Callable[..., Any]
"""Takes a district's simulation and plain data."""


class Shard:
    """One part of a world in districts.

    Args:
        number: which one, from 0.
        simulation: its own.
        borders: what passes its borders.
        actions: name -> what it may be told to do at a barrier, or asked between two.
        jail: makes a host for its cells at a level of isolation; None where they can only run in this process.
    """

    def __init__(
        self,
        number: int,
        simulation: Simulation,
        borders: Borders,
        actions: Mapping[str, Action] | None = None,
        jail: Callable[[str], ProcessHost] | None = None,
    ) -> None:
        self.number, self.simulation = number, simulation
        self._borders, self._actions, self._jail = borders, dict(actions or {}), jail
        self._recorded: Run | None = None
        self._open = ExitStack()

    def report(self) -> ShardReport:
        """Return how things stand after the last step, and who wants to leave. It changes nothing."""
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
        """Let those who leave go and those who come in, hear what was told, take a step."""
        if self._recorded is not None:
            self._repeat(self._recorded)
            return self.report()
        simulation, borders = self.simulation, self._borders
        world = simulation.world
        take_out(simulation, [name for name, _ in borders.leaving(world)])
        put_in(simulation, [each.luggage for each in barrier.travellers if each.to == self.number])
        for each in barrier.travellers:
            if each.to == self.number:
                borders.arrived(world, each.luggage.name)
        borders.publish(world, barrier.totals, barrier.news)
        for order in barrier.orders:
            if order.district == self.number:
                self.ask(order.action, *order.args)
        simulation.step()
        return self.report()

    def ask(self, action: str, *args: Any) -> Any:
        """Return what an action comes to."""
        return self._actions[action](self.simulation, *args)

    def go_on(self, city: Path, step: int, *, asleep: bool) -> None:
        """Come to a step of the journal that lies in a city's run, and write on from there.

        Raises:
            JournalError: the journal is not there, or ends before that step.
        """
        go_on(self.simulation, folder_of(city, self.number), at=step, asleep=asleep)

    def follow(self, city: Path) -> None:
        """Do again from now on what a city's run has recorded, and nothing else.

        Raises:
            JournalError: the district's journal is not there, or damaged.
        """
        folder = folder_of(city, self.number)
        if not (folder / DATABASE).is_file():
            raise JournalError(f"{folder} is not there: a city is run again from the journals of its districts")
        self._recorded = self._open.enter_context(open_run(folder))
        for problem in problems(self._recorded):
            raise JournalError(f"{folder}: {problem}")

    def isolate(self, require: str) -> dict[str, Any]:
        """Have the cells run in jailed processes from now on; returns the level that holds them, as plain data."""
        if self._jail is None:
            raise WorldError("the cells of this city's districts can only run in its own process: --host local")
        host = self._open.enter_context(self._jail(require))
        return host.attach(self.simulation.world).level.to_data()

    def close(self) -> None:
        """Finish the journal, and end the processes of its cells."""
        with self._open:
            self.simulation.close()

    def _repeat(self, run: Run) -> None:
        simulation = self.simulation
        step = simulation.world.clock.step
        if different := repeat(run, simulation.world, step, step + 1):
            raise WorldError(f"in {run.folder.name}, {different}")
        taken = "SELECT count(*) FROM turns WHERE kind = 'cell' AND turn > ? AND turn <= ?"
        simulation.turns_taken += run.query(taken, turn_at(run, step), turn_at(run, step + 1))[0][0]
        simulation.state_hash = simulation.world.state_hash()


class ShardWorker:
    """Some districts in one process, reached by messages of bytes.

    Args:
        maker: ``module:function`` that makes a district of its number.
        arguments: of the maker, besides the number.
        numbers: of the districts.
    """

    def __init__(self, maker: str, arguments: Mapping[str, Any], numbers: Sequence[int]) -> None:
        make: Callable[..., Shard] = load(maker)
        self._districts = {number: make(number, **arguments) for number in numbers}

    def report(self) -> bytes:
        """Return the reports of all districts, packed."""
        return to_json([msgspec.to_builtins(each.report()) for each in self._districts.values()])

    def step(self, barrier: bytes) -> bytes:
        """Step all districts past a packed barrier; returns their packed reports."""
        told = BARRIER.decode(barrier)
        return to_json([msgspec.to_builtins(each.step(told)) for each in self._districts.values()])

    def ask(self, district: int, action: str, *args: Any) -> Any:
        """Return what an action of a district comes to."""
        return self._districts[district].ask(action, *args)

    def go_on(self, city: str, step: int, asleep: bool) -> None:
        """Bring all districts to a step of a city's run."""
        for each in self._districts.values():
            each.go_on(Path(city), step, asleep=asleep)

    def follow(self, city: str) -> None:
        """Have all districts do again what a city's run has recorded."""
        for each in self._districts.values():
            each.follow(Path(city))

    def isolate(self, require: str) -> list[dict[str, Any]]:
        """Have the cells of all districts run in jailed processes; returns the levels that hold them."""
        return [each.isolate(require) for each in self._districts.values()]

    def close(self) -> None:
        """Finish the journals."""
        for each in self._districts.values():
            each.close()


BARRIER = msgspec.json.Decoder(Barrier)


def folder_of(city: str | Path, number: int) -> Path:
    """Return where a district of a city's run keeps its journal."""
    return Path(city) / f"district-{number}"
