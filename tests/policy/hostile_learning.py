"""Hostile cells that learn: with objects of their own, giants, threads, files, and what scikit-learn has beyond."""

PAGES = {
    "learning": """
from sklearn.linear_model import LinearRegression
class Evil:
    def __array__(self, *_, **__):
        vault.treasury_cents = 0
        return np.zeros((2, 1))
    __len__ = __iter__ = __getitem__ = __float__ = __array__
    shape = (2, 1)
LinearRegression().fit(Evil(), [1, 2])

from sklearn.preprocessing import LabelEncoder
class Evil:
    def __eq__(self, other):
        vault.treasury_cents = 0
        return True
    __lt__ = __eq__
    def __hash__(self):
        return 1
LabelEncoder().fit([Evil(), Evil()])

from sklearn.preprocessing import FunctionTransformer
FunctionTransformer(open).fit_transform(["canary.html"])

from sklearn.preprocessing import StandardScaler
StandardScaler().fit.__globals__, StandardScaler.__globals__, StandardScaler().fit.__closure__

import sklearn
sklearn.utils, sklearn.externals, sklearn.set_config

from sklearn import utils

from sklearn.utils import joblib

import joblib
joblib.dump([1], "canary.html")

from sklearn.externals import _packaging

from sklearn.datasets import load_files, fetch_openml
fetch_openml("iris")

from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler
steps = Pipeline([("s", StandardScaler())], memory="canary_cache").fit([[1.0], [2.0]])

from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler
Pipeline([("s", StandardScaler())]).set_params(memory="canary_cache").fit([[1.0], [2.0]])

from sklearn.pipeline import Pipeline
class Step:
    def fit(self, X, y=None):
        vault.treasury_cents = 0
        return self
    transform = fit_transform = fit
Pipeline([("evil", Step()), ("more", Step())]).fit([[1.0]])

from sklearn.model_selection import cross_val_score
from sklearn.linear_model import Ridge
cross_val_score(Ridge(), [[1.0]] * 9, [1.0] * 9, scoring=lambda *_: setattr(vault, "treasury_cents", 0))

from sklearn.neighbors import KNeighborsRegressor
near = KNeighborsRegressor(2, metric=lambda a, b: setattr(vault, "treasury_cents", 0))
near.fit([[1.0], [2.0]], [1.0, 2.0]).predict([[1.5]])

from sklearn.neighbors import KNeighborsRegressor
near = KNeighborsRegressor(2)
near.set_params(algorithm="kd_tree", weights=lambda d: d)

from sklearn.linear_model import LinearRegression
model = LinearRegression()
model.fit = print
model.__class__ = int
setattr(model, "coef_", 1)

from sklearn.linear_model import LinearRegression
model = LinearRegression().fit([[1.0], [2.0]], [1.0, 2.0])
model.__dict__, model.__reduce_ex__(2), model.__getstate__(), model._sklearn_version

from sklearn.ensemble import RandomForestClassifier
RandomForestClassifier(n_jobs=-1, verbose=9, n_estimators=10 ** 9)

from sklearn.ensemble import RandomForestClassifier
RandomForestClassifier(10 ** 9).fit([[1.0], [2.0]], [0, 1])

from sklearn.ensemble import RandomForestClassifier
from sklearn.pipeline import make_pipeline
make_pipeline(RandomForestClassifier()).set_params(randomforestclassifier__n_estimators=10 ** 9)

from sklearn.tree import DecisionTreeClassifier
tree = DecisionTreeClassifier().fit([[1.0], [2.0]], [0, 1])
tree.tree_.__setstate__({}), tree.tree_.feature

from sklearn.linear_model import LogisticRegression
LogisticRegression(solver="newton-cholesky").fit(np.zeros((400, 400)), list(range(400)))

from sklearn.linear_model import LogisticRegression
LogisticRegression().fit(np.zeros((400, 400)), list(range(400)))

from sklearn.decomposition import PCA
PCA().fit(np.zeros((2, 100_000)))

from sklearn.preprocessing import PolynomialFeatures
PolynomialFeatures(3).fit_transform(np.zeros((200, 1_000)))

from sklearn.preprocessing import PolynomialFeatures
PolynomialFeatures((1, 400)).fit_transform(np.zeros((2, 3)))

from sklearn.preprocessing import OneHotEncoder
OneHotEncoder().fit_transform(np.arange(100_000).reshape(-1, 1))

from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, PolynomialFeatures
make_pipeline(OneHotEncoder(), PolynomialFeatures(4)).fit_transform(np.arange(1_000).reshape(-1, 1))

from sklearn.cluster import DBSCAN
DBSCAN(eps=1e9).fit(np.zeros((100_000, 1)))

from sklearn.metrics import silhouette_score
silhouette_score(np.zeros((100_000, 1)), np.arange(100_000) % 2)

from sklearn.metrics import confusion_matrix
confusion_matrix(np.arange(100_000), np.arange(100_000))

from sklearn.datasets import make_blobs
make_blobs(10 ** 10, 10 ** 5)

from sklearn.datasets import make_blobs
make_blobs(n_samples=[10 ** 9] * 9)

from sklearn.linear_model import Ridge
Ridge(alpha=10 ** 400_000)

from sklearn.linear_model import LinearRegression
model = LinearRegression().fit(vault.accounts[["cents"]], vault.accounts["cents"])
model.coef_[0] = 9.0

from sklearn.preprocessing import StandardScaler
StandardScaler(copy=False).fit_transform(vault.grid)

from sklearn.base import clone
class Evil:
    def get_params(self, deep=False):
        vault.treasury_cents = 0
        return {}
clone(Evil())

from sklearn.compose import ColumnTransformer
from sklearn.preprocessing import StandardScaler
columns = ColumnTransformer([("all", StandardScaler(), lambda table: setattr(vault, "treasury_cents", 0))])
columns.fit(pd.DataFrame({"a": [1.0, 2.0]}))

from sklearn.compose import ColumnTransformer
class Step:
    def fit(self, X, y=None):
        vault.treasury_cents = 0
        return self
    transform = fit_transform = fit
ColumnTransformer([("evil", Step(), [0])], remainder=Step()).fit([[1.0]])

from sklearn.compose import make_column_transformer
from sklearn.preprocessing import StandardScaler
make_column_transformer((StandardScaler(), ["a"] * 100_000)).fit(pd.DataFrame({"a": np.arange(10_000.0)}))

from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
make_pipeline(*(StandardScaler() for _ in range(50_000))).fit(np.zeros((2_000, 50)))

from sklearn.linear_model import RidgeCV
RidgeCV(alphas=list(range(1, 100_000))).fit(np.zeros((2_000, 50)), np.zeros(2_000))

from sklearn.linear_model import RidgeCV
RidgeCV(gcv_mode="eigen").fit(np.zeros((100_000, 1)), np.zeros(100_000))

from sklearn.model_selection import cross_val_score
from sklearn.linear_model import Ridge
cross_val_score(Ridge(), np.zeros((2_000, 50)), np.zeros(2_000), cv=[([0, 1], [2, 3])] * 50_000)

from sklearn.model_selection import KFold
class Evil:
    def __len__(self):
        vault.treasury_cents = 0
        return 4
    __getitem__ = __iter__ = __len__
    shape = (4, 1)
list(KFold(2).split(Evil())), KFold(10 ** 9)

from sklearn.model_selection import KFold
folds = KFold(2)
folds.split = print
folds.__dict__, folds.split.__globals__, folds._iter_test_masks

from sklearn.metrics.pairwise import euclidean_distances
euclidean_distances(np.zeros((2, 1)), np.zeros((100_000, 1)))

from scipy import stats
class Evil:
    def __float__(self):
        vault.treasury_cents = 0
        return 1.0
stats.norm(Evil(), 1).cdf(0)

from scipy import stats
stats.binom(10 ** 12, 0.5).pmf(5), stats.norm(np.zeros(10 ** 6), 1).cdf(np.zeros((100, 1)))

from scipy import stats
stats.norm().__class__, stats.norm()._args, stats.norm().rvs(10 ** 9)

np.add.at(vault.grid, 0, 9)

np.fill_diagonal(vault.grid, 9)

table = pd.DataFrame({"a": [1.0]})
table["a"].combine(vault.accounts["cents"], lambda *_: setattr(vault, "treasury_cents", 0))

np.binary_repr(5, width=10 ** 10), np.base_repr(5, padding=10 ** 10)

days = pd.DataFrame({"d": pd.to_datetime(["1800-01-01", "2200-01-01"]), "g": [1, 2], "v": [1, 2]})
days.groupby("g").resample("s", on="d")["v"].sum()

import warnings
class Evil:
    def __str__(self):
        vault.treasury_cents = 0
        return ""
    __repr__ = __format__ = __str__
warnings.warn(Evil()), warnings.filters.clear(), warnings.showwarning

from sklearn.model_selection import validation_curve
from sklearn.linear_model import Ridge
from sklearn.pipeline import make_pipeline
validation_curve(make_pipeline(Ridge()), [[1.0]] * 9, [1.0] * 9, param_name="memory", param_range=["canary_cache"])

from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
make_pipeline(StandardScaler(), StandardScaler(), memory="canary_cache").fit([[1.0], [2.0]])

from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
inner = make_pipeline(StandardScaler(), StandardScaler())
make_pipeline(inner, StandardScaler()).set_params(pipeline__memory="canary_cache").fit([[1.0], [2.0]])

from sklearn.tree import DecisionTreeRegressor
tree = DecisionTreeRegressor().fit(np.arange(40.0).reshape(2, 20), [0.0, 1.0])
tree.predict(np.zeros((1, 1), np.float32), False)

from sklearn.tree import DecisionTreeRegressor
from sklearn.pipeline import make_pipeline
tree = make_pipeline(DecisionTreeRegressor()).fit(np.arange(40.0).reshape(2, 20), [0.0, 1.0])
tree.predict(np.zeros((1, 1), np.float32), check_input=False)

from sklearn.model_selection import cross_val_score
from sklearn.linear_model import Lasso
cross_val_score(Lasso(), [[1], [2], [3], [4]], [1, 2, 3, 4], cv=2, params={"check_input": False, 3: 4})

from sklearn.model_selection import cross_val_score
from sklearn.linear_model import Lasso
cross_val_score(Lasso(), [[1], [2], [3], [4]], [1, 2, 3, 4], cv=2, pre_dispatch="9**9**9")

from sklearn.datasets import make_blobs
make_blobs(np.array([10 ** 9] * 9))

from sklearn.datasets import make_blobs
make_blobs([10 ** 9, -10 ** 9])

from sklearn.model_selection import ParameterGrid
class Sly:
    def __len__(self):
        return 1
    def __iter__(self):
        return iter(range(10 ** 6))
ParameterGrid({"a": Sly(), "b": Sly()})

from sklearn.model_selection import ParameterGrid
ParameterGrid({"a": range(10_000), **{str(n): [1] for n in range(5_000)}})
""",
}
