"""What a cell shows: capped, cleaned, and explained in words that an agent can act on."""

from __future__ import annotations

import builtins
import re
from collections.abc import Callable, Iterable
from types import TracebackType
from typing import Any

from cave_sim.entity.asking import CELL_FILE
from cave_sim.entity.entity import hint_of_attribute
from cave_sim.errors import Blocked, CaveSimError, DeadlineReached, did_you_mean
from cave_sim.policy.forgotten_imports import import_of
from cave_sim.policy.libraries.cell_classes import OWN_CLASSES
from cave_sim.policy.libraries.error_texts import settled
from cave_sim.policy.libraries.ways_out import instead_of_builtin
from cave_sim.policy.text_cleaning import clean
from cave_sim.runtime.depth import TOO_DEEP
from cave_sim.runtime.error_parts import is_plain, text_of_key, text_of_numpy, text_of_part

MAX_VALUE_CHARS = 2_000
MAX_DISTANCE = 3
"""By how many letters a name that was meant may be longer or shorter than what was written."""
MAX_GROUP_ERRORS = 5
_TOO_DEEP = "maximum recursion depth exceeded"


class Output:
    """What one turn prints, kept up to a number of characters.

    Attributes:
        limit_chars: how much is kept.
        total_chars: how much was printed.
    """

    def __init__(self, limit_chars: int) -> None:
        self.limit_chars = limit_chars
        self.total_chars: int = 0
        self._parts: list[str] = []

    def write(self, text: str) -> None:
        """Take what was printed."""
        room = self.limit_chars - self.total_chars
        self.total_chars += len(text)
        if room > 0:
            self._parts.append(text[:room])

    def text(self) -> str:
        """Return what is shown to the agent. Too much output is not cut in silence (CaveAgent §3.1.2, eq. 4)."""
        if not self._parts:
            return ""
        text = clean("".join(self._parts))
        if self.total_chars > self.limit_chars:
            cut = f"{self.limit_chars:,} of {self.total_chars:,} characters"
            text += f"\n[output stopped at {cut}; print a summary instead]"
        return text


def explain(
    error: BaseException,
    source: str,
    names: Callable[[], Iterable[str]] = tuple,
    form_of: Callable[[str], str] = lambda name: "",
) -> str:
    """Return what an agent reads when its cell failed: its own lines, the error, and nothing of ours.

    Args:
        error: what it raised.
        source: the cell.
        names: returns the names that it could have used; asked for only where one was not found.
        form_of: returns how values of the class of a name are written that cells have no name for; empty for no such.
    """
    if type(error) in _SYNTAX and error.filename == CELL_FILE:  # type: ignore[attr-defined]
        line = _line(error.lineno, source)  # type: ignore[attr-defined]
        as_text = '; a time of day is a text: "18:00"' if _BARE_CLOCK.search(line) else ""
        return clean(f"{line}SyntaxError: {error.msg}{as_text}")  # type: ignore[attr-defined]
    trace = _slot(BaseException, "__traceback__", error)
    lines = _cell_lines(trace)
    # where calls are too deep, the last of them follow from what Python has run before in the process
    shown = lines[:3] if isinstance(error, RecursionError) else lines[-3:]
    places = "".join(_line(line, source) for line in shown)
    try:
        settled(error)
        message = f"{_message(error)}{_meant(error, trace, names, form_of)}"
    except (Exception, Blocked):  # whatever an error holds, its turn ends, and the run does not
        message = "its text cannot be read"
    return clean(f"{places}{_title(error)}: {message}")


def _title(error: BaseException) -> str:
    if isinstance(error, DeadlineReached):
        return "Timeout"
    return "Refused by the policy" if isinstance(error, Blocked) and type(error) is Blocked else type(error).__name__


def _message(error: BaseException) -> str:
    if is_policy_name(error):
        name = str(_name_of(error))
        return f"{name!r} is not for cells{instead_of_builtin(name)}"
    if isinstance(error, MemoryError):
        return "the cell needed more memory than a turn may take; do less in one turn"
    args = _args_of(error)
    if type(error) is RecursionError and args and str(args[0]).startswith(_TOO_DEEP):
        return TOO_DEEP
    if isinstance(error, BaseExceptionGroup):
        return _message_of_group(error)
    if type(error) in OWN_CLASSES or not all(map(is_plain, args)):
        if type(error) is KeyError and len(args) == 1:
            return f"there is no {text_of_key(args[0])}"[:MAX_VALUE_CHARS]
        return (text_of_numpy(error, args) or ", ".join(map(text_of_part, args)))[:MAX_VALUE_CHARS]
    if isinstance(error, NameError):
        return f"{error}. In a cell you have the world's entities, me, world, clock, rng, and what you defined."
    if isinstance(error, KeyError) and not isinstance(error, CaveSimError) and args:
        return f"there is no {args[0]!r}"
    return str(error)[:MAX_VALUE_CHARS] or "no message"


def _meant(
    error: BaseException,
    trace: TracebackType | None,
    names: Callable[[], Iterable[str]],
    form_of: Callable[[str], str],
) -> str:
    """Return, as a sentence, what was meant by a name that was not found; empty if nobody knows."""
    if type(error) is AttributeError:
        return hint_of_attribute(error)
    args = _args_of(error)
    if type(error) is ValueError and args and type(args[0]) is str and args[0].endswith(_READ_ONLY):
        return ". Write to x.copy(); what .flat shows of an array whose items lie in no one row, as array[i, j] = value"
    name = _name_of(error)
    if type(name) is not str or is_policy_name(error):
        return ""
    if form := form_of(name):
        return f" A {name} is written as plain data: {form}"
    if known := import_of(name):
        return f" Of the libraries: {known}"
    here = trace
    while here is not None and here.tb_next is not None:
        here = here.tb_next
    local = here.tb_frame.f_code.co_varnames if here is not None else ()
    near = {each for each in (*local, *names()) if _may_be_meant(each, name)}
    return did_you_mean(name, sorted(near))


def _may_be_meant(known: str, name: str) -> bool:
    """Say whether it is worth a closer look, so that a failing turn is not compared with each of a town's people."""
    is_alike = known[:1].lower() == name[:1].lower() or known[-2:] == name[-2:]
    return is_alike and not known.startswith("_") and abs(len(known) - len(name)) <= MAX_DISTANCE


def _message_of_group(group: BaseExceptionGroup[Any]) -> str:
    """Return the message of a group, and the first errors in it."""
    first = group.exceptions[:MAX_GROUP_ERRORS]
    messages = [each.message if isinstance(each, BaseExceptionGroup) else _message(each) for each in first]
    messages = [f"{_title(each)}: {text}" for each, text in zip(first, messages, strict=True)]
    more = len(group.exceptions) - len(messages)
    return f"{group.message} ({'; '.join(messages)}{f'; and {more} more' if more else ''})"[:MAX_VALUE_CHARS]


_SYNTAX = (SyntaxError, IndentationError, TabError)
_READ_ONLY = " is read-only"
"""How errors end that numpy raises where an array is for reading."""
_BARE_CLOCK = re.compile(r"[=(,]\s*\d{1,2}:\d\d\b")
"""A time that is handed over without quotation marks, which language models do."""


def _slot(kind: type, name: str, error: BaseException) -> Any:
    """Return what Python itself keeps of an error; a class of a cell may call something else by that name."""
    return vars(kind)[name].__get__(error)


def _args_of(error: BaseException) -> tuple[Any, ...]:
    """Return the arguments that Python keeps of an error."""
    args: tuple[Any, ...] = _slot(BaseException, "args", error)
    return args


def _name_of(error: BaseException) -> object:
    """Return the name that was not found."""
    return _slot(NameError, "name", error) if isinstance(error, NameError) else None


def _line(number: int | None, source: str) -> str:
    lines = source.splitlines() if type(source) is str else []
    if number is None or not 1 <= number <= len(lines):
        return ""
    return f"line {number}: {lines[number - 1].strip()}\n"


def _cell_lines(trace: TracebackType | None) -> list[int]:
    lines = []
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == CELL_FILE:
            lines.append(trace.tb_lineno)
        trace = trace.tb_next
    return lines


def is_policy_name(error: BaseException) -> bool:
    """Say whether a NameError came from reaching for a builtin that cells do not have."""
    name = _name_of(error)
    return type(name) is str and hasattr(builtins, name)
