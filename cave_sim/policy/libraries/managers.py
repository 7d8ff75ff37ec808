"""``contextlib`` in a cell, and what a ``with`` statement may enter: nothing of it is told what ends a turn."""

from __future__ import annotations

import io
from collections.abc import Callable
from types import GeneratorType
from typing import Any

from cave_sim.diagnostics.plurals import article
from cave_sim.entity.asking import CELL_FILE
from cave_sim.errors import AnswerNeeded, Blocked, DeadlineReached
from cave_sim.policy.libraries.cell_classes import OWN_CLASSES, is_own_function
from cave_sim.policy.libraries.databases import Database
from cave_sim.policy.libraries.decimals import LocalContext
from cave_sim.policy.libraries.error_texts import settled
from cave_sim.policy.libraries.generators import close
from cave_sim.policy.libraries.kept_classes import kept_class
from cave_sim.policy.libraries.null_context import NullContext
from cave_sim.policy.libraries.pandas_texts import StringIO

FATAL = (
    AnswerNeeded,
    Blocked,
    DeadlineReached,
    GeneratorExit,
    KeyboardInterrupt,
    MemoryError,
    RecursionError,
    SystemExit,
)
"""What ends a turn, or a generator that nobody needs any more: no handler of a cell sees it.

How deep a stack may be and how much memory there is depends on the machine and on who called: it is no data.
"""


class Manager:
    """What a ``with`` statement of a cell enters: it is not told of what stops the cell."""

    __slots__ = ("_manager",)

    def __init__(self, manager: Any) -> None:
        self._manager = manager

    def __enter__(self) -> Any:
        return type(self._manager).__enter__(self._manager)

    def __exit__(self, kind: Any, error: Any, _trace: Any) -> bool:
        if isinstance(error, FATAL):
            return False
        if error is not None:
            settled(error)
        return bool(type(self._manager).__exit__(self._manager, kind, error, None))


def manager(value: Any) -> Manager:
    """Return what stands for a context manager in a ``with`` statement; raises Blocked if it is none for cells."""
    if type(value) not in OWN_CLASSES and type(value) not in _MANAGERS:
        raise Blocked(f"`with` takes objects of the cell's own classes, not {article(type(value).__name__)}")
    return Manager(value)


class GeneratorManager:
    """What a function decorated with ``contextmanager`` returns: enters and leaves a generator of the cell."""

    def __init__(self, generator: Any) -> None:
        if type(generator) is not GeneratorType or generator.gi_code.co_filename != CELL_FILE:
            raise Blocked("contextmanager() decorates a function of the cell that yields once")
        self._generator = generator

    def __enter__(self) -> Any:
        return next(self._generator)

    def __exit__(self, kind: Any, error: BaseException | None, trace: Any) -> bool:
        try:
            if error is None:
                next(self._generator)
            else:
                self._generator.throw(error)
        except StopIteration:
            return error is not None
        except BaseException as raised:
            if raised is error:
                return False
            raise
        raise RuntimeError("a generator of a context manager yields once")


def contextmanager(function: Any) -> Any:
    """``contextlib.contextmanager``, for functions that the cell defined."""
    if not is_own_function(function):
        raise Blocked("contextmanager() decorates a function that the cell defined")
    return managing(function)


def managing(function: Any) -> Any:
    """Return a function whose results can be entered: the generators of another one."""

    def manager(*args: Any, **named: Any) -> GeneratorManager:
        return GeneratorManager(function(*args, **named))

    manager.__wrapped__ = function  # type: ignore[attr-defined]
    return manager


MANAGER_CODE = managing(None).__code__
"""The code of every function that ``contextmanager`` makes."""


@kept_class("_errors")
class Suppress:
    """``contextlib.suppress``: goes on after a ``with`` statement that one of these errors ended."""

    __slots__ = ("_errors",)

    def __init__(self, *errors: Any) -> None:
        if not all(isinstance(each, type) and issubclass(each, BaseException) for each in errors):
            raise TypeError("suppress() takes classes of errors")
        self._errors = errors

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: Any, error: BaseException | None, trace: Any) -> bool:
        return error is not None and isinstance(error, self._errors)


@kept_class("_thing")
class Closing:
    """``contextlib.closing``, of objects of a cell's own classes, of its generators, and of texts as files."""

    __slots__ = ("_thing",)

    def __init__(self, thing: Any) -> None:
        self._thing = _closable(thing)

    def __enter__(self) -> Any:
        return self._thing

    def __exit__(self, *_: Any) -> None:
        thing = _closable(self._thing)
        close(thing) if type(thing) is GeneratorType else thing.close()


def _closable(thing: Any) -> Any:
    if type(thing) not in OWN_CLASSES and type(thing) not in (StringIO, GeneratorType):
        raise Blocked(f"closing() takes objects of the cell's own classes, not {article(type(thing).__name__)}")
    return thing


@kept_class("_exits")
class ExitStack:
    """``contextlib.ExitStack``: leaves what was entered, and calls what it was told to, last in first out."""

    __slots__ = ("_exits",)

    def __init__(self) -> None:
        self._exits: list[tuple[str, Any, tuple[Any, ...], dict[str, Any]]] = []

    def enter_context(self, cm: Any) -> Any:
        """Enter what a ``with`` statement may enter, and return what that says."""
        entered = manager(cm).__enter__()
        self._exits.append(("leave", cm, (), {}))
        return entered

    def push(self, leave: Any) -> Any:
        """Have something left that was entered elsewhere, or a function called with the error."""
        if type(leave) in OWN_CLASSES and hasattr(type(leave), "__exit__"):
            manager(leave)
            self._exits.append(("leave", leave, (), {}))
        else:
            self._exits.append(("tell", _callable(leave), (), {}))
        return leave

    def callback(self, callback: Any, /, *args: Any, **kwds: Any) -> Any:
        """Have a function called in the end."""
        self._exits.append(("call", _callable(callback), args, kwds))
        return callback

    def pop_all(self) -> ExitStack:
        """Return a stack to which all of it goes, so that leaving this one does nothing."""
        other = ExitStack()
        other._exits, self._exits = self._exits, []
        return other

    def close(self) -> None:
        """Leave and call everything now."""
        self.__exit__(None, None, None)

    def __enter__(self) -> ExitStack:
        return self

    def __exit__(self, _kind: Any, error: Any, _trace: Any) -> bool:
        present, swallowed = error, False
        while self._exits:
            step = self._exits.pop()
            try:
                if _take(step, present):
                    present, swallowed = None, True
            except FATAL:
                raise
            except BaseException as raised:
                present, swallowed = raised, False
        if present is not None and present is not error:
            raise present
        return swallowed and error is not None


def _take(step: tuple[str, Any, tuple[Any, ...], dict[str, Any]], error: Any) -> bool:
    """Do one thing that a stack was told to; returns whether that swallowed the error."""
    how, what, args, named = step
    kind = None if error is None else type(error)
    if how == "leave":
        return manager(what).__exit__(kind, error, None) and error is not None
    result = what(*args, **named) if how == "call" else what(kind, error, None)
    return how == "tell" and error is not None and bool(result)


def _callable(value: Any) -> Any:
    if not callable(value):
        raise TypeError(f"an ExitStack calls functions, not {article(type(value).__name__)}")
    return value


class Redirect:
    """``contextlib.redirect_stdout``: what is printed within the ``with`` statement goes into a text.

    Args:
        outputs: where prints of the present turn go, the last of them first.
        target: a StringIO; None for nowhere.
    """

    __slots__ = ("_outputs", "_target")

    def __init__(self, outputs: list[Any], target: Any) -> None:
        if target is not None and type(target) is not StringIO:
            raise Blocked(f"redirect_stdout() takes an io.StringIO, not {article(type(target).__name__)}")
        self._outputs, self._target = outputs, target

    def __enter__(self) -> io.StringIO | None:
        self._outputs.append(self._target)
        return self._target

    def __exit__(self, *_: Any) -> None:
        if self._outputs:  # another turn has emptied it, if one ran meanwhile
            self._outputs.pop()


def redirecting(outputs: list[Any]) -> Callable[[Any], Redirect]:
    """Return ``contextlib.redirect_stdout`` of a world."""

    def redirect_stdout(new_target: Any) -> Redirect:
        return Redirect(outputs, new_target)

    return redirect_stdout


_MANAGERS = frozenset(
    {Suppress, NullContext, Closing, ExitStack, Redirect, GeneratorManager, LocalContext, StringIO, Database}
)
"""Context managers that cells may enter beside their own."""

CONTEXTLIB: dict[str, Any] = {
    "suppress": Suppress,
    "nullcontext": NullContext,
    "closing": Closing,
    "ExitStack": ExitStack,
    "contextmanager": contextmanager,
}
"""What ``contextlib`` offers, but for what needs a world."""
