"""``cave-sim dash``: look at runs in a browser; and the same page beside a run that is being played."""

from __future__ import annotations

import argparse
import os
import signal
import sys
import threading
import webbrowser
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from cave_sim.cli.options.numbers import amount, port
from cave_sim.cli.options.plain_output import drawn_on
from cave_sim.cli.options.together import needs
from cave_sim.errors import JournalError, WorldError
from cave_sim.journal.tables import DATABASE
from cave_sim.loading.entry_points import DASHBOARDS, load, named
from cave_sim.loading.extras import extra

if TYPE_CHECKING:
    from cave_sim.simulation.runnable import Runnable

EPILOG = """\
Examples:
  cave-sim dash runs/town_day-7
  cave-sim dash runs"""
SPEED = 6.0
"""Steps a second of a run that is watched, unless said otherwise: a day of ten-minute steps takes 24 s."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("runs", type=Path, nargs="+", metavar="RUN", help="folder of a run, or one that holds runs")
    add_server_arguments(parser)


def add_server_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare where the page is served."""
    parser.add_argument("--listen", default="127.0.0.1", metavar="ADDRESS", help="where to serve (default: 127.0.0.1)")
    parser.add_argument("--port", type=port, metavar="N", help="default: 8600, or the next that is free; 0 for any")
    parser.add_argument(
        "--portray", metavar="FILE:FUNCTION", help="how entities are drawn, where their fields do not say it"
    )


def add_watch_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare how a run is watched while it is played."""
    parser.add_argument(
        "--watch", nargs="?", const="page", choices=("page", "terminal", "lines"),
        help="watch it live: in a browser, or --watch=terminal; with =lines a page of another process steers it",
    )  # fmt: skip
    parser.add_argument("--no-open", action="store_true", help="open no browser, and begin without waiting for a page")
    parser.add_argument(
        "--speed",
        type=amount(float),
        metavar="N",
        help=f"steps a second at most; 0: no limit (default: {SPEED:g} if watched)",
    )
    add_server_arguments(parser)
    needs(parser, ["--no-open", "--listen", "--port", "--portray"], "--watch", values=("page",))


def call(options: argparse.Namespace) -> int:
    """Serve until Ctrl-C."""
    make = dashboard_class(options)
    for place in options.runs:
        if not (place / DATABASE).is_file() and next(place.rglob(DATABASE), None) is None:
            what = "holds no run" if place.is_dir() else "is no folder"
            raise JournalError(f"{place} {what}, so there is nothing to look at; cave-sim run town_day makes one")
    page = make(options.runs)
    print(f"dashboard: {page.url}\nCtrl-C ends it", flush=True)
    page.serve()
    return 0


def expect_possible(options: argparse.Namespace) -> None:
    """Refuse to watch what nothing here can draw, before a run is begun; raises MissingExtra, WorldError."""
    if options.watch in ("page", "lines"):
        dashboard_class(options)


@contextmanager
def watched(simulation: Runnable, out: Path, options: argparse.Namespace) -> Iterator[Runnable]:
    """Let people watch and steer a simulation while the block plays it; the page stays until Ctrl-C."""
    speed = SPEED if options.speed is None and options.watch else options.speed
    if simulation.control is None and (options.watch or speed):
        from cave_sim.simulation.control import Control

        simulation.control = Control(speed=speed or None)
    if options.watch == "terminal":
        from cave_sim.simulation.terminal_view import TerminalView

        simulation.observers.append(TerminalView(drawn_on()))
    if options.watch == "lines":
        with named(DASHBOARDS, "live").steered_by_lines(simulation.control) as controls:
            simulation.observers.append(controls)
            yield simulation
        return
    if options.watch != "page":
        yield simulation
        return
    with dashboard_class(options)([out]) as page:
        controls = page.controls(out.resolve().name, simulation.control)
        simulation.observers.append(controls)
        print(f"dashboard: {page.url}", file=sys.stderr, flush=True)
        if not options.no_open and sys.stderr.isatty():
            controls.wait_for_page()
            print("the run begins when the page is open (--no-open begins at once)", file=sys.stderr, flush=True)
            if sys.platform == "darwin" or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"):
                webbrowser.open(page.url)
        with _ended_by_signal() as ended:
            yield simulation
            if not ended.is_set():
                print("the run is over; the dashboard stays until Ctrl-C", file=sys.stderr, flush=True)
            while not ended.wait(0.2):
                pass


@contextmanager
def _ended_by_signal() -> Iterator[threading.Event]:
    """Yield what is set by the first Ctrl-C (or SIGTERM), which also interrupts what runs meanwhile."""
    ended = threading.Event()

    def end(*_: Any) -> None:
        if not ended.is_set():
            ended.set()
            raise KeyboardInterrupt

    before = {number: signal.signal(number, end) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield ended
    except KeyboardInterrupt:
        if not ended.is_set():
            raise
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def dashboard_class(options: argparse.Namespace) -> Callable[..., Any]:
    """Return what makes the page, drawing entities as the options say.

    Raises:
        MissingExtra: it is not installed.
        WorldError: ``--portray`` names no function.
    """
    with extra("dash", "the dashboard"):
        dashboard = named(DASHBOARDS, "live")
    portray = {} if options.portray is None else {"portray": _function(options.portray)}
    return partial(dashboard, host=options.listen, port=options.port, **portray)


def _function(target: str) -> Callable[..., Any]:
    try:
        function = _loaded(target)
    except (ImportError, AttributeError, ValueError) as error:
        raise WorldError(f"--portray {target}: {error}. Give package.module:function, or file.py:function") from None
    if not callable(function):
        raise WorldError(f"--portray {target} is no function")
    return cast("Callable[..., Any]", function)


def _loaded(target: str) -> Any:
    """Return what ``module:name`` means, or ``file.py:name``; the module may lie in the current folder."""
    from cave_sim.replay import own_code

    module, _, name = target.rpartition(":")
    own = own_code.of_path(module) if own_code.is_path(module) else own_code.of_name(module)
    return load(target) if own is None else getattr(own.load(), name)
