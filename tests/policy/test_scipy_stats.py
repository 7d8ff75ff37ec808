"""``scipy.stats`` in a cell is SciPy's, as far as it computes; what takes too long, or draws, is refused."""

import subprocess
import sys
from time import process_time

import numpy as np
import pytest

from cave_sim import World
from cave_sim.policy.libraries import late
from tests.late_imports import LateImport
from tests.policy import square
from tests.policy.judge import run, traces

stats = LateImport("scipy.stats")
ONE, OTHER = [5.1, 4.9, 6.2, 5.8, 6.0, 5.5], [6.8, 7.1, 6.5, 7.4, 6.9, 7.7]
SAMPLES = {"one": ONE, "other": OTHER}
CALLS = [
    "ttest_ind(one, other)", "ttest_ind(one, other, equal_var=False, alternative='less')", "ttest_rel(one, other)",
    "ttest_1samp(one, 5)", "mannwhitneyu(one, other)", "wilcoxon(one, other)", "kruskal(one, other)",
    "f_oneway(one, other, [1, 2, 3])", "pearsonr(one, other)", "spearmanr(one, other)", "kendalltau(one, other)",
    "linregress(one, other)", "theilslopes(one, other)", "shapiro(one)", "ks_2samp(one, other)", "levene(one, other)",
    "chi2_contingency([[10, 20], [30, 5]])", "fisher_exact([[8, 2], [1, 5]])", "chisquare([16, 18, 16, 14])",
    "describe(one)", "mode([1, 1, 2])", "zscore(one)", "rankdata([3, 1, 1])", "sem(one)", "iqr(one)", "entropy([1, 2])",
    "norm.cdf(1.96)", "norm.ppf([0.025, 0.975])", "t.interval(0.95, 10, loc=3, scale=2)", "binom.pmf(3, 10, 0.4)",
    "poisson.sf(2, 1.5)", "chi2.ppf(0.95, 3)", "beta.mean(2, 3)", "gamma.stats(2, moments='mvsk')",
    "norm.fit(one)", "gamma.fit(one)", "expon.fit(one, floc=4)", "uniform.fit(one, method='MM')",
    "binomtest(7, 10).pvalue", "binomtest(k=2, n=30, p=0.2, alternative='less').pvalue",
]  # fmt: skip
REFUSED = {
    "norm.rvs(size=10**6)": "draws 100,000 numbers at the most",
    "bootstrap": "bootstrap is not for cells",
    "norm(0, 1).rvs(3, random_state='x')": "random_state= is a whole number from 0 on",
    "norm(print)": "takes numbers and sequences of numbers",
    "ttest_ind([1, 2], [2, 3], method=print)": "takes numbers and sequences of numbers",
    "ttest_ind([1, 2], [2, 3], random_state=1)": "random_state= is not for cells",
    "mannwhitneyu(list(range(101)), list(range(101)), method='exact')": "more than 100 values",
    "mannwhitneyu(list(range(101)), list(range(101)), True, 'two-sided', 0, 'exact')": "more than 100 values",
    "kendalltau(np.zeros(1001), np.zeros(1001))": "more than 1,000 values",
    "binom.ppf(0.5, 2**62, 0.5)": "counts to 1,000,000",
    "binomtest(3, n=2**40)": "counts to 1,000,000",
    "hypergeom.ppf(np.full(1001, 0.5), 100, 50, 40)": "1,000 values at the most",
    "fisher_exact([[10**9, 1], [1, 10**9]])": "100,000 cases at the most",
    "norm.cdf(np.zeros((2000, 1)), np.zeros((1, 2000)))": "more than 1,000,000 values",
    "zscore(np.zeros(1_000_001))": "more than 1,000,000 values",
    "ttest_ind(np.zeros(1_000_001), [1, 2])": "more than 1,000,000 values",
    "gamma.fit(np.ones(10_001))": "more than 10,000 values",
    "gamma.fit(data=np.ones(10_001))": "data= is not for cells",
    "norm(0, 1).fit(one)": "has no 'fit' for cells",
    "norm.fit(one, optimizer=print)": "optimizer= is not for cells",
}


@pytest.fixture(scope="module")
def world():
    world = World()
    world.execute(f"from scipy import stats\none, other = {ONE}, {OTHER}", "ann")
    return world


def parts(value):
    """Return the numbers of a result, in their order."""
    return np.concatenate([parts(each) for each in value]) if isinstance(value, tuple) else np.ravel(value)


@pytest.mark.parametrize("call", CALLS)
def test_it_computes_what_scipy_computes(world, call):
    turn = world.execute(f"found = stats.{call}", "ann")
    assert turn.status == "committed", turn.error
    theirs, found = eval(f"stats.{call}", {"stats": stats, **SAMPLES}), world.variables("ann")["found"]
    names = getattr(found, "_fields", ())
    np.testing.assert_allclose(parts(found), parts(tuple(getattr(theirs, name) for name in names) or theirs))


@pytest.mark.parametrize("call", REFUSED)
def test_what_it_does_not_do_is_said(world, call):
    turn = world.execute(f"stats.{call}", "ann")
    assert turn.status in ("blocked", "failed")
    assert REFUSED[call] in turn.error


CELLS = [
    "import scipy.stats as st\ncdf, line = st.norm.cdf, st.linregress([1, 2, 3], [2, 4, 7])",
    "me.mood = float(cdf(line.slope) + line.pvalue + st.t.ppf(0.9, 5)) % 1",
]
SCRIPT = """
import sys
from tests.policy import square
world = square.build(deadline_s=0.25)
for cell in sys.argv[1:]:
    print(world.execute(cell, agent="ann").status, end=" ")
print(world.state_hash())
"""


@pytest.mark.long
def test_what_a_cell_keeps_of_it_comes_back_and_loading_it_is_no_time_of_a_cell():
    world = square.build(deadline_s=60)
    for cell in CELLS:
        assert world.execute(cell, agent="ann").status == "committed"
    fresh = [sys.executable, "-c", SCRIPT, *CELLS]
    told = subprocess.run(fresh, capture_output=True, text=True, check=True).stdout
    assert told.split() == ["committed", "committed", world.state_hash()]


def test_a_distribution_is_kept_with_its_parameters(world):
    world.execute("grades = stats.norm(70, scale=10)", "ann")
    assert world.execute("grades.cdf([70, 80]).round(3).tolist(), grades.std()", "ann").output == (
        "([0.5, 0.841], np.float64(10.0))"
    )


def test_what_it_takes_to_load_is_lent_to_the_cell(monkeypatch):
    def slow(name):
        while process_time() < until_s:
            pass
        return stats

    world = square.build(deadline_s=0.5)
    world.execute("from scipy.stats import norm\ncdf = norm.cdf\ncdf(0)", agent="ann")
    monkeypatch.setattr(late, "import_module", slow)
    monkeypatch.delitem(sys.modules, "scipy.stats")
    until_s = process_time() + 0.6
    turn = world.execute("half = cdf(0)\nfor _ in range(9_000): sum(range(800))\nhalf", agent="ann")
    assert turn.output == "np.float64(0.5)"


HOSTILE = [
    "import scipy.stats\nscipy.stats.norm.cdf.__globals__",
    "from scipy.stats import norm\nnorm._title = 'x'",
    "from scipy.stats import ttest_ind\nttest_ind.__wrapped__",
    "from scipy.stats import distributions",
    "import scipy.stats._stats_py",
    "from scipy import stats\nstats.describe(stats)",
    "from scipy import stats\nclass Odd:\n    def __iter__(self): return iter([1] * 10**9)\nstats.sem(Odd())",
    "from scipy import stats\nstats.sem([[0] * 2000] * 2000)",
    "from scipy import stats\nstats.moment([1.0, 2.0], order=10 ** 18)",
    "from scipy import stats\nstats.norm.interval(np.full((10 ** 4, 10 ** 3), 0.5))",
    "from scipy import stats\nstats.describe(town.streets if hasattr(town, 'streets') else world)",
]


@pytest.mark.parametrize("script", HOSTILE)
def test_it_leads_nowhere(script):
    assert not traces(run(script))
