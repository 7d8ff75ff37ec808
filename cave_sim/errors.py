"""Every error of cave_sim: one base class, each message says where, what, which rule, and the way out."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from pathlib import PurePath
from typing import Any


class CaveSimError(Exception):
    """Base of all errors that cave_sim raises on purpose."""


class WorldError(CaveSimError):
    """The world was asked for something it cannot do: an unknown name, a bad map, a wrong option."""


class SchemaError(CaveSimError, ValueError):
    """A value does not fit the field it was written to: its type, its bounds, or what may enter a world."""


class Refused(CaveSimError):
    """A rule of the world said no: the café is closed, the purse is empty. Methods of entities raise it."""


class InvariantBroken(CaveSimError):
    """A turn would have left the world in a state that one of its invariants forbids."""


class MergeConflict(CaveSimError):
    """Two turns of one simultaneous batch wrote the same path, and its field takes one writer."""


class JournalError(CaveSimError):
    """A run's folder or file cannot be read or written as asked."""


class MissingExtra(CaveSimError, ImportError):
    """An optional part is not installed; the message gives the command that installs it."""


class Blocked(BaseException):
    """The policy refused a cell, or something a cell tried to reach.

    It is no ``Exception``, so that ``except Exception`` in a cell cannot swallow it, and it dooms the turn.
    """


class PermissionDenied(Blocked):
    """An agent wrote something that it may not write, or read something that is not for it."""


class AnswerNeeded(BaseException):
    """A cell asks what its world cannot tell: the words of another mind. Its turn ends as if it had never begun.

    Whoever runs the cell finds the answer and runs it again with that; a cell cannot catch it.

    Attributes:
        needs: agent whose cell asks -> what it asks.
    """

    def __init__(self, needs: dict[str, Any]) -> None:
        super().__init__("a cell asks another mind, and nobody has answered")
        self.needs = needs


class DeadlineReached(BaseException):
    """A cell ran past its deadline; like :class:`Blocked`, a cell cannot catch it."""


COMPARED = 1_000
"""How many names a wrong one is compared with; where there are more, those that begin like it."""


def nearest(word: str, known: Iterable[str], closeness: float = 0.6) -> str | None:
    """Return the name that comes nearest to a word; None if none does.

    Where none does, capitals do not count, nor does what stands in brackets behind a name: a unit, ``treasury (EUR)``.

    Args:
        word: what was written.
        known: the right names.
        closeness: from 0 to 1, how alike they have to be.
    """
    known = list(known)
    if len(known) > COMPARED:  # a world may have a hundred thousand names
        known = [name for name in known if name[:1].lower() == word[:1].lower()][:COMPARED]
    if as_written := get_close_matches(word, known, 1, closeness):
        return as_written[0]
    spelt: dict[str, str] = {}
    for name in known:
        for spelling in (name.lower(), name.lower().partition(" (")[0]):
            spelt.setdefault(spelling, name)
    near = get_close_matches(word.lower(), spelt, 1, closeness)
    return spelt[near[0]] if near else None


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return a sentence, with a space in front, that names what comes nearest to a word; empty if nothing does."""
    near = nearest(word, known)
    return "" if near is None else f" Did you mean {near!r}?"


def raised_at(error: BaseException) -> str:
    """Return the file's name and the line where an error was raised."""
    trace = error.__traceback__
    if trace is None:
        return "nowhere"
    while trace.tb_next is not None:
        trace = trace.tb_next
    return f"{PurePath(trace.tb_frame.f_code.co_filename).name}, line {trace.tb_lineno}"


def reason(error: OSError) -> str:
    """Return what the operating system said, without its number and the path, which a message has anyway."""
    return error.strerror or str(error)
