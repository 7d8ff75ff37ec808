"""What Python asks of an object by itself when a cell calls it, goes through it, adds to it or prints it.

No guard of a cell stands before `lab()`, `for each in lab` or `lab + 1`. So the class's own special methods hand over
what they come to, where a cell asked; asked by anybody else they are what they were.
"""

from __future__ import annotations

import enum
import functools
import re
import sys
from collections.abc import Callable
from contextlib import suppress
from types import CodeType, FunctionType, MethodDescriptorType, WrapperDescriptorType
from typing import Any

from cave_sim.entity.asking import CELL_FILE, RUNNING, asked_by_cell, entrance

Give = Callable[[Any, str], Any]

_OPERATORS = "add sub mul matmul truediv floordiv mod divmod pow lshift rshift and xor or".split()
_ANSWERS = (
    *(f"__{by}{name}__" for name in _OPERATORS for by in ("", "r", "i")),
    *(f"__{name}__" for name in "neg pos abs invert round trunc floor ceil lt le eq ne gt ge".split()),
    *(f"__{name}__" for name in "call getitem iter next reversed class_getitem await".split()),
)
_TEXTS = ("__str__", "__repr__", "__format__")
_HEAP = 1 << 9  # Py_TPFLAGS_HEAPTYPE: other classes are C's, and can be given no method
_LISTED = frozenset({"numpy", "pandas", "networkx", "scipy", "plotly", *sys.stdlib_module_names})
_OURS = re.compile(r"cave_sim\.(entity|policy|world|runtime|random_streams|views|attribute_hints)\b")


def hand_special_methods(kind: type, give: Give, show: Give) -> None:
    """Let the special methods of a class hand over what they come to, where a cell asks.

    Args:
        kind: a class of trusted code. One of Python's own, of a library that cells know by lists or of a cell stays
            as it is.
        give: makes what a cell gets, of what a method returned and the method's name.
        show: makes what a text tells, of an attribute of an object and its name.
    """
    if not kind.__flags__ & _HEAP or _is_listed(kind) or issubclass(kind, enum.Enum):
        return
    for name in (*_ANSWERS, *_TEXTS):
        method = _own(kind, name)
        if method is not None:
            handing_over = _telling(method, show) if name in _TEXTS else _answering(method, give)
            with suppress(TypeError, AttributeError):  # a class that cannot be changed
                type.__setattr__(kind, name, handing_over)


def _is_listed(kind: type) -> bool:
    module = kind.__module__
    return module.partition(".")[0] in _LISTED or _OURS.match(module) is not None


def _own(kind: type, name: str) -> Any:
    """Return what a class has by the name of a special method; None where all have it, or where it hands over."""
    for base in kind.__mro__:
        if name in vars(base):
            method = vars(base)[name]
            is_told = base in (object, type) or base.__module__ == "typing" or _OURS.match(base.__module__)
            return None if is_told or isinstance(method, type(None)) or _hands_over(method) else method
    return None


def _hands_over(method: Any) -> bool:
    function = getattr(method, "__func__", method)
    return isinstance(function, FunctionType) and function.__code__ in _handing_over


def _answering(method: Any, give: Give) -> Any:
    if isinstance(method, (classmethod, staticmethod)):
        return type(method)(_answering(method.__func__, give))
    if not _is_trusted(method):
        return method

    @functools.wraps(method)
    def answer(*args: Any, **options: Any) -> Any:
        value = method(*args, **options)
        return give(value, method.__name__) if asked_by_cell() else value

    return _noted(entrance(answer))


def _telling(method: Any, show: Give) -> Any:
    if not _is_trusted(method):
        return method

    @functools.wraps(method)
    def tell(instance: Any, *options: Any) -> Any:
        return method(_as_shown(instance, show) if RUNNING.any else instance, *options)

    return _noted(tell)


_handing_over: set[CodeType] = set()


def _noted(function: Any) -> Any:
    _handing_over.add(function.__code__)
    return function


def _is_trusted(method: Any) -> bool:
    """Say whether something is a function, of no cell; an object that is called by itself hands over by its class."""
    if isinstance(method, FunctionType):
        return method.__code__.co_filename != CELL_FILE
    return isinstance(method, (WrapperDescriptorType, MethodDescriptorType))


def _as_shown(instance: Any, show: Give) -> Any:
    """Return what a text is made of: the object, or one that is like it and whose sets are read in sorted order."""
    has = getattr(instance, "__dict__", None)
    slots = [name for base in type(instance).__mro__ for name in _slots(base) if hasattr(instance, name)]
    parts = {**(has if type(has) is dict else {}), **{name: getattr(instance, name) for name in slots}}
    shown = {name: show(value, name) for name, value in parts.items()}
    if all(shown[name] is value for name, value in parts.items()):
        return instance
    try:
        twin = object.__new__(type(instance))
        for name, value in shown.items():
            object.__setattr__(twin, name, value)
    except (TypeError, AttributeError):  # of a class that only C can make
        return instance
    return twin


def _slots(kind: type) -> tuple[str, ...]:
    slots = vars(kind).get("__slots__", ())
    return (slots,) if isinstance(slots, str) else tuple(name for name in slots if not name.startswith("__"))
