"""A world that is too large for one process: districts, each a simulation of its own, which step side by side.

All districts take a step; then there is a barrier. There, whoever came to a border goes over as a message, and all
districts hear what the others told, as of the barrier. Nothing else passes between them, and what passes is put in an
order that follows from names and numbers; so it makes no difference in which processes districts are, or in how many.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Protocol

import msgspec

from cave_sim.digest import to_json
from cave_sim.luggage import Luggage, pack, put_in, take_out
from cave_sim.simulation import Simulation
from cave_sim.world import World


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


class Traveller(msgspec.Struct, frozen=True):
    """Somebody on the way from one district to another."""

    to: int
    origin: int
    luggage: Luggage


class Order(msgspec.Struct, frozen=True):
    """Something that a district is told to do at the barrier: an action by name."""

    district: int
    action: str
    args: list[Any]


class Barrier(msgspec.Struct, frozen=True):
    """What a worker's districts are told before their next step."""

    totals: dict[str, float]
    news: dict[str, Any]
    travellers: list[Traveller]
    orders: list[Order] = []


class Report(msgspec.Struct, frozen=True):
    """What a district says after a step."""

    district: int
    state_hash: str
    turns: int
    counts: dict[str, float]
    news: dict[str, Any]
    leaving: list[Traveller]


Action = Callable[..., Any]
"""Takes a district's simulation and plain data."""


class District:
    """One part of a world in districts.

    Args:
        number: which one, from 0.
        simulation: its own.
        borders: what passes its borders.
        actions: name -> what it may be told to do at a barrier, or asked between two.
    """

    def __init__(
        self, number: int, simulation: Simulation, borders: Borders, actions: Mapping[str, Action] | None = None
    ) -> None:
        self.number, self.simulation = number, simulation
        self._borders, self._actions = borders, dict(actions or {})

    def report(self) -> Report:
        """Return how things stand after the last step, and who wants to leave. It changes nothing."""
        simulation, borders = self.simulation, self._borders
        world = simulation.world
        leaving = [Traveller(to, self.number, pack(simulation, name)) for name, to in borders.leaving(world)]
        return Report(
            self.number,
            simulation.state_hash,
            simulation.turns_taken,
            dict(borders.counts(world)),
            dict(borders.news(world)),
            leaving,
        )

    def step(self, barrier: Barrier) -> Report:
        """Let those who leave go and those who come in, hear what was told, take a step."""
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


class Worker:
    """Some districts in one process, reached by messages of bytes.

    Args:
        maker: ``module:function`` that makes a district of its number.
        arguments: of the maker, besides the number.
        numbers: of the districts.
    """

    def __init__(self, maker: str, arguments: Mapping[str, Any], numbers: Sequence[int]) -> None:
        make: Callable[..., District] = pkgutil.resolve_name(maker)
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

    def close(self) -> None:
        """Finish the journals."""
        for each in self._districts.values():
            each.simulation.close()


BARRIER = msgspec.json.Decoder(Barrier)
REPORTS = msgspec.json.Decoder(list[Report])


class Crew(Protocol):
    """The workers of a city, wherever they are; messages go to all of them and come back from all."""

    def report(self) -> list[bytes]:
        """Return the packed reports of each worker."""

    def step(self, barriers: Sequence[bytes]) -> list[bytes]:
        """Have each worker step past its packed barrier; returns the packed reports of each."""

    def ask(self, district: int, action: str, *args: Any) -> Any:
        """Return what an action of a district comes to."""

    def close(self) -> None:
        """Finish the journals, and end the workers."""


class LocalCrew:
    """Workers in this process, one after another.

    Args:
        maker, arguments: of a :class:`Worker`.
        posts: the districts of each worker.
    """

    def __init__(self, maker: str, arguments: Mapping[str, Any], posts: Sequence[Sequence[int]]) -> None:
        self._workers = [Worker(maker, arguments, numbers) for numbers in posts]
        self._of = {number: worker for worker, numbers in zip(self._workers, posts, strict=True) for number in numbers}

    def report(self) -> list[bytes]:
        return [each.report() for each in self._workers]

    def step(self, barriers: Sequence[bytes]) -> list[bytes]:
        return [each.step(barrier) for each, barrier in zip(self._workers, barriers, strict=True)]

    def ask(self, district: int, action: str, *args: Any) -> Any:
        return self._of[district].ask(district, action, *args)

    def close(self) -> None:
        for each in self._workers:
            each.close()


def posts(districts: int, workers: int) -> list[list[int]]:
    """Return which districts each worker has: neighbours together, as evenly as it goes."""
    return [
        list(range(districts * worker // workers, districts * (worker + 1) // workers)) for worker in range(workers)
    ]


def gather(packed: Sequence[bytes]) -> list[Report]:
    """Return all districts' reports in their order."""
    return sorted((report for each in packed for report in REPORTS.decode(each)), key=lambda report: report.district)


def address(reports: Sequence[Report], posts: Sequence[Sequence[int]], orders: Sequence[Order] = ()) -> list[bytes]:
    """Return what each worker is told at the barrier after these reports, packed.

    Travellers come in by (to, from, name), and sums are taken by district, so that floats add up alike everywhere.
    """
    told = totals(reports)
    news = {topic: each for report in reports for topic, each in report.news.items()}
    travellers = sorted(
        (each for report in reports for each in report.leaving),
        key=lambda each: (each.to, each.origin, each.luggage.name),
    )
    return [
        to_json(
            msgspec.to_builtins(
                Barrier(
                    told,
                    news,
                    [each for each in travellers if each.to in numbers],
                    [order for order in orders if order.district in numbers],
                )
            )
        )
        for numbers in posts
    ]


def totals(reports: Sequence[Report]) -> dict[str, float]:
    """Return what districts counted, added up in their order."""
    found: dict[str, float] = {}
    for report in reports:
        for name, count in report.counts.items():
            found[name] = found.get(name, 0) + count
    return found
