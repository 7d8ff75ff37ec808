"""Hostile cells that go through tests, densities, steps of time, scores of columns: with code, giants, the clock."""

PAGES = {
    "analysis": """
from scipy import stats
stats.ttest_ind([1, 2, 3], [2, 3, 5]).confidence_interval.__globals__

from scipy import stats
found = stats.ttest_ind([1, 2, 3], [2, 3, 5])
found.confidence_interval._args.append(vault)

from scipy import stats
found = stats.ttest_ind([1, 2, 3], [2, 3, 5])
type(found).confidence_interval = lambda self: setattr(vault, "treasury_cents", 0)

from scipy import stats
found = stats.ttest_ind([1, 2, 3], [2, 3, 5])
found.confidence_interval._name = "__init__"
found.confidence_interval()

from scipy import stats
type(stats.ttest_ind([1, 2, 3], [2, 3, 5]).confidence_interval)("kstest", [[1.0], "norm"], {}, "__init__")()

from scipy import stats
stats.kstest([1.0, 2.0], lambda x: setattr(vault, "treasury_cents", 0))

from scipy import stats
stats.kstest([1.0, 2.0], "_distn_infrastructure"), stats.kstest([1.0, 2.0], "rv_continuous")

from scipy import stats
stats.boxcox([1.0, 2.0, 4.0], optimizer=lambda f: setattr(vault, "treasury_cents", 0))

from scipy import stats
stats.binned_statistic([1.0, 2.0], [1.0, 2.0], statistic=lambda part: setattr(vault, "treasury_cents", 0))

from scipy import stats
stats.binned_statistic([1.0, 2.0], [1.0, 2.0], "mean", bins=10**9)

from scipy import stats
stats.cumfreq([1.0, 2.0], numbins=np.int64(10**9)), stats.relfreq([1.0, 2.0], np.int64(10**9))

from scipy import stats
stats.tukey_hsd(*[list(range(900))] * 60)

from scipy import stats
stats.probplot(np.zeros(500_000), plot=world)

from scipy import stats
stats.norm.rvs(5), stats.norm(0, 1).rvs(5)

from scipy import stats
stats.gaussian_kde(np.zeros((5_000, 5_000)))

from scipy import stats
stats.gaussian_kde(np.arange(9_000.0))(np.arange(900_000.0))

from scipy import stats
kde = stats.gaussian_kde([1.0, 2.0, 4.0])
kde.dataset[0, 0] = 99
kde._dataset = vault

from scipy import stats
stats.gaussian_kde([1.0, 2.0, 4.0], bw_method=lambda kde: setattr(vault, "treasury_cents", 0))

from scipy import stats
stats.gaussian_kde([1.0, 2.0, 4.0]).resample(3)

from scipy.integrate import trapezoid
class Evil:
    def __array__(self, *_, **__):
        vault.treasury_cents = 0
        return np.zeros(2)
    __len__ = __iter__ = __getitem__ = __float__ = __array__
trapezoid(Evil())

from sklearn.feature_selection import SelectKBest
SelectKBest(lambda rows, wanted: setattr(vault, "treasury_cents", 0), k=1).fit([[1, 2], [3, 4]], [0, 1])

from sklearn.feature_selection import SelectKBest, f_classif
SelectKBest(f_classif).score_func.__globals__

from sklearn.feature_selection import SelectKBest, mutual_info_classif
SelectKBest(mutual_info_classif, k=1).fit([[1, 2], [3, 4], [5, 1], [3, 2], [9, 2], [3, 5]], [0, 1, 0, 1, 0, 1]).scores_

from sklearn.feature_selection import SelectKBest
SelectKBest(open, k=1)

from sklearn.inspection import permutation_importance
permutation_importance(vault, [[1.0], [2.0]], [1, 2])

from sklearn.inspection import permutation_importance
from sklearn.linear_model import Ridge
permutation_importance(Ridge().fit([[1.0], [2.0]], [1, 2]), [[1.0], [2.0]], [1, 2], n_repeats=10**9)

from sklearn.inspection import permutation_importance
from sklearn.linear_model import Ridge
model = Ridge().fit([[1.0], [2.0]], [1, 2])
permutation_importance(model, [[1.0], [2.0]], [1, 2], scoring=lambda *_: setattr(vault, "treasury_cents", 0))

from sklearn.model_selection import ParameterGrid
ParameterGrid({"a": range(10**5), "b": range(10**5)})

from sklearn.model_selection import ParameterGrid
class Evil(dict if False else object):
    def values(self):
        vault.treasury_cents = 0
        return []
ParameterGrid(Evil())

from sklearn.tree import export_text
export_text(vault, feature_names=[open])

from sklearn.tree import DecisionTreeClassifier, export_text
tree = DecisionTreeClassifier().fit([[1.0], [2.0]], [0, 1])
export_text(tree, feature_names=["x" * 900_000])

from sklearn.tree import DecisionTreeClassifier, export_text
tree = DecisionTreeClassifier().fit([[1.0], [2.0]], [0, 1])
export_text(tree, spacing=10**9)

from sklearn.mixture import GaussianMixture
GaussianMixture(900).fit(np.zeros((20_000, 10)))

from sklearn.ensemble import IsolationForest
IsolationForest(n_jobs=8, verbose=9, max_samples=10**12).fit([[1.0], [2.0]]).estimators_[0].tree_.__reduce__()

from sklearn.neighbors import NearestNeighbors
NearestNeighbors(metric=lambda one, other: setattr(vault, "treasury_cents", 0)).fit([[1.0], [2.0]]).kneighbors()

from sklearn.model_selection import LeaveOneOut
list(LeaveOneOut().split(np.zeros(150_000)))

from sklearn.metrics import adjusted_mutual_info_score
adjusted_mutual_info_score([0] * 100_000, list(range(100_000)))

from pandas.tseries.offsets import MonthEnd, BDay
MonthEnd().rollforward("now"), BDay().is_on_offset("today")

from pandas.tseries.offsets import CustomBusinessDay
CustomBusinessDay(holidays=["now", "today"])

from pandas.tseries.offsets import CustomBusinessDay
class Evil:
    def __iter__(self):
        vault.treasury_cents = 0
        return iter([])
CustomBusinessDay(holidays=Evil(), weekmask=Evil())

from pandas.tseries.offsets import CustomBusinessDay
CustomBusinessDay(holidays=pd.date_range("1800-01-01", periods=100_000).tolist())

from pandas.tseries.offsets import CustomBusinessDay
CustomBusinessDay(calendar=vault)

np.char.center(["a"], 10**9), np.char.ljust(np.array(["a"] * 100_000), 1_000)

np.char.replace(np.array(["a" * 60] * 100_000), "a", "b" * 60)

np.char.replace(np.array(["a" * 60] * 10_000), "", "b" * 600), np.char.join("x" * 10_000, ["ab" * 1_000])

from numpy.polynomial import polynomial as P
P.polyint([1.0], 10**7), P.polyder([1.0], 10**9), P.polyfromroots(np.zeros(100_000)), P.polyroots(np.ones(9_000))

from numpy.polynomial import polynomial as P
big = [2 ** 9_000]
for _ in range(40):
    big = P.polymul(big, big)

pd.Series([len, max]).astype(str).tolist(), pd.Series([object()], dtype=str).tolist()

pd.api.types.pandas_dtype(str), str.stands_for, type(str).stands_for

import datetime
datetime.datetime(2024, 1, 1).timetuple().tm_zone, datetime.datetime(2024, 1, 1).timetuple().__reduce__()
""",
}
