"""The command line: ``cave-sim run town_day``, ``cave-sim log runs/town_day-7``."""

from __future__ import annotations

import argparse
import atexit
import faulthandler
import gc
import os
import resource
import sys
import traceback
from collections.abc import Sequence
from contextlib import suppress
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from typing import Any, NoReturn

from cave_sim.cli.options.exit_codes import INTERRUPTED
from cave_sim.cli.options.plain_output import plain_output, visible
from cave_sim.cli.options.together import alone
from cave_sim.errors import CaveSimError, did_you_mean, reason
from cave_sim.given_files import why_unread
from cave_sim.replay import own_code
from cave_sim.unsearched import unsearched
from cave_sim.version import __version__

GROUPS = {
    "play": {
        "run": "run a simulation and keep its journal",
        "resume": "go on with a run, however it ended",
        "fork": "branch a run at a step: what if something had been different?",
        "check": "say what is wrong with a scenario, and what its study will take, before anything is spent",
        "study": "run the trials of a scenario, or put a model to tasks, and print what came of it",
        "search": "find the least change of a scenario that flips a condition",
        "scenario": "print a run, with all that was done to it, as a scenario",
        "answer": "approve, edit or reject what agents asked for and people are to decide, or respond in its place",
        "mcp": "let a client of the Model Context Protocol live in a simulation, or look at a run",
        "capacity": "measure how much a model can write in one turn, and say which way a document is best written",
        "survey": "put a questionnaire to the minds of a run, at any step; or show what they answered",
    },
    "look": {
        "list": "say which simulations, studies and runs there are",
        "dash": "look at runs in a browser",
        "film": "write a run as an animated picture",
        "log": "print the turns of a run",
        "sessions": "draw what agents said, saw and ran, as a graph of sessions; or print it row by row",
        "story": "tell the life of an entity",
        "prompts": "say which part of a run's prompts costs what, and how stable it is",
        "blame": "tell who wrote a field: its values, turn by turn",
        "bisect": "find the turn that broke a condition",
        "why": "find causes: what would have been without a turn, an agent, a sentence or an intervention?",
        "cohort": "treat the same people and leave them untreated: who gains by an intervention, and who loses?",
        "rules": "find rules that held although nothing demanded them, and the runs that break them",
        "diff": "compare two runs: where they part, and what differs",
        "compare": "compare runs by what they measured, with intervals over seeds",
        "distil": "find the habits of minds, and prove by a replay which calls they spare",
        "compare-models": "ask another model at every decision point of a run, and compare what it does to the state",
        "branches": "draw the tree of runs that were forked from each other",
        "tag": "give a run words to find it by",
        "note": "write down what you think of a run",
        "export": "write a run as jsonl, csv, parquet or graphml",
        "training-data": "write what runs teach a small model, and its log's tracker, as files for fine-tuning",
    },
    "trust": {
        "evidence": "run what shows a claim, and keep commands, rows, logs, hashes and the verdict",
        "verify": "check that a run is what it says: its hashes and seals, then its cells once more",
        "bundle": "write a run as one file, to hand on",
        "open": "check somebody's bundle: its file, then its cells once more, here",
        "replay": "run a run's recorded cells again, and compare turn by turn",
        "doctor": "say what is installed here; or how large and how whole a run is, and repair or shrink it",
    },
    "set up": {
        "new": "write a small simulation, world, agent or scenario of your own, with its test",
        "map": "make a town's map of any place, from a file of OpenStreetMap",
        "serve": "serve a model from a GGUF file, on this machine alone",
        "completion": "print what a shell needs to complete command lines: bash, zsh or fish",
    },
}
"""What each command does, in the order of the help. Their modules are imported when they are chosen."""
COMMANDS = {name: purpose for group in GROUPS.values() for name, purpose in group.items()}


EPILOG = """
Begin with: cave-sim run town_day. Then: cave-sim log runs/town_day-7.
cave-sim help COMMAND says what a command takes, with an example.
"""


class _Parser(argparse.ArgumentParser):
    """Says what is wrong in one line, and what comes nearest to a wrong word; ``--help`` says the rest."""

    def error(self, message: str) -> NoReturn:
        end = "" if message.endswith(("?", ".")) else "."
        self.exit(2, f"{self.prog}: {message}{end} See {self.prog} --help\n")

    def _get_values(self, action: argparse.Action, arg_strings: list[str]) -> Any:
        """Refuse ``--out=--``, of which argparse up to Python 3.12 makes an empty list."""
        if action.nargs is None and action.option_strings and arg_strings == ["--"]:
            raise argparse.ArgumentError(action, "-- is no value; for a file of this name say ./--")
        if action.type is Path and "" in arg_strings:  # Path would make the current folder of it
            raise argparse.ArgumentError(action, "an empty text names no file and no folder; the current one is .")
        return super()._get_values(action, arg_strings)

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
            name = self.prog.rpartition(" ")[2].replace("-", "_")
            module = import_module(f"cave_sim.cli.commands.{name}")
            self.epilog = getattr(module, "EPILOG", None)
            module.add_arguments(self)
            self.set_defaults(call=getattr(module, "call", partial(_act, name)))
        return self

    def declared(self) -> list[argparse.Action]:
        """Return what the command takes."""
        self.load()
        return self._actions

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        found, unknown = super(Command, self.load()).parse_known_args(args, namespace)
        unknown = self._placed(found, unknown)
        if unknown:
            options = [option for action in self._actions for option in action.option_strings]
            word = next((each for each in unknown if each.startswith("-")), unknown[0])
            option = word.partition("=")[0]
            what = "option" if word.startswith("-") else "place for"
            self.error(f"there is no {what} {option!r}.{did_you_mean(option, options)}")
        if (what_is_missing := alone(self, self.declared(), found)) is not None:
            self.error(what_is_missing)
        return found, unknown

    def _placed(self, found: argparse.Namespace, words: list[str]) -> list[str]:
        """Put words behind an option where they belong, and return those that belong nowhere.

        argparse fills a place that may stay empty, or takes several, once: with what stands at the first word.
        """
        if any(word.startswith("-") for word in words):
            return words
        words = list(words)
        for action in (each for each in self._actions if not each.option_strings):
            held = getattr(found, action.dest, None)
            taken = len(words) if action.nargs in ("*", "+") else int(action.nargs == "?" and held is action.default)
            try:
                values = [self._get_values(action, [word]) for word in words[:taken]]
            except argparse.ArgumentError as error:
                self.error(str(error))
            if values:
                several = [*(held or []), *(value for each in values for value in each)]
                setattr(found, action.dest, values[0] if action.nargs == "?" else several)
                words = words[taken:]
        return words


def _act(name: str, options: argparse.Namespace) -> int:
    """Do what a command does that has more to import than its options have."""
    with unsearched():
        module = import_module(f"cave_sim.cli.actions.{name}")
    return int(module.call(options))


@cache
def parser() -> argparse.ArgumentParser:
    """Return the parser of the whole command line, made once: in a notebook or a test many lines are run."""
    top = _Parser(
        prog="cave-sim",
        usage="cave-sim COMMAND ...",
        description="A laboratory for societies of code-writing agents.",
        epilog=f"{_listed()}\n{EPILOG}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    top.add_argument("--version", action="version", version=f"cave-sim {__version__}")
    commands = top.add_subparsers(metavar="COMMAND", required=True, parser_class=Command, help=argparse.SUPPRESS)
    for name, purpose in COMMANDS.items():
        commands.add_parser(
            name,
            prog=f"cave-sim {name}",
            description=purpose,
            conflict_handler="resolve",
            allow_abbrev=False,  # or --step 8 would be read as --steps 8
        )
    top.set_defaults(parsers=commands.choices)
    return top


def _listed() -> str:
    """Return the commands by what they are for."""
    width = max(map(len, COMMANDS))
    parts = [
        "\n".join([f"{group}:", *(f"  {name:{width}}  {purpose}" for name, purpose in commands.items())])
        for group, commands in GROUPS.items()
    ]
    return "\n\n".join(parts)


def _meant(arguments: list[str]) -> list[str]:
    """Return a command line as it is meant: no word at all, and `help`, ask for help."""
    if not arguments or arguments[0] == "help":
        return [*arguments[1:2], "--help"]
    return arguments


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns its exit code. What goes wrong is one line on stderr."""
    if arguments is None:  # the process is this command's: its end need not look through all that was imported
        atexit.register(gc.freeze)
    _open_what_is_closed()
    _say_where_python_fails()
    try:
        options = parser().parse_args(_meant(list(sys.argv[1:] if arguments is None else arguments)))
        with plain_output():
            code = int(options.call(options))
            sys.stdout.flush()
    except CaveSimError as error:
        if os.environ.get(TRACEBACK):
            raise
        return _failed(_with_marks(str(error), sys.argv[1:] if arguments is None else arguments))
    except KeyboardInterrupt as error:
        return _failed("; ".join(["interrupted", *map(str, error.args)]), INTERRUPTED)
    except BrokenPipeError:  # the reader of our output went away, as `head` does
        sys.stderr.close()
        return 0
    except Exception as error:
        own = own_code.place(error)
        if isinstance(error, OSError) and not own and (path := _path_of(error)) and not os.environ.get(TRACEBACK):
            return _failed(f"{path}: {why_unread(error)}")
        tight = _address_space() if isinstance(error, (ImportError, MemoryError)) else ""
        if os.environ.get(TRACEBACK) or not (own or tight or isinstance(error, UNFIT)):
            raise
        return _failed(f"{_one_line(error)}{tight} ({own or _place(error)}; {TRACEBACK}=1 shows all of it)")
    return code


def _say_where_python_fails() -> None:
    """Have a fault in Python's own C code, which ends the process, print the lines that led to it: a cell's, too."""
    if not faulthandler.is_enabled():
        with suppress(OSError, ValueError):  # where errors go is no file
            faulthandler.enable(all_threads=False)


def _open_what_is_closed() -> None:
    """Open the standard streams that were closed, as by ``>&-``: a journal in their place would be printed into."""
    for number, (name, mode) in enumerate((("stdin", "r"), ("stdout", "w"), ("stderr", "w"))):
        if getattr(sys, name) is not None:
            continue
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # it gets the lowest number that is free, which is this one
        setattr(sys, name, Path(os.devnull).open(mode))  # noqa: SIM115


TRACEBACK = "CAVE_SIM_TRACEBACK"
"""The environment variable with which an error is shown in full, with the lines that led to it."""


UNFIT = (OSError, ValueError, OverflowError, RecursionError, MemoryError)
"""What comes of values that do not fit: paths, dates, numbers, texts that cannot be written; UnicodeError is one."""


def _failed(why: str, code: int = 1) -> int:
    with suppress(OSError, ValueError):
        print(f"cave-sim: {_shown(why)}", file=sys.stderr, flush=True)
    try:
        sys.stdout.flush()
    except (OSError, ValueError):  # it is full: or else Python complains once more at its end
        sys.stdout = None
    return code


MOST_SHOWN = 4_000
"""Of a message, which may quote what stands in a file of any length."""


def _shown(text: str) -> str:
    """Return as much of a message as anybody reads, of which a terminal shows each character."""
    shown = visible(text)
    return shown if len(shown) <= MOST_SHOWN else f"{shown[:MOST_SHOWN]} ..."


def _with_marks(text: str, arguments: Sequence[str]) -> str:
    """Return a text in which what was typed is shown with its line breaks and the like as marks."""
    for argument in (part for word in arguments for part in (word, word.partition("=")[2])):
        if argument and not argument.isprintable():
            text = text.replace(argument, argument.encode("unicode_escape").decode())
    return text


def _one_line(error: BaseException) -> str:
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename!s}: {why_unread(error)}" if error.filename is not None else reason(error)
    text = " ".join(str(error).split())[:300]
    told = text if isinstance(error, OSError) and text else f"{type(error).__name__}: {text}".rstrip(": ")
    return " ".join((told, *getattr(error, "__notes__", ())))


def _address_space() -> str:
    """Return what to know of a process in which something was not loaded, or found no memory; empty if it has all."""
    limit_bytes, _ = resource.getrlimit(resource.RLIMIT_AS)
    if limit_bytes == resource.RLIM_INFINITY:
        return ""
    return f"; this process may take {limit_bytes / 1e9:.1f} GB of address space: give it more (ulimit -v)"


def _path_of(error: OSError) -> str | None:
    """Return what could not be read or written: the system names it only where a file is opened."""
    if error.filename is not None:
        return os.fsdecode(error.filename) if isinstance(error.filename, str | bytes) else None
    frames = [frame for frame, _ in traceback.walk_tb(error.__traceback__)]
    paths = (frame.f_locals.get("self") for frame in reversed(frames))
    return next((str(path) for path in paths if isinstance(path, Path)), None)


def _place(error: BaseException) -> str:
    """Return file and line where an error was raised."""
    frames = traceback.extract_tb(error.__traceback__)
    return f"{Path(frames[-1].filename).name}, line {frames[-1].lineno}" if frames else "nowhere"


if __name__ == "__main__":
    sys.exit(main())
