"""The names that every cell of a world sees without binding them: safe builtins, modules, guards, and the world itself.

The scope is the ``__builtins__`` of all namespaces at once. So an entity that is added is there for everybody in the
next cell, and a name that an agent binds shadows a world name for itself alone.
"""

from __future__ import annotations

import builtins
import dataclasses
import enum
import functools
from collections.abc import Callable, Iterator
from itertools import repeat
from typing import Any, Protocol

from cave_sim.entity.values import StableFrozenSet, StableSet
from cave_sim.errors import Blocked, Refused
from cave_sim.policy import exception_groups, getters, guards, operations
from cave_sim.policy.attributes import ALLOWED
from cave_sim.policy.libraries.byte_arrays import ByteArray
from cave_sim.policy.libraries.cell_classes import OWN_CLASSES, hash_under, is_generated
from cave_sim.policy.libraries.decimals import Decimal
from cave_sim.policy.libraries.error_texts import settled
from cave_sim.policy.libraries.formats import checked_format
from cave_sim.policy.libraries.generators import Closed
from cave_sim.policy.libraries.managers import FATAL, manager
from cave_sim.policy.libraries.module_proxy import ModuleProxy, meant_of
from cave_sim.policy.libraries.modules import Chain, make_facades, total
from cave_sim.policy.libraries.ranges import BoundedRange
from cave_sim.policy.libraries.ratios import Fraction
from cave_sim.policy.libraries.told_texts import into, store
from cave_sim.policy.shown_classes import class_of_value
from cave_sim.policy.text_cleaning import Text, clean, without_addresses
from cave_sim.random_streams import RandomStream, draw

MAX_DIGITS = 400

PLAIN_BUILTINS = (
    "abs all any bin bool bytes callable chr complex dict divmod enumerate filter float hex int isinstance "
    "issubclass len list map max min next object oct ord property reversed slice sorted str super tuple "
    "staticmethod classmethod zip True False None Ellipsis NotImplemented Exception ArithmeticError AssertionError "
    "AttributeError IndexError KeyError LookupError NameError NotImplementedError OverflowError RecursionError "
    "RuntimeError StopIteration TypeError UnicodeError ValueError ZeroDivisionError Warning UserWarning "
    "FloatingPointError BaseException OSError TimeoutError EOFError ImportError FileNotFoundError PermissionError "
    "ConnectionError DeprecationWarning FutureWarning RuntimeWarning ExceptionGroup BufferError ReferenceError IOError "
    "EnvironmentError UnboundLocalError ModuleNotFoundError FileExistsError IsADirectoryError NotADirectoryError "
    "InterruptedError BrokenPipeError ConnectionAbortedError ConnectionRefusedError ConnectionResetError "
    "PendingDeprecationWarning StopAsyncIteration"
)

MODULES = frozenset(
    "math cmath random statistics itertools json re collections collections.abc datetime functools heapq bisect copy "
    "dataclasses typing time string operator textwrap abc enum contextlib decimal fractions numpy pandas "
    "networkx queue hashlib base64 binascii zlib uuid numbers calendar difflib pprint sys unicodedata numpy.random "
    "numpy.linalg numpy.typing numpy.fft numpy.char numpy.strings numpy.testing numpy.polynomial io csv sqlite3 "
    "scipy scipy.stats html shlex struct graphlib plotly plotly.express plotly.graph_objects plotly.graph_objs "
    "plotly.subplots sklearn sklearn.base sklearn.cluster sklearn.compose sklearn.datasets sklearn.decomposition "
    "sklearn.dummy sklearn.ensemble sklearn.impute sklearn.linear_model sklearn.metrics sklearn.metrics.pairwise "
    "sklearn.model_selection sklearn.naive_bayes sklearn.neighbors sklearn.pipeline sklearn.preprocessing "
    "sklearn.tree warnings scipy.optimize scipy.spatial scipy.spatial.distance scipy.special doctest "
    "numpy.emath numpy.lib numpy.lib.stride_tricks".split()
)

BOUND_MODULES = {
    name: name for name in ("math", "random", "statistics", "itertools", "json", "re", "collections", "datetime")
} | {
    "np": "numpy",
    "pd": "pandas",
    "nx": "networkx",
}
"""Modules that are there without an import."""


for _kind in (Chain, getters.AttributeGetter, getters.MethodCaller):
    guards.facade_type(_kind)


class WorldTime(Protocol):
    """The clock of a world, as far as its scope asks it; cells see its whole public surface."""

    @property
    def time_s(self) -> float:
        """Seconds of world time since the start."""


_OPERATORS = {
    "mul": operations.times,
    "pow": operations.power,
    "mod": operations.modulo,
    "lshift": operations.shift,
    "matmul": operations.matmul,
    "setitem": store,
    "is_": operations.same,
    "is_not": operations.other,
    **{name: functools.partial(operations.augment, of) for name, of in operations.IN_PLACE.items()},
}
_MATH = {"prod": operations.multiplied, "lcm": operations.lcm}


def make_scope(
    clock: WorldTime,
    stream: Callable[[], RandomStream],
    guard: guards.Guards,
    print_: Callable[..., None],
    show: Callable[[Any], None],
    outputs: list[Any],
) -> dict[str, Any]:
    """Return the scope of a world, as far as it does not need the world itself.

    Args:
        clock: the world's time.
        stream: returns the acting agent's random stream of the present turn.
        guard: the attribute guards.
        print_: takes what a cell prints.
        show: takes the value of its last expression.
        outputs: where prints go meanwhile, the last of them first.
    """
    scope: dict[str, Any] = {
        name: getattr(builtins, name) for name in PLAIN_BUILTINS.split() if hasattr(builtins, name)
    }

    def tick() -> None:
        scope["_tick_"]()

    facades = make_facades(
        _OPERATORS | getters.make(guard.get),
        _MATH,
        tick,
        TurnRandom(stream),
        lambda: clock.time_s,
        print_,
        outputs,
    )

    def import_(name: str, *context: Any) -> Any:
        names = context[2] if len(context) > 2 else ()
        found = facades.get(name if names else name.partition(".")[0])
        if isinstance(found, ModuleProxy) and (missing := [each for each in names or () if each not in dir(found)]):
            raise ImportError(f"{name} has no {missing[0]!r} for cells.{meant_of(found, missing[0])}")
        return builtins.__import__(name) if found is None else found  # numpy's own C code imports by this, too

    scope.update(
        {
            "__build_class__": guards.build_class,
            "__import__": import_,
            "__name__": "__main__",  # so that `if __name__ == "__main__":` runs
            "_attr_": guard.read,
            "_write_": guard.write,
            "_write_own_": guard.write_own,
            "_manager_": manager,
            "_subject_": guards.subject,
            "_set_": guards.stable_set,
            "_times_": operations.times,
            "_power_": operations.power,
            "_shift_": operations.shift,
            "_modulo_": operations.modulo,
            "_matmul_": operations.matmul,
            "_augment_": operations.augment,
            "_same_": operations.same,
            "_other_": operations.other,
            "_texts_": str,  # in patterns, which only ask
            "str": Text,
            "_text_": without_addresses,
            "_each_": guards.whole,
            "_into_": into,
            **exception_groups.GUARDS,
            "_init_": guards.super_init,
            "_super_": guards.super_special,
            "_fatal_": FATAL,
            "_dispatches_": guards.dispatches,
            "_settled_": settled,
            "_calm_": guards.is_calm,
            "_format_": format_text,
            "_show_": show,
            "_tick_": endless_ticks(),
            "getattr": guard.get,
            "hasattr": guard.has,
            "setattr": guard.set,
            "set": StableSet,
            "frozenset": StableFrozenSet,
            "print": print_,
            "bytearray": ByteArray,
            "range": BoundedRange,
            "sum": total,
            "iter": ticking_iter(tick),
            "type": class_of_value,
            "_type_": class_of_value,
            "pow": operations.power,
            "format": format_text,
            "round": bounded_round,
            "repr": _clean_repr,
            "hash": stable_hash,
            "ascii": _clean_ascii,
            "Refused": Refused,
            "GeneratorExit": Closed,
            # Python's own trust the place in the text that they are made with, and read there: cells catch their base
            **dict.fromkeys(("UnicodeDecodeError", "UnicodeEncodeError"), UnicodeError),
            "clock": clock,
            "rng": facades["random"],
        }
    )
    scope.update({name: facades[module] for name, module in BOUND_MODULES.items()})
    return scope


def endless_ticks() -> Callable[[], None]:
    """Return a tick that never runs out, for code that runs outside a turn."""
    return repeat(None).__next__


def ticking_iter(tick: Callable[[], None]) -> Callable[..., Iterator[Any]]:
    """Return ``iter``, whose form of two arguments, which may never end, spends a tick for each call."""

    def until(function: Callable[[], Any], sentinel: Any) -> Iterator[Any]:
        while True:
            tick()
            found = function()
            if found == sentinel:
                return
            yield found

    def iter_(*of: Any) -> Iterator[Any]:
        return until(*of) if len(of) == 2 else iter(*of)

    iter_.__name__ = iter_.__qualname__ = "iter"
    return iter_


def bounded_round(number: Any, ndigits: int | None = None) -> Any:
    """``round``, refused where it would compute a power of ten without end."""
    if ndigits is not None and abs(ndigits) > MAX_DIGITS:
        raise Blocked(f"round to {ndigits} digits; at most {MAX_DIGITS}")
    return round(number, ndigits)


def format_text(value: Any, spec: str = "") -> str:
    """``format``, and what an f-string with a computed format calls."""
    return clean(format(value, checked_format(spec)))


_NUMBERS = (int, float, complex, Decimal, Fraction)


def stable_hash(value: Any) -> int:
    """``hash`` that is the same in every process: of numbers as Python has it, of all else of what it shows."""
    found = hash(value)  # raises where there is none
    if isinstance(value, _NUMBERS) and type(value) not in OWN_CLASSES:
        return found if value == value else 0
    if type(value) in OWN_CLASSES and (own := hash_under(type(value).__hash__)) is not type(value).__hash__:
        return _stable_hash_of_fields(value) if is_generated(own) else found  # the cell's own
    if type(value) in OWN_CLASSES and not isinstance(value, enum.Enum):
        raise TypeError(f"a {type(value).__name__} has no hash that repeats; define __hash__, or use a key")
    return draw(type(value).__name__, without_addresses(repr(value))) >> 3


def _stable_hash_of_fields(value: Any) -> int:
    counted = (each for each in dataclasses.fields(value) if (each.compare if each.hash is None else each.hash))
    fields = [getattr(value, each.name) for each in counted]
    return draw(type(value).__name__, without_addresses(repr(fields))) >> 3


def _clean_repr(value: Any) -> str:
    return clean(repr(value))


def _clean_ascii(value: Any) -> str:
    return clean(ascii(value))


@guards.facade_type
class TurnRandom:
    """``rng``, and what ``import random`` gives: the acting agent's own stream of this turn."""

    __slots__ = ("_stream",)

    def __init__(self, stream: Callable[[], RandomStream]) -> None:
        self._stream = stream

    def seed(self, *_: Any) -> None:
        """Do nothing: the stream is the agent's own, and follows from the seed of the world."""

    def Random(self, *_: Any) -> TurnRandom:  # noqa: N802 -- as `random` calls it
        """Return the agent's own stream, whatever the seed."""
        return self

    def __getattr__(self, name: str) -> Any:
        if name not in ALLOWED[RandomStream]:
            raise AttributeError(f"rng.{name} is not for cells. rng offers: {', '.join(sorted(ALLOWED[RandomStream]))}")
        return getattr(self._stream(), name)

    def __repr__(self) -> str:
        return "<rng>"
