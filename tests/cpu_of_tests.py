"""What tests take of processors, processes and browsers that they start included: ``make test ARGS=--cpu``."""

from collections import Counter
from collections.abc import Generator
from contextlib import suppress

import psutil
import pytest

DEAREST = 40
CPU_S = "cpu_s"


def taken_s() -> float:
    """Return the processor seconds of this process and all that come of it, but of those whom nobody waited for."""
    this = psutil.Process()
    total = sum(this.cpu_times()[:4])
    for child in this.children(recursive=True):
        with suppress(psutil.Error):  # it ended meanwhile
            total += sum(child.cpu_times()[:4])
    return total


class CpuOfTests:
    """Measures each test from its fixtures' start to their end, and prints what rooms and the dearest tests took.

    What tests share is counted with the first of them.
    """

    def __init__(self) -> None:
        self.taken_s: Counter[str] = Counter()

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> Generator[None]:
        """Look at the clock of the processors before anything of a test is made."""
        item.user_properties.append((CPU_S, taken_s()))
        yield

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_teardown(self, item: pytest.Item) -> Generator[None]:
        """Look again when all of it is cleared up; the report of this takes it to the process that prints."""
        try:
            yield
        finally:
            started = dict(item.user_properties)[CPU_S]
            # Less than before: the test ended what others had used, too, a browser, whose seconds are theirs.
            item.user_properties.append((CPU_S, max(0.0, taken_s() - started)))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Add up what the cases of a test took."""
        if report.when == "teardown":
            self.taken_s[report.nodeid.partition("[")[0]] += dict(report.user_properties).get(CPU_S, 0.0)

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Print rooms, and the dearest tests, in processor seconds."""
        rooms: Counter[str] = Counter()
        for test, seconds in self.taken_s.items():
            rooms[test.rpartition("/")[0]] += seconds
        terminalreporter.section(f"processor seconds: {sum(rooms.values()):.0f}")
        for name, seconds in [*rooms.most_common(), *self.taken_s.most_common(DEAREST)]:
            terminalreporter.write_line(f"{seconds:8.1f}  {name}")
