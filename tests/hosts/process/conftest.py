"""Hosts are started once for all tests of a process; each test hands them a world of its own."""

import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import pytest

from cave_sim import World
from cave_sim.hosts.process.host import ProcessHost
from tests.hosts.process import broken, careless
from tests.policy import square
from tests.world.market import make_market


@pytest.fixture(scope="session")
def square_host() -> Iterator[ProcessHost]:
    with ProcessHost("tests.policy.square:build") as host:
        yield host


@pytest.fixture(scope="session")
def market_host() -> Iterator[ProcessHost]:
    with ProcessHost("tests.world.market:make_market") as host:
        yield host


@pytest.fixture(scope="session")
def broken_host() -> Iterator[ProcessHost]:
    with ProcessHost("tests.hosts.process.broken:build") as host:
        yield host


@pytest.fixture
def hosted(square_host) -> Iterator[Callable[..., World]]:
    """Return a way to make squares whose cells run in processes; the latest one made is the one that does."""
    build = square.build
    yield lambda **limits: attached(square_host, build(**limits))
    unheard(square_host)


@pytest.fixture
def market(market_host) -> World:
    return attached(market_host, make_market())


@pytest.fixture
def broken_in(broken_host) -> Iterator[tuple[World, list[dict]]]:
    """Return a square whose cells may run unguarded, and the list of what its host tells."""
    told: list[dict] = []
    broken_host.note = lambda kind, data: told.append({"kind": kind, **data})
    yield attached(broken_host, broken.build_square()), told
    unheard(broken_host)
    broken_host.detach()


PATIENCE_S = 60.0
"""Far beyond what a busy machine takes."""


class Cafe(NamedTuple):
    """The careless café on the process host, and what that tells: each time a word and a reason."""

    world: World
    told: list[tuple[str, str | None]]


@pytest.fixture(scope="session")
def cafe_host() -> Iterator[ProcessHost]:
    with ProcessHost("tests.hosts.process.careless:build", workers=2) as host:
        yield host


@pytest.fixture
def cafe(cafe_host) -> Iterator[Cafe]:
    told: list[tuple[str, str | None]] = []
    cafe_host.note = lambda kind, data: told.append((kind, data.get("reason")))
    yield Cafe(attached(cafe_host, careless.build()), told)
    unheard(cafe_host)
    cafe_host.detach()


def children(pid: int) -> list[int]:
    """Return the processes that one has forked, without those that have ended."""
    with suppress(OSError):
        forked = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        return [int(child) for child in forked if not has_ended(int(child))]
    return []


def has_ended(pid: int) -> bool:
    return doing(pid) in "ZX"


def ends(pid: int) -> bool:
    """Return whether a process ends: what has been killed may still be on its way out."""
    due = time.monotonic() + PATIENCE_S
    while not has_ended(pid) and time.monotonic() < due:
        pass
    return has_ended(pid)


def doing(pid: int) -> str:
    """Return in a letter what a process does: S waits for something, R computes or is cleared away, Z has ended."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return "X"


def name_of(pid: int) -> str:
    """Return what a process goes by, as soon as that is not the name of the one it was forked from."""
    due = time.monotonic() + PATIENCE_S
    with suppress(OSError):
        parent = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1]
        while (name := comm(pid)) == comm(parent) and time.monotonic() < due:
            pass
        return name
    return ""


def comm(pid: int | str) -> str:
    return Path(f"/proc/{pid}/comm").read_text().strip()


def waiting(world: World, count: int = 1) -> list[int]:
    """Return the processes that wait for cells, as soon as they are so many and there is no other."""
    due = time.monotonic() + PATIENCE_S
    while True:
        found = {pid: (name_of(pid), doing(pid)) for pid in children(world.host.pids[-1])}
        found = {pid: told for pid, told in found.items() if told[0] != "plain cells"}
        if list(found.values()) == [("cell", "S")] * count:
            return list(found)
        assert time.monotonic() < due, found


def attached(host: ProcessHost, world: World) -> World:
    host.attach(world)
    return world


def unheard(host: ProcessHost) -> None:
    """Have what a host tells go nowhere again: the next test of the process has ears of its own."""
    host.note = lambda kind, data: None


__all__ = ["broken"]
