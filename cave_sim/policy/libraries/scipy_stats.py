"""``scipy.stats`` in a cell: tests, correlations and distributions, which compute on numbers and draw nothing.

Each function takes numbers and sequences of numbers, and returns plain numbers and arrays, named as SciPy names them.
What depends on chance (``rvs``, ``bootstrap``, ``permutation_test``) is left out: chance is the agent's own stream.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any

import numpy as np
import pandas as pd

from cave_sim.errors import Blocked
from cave_sim.policy.libraries.kept_classes import kept_class, kept_of
from cave_sim.policy.libraries.late import load
from cave_sim.policy.libraries.numpy_bounds import check_listed
from cave_sim.policy.libraries.scipy_results import as_result, asking
from cave_sim.policy.libraries.ways_out import instead_of_name

MOST_ITEMS = 1_000_000
MOST_COMPARED = 1_000
"""Values, of what compares each with each other."""
MOST_EXACT = 100
"""Of what counts all their orders."""
MOST_COUNTED = 1_000_000
"""Of what a discrete distribution is asked: some of it is counted through."""
MOST_CASES = 100_000
"""In a table whose margins are gone through one by one."""

_RESULTS = {
    "statistic pvalue": "ttest_1samp ttest_ind ttest_rel ttest_ind_from_stats f_oneway kruskal shapiro normaltest "
    "skewtest kurtosistest jarque_bera chisquare power_divergence pearsonr spearmanr kendalltau levene bartlett "
    "fligner friedmanchisquare fisher_exact mannwhitneyu wilcoxon ranksums brunnermunzel ks_2samp kstest ks_1samp "
    "ansari mood pointbiserialr weightedtau epps_singleton_2samp cramervonmises cramervonmises_2samp tukey_hsd "
    "alexandergovern",
    "k n alternative statistic pvalue": "binomtest",
    "statistic pvalue dof expected_freq": "chi2_contingency",
    "statistic pvalue median table": "median_test",
    "slope intercept rvalue pvalue stderr": "linregress",
    "slope intercept low_slope high_slope": "theilslopes",
    "slope intercept": "siegelslopes",
    "nobs minmax mean variance skewness kurtosis": "describe",
    "mode count": "mode",
    "clipped lower upper": "sigmaclip",
    "statistic critical_values significance_level": "anderson",
    "statistic bin_edges binnumber": "binned_statistic",
    "cumcount lowerlimit binsize extrapoints": "cumfreq",
    "frequency lowerlimit binsize extrapoints": "relfreq",
    "": "zscore gzscore zmap rankdata skew kurtosis sem gmean hmean pmean iqr trim_mean entropy percentileofscore "
    "scoreatpercentile variation gstd tmean tstd tvar tsem tmin tmax moment median_abs_deviation trimboth trim1 kstat "
    "false_discovery_control boxcox yeojohnson probplot wasserstein_distance energy_distance differential_entropy "
    "circmean circstd circvar expectile combine_pvalues",
}
"""What a function returns, by name; "" for numbers."""
_COMPARING = frozenset(
    "mannwhitneyu wilcoxon ks_2samp kstest ks_1samp kendalltau theilslopes siegelslopes brunnermunzel weightedtau "
    "ansari cramervonmises cramervonmises_2samp epps_singleton_2samp tukey_hsd median_test wasserstein_distance "
    "energy_distance".split()
)
_FITTED = frozenset("boxcox yeojohnson probplot differential_entropy expectile".split())
_BINNING = frozenset("binned_statistic cumfreq relfreq".split())
_WITH_NUMBERS = frozenset(
    "mode describe ks_2samp ks_1samp kstest sigmaclip tmin tmax median_test trimboth trim1 binomtest".split()
)
"""What shows the values that it was given, and so which numbers they were."""
MOST_BINS = 10_000
MOST_GROUPS = 10
"""Of what is compared each with each by an integral."""
_OPTIONS = frozenset(
    "alternative alpha axis base bias center correction ddof equal_var f_exp fisher interpolation keepdims kind "
    "k lambda_ limits method nan_policy order pk popmean proportiontocut qk scale score use_continuity variant weights "
    "zero_method loc floc fscale df dfn dfd a b c s n p mu k M N confidence moments cdf args dist numbins bins range "
    "statistic defaultreallimits ties lmbda sparams high low".split()
)
_CONTINUOUS = (
    "norm t chi2 f expon uniform beta gamma lognorm weibull_min pareto logistic laplace cauchy triang gumbel_r "
    "gumbel_l rayleigh maxwell halfnorm chi loguniform powerlaw truncnorm skewnorm genextreme weibull_max invgauss "
    "exponnorm"
)
_DISCRETE = "binom poisson geom nbinom bernoulli randint hypergeom"
_ASKED = "cdf sf ppf isf mean std var median interval stats support entropy"
_WAYS = frozenset("two-sided less greater auto exact approx asymp".split())
MOST_FITTED = 10_000
"""Values, of what tries many parameters on all of them."""


def as_seen(value: Any, title: str, *, is_whole: bool = False) -> Any:
    """Return an argument as SciPy is to see it: a number, a text, or an array of floats.

    Args:
        value: what a cell gave.
        title: what is said of it where it does not fit.
        is_whole: whether whole numbers stay such.
    """
    if getattr(getattr(value, "dtype", None), "kind", "") == "c":
        raise TypeError(f"{title} takes real numbers, not complex ones")
    if value is None or isinstance(value, (bool, float, str, np.number, np.bool_)):
        return value
    if isinstance(value, int):
        return value if abs(value) < 2**63 else float(value)
    if isinstance(value, (np.ndarray, pd.Series, pd.Index, pd.DataFrame, pd.api.extensions.ExtensionArray)):
        count = value.size
    elif isinstance(value, (list, tuple, range)):
        count = check_listed(value, title)
    else:
        raise TypeError(f"{title} takes numbers and sequences of numbers, not {type(value).__name__}")
    if count > MOST_ITEMS:
        raise Blocked(f"{title}: more than {MOST_ITEMS:,} values")
    if is_whole and np.asarray(value).dtype.kind in "iu":
        return np.array(value)
    return np.asarray(value, dtype=float)


def as_kept(result: Any) -> Any:
    """Return a result as a cell keeps it: numbers, arrays of one's own, and tuples of them."""
    if isinstance(result, tuple):
        return tuple(map(as_kept, result))
    return result.copy() if isinstance(result, np.ndarray) and result.ndim else _number(result)


def _number(number: Any) -> Any:
    """Return a number as SciPy has it, of numpy or of Python; only an array without axes is none."""
    return number[()] if isinstance(number, np.ndarray) else number


def all_as_seen(
    title: str, args: Iterable[Any], options: Mapping[str, Any], allowed: Collection[str], *, is_whole: bool = False
) -> tuple[list[Any], dict[str, Any]]:
    """Return arguments as SciPy is to see them; raises Blocked for an option that is not allowed."""
    odd = sorted(set(options).difference(allowed))
    if odd:
        raise Blocked(f"{title}: {odd[0]}= is not for cells")
    seen = {key: as_seen(value, title, is_whole=is_whole) for key, value in options.items()}
    return [as_seen(each, title, is_whole=is_whole) for each in args], seen


def read_numbers(
    title: str, args: Iterable[Any], options: Mapping[str, Any], *, is_whole: bool = False
) -> tuple[list[Any], dict[str, Any]]:
    """Return arguments as SciPy is to see them; raises Blocked where together they would make too much."""
    plain, named = all_as_seen(title, args, options, _OPTIONS, is_whole=is_whole)
    if _size([np.shape(each) for each in (*plain, *named.values())]) > MOST_ITEMS:
        raise Blocked(f"{title}: more than {MOST_ITEMS:,} values")
    return plain, named


def _size(shapes: list[tuple[int, ...]]) -> int:
    """Return how many values arrays make that are computed with each other; 0 for samples of several sizes."""
    try:
        return math.prod(np.broadcast_shapes(*shapes))
    except ValueError:
        return 0


def _is_exact(given: Iterable[Any]) -> bool:
    return any(isinstance(each, str) and each == "exact" for each in given)


def _check_cost(name: str, title: str, plain: list[Any], is_exact: bool) -> None:
    """Return if a function takes no longer than the size of what it is given lets one expect; raises Blocked."""
    most = MOST_EXACT if is_exact else MOST_COMPARED
    if name in _COMPARING and any(np.size(each) > most for each in plain):
        raise Blocked(f"{title}: more than {most:,} values, and each is compared with each")
    if name == "fisher_exact" and (np.shape(plain[0]) != (2, 2) or not np.abs(plain[0]).sum() <= MOST_CASES):
        raise Blocked(f"{title}: takes a table of two by two, of {MOST_CASES:,} cases at the most")
    if name in _FITTED and any(np.size(each) > MOST_FITTED for each in plain):
        raise Blocked(f"{title}: more than {MOST_FITTED:,} values; take a sample")
    if name == "tukey_hsd" and len(plain) > MOST_GROUPS:
        raise Blocked(f"{title}: more than {MOST_GROUPS} groups")


def _check_named(name: str, title: str, given: list[Any]) -> None:
    """Return if a distribution that is named is one of those of cells, and bins are few; raises Blocked."""
    known = _CONTINUOUS.split()
    if name in ("kstest", "ks_1samp", "cramervonmises", "probplot", "anderson"):
        for each in given:
            if isinstance(each, str) and each not in known and each not in _WAYS:
                raise Blocked(f"{title}: {each[:40]!r} is no distribution for cells; take {', '.join(known)}")
    if name in _BINNING and any(isinstance(each, (int, float, np.number)) and each > MOST_BINS for each in given):
        raise Blocked(f"{title}: more than {MOST_BINS:,} bins")


def _check_counted(title: str, given: list[Any]) -> None:
    """Return if a discrete distribution, which counts through its cases for some answers, has few; raises Blocked."""
    numbers = [np.abs(each) for each in given if not isinstance(each, str | None)]
    if any(np.any(each > MOST_COUNTED) for each in numbers):
        raise Blocked(f"{title}: counts to {MOST_COUNTED:,} at the most")
    if any(np.size(each) > MOST_COMPARED for each in numbers):
        raise Blocked(f"{title}: answers for {MOST_COMPARED:,} values at the most")


def _computed(name: str, args: Iterable[Any], options: Mapping[str, Any]) -> tuple[Any, list[Any], dict[str, Any]]:
    """Return what SciPy computes, and what it was given for it."""
    title = f"scipy.stats.{name}"
    plain, named = read_numbers(title, args, options, is_whole=name in _WITH_NUMBERS)
    given = [*plain, *named.values()]
    _check_cost(name, title, plain, _is_exact(given))
    _check_named(name, title, given)
    if name == "binomtest":
        _check_counted(title, given)
    return getattr(load("scipy.stats"), name)(*plain, **named), plain, named


def _function(name: str, fields: str) -> Callable[..., Any]:
    def call(*args: Any, **options: Any) -> Any:
        result, plain, named = _computed(name, args, options)
        return as_result(result, fields, as_kept, (name, plain, named)) if fields else as_kept(result)

    call.__name__ = call.__qualname__ = name
    return call


@asking
def _again(name: str, args: Iterable[Any], named: Mapping[str, Any], method: str, options: dict[str, Any]) -> Any:
    """Ask the result of a test, which is computed again, for what SciPy does not compute at once."""
    if name not in STATISTICS or method not in ("confidence_interval", "proportion_ci"):
        raise Blocked("this is no result of a test of scipy.stats")
    title = f"scipy.stats.{name}"
    options = {key: as_seen(value, title) for key, value in options.items()}
    result = getattr(_computed(name, args, named)[0], method)(**options)
    return as_result(result, "low high", as_kept)


def _of_distribution(distribution: str, name: str) -> Callable[..., Any]:
    title = f"scipy.stats.{distribution}.{name}"
    is_discrete = distribution in _DISCRETE.split()

    def call(*args: Any, **options: Any) -> Any:
        plain, named = read_numbers(title, args, options)
        if is_discrete:
            _check_counted(title, [*plain, *named.values()])
        if name in ("fit", "entropy") and any(np.size(each) > MOST_FITTED for each in plain):
            raise Blocked(f"{title}: more than {MOST_FITTED:,} values; take a sample")
        return as_kept(getattr(getattr(load("scipy.stats"), distribution), name)(*plain, **named))

    call.__name__ = call.__qualname__ = name
    return call


STATISTICS: dict[str, Any] = {
    name: _function(name, fields) for fields, names in _RESULTS.items() for name in names.split()
}
"""What ``scipy.stats`` computes of samples."""
DISTRIBUTIONS: dict[str, dict[str, Any]] = {
    distribution: {name: _of_distribution(distribution, name) for name in f"{asked} {_ASKED}".split()}
    for asked, distributions in (("pdf logpdf logcdf logsf fit", _CONTINUOUS), ("pmf logpmf", _DISCRETE))
    for distribution in distributions.split()
}
"""What is asked of each distribution, by its name."""


@kept_class("_name", "_args", "_named")
class FrozenDistribution:
    """A distribution with its parameters, as ``stats.norm(10, 2)`` gives it: they are handed on with what is asked."""

    __slots__ = ("_args", "_name", "_named")

    def __init__(self, name: str, args: tuple[Any, ...], named: dict[str, Any]) -> None:
        self._name = name
        plain, options = read_numbers(f"scipy.stats.{name}", args, named)
        self._args, self._named = tuple(plain), options

    def __getattr__(self, name: str) -> Callable[..., Any]:
        asked = {name: each for name, each in DISTRIBUTIONS.get(self._name, {}).items() if name != "fit"}
        if name not in asked:
            instead = instead_of_name(f"scipy.stats.{self._name}", name)
            title = f"scipy.stats.{self._name}(...)"
            raise AttributeError(f"{title} has no {name!r} for cells.{instead} It has: {', '.join(asked)}")
        return lambda *values: asked[name](*values, *self._args, **self._named)

    def __repr__(self) -> str:
        return f"<scipy.stats.{self._name} with its parameters>"


def whole_of(distribution: FrozenDistribution) -> Any:
    """Return SciPy's own distribution with its parameters, made anew of what is kept."""
    name, args, options = kept_of(distribution)
    if name not in DISTRIBUTIONS:
        raise Blocked("this is no distribution of scipy.stats")
    plain, named = read_numbers(f"scipy.stats.{name}", args, options)
    return getattr(load("scipy.stats"), name)(*plain, **named)


def parameters_of(distribution: FrozenDistribution) -> tuple[str, tuple[Any, ...], dict[str, Any]]:
    """Return the name of a distribution, and its parameters."""
    name, args, named = kept_of(distribution)
    return name, tuple(args), dict(named)


def name_of(value: Any) -> str | None:
    """Return the name of what SciPy has of such a distribution; None of anything else."""
    kind = type(value)
    name = (
        value.dist.name if kind.__module__ == "scipy.stats._distn_infrastructure" and hasattr(value, "dist") else None
    )
    return name if name in DISTRIBUTIONS else None


def load_statistics() -> None:
    """Load what cells may come to use, and use it once: a sandboxed process may read no file by then."""
    load("scipy.stats")
    load("scipy.interpolate")
    STATISTICS["tukey_hsd"]([1.0, 2.0, 4.0], [2.0, 3.0, 4.0])  # whose integrals look for what else there is
