"""What cells get of contextlib, abc, enum, functools and typing: tools for classes and functions of their own."""

from __future__ import annotations

import collections.abc
import contextlib
import enum
import inspect
import typing
from collections.abc import Callable
from types import FunctionType, GeneratorType
from typing import Any

from cave_sim.errors import Blocked
from cave_sim.policy.libraries.cell_classes import CELL_FILE
from cave_sim.policy.libraries.decimals import LocalContext


class ABC:
    """``abc.ABC`` in a cell: of a class below it with abstract methods left, no object is made."""


def abstractmethod(function: Any) -> Any:
    """``abc.abstractmethod``: a method that classes below must have of their own."""
    if type(function) is FunctionType and function.__code__.co_filename == CELL_FILE:
        function.__isabstractmethod__ = True  # type: ignore[attr-defined]
    return function


def note_abstract(built: Any, *, is_declared: bool) -> None:
    """Have Python refuse to make objects of a class with abstract methods left, as ``abc.ABCMeta`` does.

    Args:
        built: the class.
        is_declared: whether ABC is among its bases as they were written; that of a class above counts as well.
    """
    if is_declared or any(ABSTRACT_METHODS in vars(base) for base in built.__bases__):
        methods = ((name, getattr(built, name, None)) for name in dir(built))
        left = (name for name, method in methods if getattr(method, "__isabstractmethod__", False) is True)
        built.__abstractmethods__ = frozenset(left)


ABSTRACT_METHODS = "__abstractmethods__"


def note_generic(built: Any) -> None:
    """Have a class that was written below ``Generic[T]`` be what ``Stack[int]`` means."""
    setattr(built, SUBSCRIPTED, classmethod(_subscripted))


def _subscripted(kind: type, _types: Any) -> type:
    return kind


SUBSCRIPTED = "__class_getitem__"


def is_abstract(base: Any) -> bool:
    """Say whether a base class only says something to readers: ABC, Protocol, Generic[T]."""
    return base is ABC or base in _GENERIC or typing.get_origin(base) in _GENERIC


def note_declared(built: Any, bases: tuple[Any, ...]) -> None:
    """Take in what the bases of a class say of it, as they were written."""
    note_abstract(built, is_declared=ABC in bases)
    if any(typing.get_origin(base) in _GENERIC for base in bases):
        note_generic(built)


_GENERIC = (typing.Generic, typing.Protocol)


def value_class(name: str, body: type, *, is_tuple: bool) -> type:
    """Return what ``class Stop(NamedTuple):`` makes of its fields, or a TypedDict, a dict to all but readers."""
    if not is_tuple:
        return dict
    fields = list(inspect.get_annotations(body))
    extra = sorted(each for each in vars(body) if each not in fields and not each.startswith("__"))
    if extra:
        raise Blocked(
            f"class {name}: a NamedTuple has fields alone, not {', '.join(extra)}; use @dataclass(frozen=True)"
        )
    defaults = [vars(body)[each] for each in fields if each in vars(body)]
    return collections.namedtuple(name, fields, defaults=defaults, module="__main__")


def wraps(wrapped: Any, **_: Any) -> Callable[[Any], Any]:
    """``functools.wraps``, for functions that the cell defined."""

    def decorate(wrapper: Any) -> Any:
        if type(wrapper) is not FunctionType or wrapper.__code__.co_filename != CELL_FILE:
            raise Blocked("wraps() decorates a function that the cell defined")
        wrapper.__name__ = str(getattr(wrapped, "__name__", wrapper.__name__))
        wrapper.__doc__ = getattr(wrapped, "__doc__", None)
        return wrapper

    return decorate


def _picked(module: Any, names: str) -> dict[str, Any]:
    return {name: getattr(module, name) for name in names.split()}


class _EnumClass(enum.EnumType):
    """The class of enums of cells: calling one looks a member up, and makes no class past the checks of a cell."""

    def __call__(cls, value: Any, *more: Any, **named: Any) -> Any:
        if more or named or not cls.__members__:
            raise Blocked("an Enum is written as a class: class Colour(Enum): RED = 1")
        return super().__call__(value)


class Enum(enum.Enum, metaclass=_EnumClass):
    """``enum.Enum`` in a cell."""


class IntEnum(enum.IntEnum, metaclass=_EnumClass):
    """``enum.IntEnum`` in a cell."""


class StrEnum(enum.StrEnum, metaclass=_EnumClass):
    """``enum.StrEnum`` in a cell."""


ENUM_BASES = (Enum, IntEnum, StrEnum)


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
    if type(function) is not FunctionType or function.__code__.co_filename != CELL_FILE:
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


MANAGERS = frozenset({contextlib.suppress, contextlib.nullcontext, GeneratorManager, LocalContext})
"""Context managers that cells may enter beside their own."""

CONTEXTLIB = _picked(contextlib, "suppress nullcontext") | {"contextmanager": contextmanager}
ENUM = {"Enum": Enum, "IntEnum": IntEnum, "StrEnum": StrEnum, **_picked(enum, "auto unique")}
ABSTRACT = {"ABC": ABC, "ABCMeta": ABC, "abstractmethod": abstractmethod}
COLLECTIONS_ABC = _picked(
    collections.abc,
    "Callable Collection Container Generator Hashable ItemsView Iterable Iterator KeysView Mapping MutableMapping "
    "MutableSequence MutableSet Reversible Sequence Set Sized ValuesView",
)
"""Classes to ask for, and to annotate with."""
