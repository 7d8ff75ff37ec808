"""The options that say where pieces of work are done: here, in processes of this machine, or on Ray."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cave_sim.cli.options.interrupts import is_of_an_interrupt
from cave_sim.cli.options.together import needs
from cave_sim.errors import WorldError

if TYPE_CHECKING:
    from cave_sim.experiment.runner import Report
    from cave_sim.experiment.work_queue import Failure, WorkQueue

PLACES = ("local", "ray")


def add_arguments(parser: argparse.ArgumentParser, piece: str) -> None:
    """Declare the options; a piece is what one worker does at a time, such as a trial."""
    group = parser.add_argument_group("where it is done")
    group.add_argument("--on", choices=PLACES, default="local", help="on this machine, or many at once on Ray")
    group.add_argument("--address", help="with --on ray: a cluster that runs (default: start one)")
    group.add_argument(
        "--workers",
        type=_positive(int),
        metavar="N",
        help=f"{piece}s at once (default: 1 here, on Ray as many as there are processors for); more than fit make a"
        " cluster that can grow do so",
    )
    group.add_argument(
        "--cpus-each", type=_positive(float), metavar="X", default=1.0, help=f"processors of a {piece} (default: 1)"
    )
    group.add_argument("--memory-each", type=_positive(int), metavar="MIB", help=f"memory that a {piece} sets aside")
    group.add_argument(
        "--tries", type=_positive(int), metavar="N", default=3, help=f"how often a {piece} is tried (default: 3)"
    )
    needs(parser, ["--address", "--cpus-each", "--memory-each"], "--on", values=("ray",))


@contextmanager
def work_queue_of(options: argparse.Namespace) -> Iterator[WorkQueue]:
    """Have workers while the context lasts; a cluster that was started for them ends with it.

    Raises:
        KeyboardInterrupt: somebody stopped it; it says how to go on.
    """
    try:
        with _work_queue(options) as queue:
            yield queue
    except (KeyboardInterrupt, Exception) as error:
        if not is_of_an_interrupt(error):
            raise
        raise KeyboardInterrupt("what was finished is kept, and the same command goes on") from None


@contextmanager
def _work_queue(options: argparse.Namespace) -> Iterator[WorkQueue]:
    from cave_sim.experiment.executors import InlineExecutor, ProcessExecutor
    from cave_sim.experiment.work_queue import WorkQueue

    if options.on == "local":
        here = options.workers is None or options.workers == 1
        with InlineExecutor() if here else ProcessExecutor(options.workers) as workers:
            yield WorkQueue(workers, options.workers or 1, options.tries)
        return
    from cave_sim.hosts.ray import RayExecutor, start

    with start(options.address), RayExecutor(cpus=options.cpus_each, memory_mib=options.memory_each) as executor:
        yield WorkQueue(executor, options.workers or executor.fitting, options.tries)


def expect_finished(name: str, report: Report[Any], out: Path) -> None:
    """Raise WorldError where a study came neither to a result nor to a failure, with what ended it."""
    if report.results or report.failures:
        return
    why = "a limit was reached before its first trial ended" if report.left else "nothing was finished"
    raise WorldError(f"{name}: {why}; what was begun is kept in {out}, and the same command goes on with it")


def print_failures(failures: list[Failure]) -> None:
    """List what could not be done, and how to go on."""
    shown = {failure.why: failure for failure in reversed(failures)}
    for failure in reversed(shown.values()):
        alike = sum(other.why == failure.why for other in failures) - 1
        print(f"cave-sim: {failure}{f' (and so did {alike} more)' if alike else ''}", file=sys.stderr)
    if failures:
        print("cave-sim: the same command with the same --out tries what failed again", file=sys.stderr)


def _positive(kind: type) -> type:
    def amount(text: str) -> float:
        try:
            number: float = kind(text)
        except ValueError:
            number = 0
        if not 0 < number < float("inf"):
            raise argparse.ArgumentTypeError(f"{text!r} is no number above 0")
        return number

    return amount  # type: ignore[return-value]
