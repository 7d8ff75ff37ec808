"""Hosts are started once for all tests of a process; each test hands them a world of its own."""

from collections.abc import Callable, Iterator

import pytest

from cave_sim import World
from cave_sim.hosts.process.host import ProcessHost
from tests.hosts.process import broken
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


def attached(host: ProcessHost, world: World) -> World:
    host.attach(world)
    return world


def unheard(host: ProcessHost) -> None:
    """Have what a host tells go nowhere again: the next test of the process has ears of its own."""
    host.note = lambda kind, data: None


__all__ = ["broken"]
