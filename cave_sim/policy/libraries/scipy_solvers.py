"""What of SciPy asks a function of the cell's again and again: minima, roots, fitted curves, integrals, equations.

The function runs where the cell runs: within its turn, under its guard and its ticks, and what it raises ends the
search. It gets copies, so that it holds nothing that SciPy goes on with; numbers are all that is taken of what it
returns, and how often it is asked is counted. Nothing of it is kept: a result has numbers and arrays alone.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from types import FunctionType
from typing import Any

import numpy as np

from cave_sim.diagnostics.plurals import article
from cave_sim.errors import Blocked
from cave_sim.policy.libraries.kept_classes import kept_class
from cave_sim.policy.libraries.late import load
from cave_sim.policy.libraries.named_parts import NamedParts
from cave_sim.policy.libraries.one_thread import one_thread
from cave_sim.policy.libraries.scipy_stats import as_kept, as_seen

MOST_ASKED = 50_000
"""Times that a function is asked in one search."""
MOST_UNKNOWNS = 100
MOST_RESIDUALS = 100_000
"""Values that a function returns, times the unknowns: as many are kept of how they change."""
MOST_BOUNDING = 50_000
"""Values of all constraints, times the unknowns, or fifty: between two questions SciPy solves for all of them."""
MOST_PLACES = 10_000
"""At which a solution is wanted."""
_METHODS = {
    "minimize": "nelder-mead powell cg bfgs l-bfgs-b slsqp newton-cg",
    "minimize_scalar": "brent bounded golden",
    "root_scalar": "bisect brentq brenth ridder toms748 newton secant halley",
    "root": "hybr lm",
    "least_squares": "trf dogbox lm",
    "curve_fit": "lm trf dogbox",
    "solve_ivp": "RK45 RK23 DOP853 Radau BDF",
}
"""Ways that go on from one call of the function to the next in Python, or give up at once what it raises."""
_NUMBERS = frozenset(
    "adaptive atol disp epsabs epsrel eps fatol ftol gtol limit loss absolute_sigma max_nfev max_step maxfev maxfun "
    "maxiter rtol first_step tol xatol xtol x_scale f_scale diff_step".split()
)
"""Options that are numbers, and "loss"."""


@kept_class("_fields")
class OptimizeResult(NamedParts):
    """A result of a search, with the names that SciPy gives its parts: ``result.x``, ``result["x"]``."""

    __slots__ = ()

    def __getitem__(self, name: str) -> Any:
        value = self._fields[name]
        return value.copy() if isinstance(value, np.ndarray) else value

    def __repr__(self) -> str:
        plain = {name: value for name, value in self._fields.items() if _is_plain(value)}
        return repr(load("scipy.optimize").OptimizeResult(plain))


def _is_plain(value: Any) -> bool:
    """Say whether a part of a result is numbers or a text of its own, which it shows; what is read back may be more."""
    if type(value) in (list, tuple):
        return all(map(_is_plain, value))
    kinds = (bool, int, float, str, type(None))
    return type(value) in kinds or (isinstance(value, np.ndarray | np.generic) and value.dtype.kind in "biuf")


def as_found(result: Any) -> OptimizeResult:
    """Return a result of SciPy's with those of its parts that are plain."""
    fields = {name: as_kept(value) for name, value in result.items()}
    return OptimizeResult({name: value for name, value in fields.items() if _is_plain(value)})


class _Asked:
    """A function of the cell's, as SciPy calls it.

    Args:
        function: of the cell's.
        title: what is said of it where it does not fit.
        args: what it is given behind what SciPy gives it.
        unknowns: how many numbers are looked for.
        pairs: whether it returns a pair, of values and of how they change.
    """

    def __init__(
        self, function: Any, title: str, args: Any = (), unknowns: int = 1, *, pairs: bool = False, most: int = 0
    ) -> None:
        if not callable(function):
            raise TypeError(f"{title} takes a function, not {article(type(function).__name__)}")
        self._function, self._title, self._pairs = function, title, pairs
        self._args = args if isinstance(args, tuple) else (args,)
        self._most, self._count = (most or MOST_RESIDUALS) // max(1, unknowns), 0
        self._sizes: dict[int, int] = {}

    def __call__(self, *given: Any) -> Any:
        self._count += 1
        if self._count > MOST_ASKED:
            raise Blocked(
                f"{self._title}: asks the function more than {MOST_ASKED:,} times; begin nearer, or stop sooner"
            )
        own = (each.copy() if isinstance(each, np.ndarray) else each for each in given)
        result = self._function(*own, *self._args)
        if self._pairs and isinstance(result, tuple | list) and len(result) == 2:
            return self._numbers(result[0]), self._numbers(result[1], 1)
        return self._numbers(result)

    @property
    def size(self) -> int:
        """How many values it returns."""
        return self._sizes[0]

    def _numbers(self, result: Any, place: int = 0) -> Any:
        """Return numbers as SciPy may have them: as many each time, since it makes room for those of the first."""
        if inspect.iscoroutine(result):
            result.close()
            raise TypeError(f"{self._title}: the function answers at once; it is not an async one")
        numbers = as_seen(result, f"{self._title}: what the function returns")
        if numbers is None or isinstance(numbers, str):
            raise TypeError(f"{self._title}: the function returns numbers, not {type(result).__name__}")
        if np.size(numbers) > self._most:
            raise Blocked(f"{self._title}: the function returns more than {self._most:,} values")
        if (before := self._sizes.setdefault(place, np.size(numbers))) != np.size(numbers):
            raise TypeError(f"{self._title}: the function returned {before:,} values, and then {np.size(numbers):,}")
        return numbers


def _start(x0: Any, title: str) -> Any:
    """Return where a search begins; raises Blocked for too many unknowns."""
    start = as_seen(x0, title)
    if not 0 < np.size(start) <= MOST_UNKNOWNS:
        raise Blocked(f"{title}: looks for at least 1 number, and {MOST_UNKNOWNS} at the most")
    return start


def _settled(title: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """Return options that are numbers, and the way; raises Blocked for any other."""
    seen = {}
    for name, value in options.items():
        if name == "method" and value is not None:
            known = _METHODS.get(title.rpartition(".")[2], "").split()
            if not isinstance(value, str) or value.lower() not in map(str.lower, known):
                raise Blocked(f"{title}: method={str(value)[:40]!r} is not for cells; take {', '.join(known)}")
        elif name == "options" and isinstance(value, dict):
            seen[name] = _settled(title, value)
            continue
        elif name not in _NUMBERS and value is not None:
            raise Blocked(f"{title}: {name}= is not for cells")
        elif name == "disp" and value:
            raise Blocked(f"{title}: disp= prints past the cell; print the result")
        seen[name] = as_seen(value, title)
    return seen


def _pair(bounds: Any, title: str) -> Any:
    """Return the bounds of least squares: the lowest and the highest values."""
    low, high = bounds
    return as_seen(low, title), as_seen(high, title)


def _each(bounds: Any, title: str) -> Any:
    """Return bounds, a pair for each unknown, as SciPy is to see them; None where there are none."""
    if bounds is None:
        return None
    pairs = [tuple(as_seen(end, title) for end in pair) for pair in bounds]
    if len(pairs) > MOST_UNKNOWNS or any(len(pair) != 2 for pair in pairs):
        raise Blocked(f"{title}: bounds are pairs, one for each of at most {MOST_UNKNOWNS} numbers")
    return pairs


def _bounding(constraints: Any, title: str, start: Any, bounds: Any) -> list[dict[str, Any]]:
    """Return the constraints of ``slsqp``, whose functions are the cell's, too; each is asked once for its size.

    SciPy writes past the room that it makes where there are more equations than unknowns that its bounds leave open.
    """
    given = [constraints] if isinstance(constraints, dict) else list(constraints)
    unknowns, rows, equations = np.size(start), 0, 0
    still_open = unknowns - sum(low is not None and low == high for low, high in bounds or ())
    asked = []
    for each in given:
        kind, function = str(each["type"]).lower(), _Asked(each["fun"], title, each.get("args", ()), unknowns)
        function(np.atleast_1d(np.asarray(start, dtype=float)))
        rows += function.size
        equations += function.size if kind == "eq" else 0
        asked.append({"type": kind, "fun": function})
    if equations > still_open:
        raise Blocked(f"{title}: {equations:,} equations for {still_open:,} unknowns; take least_squares")
    if rows > (most := MOST_BOUNDING // max(50, unknowns)):
        raise Blocked(f"{title}: constraints on {unknowns:,} unknowns have {most:,} values at the most, not {rows:,}")
    return asked


def _slopes(jac: Any, title: str, args: Any, unknowns: int = 1, *, most: int = 0) -> Any:
    """Return how changes are found: by a function of the cell's, or by steps, which are real."""
    if callable(jac):
        return _Asked(jac, title, args, unknowns, most=most)
    if jac is None or isinstance(jac, bool) or (isinstance(jac, str) and jac in ("2-point", "3-point")):
        return jac or None
    raise Blocked(f"{title}: jac={str(jac)[:40]!r} is not for cells; take a function, '2-point' or '3-point'")


def minimize(
    fun: Any,
    x0: Any,
    args: Any = (),
    method: Any = None,
    jac: Any = None,
    *,
    bounds: Any = None,
    constraints: Any = (),
    **options: Any,
) -> OptimizeResult:
    """``scipy.optimize.minimize``."""
    title = "scipy.optimize.minimize"
    start, settled = _start(x0, title), _settled(title, {"method": method} | options)
    unknowns, pairs = np.size(start), _each(bounds, title)
    given = _slopes(jac, title, args, unknowns)
    asked = _Asked(fun, title, args, unknowns, pairs=jac is True)
    with one_thread(np.zeros(unknowns**2)):
        result = load("scipy.optimize").minimize(
            asked, start, jac=given, bounds=pairs,
            constraints=_bounding(constraints, title, start, pairs), **settled,
        )  # fmt: skip
    return as_found(result)


def minimize_scalar(
    fun: Any, bracket: Any = None, bounds: Any = None, args: Any = (), method: Any = None, **options: Any
) -> OptimizeResult:
    """``scipy.optimize.minimize_scalar``."""
    title = "scipy.optimize.minimize_scalar"
    ends = None if bracket is None else tuple(as_seen(each, title) for each in bracket)
    settled = _settled(title, {"method": method} | options)
    within = None if bounds is None else _pair(bounds, title)
    return as_found(load("scipy.optimize").minimize_scalar(_Asked(fun, title, args), ends, within, **settled))


def root_scalar(
    f: Any,
    args: Any = (),
    method: Any = None,
    bracket: Any = None,
    fprime: Any = None,
    x0: Any = None,
    x1: Any = None,
    **options: Any,
) -> OptimizeResult:
    """``scipy.optimize.root_scalar``."""
    title = "scipy.optimize.root_scalar"
    settled = _settled(title, {"method": method} | options)
    ends = None if bracket is None else [as_seen(each, title) for each in bracket]
    slope = _Asked(fprime, title, args) if callable(fprime) else None
    found = load("scipy.optimize").root_scalar(
        _Asked(f, title, args), bracket=ends, fprime=slope, x0=as_seen(x0, title), x1=as_seen(x1, title), **settled
    )
    return as_found(found)


def _between(name: str) -> Callable[..., Any]:
    title = f"scipy.optimize.{name}"

    def call(f: Any, a: Any, b: Any, args: Any = (), **options: Any) -> Any:
        settled = _settled(title, options)
        ends = as_seen(a, title), as_seen(b, title)
        return as_kept(getattr(load("scipy.optimize"), name)(_Asked(f, title, args), *ends, **settled))

    call.__name__ = call.__qualname__ = name
    return call


def newton(func: Any, x0: Any, fprime: Any = None, args: Any = (), *, x1: Any = None, **options: Any) -> Any:
    """``scipy.optimize.newton``."""
    title = "scipy.optimize.newton"
    start, settled = _start(x0, title), _settled(title, options)
    slope = None if fprime is None else _Asked(fprime, title, args)
    found = load("scipy.optimize").newton(_Asked(func, title, args), start, slope, x1=as_seen(x1, title), **settled)
    return as_kept(found)


def fsolve(func: Any, x0: Any, args: Any = (), **options: Any) -> Any:
    """``scipy.optimize.fsolve``."""
    title = "scipy.optimize.fsolve"
    start, settled = _start(x0, title), _settled(title, options)
    return as_kept(load("scipy.optimize").fsolve(_Asked(func, title, args, np.size(start)), start, **settled))


def root(fun: Any, x0: Any, args: Any = (), method: Any = "hybr", **options: Any) -> OptimizeResult:
    """``scipy.optimize.root``."""
    title = "scipy.optimize.root"
    start, settled = _start(x0, title), _settled(title, {"method": method} | options)
    return as_found(load("scipy.optimize").root(_Asked(fun, title, args, np.size(start)), start, **settled))


def least_squares(
    fun: Any, x0: Any, jac: Any = "2-point", bounds: Any = (-np.inf, np.inf), args: Any = (), **options: Any
) -> OptimizeResult:
    """``scipy.optimize.least_squares``."""
    title = "scipy.optimize.least_squares"
    start, settled = _start(x0, title), _settled(title, options)
    unknowns = np.size(start)
    slopes = _slopes(jac, title, args, most=MOST_RESIDUALS) or "2-point"
    asked = _Asked(fun, title, args, unknowns)
    with one_thread(np.zeros(MOST_RESIDUALS)):
        result = load("scipy.optimize").least_squares(asked, start, slopes, _pair(bounds, title), **settled)
    return as_found(result)


def curve_fit(
    f: Any,
    xdata: Any,
    ydata: Any,
    p0: Any = None,
    sigma: Any = None,
    *,
    bounds: Any = (-np.inf, np.inf),
    **options: Any,
) -> Any:
    """``scipy.optimize.curve_fit``."""
    title = "scipy.optimize.curve_fit"
    settled = _settled(title, options)
    start = None if p0 is None else _start(p0, title)
    asked = _Asked(f, title, (), len(_parameters(f)) if start is None else np.size(start))
    asked.__signature__ = inspect.Signature(_parameters(f, with_first=True))  # type: ignore[attr-defined]
    given = as_seen(xdata, title), as_seen(ydata, title)
    with one_thread(np.zeros(MOST_RESIDUALS)):
        fit = load("scipy.optimize").curve_fit(
            asked, *given, p0=start, sigma=as_seen(sigma, title), bounds=_pair(bounds, title), **settled
        )
    return as_kept(fit)


def _parameters(function: Any, *, with_first: bool = False) -> list[inspect.Parameter]:
    """Return the parameters of a curve behind the first, which are fitted; none for what is no plain function."""
    count = function.__code__.co_argcount if type(function) is FunctionType else 0
    names = [f"p{at}" for at in range(min(count, MOST_UNKNOWNS + 1))]
    kept = names if with_first else names[1:]
    return [inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD) for name in kept]


def quad(func: Any, a: Any, b: Any, args: Any = (), **options: Any) -> Any:
    """``scipy.integrate.quad``."""
    title = "scipy.integrate.quad"
    settled = _settled(title, options)
    if settled.get("limit", 50) > 1_000:
        raise Blocked(f"{title}: limit=1,000 at the most")
    ends = as_seen(a, title), as_seen(b, title)
    return as_kept(load("scipy.integrate").quad(_Asked(func, title, args), *ends, **settled))


def solve_ivp(
    fun: Any, t_span: Iterable[Any], y0: Any, method: Any = "RK45", t_eval: Any = None, args: Any = (), **options: Any
) -> OptimizeResult:
    """``scipy.integrate.solve_ivp``."""
    title = "scipy.integrate.solve_ivp"
    start, settled = _start(y0, title), _settled(title, {"method": method} | options)
    places = as_seen(t_eval, title)
    if isinstance(places, np.ndarray) and places.size > MOST_PLACES:
        raise Blocked(f"{title}: at {MOST_PLACES:,} places at the most")
    ends = [as_seen(each, title) for each in t_span]
    asked = _Asked(fun, title, () if args is None else args, np.size(start))
    with one_thread(np.zeros(MOST_RESIDUALS)):
        return as_found(load("scipy.integrate").solve_ivp(asked, ends, start, t_eval=places, **settled))


SOLVERS: dict[str, Any] = {
    **{name: _between(name) for name in ("brentq", "brenth", "ridder", "bisect", "toms748")},
    **{
        each.__name__: each
        for each in (minimize, minimize_scalar, root_scalar, newton, fsolve, root, least_squares, curve_fit)
    },
}
"""What ``scipy.optimize`` has that asks a function."""
INTEGRATORS: dict[str, Any] = {"quad": quad, "solve_ivp": solve_ivp}
"""What ``scipy.integrate`` has that asks a function."""
