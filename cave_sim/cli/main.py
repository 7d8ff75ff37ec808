"""The command line: ``cave-sim run town_day``, ``cave-sim log runs/town_day-7``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import NoReturn

import cave_sim
from cave_sim.cli.commands import (
    bisect,
    blame,
    branches,
    dash,
    diff,
    doctor,
    export,
    fork,
    log,
    replay,
    resume,
    run,
    serve,
    story,
    study,
    verify,
)
from cave_sim.errors import CaveSimError

COMMANDS = (
    run,
    resume,
    verify,
    replay,
    fork,
    doctor,
    log,
    blame,
    story,
    export,
    bisect,
    diff,
    dash,
    serve,
    branches,
    study,
)


class _Parser(argparse.ArgumentParser):
    """Says what is wrong in one line; ``--help`` says the rest."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message}. See {self.prog} --help\n")


def parser() -> argparse.ArgumentParser:
    """Return the parser of the whole command line."""
    top = _Parser(prog="cave-sim", description="A laboratory for societies of code-writing agents.")
    top.add_argument("--version", action="version", version=f"cave-sim {cave_sim.__version__}")
    commands = top.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for command in COMMANDS:
        name = command.__name__.rpartition(".")[2]
        each = commands.add_parser(
            name, help=command.HELP, description=command.HELP, epilog=getattr(command, "EPILOG", None)
        )
        command.add_arguments(each)
        each.set_defaults(call=command.call)
    return top


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns its exit code. What goes wrong is one line on stderr."""
    options = parser().parse_args(arguments)
    try:
        return int(options.call(options))
    except CaveSimError as error:
        print(f"cave-sim: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("cave-sim: interrupted", file=sys.stderr)
        return 130
    except BrokenPipeError:  # the reader of our output went away, as `head` does
        sys.stderr.close()
        return 0


if __name__ == "__main__":
    sys.exit(main())
