"""Playing a run in a Ray actor: this process only asks for steps and shows how far they are."""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from types import ModuleType

from rich.console import Console
from rich.progress import track

from cave_sim.cli.options.exit_codes import INTERRUPTED
from cave_sim.cli.options.json_output import show
from cave_sim.cli.options.run_summary import as_data, going_on, summary
from cave_sim.errors import CaveSimError
from cave_sim.hosts.ray import RemoteWorld, connect, launch, start
from cave_sim.replay.recipe import Recipe


def play(
    recipe: Recipe, module: ModuleType, out: Path, steps: int, options: argparse.Namespace, *, again: bool = False
) -> int:
    """Run up to a step in an actor named like the folder; the last line printed is the state hash.

    With ``again``, an actor that has outlived whoever started this run is taken over.
    """
    with start(options.address):
        remote = _survivor(out, options) if again else None
        remote = remote or launch(recipe, out, address=options.address, require=options.require)
        begun, started_s = int(remote.about()["turns"]), time.perf_counter()
        try:
            _take(remote, steps, quiet=options.quiet)
        except KeyboardInterrupt:
            remote.end()
            on = going_on(out, steps, module)
            print(f"cave-sim: stopped before step {steps}; to go on: {on}", file=sys.stderr)
            return INTERRUPTED
        turns_per_s = (int(remote.about()["turns"]) - begun) / (time.perf_counter() - started_s)
        state_hash = remote.end()
    if options.json:
        show(as_data(module, out))
        return 0
    if not options.quiet:
        print(summary(module, out, turns_per_s))
    print(f"state hash: {state_hash}")
    return 0


def _survivor(out: Path, options: argparse.Namespace) -> RemoteWorld | None:
    """Return the actor that still has a run, if there is one."""
    try:
        remote = connect(out.resolve().name, address=options.address)
    except CaveSimError:
        return None
    return remote if Path(remote.about()["folder"]) == out.absolute() else None


def _take(remote: RemoteWorld, steps: int, *, quiet: bool) -> None:
    """Ask for one step after another, so that other drivers have their turn in between."""
    coming = range(remote.step_number() + 1, steps + 1)
    console = Console(stderr=True)
    for step in coming if quiet else track(coming, f"{remote.name} on Ray", console=console, transient=True):
        remote.run(until=step)
