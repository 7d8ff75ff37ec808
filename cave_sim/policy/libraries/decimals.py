"""``decimal`` in a cell: numbers whose digits and exponents are bounded, in a context of the cell's own.

Python's own context belongs to the thread, and so to the researcher's methods as well. Here a turn has one of its own,
which nothing but its cell computes with, and which ends with it.
"""

from __future__ import annotations

import decimal
import threading
from collections.abc import Callable
from types import TracebackType
from typing import Any, NoReturn

from cave_sim.diagnostics.plurals import article
from cave_sim.errors import Blocked

MAX_EXPONENT = 6_000
"""So that an int made of a Decimal has no more bits than any other."""
MAX_PRECISION = 1_000
MAX_WRITTEN_DIGITS = 6_100
MAX_BITS = 20_000
_ROUNDINGS = frozenset(name for name in dir(decimal) if name.startswith("ROUND_"))


def _context(precision: int = 28, rounding: str = decimal.ROUND_HALF_EVEN) -> decimal.Context:
    return decimal.Context(
        precision, rounding, -MAX_EXPONENT, MAX_EXPONENT, 1, 0, [], [decimal.InvalidOperation, decimal.DivisionByZero,
                                                                   decimal.Overflow],
    )  # fmt: skip


class _Current(threading.local):
    """The context of the turn that runs in this thread."""

    context = _context()  # of a turn that set nothing; no cell ever gets hold of it


_CURRENT = _Current()


def swap_context(context: decimal.Context | None = None) -> decimal.Context:
    """Put a context in the place of the present one, which is returned; none means one as Python has it."""
    before = _CURRENT.context
    _CURRENT.context = _Current.context if context is None else context
    return before


class Context:
    """What a cell reads and sets of a context: how many digits, and how to round."""

    __slots__ = ("_context",)

    def __init__(self, prec: int = 28, rounding: str = decimal.ROUND_HALF_EVEN) -> None:
        self._context = _context()
        self.prec, self.rounding = prec, rounding

    @property
    def prec(self) -> int:
        """How many digits a result has."""
        return self._context.prec

    @prec.setter
    def prec(self, digits: int) -> None:
        if type(digits) is not int or not 1 <= digits <= MAX_PRECISION:
            raise ValueError(f"decimals are computed with 1 to {MAX_PRECISION:,} digits, not {digits!r:.20}")
        self._context.prec = digits

    @property
    def rounding(self) -> str:
        """How results are rounded, such as ``ROUND_HALF_UP``."""
        return self._context.rounding

    @rounding.setter
    def rounding(self, rounding: str) -> None:
        if rounding not in _ROUNDINGS:
            raise ValueError(f"{rounding!r:.40} is none of {', '.join(sorted(_ROUNDINGS))}")
        self._context.rounding = rounding

    def copy(self) -> Context:
        """Return another one like it."""
        return Context(self.prec, self.rounding)

    @property
    def Emax(self) -> int:  # noqa: N802
        """The largest exponent that there is in cells."""
        return self._context.Emax

    @property
    def Emin(self) -> int:  # noqa: N802
        """The smallest exponent that there is in cells."""
        return self._context.Emin

    def create_decimal(self, value: Any = "0") -> Decimal:
        """Return a number, rounded as the context says."""
        return _own(self._context.plus(Decimal(value)))

    def create_decimal_from_float(self, number: Any) -> Decimal:
        """Return what a float is, rounded as the context says."""
        return self.create_decimal(Decimal.from_float(number))

    def __repr__(self) -> str:
        return f"Context(prec={self.prec}, rounding={self.rounding}, Emin={self.Emin}, Emax={self.Emax})"


def getcontext() -> Context:
    """Return the context of this turn."""
    if _CURRENT.context is _Current.context:
        _CURRENT.context = _context()
    context = Context()
    context._context = _CURRENT.context
    return context


def setcontext(context: Context) -> None:
    """Compute with a context until the end of the turn."""
    _CURRENT.context = _of(context)


def _of(context: Any) -> decimal.Context:
    if type(context) is not Context:
        raise TypeError(f"a context is made by Context(prec=..., rounding=...), not {article(type(context).__name__)}")
    return context._context


class LocalContext:
    """``with localcontext() as context:``, within which a cell computes otherwise."""

    __slots__ = ("_before", "_inside")

    def __init__(self, ctx: Context | None = None, **options: Any) -> None:
        self._inside = (getcontext() if ctx is None else ctx).copy()
        for name, value in options.items():
            if name not in ("prec", "rounding"):
                raise TypeError(f"localcontext() takes prec and rounding, not {name!r}")
            setattr(self._inside, name, value)

    def __enter__(self) -> Context:
        self._before = swap_context(_of(self._inside))
        return self._inside

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        swap_context(self._before)


class Decimal(decimal.Decimal):
    """``decimal.Decimal`` in a cell: whatever is computed of it is one again, and bounded."""

    __slots__ = ()

    def __new__(cls, value: Any = "0", context: Context | None = None) -> Decimal:
        """Return the number that a text, a whole number, a float or ``(sign, digits, exponent)`` means."""
        if type(value) is Decimal:
            return value
        if isinstance(value, (str, tuple, list)) and len(value[1] if _is_tuple(value) else value) > MAX_WRITTEN_DIGITS:
            raise Blocked(f"a Decimal of more than {MAX_WRITTEN_DIGITS:,} digits")
        if isinstance(value, int) and value.bit_length() > MAX_BITS:
            raise Blocked(f"a Decimal of more than {MAX_WRITTEN_DIGITS:,} digits")
        try:
            number = super().__new__(cls, value, _CURRENT.context)
        except decimal.InvalidOperation:
            raise decimal.InvalidOperation(f"Decimal({value!r:.60}): this is no number") from None
        if number.is_finite() and not (-MAX_EXPONENT <= number.adjusted() <= MAX_EXPONENT and _is_short(number)):
            raise Blocked(f"Decimal({value!r:.60}): exponents go from -{MAX_EXPONENT:,} to {MAX_EXPONENT:,}")
        return number

    @classmethod
    def from_float(cls, number: Any) -> Decimal:
        """Return exactly what a float is."""
        return _own(decimal.Decimal.from_float(number))

    def __format__(self, spec: str, *_: Any) -> str:
        with decimal.localcontext(_CURRENT.context):
            return super().__format__(spec)

    def __round__(self, ndigits: int | None = None) -> Any:
        with decimal.localcontext(_CURRENT.context):
            return super().__round__() if ndigits is None else _own(super().__round__(ndigits))


def _is_tuple(value: Any) -> bool:
    return isinstance(value, (tuple, list)) and len(value) == 3 and isinstance(value[1], (tuple, list))


def _is_short(number: decimal.Decimal) -> bool:
    exponent = number.as_tuple().exponent
    return isinstance(exponent, int) and -MAX_EXPONENT - MAX_WRITTEN_DIGITS <= exponent <= MAX_EXPONENT


def _own(number: decimal.Decimal) -> Decimal:
    return decimal.Decimal.__new__(Decimal, number)


def _result(name: str, compute: Callable[[], Any]) -> Any:
    """Return what an operation comes to, as numbers of cells; raises its error with the way out."""
    try:
        value = compute()
    except decimal.DecimalException as error:
        kind = type(error)
        raise kind(_ADVICE.get(kind, f"{name.strip('_')} has no result for such numbers")) from None
    if type(value) is tuple:
        return tuple(map(_own, value))
    return _own(value) if type(value) is decimal.Decimal else value


def _of_context(name: str) -> Callable[..., Any]:
    """Return a method of contexts: an operation on numbers, rounded as the context says."""
    operation = getattr(decimal.Context, name)

    def compute(self: Context, *numbers: Any) -> Any:
        return _result(name, lambda: operation(self._context, *map(Decimal, numbers)))

    compute.__name__ = compute.__qualname__ = name
    return compute


def _refusing(name: str) -> Callable[[Context], NoReturn]:
    def refuse(_context: Context) -> NoReturn:
        raise Blocked(f"Context.{name} is not for cells; set prec and rounding: what has no result raises")

    return refuse


def own_decimal(value: Any) -> Any:
    """Return a number as cells have it, and anything else as it is; raises Blocked where it is beyond the bounds."""
    return Decimal(value) if type(value) is decimal.Decimal else value


_ADVICE = {
    decimal.DivisionByZero: "division by zero",
    decimal.Overflow: f"a Decimal beyond 1E+{MAX_EXPONENT}",
}


def _computed(name: str) -> Callable[..., Any]:
    """Return an operation in the turn's context, whose results are numbers of cells."""
    operation = getattr(decimal.Decimal, name)

    def compute(self: Any, *others: Any, context: Context | None = None, **named: Any) -> Any:
        inside = _CURRENT.context if context is None else _of(context)
        with decimal.localcontext(inside):
            value = _result(name, lambda: operation(self, *others, **named))
        if value is NotImplemented and type(others[0]) in _NEVER_COMPUTED and name in _SIGNS:
            sides = ["decimal.Decimal", type(others[0]).__name__]  # Python would name the class without its module
            left, right = reversed(sides) if name.startswith("__r") else sides
            raise TypeError(f"unsupported operand type(s) for {_SIGNS[name]}: '{left}' and '{right}'")
        return value

    compute.__name__ = name
    return compute


_NEVER_COMPUTED = frozenset({float, complex, type(None)})
_SIGNS = {"add": "+", "sub": "-", "mul": "*", "truediv": "/", "floordiv": "//", "mod": "%"}
_SIGNS |= {"divmod": "divmod()", "pow": "** or pow()"}
_SIGNS = {f"__{side}{name}__": sign for name, sign in _SIGNS.items() for side in ("", "r")}


_OPERATIONS = (
    "__add__ __radd__ __sub__ __rsub__ __mul__ __rmul__ __truediv__ __rtruediv__ __floordiv__ __rfloordiv__ __mod__ "
    "__rmod__ __divmod__ __rdivmod__ __pow__ __rpow__ __neg__ __pos__ __abs__ __lt__ __le__ __gt__ __ge__ "
    "quantize sqrt exp ln log10 normalize scaleb fma min max compare to_integral_value to_integral_exact to_integral "
    "remainder_near copy_abs copy_negate copy_sign logb next_plus next_minus"
)
for _name in _OPERATIONS.split():
    setattr(Decimal, _name, _computed(_name))
_OF_CONTEXTS = (
    "abs add compare compare_total copy_abs copy_negate copy_sign divide divide_int divmod exp fma is_finite "
    "is_infinite is_nan is_normal is_signed is_subnormal is_zero ln log10 logb max min minus multiply next_minus "
    "next_plus normalize number_class plus power quantize remainder remainder_near same_quantum scaleb sqrt subtract "
    "to_eng_string to_integral_exact to_integral_value to_sci_string"
)
for _name in _OF_CONTEXTS.split():
    setattr(Context, _name, _of_context(_name))
for _name in ("traps", "flags", "capitals", "clamp", "clear_flags", "clear_traps"):
    setattr(Context, _name, property(_refusing(_name)))
Decimal.__module__ = decimal.Decimal.__module__  # as `type(price)` shows it

METHODS = frozenset(name for name in _OPERATIONS.split() if name[0] != "_") | frozenset(
    "adjusted as_tuple as_integer_ratio is_finite is_infinite is_nan is_normal is_qnan is_signed is_subnormal is_zero "
    "number_class to_eng_string same_quantum conjugate".split()
)
"""What a cell may read on a Decimal."""

_ERRORS = "DecimalException InvalidOperation DivisionByZero Overflow Underflow Inexact Rounded Clamped FloatOperation"
DECIMAL: dict[str, Any] = {
    "Decimal": Decimal,
    "Context": Context,
    "getcontext": getcontext,
    "setcontext": setcontext,
    "localcontext": LocalContext,
    **{name: getattr(decimal, name) for name in (*sorted(_ROUNDINGS), *_ERRORS.split())},
}
"""What ``decimal`` offers."""
