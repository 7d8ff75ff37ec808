"""Tests in several processes that are forked once all tests are known: nothing is imported or collected twice.

A process that is free takes the next module of tests, so that what they share is made once; the first ones take a dear
room each, and then come modules in which a single test takes long. When all are taken, it takes half of what another
one has still to do.
"""

import os
import shutil
import tempfile
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from functools import cached_property
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path

import pytest

HOSTS = (
    "tests/hosts/process/", "tests/cli/test_main.py", "tests/entity/test_tables_come_back.py",
    "tests/llm_agent/test_planned_replies.py", "tests/policy/test_data_lines.py", "tests/policy/test_lent_copies.py",
    "tests/replay/test_verify_variables.py", "tests/runtime/test_batches.py", "tests/runtime/test_idioms.py",
    "tests/runtime/test_serialization.py",
)  # fmt: skip
DEAR = (("tests/dashboards/",), HOSTS, ("tests/hosts/ray/",), ("tests/models/",), ("tests/training_data/",))
"""Rooms whose tests share what takes long to start: browsers, an interpreter, actors, clients, conversations."""
LONG = tuple(
    (f"tests/{module}.py",)
    for module in (
        "journal/test_repair", "docs/test_examples", "search/test_search", "journal/test_rebuild",
        "causes/test_counterfactual", "simulations/test_golden_hashes", "mcp/test_mcp", "scenario/test_study",
        "replay/test_kill", "docs/test_notebooks", "sharding/test_process_workers", "loading/test_extras",
    )
)  # fmt: skip
"""Modules with a test that would hold up the end of all if it came last."""
FORK = get_context("fork")
LAST_WORDS_S = 60


def pytest_addoption(parser: pytest.Parser) -> None:
    """Declare ``--workers``."""
    several = (os.cpu_count() or 1) + 4
    said = "processes that run tests, 0 for none but this one; four more than there are cores, because many tests wait"
    parser.addoption("--workers", type=int, default=several, metavar="N", help=said)


@pytest.hookimpl
def pytest_runtestloop(session: pytest.Session) -> bool | None:
    """Run all tests in processes of their own, unless this one is looked into."""
    option = session.config.option
    number = min(option.workers, len(session.items))
    if number < 1 or option.usepdb or option.collectonly or session.testsfailed:
        return None  # as ever
    Workers(session).run(number)
    if session.shouldfail:
        raise session.Failed(session.shouldfail)
    return True


class Following:
    """The test after one that runs, which is asked for when that one ends: until then others may take it.

    Args:
        next_item: asks for it.
    """

    def __init__(self, next_item: Callable[[], pytest.Item | None]) -> None:
        self.next_item = next_item

    @cached_property
    def item(self) -> pytest.Item | None:
        """The test itself; None where all are run."""
        return self.next_item()

    def listchain(self) -> list[pytest.Item | pytest.Collector]:
        """Return what the next test needs, and what is therefore not cleared up now."""
        return self.item.listchain() if self.item else []


class Reports:
    """What came of a test, to be told in one piece."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.made: list[dict[str, object]] = []

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keep a report in the form in which it can be sent."""
        self.made.append(self.config.hook.pytest_report_to_serializable(config=self.config, report=report))


def work(session: pytest.Session, line: Connection, folder: Path, inherited: list[Connection]) -> None:
    """Run tests as they are handed out, and tell what came of each. What they wrote stays where one of them failed."""
    for other_end in inherited:  # of the process that hands out: only it may hold them, so that its end is heard
        other_end.close()
    plugins = session.config.pluginmanager
    plugins.unregister(name="terminalreporter")
    plugins.getplugin("capturemanager").start_global_capturing()
    reports = Reports(session.config)
    plugins.register(reports)
    os.environ["PYTEST_DEBUG_TEMPROOT"] = str(folder)

    def next_item() -> pytest.Item | None:
        with suppress(EOFError, OSError):  # who hands out tests was killed: here, too, all is cleared up
            line.send(None)
            number = line.recv()
            return None if number is None else session.items[number]
        return None

    item = next_item()
    while item is not None:
        following = Following(next_item)
        session.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        with suppress(OSError):
            line.send(reports.made)
        reports.made = []
        item = following.item
    if not session.testsfailed:
        shutil.rmtree(folder, ignore_errors=True)


class Workers:
    """The processes, what each of them has begun, and what is still to be done.

    Args:
        session: with all tests.
    """

    def __init__(self, session: pytest.Session) -> None:
        self.session, self.config = session, session.config
        self.folder = Path(tempfile.mkdtemp(prefix="cave-sim-tests-"))
        self.processes: dict[Connection, BaseProcess] = {}
        self.begun: dict[Connection, deque[int]] = {}
        self.taken: dict[Connection, deque[int]] = {}
        groups: dict[tuple[str, ...], deque[int]] = {first: deque() for first in DEAR + LONG}
        for number, item in enumerate(session.items):
            module = item.nodeid.partition("::")[0]
            group = next((first for first in DEAR + LONG if module.startswith(first)), (module,))
            groups.setdefault(group, deque()).append(number)
        self.groups = deque(filter(None, groups.values()))

    def run(self, number: int) -> None:
        """Run all tests."""
        self.config.pluginmanager.register(self)
        self.config.pluginmanager.getplugin("capturemanager").stop_global_capturing()
        try:
            for _ in range(number):
                self.start(deque())
            while self.processes:
                for line in wait(self.processes):
                    self.hear(line)
        finally:
            for process in FORK.active_children():
                process.join(0 if self.processes else LAST_WORDS_S)
                process.kill()
            with suppress(OSError):  # what a failed test wrote is in it
                self.folder.rmdir()
        if self.groups and not self.session.shouldfail:
            raise RuntimeError("the processes that run tests ended before all were run")

    def start(self, tests: deque[int]) -> None:
        """Start one more process, which begins with some tests."""
        here, there = FORK.Pipe()
        folder = Path(tempfile.mkdtemp(prefix="", dir=self.folder))
        process = FORK.Process(target=work, args=(self.session, there, folder, [here, *self.processes]))
        process.start()
        there.close()
        self.processes[here], self.begun[here], self.taken[here] = process, deque(), tests

    def hear(self, line: Connection) -> None:
        """Hand out a test to a process that asks for one, or pass on what came of one, or of the process."""
        try:
            reports = line.recv()
        except (EOFError, ConnectionResetError):
            self.ended(line)
            return
        if reports is None:
            number = self.next_for(line)
            if number is not None:
                self.begun[line].append(number)
            with suppress(OSError):  # it ended since: soon that is heard
                line.send(number)
            return
        self.begun[line].popleft()
        for data in reports:
            report = self.config.hook.pytest_report_from_serializable(config=self.config, data=data)
            self.config.hook.pytest_runtest_logreport(report=report)

    def next_for(self, line: Connection) -> int | None:
        """Return which test a process runs next, if there is one."""
        if self.session.shouldfail:
            return None
        if not self.taken[line]:
            self.taken[line] = self.groups.popleft() if self.groups else self.half_of_the_most()
        return self.taken[line].popleft() if self.taken[line] else None

    def half_of_the_most(self) -> deque[int]:
        """Take from the process that has most to do the second half of it."""
        most = max(self.taken.values(), key=len)
        half = [most.pop() for _ in range((len(most) + 1) // 2)]
        return deque(reversed(half))

    def ended(self, line: Connection) -> None:
        """Say which test ended its process, if one did, and go on in a new one."""
        process, begun, taken = self.processes.pop(line), self.begun.pop(line), self.taken.pop(line)
        line.close()
        process.join(LAST_WORDS_S)
        if not begun:
            if process.exitcode:
                raise RuntimeError(f"a process that runs tests ended with code {process.exitcode} between them")
            return
        item = self.session.items[begun.popleft()]
        said = f"its process ended with code {process.exitcode} while this test ran"
        report = pytest.TestReport(item.nodeid, item.location, {}, "failed", said, "call")
        self.config.hook.pytest_runtest_logreport(report=report)
        self.start(begun + taken)

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Say where the files of tests that failed are."""
        if self.folder.exists():
            terminalreporter.write_line(f"What they wrote is in {self.folder}.")
