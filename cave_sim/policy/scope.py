"""The names that every cell of a world sees without binding them: safe builtins, modules, guards, and the world itself.

The scope is the ``__builtins__`` of all namespaces at once. So an entity that is added is there for everybody in the
next cell, and a name that an agent binds shadows a world name for itself alone.
"""

from __future__ import annotations

import builtins
import functools
from collections.abc import Callable
from typing import Any, Protocol

from cave_sim.determinism.random_streams import RandomStream
from cave_sim.entity.values import StableFrozenSet, StableSet
from cave_sim.errors import Refused
from cave_sim.policy import exception_groups, getters, guards, operations
from cave_sim.policy.libraries.array_texts import into, store
from cave_sim.policy.libraries.byte_arrays import ByteArray
from cave_sim.policy.libraries.error_texts import settled
from cave_sim.policy.libraries.generators import Closed
from cave_sim.policy.libraries.iterators import Chain
from cave_sim.policy.libraries.managers import FATAL, manager
from cave_sim.policy.libraries.module_proxy import ModuleProxy, meant_of
from cave_sim.policy.libraries.modules import make_facades, total
from cave_sim.policy.libraries.ranges import BoundedRange, looped
from cave_sim.policy.libraries.shown_names import builtin, named
from cave_sim.policy.repeatable_builtins import (
    bounded_round,
    clean_ascii,
    clean_repr,
    endless_ticks,
    format_text,
    stable_hash,
    ticking_iter,
)
from cave_sim.policy.shown_classes import Type, class_of_value
from cave_sim.policy.text_cleaning import Text, without_addresses
from cave_sim.policy.turn_random import TurnRandom

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
    "PendingDeprecationWarning StopAsyncIteration SyntaxWarning BytesWarning ImportWarning UnicodeWarning "
    "ResourceWarning EncodingWarning"
)

BOUND_MODULES = {
    name: name for name in ("math", "random", "statistics", "itertools", "json", "re", "collections", "datetime")
} | {
    "np": "numpy",
    "pd": "pandas",
    "nx": "networkx",
}
"""Modules that are there without an import."""


for _kind in (Chain, getters.AttributeGetter, getters.MethodCaller, getters.UnboundMethod):
    guards.facade_type(_kind)


class WorldTime(Protocol):
    """The clock of a world, as far as its scope asks it; cells see its whole public surface."""

    @property
    def time_s(self) -> float:
        """Seconds of world time since the start."""


_OPERATORS = named(
    "operator",
    {
        "mul": operations.times,
        "pow": operations.power,
        "mod": operations.modulo,
        "lshift": operations.shift,
        "matmul": operations.matmul,
        "setitem": store,
        "is_": operations.same,
        "is_not": operations.other,
        **{name: functools.partial(operations.augment, of) for name, of in operations.IN_PLACE.items()},
    },
)
_MATH = named("math", {"prod": operations.multiplied, "lcm": operations.lcm})


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
        module = facades.get(name if names else name.partition(".")[0])
        if isinstance(module, ModuleProxy) and (missing := [each for each in names or () if each not in dir(module)]):
            raise ImportError(f"{name} has no {missing[0]!r} for cells.{meant_of(module, missing[0])}")
        return builtins.__import__(name) if module is None else module  # numpy's own C code imports by this, too

    scope |= _SAME_FOR_ALL
    scope |= {
        "__import__": import_,
        "_attr_": guard.read,
        "_write_": guard.write,
        "_write_own_": guard.write_own,
        "_show_": show,
        "_tick_": endless_ticks(),
        "_enter_": endless_ticks(),
        **_in_c(getattr=guard.get, hasattr=guard.has, setattr=guard.set, print=print_, iter=ticking_iter(tick)),
        "clock": clock,
        "rng": facades["random"],
    }
    scope |= {name: facades[module] for name, module in BOUND_MODULES.items()}
    return scope


_OF_NOBODY = make_facades({}, {}, endless_ticks(), None, float, print, [])
for _facade in _OF_NOBODY.values():
    dir(_facade)  # what is shared is named here, and not by the first cell that asks
MODULES = frozenset(_OF_NOBODY)
"""What a cell may import."""


def _in_c(**functions: Callable[..., Any]) -> dict[str, Any]:
    return {name: builtin(name, getattr(builtins, name), function) for name, function in functions.items()}


_SAME_FOR_ALL: dict[str, Any] = {
    "__build_class__": guards.build_class,
    "__name__": "__main__",  # so that `if __name__ == "__main__":` runs
    "_manager_": manager,
    "_subject_": guards.subject,
    "_set_": guards.stable_set,
    "_looped_": looped,
    "_times_": operations.times,
    "_power_": operations.power,
    "_shift_": operations.shift,
    "_modulo_": operations.modulo,
    "_matmul_": operations.matmul,
    "_augment_": operations.augment,
    "_same_": operations.same,
    "_other_": operations.other,
    "_texts_": str,  # in patterns, which only ask
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
    "_type_": class_of_value,
    "str": Text,
    "set": StableSet,
    "frozenset": StableFrozenSet,
    "bytearray": ByteArray,
    "range": BoundedRange,
    "type": Type,
    **_in_c(sum=total, pow=operations.power, format=format_text, round=bounded_round),
    **_in_c(repr=clean_repr, hash=stable_hash, ascii=clean_ascii),
    "Refused": Refused,
    "GeneratorExit": Closed,
    # Python's own trust the place in the text that they are made with, and read there: cells catch their base
    **dict.fromkeys(("UnicodeDecodeError", "UnicodeEncodeError"), UnicodeError),
}
"""Guards, and builtins in the place of Python's own, that ask nothing of the world that they are in."""
