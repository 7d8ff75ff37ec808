"""The command line: ``cave-sim run town_day``, ``cave-sim log runs/town_day-7``."""

from __future__ import annotations

import argparse
import os
import sys
import traceback
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any, NoReturn

from cave_sim.errors import CaveSimError, did_you_mean, reason
from cave_sim.version import __version__

COMMANDS = {
    "run": "run a simulation and keep its journal",
    "list": "say which simulations and studies there are, and where they come from",
    "resume": "go on with a run, however it ended",
    "verify": "check that a run is what it says: its hashes and seals, then its cells once more",
    "replay": "run a run's recorded cells again, and compare turn by turn",
    "fork": "branch a run at a step: what if something had been different?",
    "doctor": "say how large a run is and whether its file is whole; repair a torn one, or make a large one smaller",
    "log": "print the turns of a run",
    "blame": "tell who wrote a field: its values, turn by turn",
    "story": "tell the life of an entity",
    "export": "write a run as jsonl, csv, parquet or graphml",
    "survey": "put a questionnaire to the minds of a run, at any step; or show what they answered",
    "bisect": "find the turn that broke a condition",
    "diff": "compare two runs: where they part, and what differs",
    "dash": "look at runs in a browser",
    "serve": "serve a model from a GGUF file, on this machine alone",
    "branches": "draw the tree of runs that were forked from each other",
    "study": "put a model to the tasks of a study and count what it takes",
}
"""What each command does, in the order of the help. Their modules are imported when they are chosen."""


EPILOG = "Begin with: cave-sim run town_day. Then: cave-sim log runs/town_day-7; each command's --help has an example."


class _Parser(argparse.ArgumentParser):
    """Says what is wrong in one line, and what comes nearest to a wrong word; ``--help`` says the rest."""

    def error(self, message: str) -> NoReturn:
        end = "" if message.endswith("?") else "."
        self.exit(2, f"{self.prog}: {message}{end} See {self.prog} --help\n")

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        """Refuse what is not among an action's choices; all of them are listed only if none comes near."""
        if action.choices is not None and value not in action.choices:
            choices = list(map(str, action.choices))
            hint = did_you_mean(str(value), choices) or f" There are: {', '.join(choices)}"
            raise argparse.ArgumentError(action, f"there is no {value!r}.{hint}")


class Command(_Parser):
    """The parser of one command. Its options are declared by the command's module once they are needed."""

    def load(self) -> Command:
        """Import the command's module, and declare its options; once. Returns the parser itself."""
        if self.get_default("call") is None:
            module = import_module(f"cave_sim.cli.commands.{self.prog.rpartition(' ')[2]}")
            self.epilog = getattr(module, "EPILOG", None)
            module.add_arguments(self)
            self.set_defaults(call=module.call)
        return self

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        found, unknown = super(Command, self.load()).parse_known_args(args, namespace)
        if unknown:
            options = [option for action in self._actions for option in action.option_strings]
            word = next((each for each in unknown if each.startswith("-")), unknown[0])
            option = word.partition("=")[0]
            what = "option" if word.startswith("-") else "place for"
            self.error(f"there is no {what} {option!r}.{did_you_mean(option, options)}")
        return found, unknown


def parser() -> argparse.ArgumentParser:
    """Return the parser of the whole command line."""
    top = _Parser(prog="cave-sim", description="A laboratory for societies of code-writing agents.", epilog=EPILOG)
    top.add_argument("--version", action="version", version=f"cave-sim {__version__}")
    commands = top.add_subparsers(title="commands", metavar="COMMAND", required=True, parser_class=Command)
    for name, purpose in COMMANDS.items():
        commands.add_parser(name, help=purpose, description=purpose)
    return top


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns its exit code. What goes wrong is one line on stderr."""
    try:
        options = parser().parse_args(arguments)
        code = int(options.call(options))
        sys.stdout.flush()
    except CaveSimError as error:
        return _failed(_with_marks(str(error), sys.argv[1:] if arguments is None else arguments))
    except KeyboardInterrupt:
        return _failed("interrupted", 130)
    except BrokenPipeError:  # the reader of our output went away, as `head` does
        sys.stderr.close()
        return 0
    except UNFIT as error:
        if os.environ.get(TRACEBACK):
            raise
        return _failed(f"{_one_line(error)} ({_place(error)}; {TRACEBACK}=1 shows all of it)")
    return code


TRACEBACK = "CAVE_SIM_TRACEBACK"
"""The environment variable with which an error that nobody foresaw is shown in full."""
UNFIT = (OSError, ValueError, OverflowError, RecursionError, MemoryError)
"""What comes of values that do not fit: paths, dates, numbers, texts that cannot be written; UnicodeError is one."""


def _failed(why: str, code: int = 1) -> int:
    with suppress(OSError, ValueError):
        print(f"cave-sim: {why.encode(errors='backslashreplace').decode()}", file=sys.stderr, flush=True)
    try:
        sys.stdout.flush()
    except (OSError, ValueError):  # it is full: or else Python complains once more at its end
        sys.stdout = None
    return code


def _with_marks(text: str, arguments: Sequence[str]) -> str:
    """Return a text in which what was typed is shown with its line breaks and the like as marks."""
    for argument in arguments:
        if argument and not argument.isprintable():
            text = text.replace(argument, argument.encode("unicode_escape").decode())
    return text


def _one_line(error: BaseException) -> str:
    if isinstance(error, OSError) and error.filename is not None:
        return f"{error.filename!s}: {reason(error)}"
    text = " ".join(str(error).split())[:300]
    return text if isinstance(error, OSError) and text else f"{type(error).__name__}: {text}".rstrip(": ")


def _place(error: BaseException) -> str:
    """Return file and line where an error was raised."""
    frames = traceback.extract_tb(error.__traceback__)
    return f"{Path(frames[-1].filename).name}, line {frames[-1].lineno}" if frames else "nowhere"


if __name__ == "__main__":
    sys.exit(main())
