"""The command line: ``cave-sim run town_day``, ``cave-sim log runs/town_day-7``."""

from __future__ import annotations

import argparse
import atexit
import faulthandler
import gc
import os
import sqlite3
import sys
import traceback
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from cave_sim.cli.options.exit_codes import INTERRUPTED, SIGNALLED
from cave_sim.cli.options.interrupts import (
    end_by_termination,
    end_by_the_next,
    is_of_an_interrupt,
    lose_no_interrupt,
    terminated_by,
)
from cave_sim.cli.options.plain_output import plain_output, visible
from cave_sim.cli.parser import parser
from cave_sim.diagnostics.system_limits import address_space_limit, process_limit
from cave_sim.errors import CaveSimError, raised_at, reason
from cave_sim.files.given_files import why_unread
from cave_sim.replay import own_code


def _meant(arguments: list[str]) -> list[str]:
    """Return a command line as it is meant: no word at all, and `help`, ask for help."""
    if not arguments or arguments[0] == "help":
        return [*arguments[1:2], "--help"]
    return arguments


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns its exit code. What goes wrong is one line on stderr."""
    if arguments is not None:
        return _run(arguments)
    atexit.register(gc.freeze)  # the process is this command's: its end need not look through all that was imported
    lose_no_interrupt()
    end_by_termination()
    try:
        code = _run(sys.argv[1:])
    except KeyboardInterrupt:  # once more, while the line about the first one was written
        code = INTERRUPTED
    finally:
        end_by_the_next()
    return SIGNALLED + terminated_by() if code and terminated_by() else code  # a closed terminal takes no last words


def _run(arguments: Sequence[str]) -> int:
    _open_what_is_closed()
    _say_where_python_fails()
    options: argparse.Namespace | None = None
    try:
        options = parser().parse_args(_meant(list(arguments)))
        with plain_output():
            code = int(options.call(options))
            sys.stdout.flush()
    except CaveSimError as error:
        if os.environ.get(TRACEBACK):
            raise
        return _failed(_with_marks(str(error), arguments))
    except KeyboardInterrupt as error:
        return _failed("; ".join(["interrupted", *map(str, error.args)]), INTERRUPTED)
    except BrokenPipeError:  # the reader of our output went away, as `head` does
        sys.stderr.close()
        return 0
    except Exception as error:
        if is_of_an_interrupt(error):
            return _failed("interrupted", INTERRUPTED)
        own = own_code.place(error)
        if isinstance(error, OSError) and not own and (path := _path_of(error)) and not os.environ.get(TRACEBACK):
            return _failed(f"{path}: {why_unread(error)}")
        if isinstance(error, EOFError) and not own and (compiled := _cut_off(error)):
            return _failed(f"{compiled} is cut off, as a disk that was full leaves it: remove it, and try again")
        tight = address_space_limit() if isinstance(error, (ImportError, MemoryError)) else process_limit(error)
        read = "" if options is None or own or tight else _run_of(options, error)
        if os.environ.get(TRACEBACK) or not (own or tight or read or isinstance(error, UNFIT)):
            raise
        text = f"{_one_line(error)}{tight} ({own or raised_at(error)}; {TRACEBACK}=1 shows all of it)"
        return _failed(f"{read} holds what is not understood, or cave_sim has a mistake: {text}" if read else text)
    return code


def _run_of(options: argparse.Namespace, error: Exception) -> str:
    """Return the folder of a run, or of runs, that a command was given, if an error may come of what it read there.

    Whoever wrote it may have written anything, and sealed it: such an error need be no mistake of ours.
    """
    from cave_sim.journal.reader import UNREADABLE
    from cave_sim.journal.tables import DATABASE

    if not isinstance(error, UNREADABLE):
        return ""
    for value in vars(options).values():
        for word in value if isinstance(value, list) else [value]:
            with suppress(OSError, ValueError):
                folder = Path(word) if isinstance(word, str | Path) and str(word) else None
                if folder is not None and ((folder / DATABASE).is_file() or any(folder.glob(f"*/{DATABASE}"))):
                    return str(folder)
    return ""


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


UNFIT = (OSError, ValueError, OverflowError, RecursionError, MemoryError, sqlite3.Error)
"""What comes of values that do not fit: paths, dates, numbers, texts that cannot be written; UnicodeError is one. And
of disks that SQLite finds full in the middle of something."""


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
    message = text if isinstance(error, OSError) and text else f"{type(error).__name__}: {text}".rstrip(": ")
    return " ".join((message, *getattr(error, "__notes__", ())))


def _path_of(error: OSError) -> str | None:
    """Return what could not be read or written: the system names it only where a file is opened."""
    if error.filename is not None:
        return os.fsdecode(error.filename) if isinstance(error.filename, str | bytes) else None
    frames = [frame for frame, _ in traceback.walk_tb(error.__traceback__)]
    paths = (frame.f_locals.get("self") for frame in reversed(frames))
    return next((str(path) for path in paths if isinstance(path, Path)), None)


def _cut_off(error: BaseException) -> str | None:
    """Return the compiled file that Python could not load: some Pythons keep one of which only a part was written."""
    frames = (frame for frame, _ in traceback.walk_tb(error.__traceback__))
    return next((path for frame in frames if (path := frame.f_locals.get("bytecode_path"))), None)


if __name__ == "__main__":
    sys.exit(main())
