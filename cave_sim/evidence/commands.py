"""What a packet runs: commands of cave-sim and tests, each in a process of its own, and what came of them."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from cave_sim.errors import JournalError
from cave_sim.evidence.packet import PacketCommand
from cave_sim.journal.reader import open_run

LOOK_EVERY_S = 0.02
"""How often a journal is looked at for the step to kill at."""


@dataclass(frozen=True)
class CommandResult:
    """What came of a command or a test.

    Attributes:
        command: as it is typed behind ``cave-sim``, or the test's name.
        exit: its exit code; negative where a signal ended it, as in :mod:`subprocess`; None for a test.
        seconds: how long it took, by the wall clock.
        log: the file of its output, in the packet's folder.
        problems: what was not as the packet says it must be, in words.
        took: ``cpu_s``, ``memory_mb`` and ``written_mb``, as far as the system tells; {} for a test.
    """

    command: str
    exit: int | None
    seconds: float
    log: str
    problems: tuple[str, ...] = field(default=())
    took: Mapping[str, float] = field(default_factory=dict)

    def to_data(self) -> dict[str, Any]:
        """Return it as plain data."""
        return {**asdict(self), "seconds": round(self.seconds, 2), "problems": list(self.problems)}


def run_command(step: PacketCommand, here: Path, folder: Path, log: Path) -> CommandResult:
    """Run a step's command in a folder.

    Args:
        step: what to run.
        here: folder of the packet's file.
        folder: where it is run.
        log: the file that its output, stdout and stderr, is written to.
    """
    begun = time.monotonic()
    with log.open("wb") as output:
        words = [sys.executable, "-m", "cave_sim", *step.words(here.resolve())]
        process = subprocess.Popen(
            words, cwd=folder, env=_environment(), stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT
        )
        try:
            was_killed = step.kill_at is not None and _killed(process, folder / str(step.out), step.kill_at)
            code, took = _ended(process)
        except BaseException:
            process.kill()
            process.wait()
            raise
    text = log.read_text(encoding="utf-8", errors="replace")
    if step.out is not None:
        took["written_mb"] = _held_mb(folder / step.out)
    problems = (*_problems(step, was_killed, code, text), *_over(step, took))
    return CommandResult(step.run, code, time.monotonic() - begun, f"logs/{log.name}", problems, took)


def _ended(process: subprocess.Popen[bytes]) -> tuple[int, dict[str, float]]:
    """Wait for a process; returns its exit code, and what it took where the system tells that."""
    if process.returncode is not None or not hasattr(os, "wait4"):
        return process.wait(), {}
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    unit = 1 if sys.platform == "darwin" else 1024
    memory_mb = round(used.ru_maxrss * unit / 1e6, 1)
    return process.returncode, {"cpu_s": round(used.ru_utime + used.ru_stime, 2), "memory_mb": memory_mb}


def _held_mb(place: Path) -> float:
    """Return what a file holds, or a folder with all below it."""
    paths = place.rglob("*") if place.is_dir() else [place]
    return round(sum(each.stat().st_size for each in paths if each.is_file()) / 1e6, 2)


def _over(step: PacketCommand, took: Mapping[str, float]) -> Iterator[str]:
    """Yield what a command took more of than it may, and what is not known of it."""
    for what, most in step.at_most.model_dump(exclude_none=True).items():
        if what not in took:
            yield f"cave-sim {step.run}: nobody knows here what it took: {what}"
        elif took[what] > most:
            yield f"cave-sim {step.run}: it took {what} = {took[what]:g}, and not at most {most:g}"


def _killed(process: subprocess.Popen[bytes], run: Path, step: int) -> bool:
    """Kill a process once its journal holds a step; returns whether it came to that before its end."""
    while process.poll() is None:
        try:
            with open_run(run) as opened:
                if opened.last_step >= step:
                    process.kill()
                    return True
        except JournalError:
            pass  # it has not begun
        time.sleep(LOOK_EVERY_S)
    return False


def _problems(step: PacketCommand, was_killed: bool, code: int, output: str) -> Iterator[str]:
    if step.kill_at is not None:
        if not was_killed:
            yield f"cave-sim {step.run}: it ended, with exit code {code}, before it could be killed"
    elif code != step.exit:
        last = (output.strip().splitlines() or ["nothing"])[-1]
        yield f"cave-sim {step.run}: exit code {code} and not {step.exit}; it said last: {last[:300]}"
    for text in step.prints:
        if text not in output:
            yield f"cave-sim {step.run}: it does not print {text!r}"


def run_tests(tests: Sequence[str], checkout: Path, logs: Path) -> Iterator[CommandResult]:
    """Run tests by pytest, in the order that they are given; yields what came of each.

    A test holds when it passed with each of its parameters that can be tried here; one that was skipped shows nothing.
    """
    log, table = logs / "tests.txt", logs / "tests.xml"
    files, names = dict.fromkeys(test.partition("::")[0] for test in tests), [test.partition("::")[2] for test in tests]
    chosen = [*files, "-k", " or ".join(names)]  # by name: one that is gone would keep pytest from running the others
    words = ["-m", "pytest", "-p", "no:randomly", "-p", "no:cacheprovider", f"--junitxml={table.resolve()}"]
    with log.open("wb") as output:
        code = subprocess.run(
            [sys.executable, *words, *chosen],
            cwd=checkout,
            env=_environment(),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            check=False,
        ).returncode
    cases = list(ElementTree.parse(table).iter("testcase")) if table.is_file() else []
    for test in tests:
        mine = [case for case in cases if _is_of(case, test)]
        problems = tuple(_test_problems(test, mine, code))
        seconds = sum(float(case.get("time", 0)) for case in mine)
        yield CommandResult(test, None, seconds, f"logs/{log.name}", problems)


def _is_of(case: ElementTree.Element, test: str) -> bool:
    path, _, name = test.partition("::")
    module = path.removesuffix(".py").replace("/", ".")
    return case.get("classname", "") == module and case.get("name", "").partition("[")[0] == name


def _test_problems(test: str, cases: list[ElementTree.Element], code: int) -> Iterator[str]:
    bad = [case for case in cases if case.find("failure") is not None or case.find("error") is not None]
    skipped = [case for case in cases if case.find("skipped") is not None]
    if not cases:
        yield f"{test}: it was not run (pytest ended with {code})"
    elif bad:
        yield f"{test}: {len(bad)} of {len(cases)} failed"
    elif len(skipped) == len(cases):
        why = skipped[0].find("skipped")
        yield f"{test}: it was skipped here: {'' if why is None else why.get('message', '')[:200]}"


def _environment() -> dict[str, str]:
    """Return the environment with this very package first on the path, wherever a command is run."""
    root = str(Path(__file__).parents[2])
    return {**os.environ, "PYTHONPATH": os.pathsep.join([root, os.environ.get("PYTHONPATH", "")]).rstrip(os.pathsep)}
