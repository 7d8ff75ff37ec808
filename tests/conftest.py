"""What every test lives under: no way out to the network, and how far properties search."""

import gc
import ipaddress
import os
import signal
import sys
import tempfile
from collections.abc import Generator
from itertools import islice
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.cpu_of_tests import CpuOfTests
from tests.late_imports import import_what_every_worker_needs

# Shells have jobs in the background ignore Ctrl-C; tests that press it would wait for ever.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

pytest_plugins = ["tests.small_runs", "tests.forked"]

LOOKS_UP = {"socket.getaddrinfo", "socket.gethostbyname"}  # their first argument is a host
REACHES = {"socket.connect", "socket.sendto", "socket.sendmsg"}  # their second is an address
LEAVES = LOOKS_UP | REACHES
SEARCHED_AFTER = (1_000, 10, 100)
"""How many objects more there are when Python looks for garbage in the youngest, and how often before in others."""


class LeftTheMachine(RuntimeError):
    """A test reached for another machine; not an OSError, so that no retry loop swallows it."""


def host_in(event: str, arguments: tuple[object, ...]) -> str:
    """Return the host that a socket event names; "" where there is none, as for Unix sockets."""
    address = arguments[1] if event in REACHES else arguments
    host = address[0] if isinstance(address, tuple) else ""
    return host if isinstance(host, str) else host.decode(errors="replace") if isinstance(host, bytes) else ""


def is_this_machine(host: str) -> bool:
    """Say whether a host name or a numeric address means this machine."""
    try:
        return ipaddress.ip_address(host.partition("%")[0]).is_loopback
    except ValueError:
        return host in ("", "localhost")


def stay_here(event: str, arguments: tuple[object, ...]) -> None:
    """Refuse what would leave the machine. An audit hook sees the sockets of C code as well."""
    if event in LEAVES:  # hundreds of thousands of others are seen, too
        host = host_in(event, arguments)
        if not is_this_machine(host):
            raise LeftTheMachine(f"{event} to {host!r}: tests stay on this machine; use a scripted or recorded model")


sys.addaudithook(stay_here)
SHARED = tempfile.TemporaryDirectory(prefix="cave-sim-tests-")
os.environ["XDG_STATE_HOME"] = SHARED.name  # the account's own is left alone


@pytest.hookimpl(wrapper=True)
def pytest_collection(session: pytest.Session) -> Generator[None, object, object]:
    """Import all modules of tests without looking for garbage in them meanwhile, and not ever again: they stay.

    Afterwards it is looked for where there is much of it: as often as ever, that takes a sixth of the tests' time.
    """
    gc.disable()
    try:
        result = yield
        if not are_named(session.config) and not session.config.option.collectonly:
            import_what_every_worker_needs()
        return result
    finally:
        gc.freeze()
        gc.set_threshold(*SEARCHED_AFTER)
        gc.enable()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Declare ``--long`` and ``--cpu``."""
    parser.addoption("--long", action="store_true", help="run the tests marked long, too")
    parser.addoption("--cpu", action="store_true", help="print what rooms and the dearest tests take of processors")


def are_named(config: pytest.Config) -> bool:
    """Say whether some tests are asked for, and not all."""
    option = config.option
    return bool(config.args_source is not config.ArgsSource.TESTPATHS or option.keyword or option.markexpr)


@pytest.hookimpl(trylast=True)
def pytest_configure(config: pytest.Config) -> None:
    """Take whoever names files or words to mean all tests that they name, and let properties search for them."""
    if config.option.cpu:
        config.pluginmanager.register(CpuOfTests())
    named = are_named(config)
    # `make test` tries the same cases everywhere, so that luck turns no change red; `make long` and named files search.
    settings.register_profile(
        "here",
        deadline=None,
        derandomize=not (config.option.long or named),
        max_examples=150 if config.option.long else 30 if named else 15,
        print_blob=True,
        suppress_health_check=[HealthCheck.too_slow],
    )
    settings.load_profile("here")
    config.option.long = bool(config.option.long or named)


def is_left_out(item: pytest.Item) -> bool:
    """Say whether a test is one that plain ``make test`` leaves to ``make long``: of many cases the first is run."""
    mark, case = item.get_closest_marker("long"), getattr(item, "callspec", None)
    return mark is not None and (case is None or any(case.indices.values()) or mark.kwargs.get("cases") == 0)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what takes long."""
    if not config.option.long:
        left_out = [item for item in items if is_left_out(item)]
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if not is_left_out(item)]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Say so where tests were left out."""
    if not config.option.long:
        terminalreporter.write_line("Tests marked long were left out; `make long` runs all.")


@pytest.fixture(scope="session")
def shared_folder():
    """Return a folder that the tests of all processes share."""
    return Path(SHARED.name)


@pytest.fixture(autouse=True)
def own_code_is_forgotten(tmp_path_factory):
    """Forget what a test imported from a folder of its own, and the way there: the next one's ``tea.py`` is another."""
    folders = str(tmp_path_factory.getbasetemp())
    path, known = sys.path[:], len(sys.modules)
    yield
    sys.path[:] = path
    for name in list(islice(reversed(sys.modules), max(0, len(sys.modules) - known))):
        if str(getattr(sys.modules[name], "__file__", None)).startswith(folders):
            del sys.modules[name]
