"""Hostile cells that search, vote and boost: by way of grids, measures, kernels, distributions and data sets."""

PAGES = {
    "searches": """
from sklearn.model_selection import GridSearchCV
from sklearn.linear_model import Ridge
search = GridSearchCV(Ridge(), {"alpha": [1.0]}, scoring=lambda *_: setattr(vault, "treasury_cents", 0))
search.fit([[1.0]] * 9, [1.0] * 9)

from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler
search = GridSearchCV(Pipeline([("s", StandardScaler())]), {"memory": ["canary_cache"]})
search.fit([[1.0], [2.0]] * 5, [1, 2] * 5)

from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import Pipeline
from sklearn.linear_model import Ridge
steps = Pipeline([("s", Ridge())])
search = GridSearchCV(steps, {"s": [Ridge()]}).set_params(param_grid={"memory": ["canary_cache"]})
search.fit([[1.0], [2.0]] * 5, [1.0, 2.0] * 5)

from sklearn.model_selection import GridSearchCV
from sklearn.ensemble import RandomForestClassifier
search = GridSearchCV(RandomForestClassifier(), {"n_estimators": [10**9], "n_jobs": [-1], "verbose": [9]})
search.fit([[1.0], [2.0]] * 5, [1, 2] * 5)

from sklearn.model_selection import GridSearchCV
from sklearn.ensemble import RandomForestClassifier
search = GridSearchCV(RandomForestClassifier(2), {"n_jobs": [-1, 4], "verbose": [9], "warm_start": [True]}, verbose=9)
print(search.fit([[1.0], [2.0]] * 5, [1, 2] * 5).best_params_)

from sklearn.model_selection import GridSearchCV
from sklearn.linear_model import Ridge
class Evil:
    def fit(self, X, y=None):
        vault.treasury_cents = 0
        return self
    def get_params(self, deep=True):
        vault.treasury_cents = 0
        return {}
    set_params = predict = score = fit
GridSearchCV(Evil(), {"alpha": [1.0]}).fit([[1.0]] * 9, [1.0] * 9)

from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import Pipeline
from sklearn.linear_model import Ridge
class Evil:
    def fit(self, X, y=None):
        vault.treasury_cents = 0
        return self
    predict = score = fit
GridSearchCV(Pipeline([("a", Ridge())]), {"a": [Evil()]}).fit([[1.0]] * 9, [1.0] * 9)

from sklearn.model_selection import RandomizedSearchCV
from sklearn.linear_model import Ridge
class Evil:
    def rvs(self, *_, **__):
        vault.treasury_cents = 0
        return 1.0
    def support(self):
        return 0, 1
RandomizedSearchCV(Ridge(), {"alpha": Evil()}).fit([[1.0]] * 9, [1.0] * 9)

from scipy.stats import norm
norm(0, 1).whole(), norm(0, 1).dist, norm(0, 1).random_state, norm(0, 1).kwds

from sklearn.model_selection import RandomizedSearchCV
from sklearn.ensemble import RandomForestClassifier
from scipy.stats import randint
search = RandomizedSearchCV(RandomForestClassifier(), {"n_estimators": randint(10**8, 10**9)})
search.fit([[1.0], [2.0]] * 5, [1, 2] * 5)

from sklearn.model_selection import RandomizedSearchCV
from sklearn.ensemble import RandomForestClassifier
from scipy.stats import expon
RandomizedSearchCV(RandomForestClassifier(), {"n_estimators": expon(scale=1e12)}).fit([[1.0], [2.0]] * 5, [1, 2] * 5)

from sklearn.model_selection import RandomizedSearchCV
from sklearn.linear_model import Ridge
RandomizedSearchCV(Ridge(), {"alpha": [1.0]}, n_iter=10**9).fit([[1.0]] * 9, [1.0] * 9)

from sklearn.model_selection import GridSearchCV
from sklearn.linear_model import Ridge
many = list(range(1, 150))
GridSearchCV(Ridge(), {"alpha": many, "tol": many, "max_iter": many}).fit([[1.0]] * 9, [1.0] * 9)

from sklearn.model_selection import GridSearchCV
from sklearn.preprocessing import PolynomialFeatures
from sklearn.pipeline import make_pipeline
from sklearn.linear_model import Ridge
wide = np.ones((200, 900))
search = GridSearchCV(make_pipeline(PolynomialFeatures(1), Ridge()), {"polynomialfeatures__degree": [4]})
search.fit(wide, wide[:, 0])

from sklearn.model_selection import GridSearchCV
from sklearn.linear_model import Ridge
search = GridSearchCV(Ridge(), {"alpha": [1.0]}, cv=3).fit([[1.0], [2.0], [3.0]] * 3, [1.0, 2.0, 3.0] * 3)
search.scorer_, search.scoring, search.__dict__

from sklearn.model_selection import GridSearchCV
from sklearn.linear_model import Ridge
search = GridSearchCV(Ridge(), {"alpha": [1.0]}, cv=3).fit([[1.0], [2.0], [3.0]] * 3, [1.0, 2.0, 3.0] * 3)
search.cv_results_["mean_fit_time"].tolist(), search.cv_results_["std_score_time"].tolist(), search.refit_time_

from sklearn.model_selection import GridSearchCV
from sklearn.linear_model import Ridge
GridSearchCV(Ridge(), {"__class__": [1]}).fit([[1.0]] * 9, [1.0] * 9)

from sklearn.model_selection import GridSearchCV
from sklearn.linear_model import Ridge
GridSearchCV(Ridge(), {"alpha": [1.0]}, refit=lambda results: setattr(vault, "treasury_cents", 0))

from sklearn.model_selection import GridSearchCV
from sklearn.linear_model import Ridge
def endless():
    while True:
        yield [0], [1]
GridSearchCV(Ridge(), {"alpha": [1.0]}, cv=endless()).fit([[1.0]] * 9, [1.0] * 9)

from sklearn.model_selection import GridSearchCV
from sklearn.linear_model import Ridge
GridSearchCV(Ridge(), {"alpha": [1.0]}, cv=[([0, 10**9], [1])]).fit([[1.0]] * 9, [1.0] * 9)

from sklearn.model_selection import validation_curve
from sklearn.pipeline import make_pipeline
from sklearn.linear_model import Ridge
validation_curve(make_pipeline(Ridge()), [[1.0]] * 9, [1.0] * 9, param_name="memory", param_range=["canary_cache"])

from sklearn.model_selection import validation_curve
from sklearn.ensemble import RandomForestRegressor
validation_curve(RandomForestRegressor(), [[1.0]] * 9, [1.0] * 9, param_name="n_estimators", param_range=[10**9])

from sklearn.model_selection import validation_curve
validation_curve("x", [[1.0]] * 9, [1.0] * 9, param_name="a", param_range=[1])

from sklearn.metrics import make_scorer
def mine(y, z):
    vault.treasury_cents = 0
    return 1.0
make_scorer(mine)

from sklearn.metrics import make_scorer, f1_score
made = make_scorer(f1_score, average="macro")
made._measure = "check_scoring"
made._settings

from sklearn.metrics import make_scorer, f1_score
type(make_scorer(f1_score))("check_scoring", "predict", True, {})

from sklearn.metrics import make_scorer, f1_score
make_scorer(f1_score, response_method="fit")

from sklearn.metrics import make_scorer, f1_score
make_scorer(f1_score, labels=open, average=print)

from sklearn.feature_selection import RFE
from sklearn.linear_model import Ridge
RFE(Ridge(), importance_getter="__class__.__init__.__globals__").fit([[1.0], [2.0]], [1.0, 2.0])

from sklearn.feature_selection import SelectFromModel
from sklearn.linear_model import Ridge
made = SelectFromModel(Ridge(), importance_getter=lambda e: setattr(vault, "treasury_cents", 0))
made.fit([[1.0], [2.0]], [1.0, 2.0])

from sklearn.preprocessing import FunctionTransformer
FunctionTransformer(np.log1p, kw_args={"where": False}).fit_transform(np.ones((3, 3)))

from sklearn.preprocessing import FunctionTransformer
def mine(X):
    vault.treasury_cents = 0
mine.__name__ = "log1p"
FunctionTransformer(mine).fit_transform(np.ones((3, 3)))

from sklearn.compose import TransformedTargetRegressor
from sklearn.linear_model import Ridge
TransformedTargetRegressor(Ridge(), func=eval, inverse_func=open).fit([[1.0], [2.0]], [1.0, 2.0])
""",
    "vectors and boosts": """
from sklearn.svm import SVC
SVC(kernel=lambda a, b: setattr(vault, "treasury_cents", 0)).fit([[1.0], [2.0]], [0, 1])

from sklearn.svm import SVC
SVC(kernel="precomputed").fit([[1.0, 2.0], [2.0, 3.0]], [0, 1])

from sklearn.svm import SVC
model = SVC(C=1e300, gamma=1e300, tol=1e-300, cache_size=1e9, verbose=True, max_iter=-1)
rows = np.random.default_rng(1).random((1_000, 190))
model.fit(rows, np.arange(1_000) % 2).n_iter_.max() < 10**6

from sklearn.svm import SVR
rows = np.random.default_rng(1).random((2_000, 90))
SVR(C=1e300, epsilon=0, tol=1e-300).fit(rows, rows[:, 0] * 1e200)

from sklearn.svm import SVC
SVC(C=float("nan")).fit([[1.0], [2.0]], [0, 1])

from sklearn.svm import SVC
SVC().fit([[float("nan")], [2.0]], [0, 1])

from sklearn.svm import SVC
SVC().fit(np.zeros((3, 0)), [0, 1, 1])

from sklearn.svm import SVC
SVC(probability=True).fit([[1.0], [2.0], [3.0]], [0, 1, 1]).predict_proba([[1.0]])

from sklearn.svm import SVC
SVC().fit([[1.0], [2.0], [3.0]], [0, 1, 1], sample_weight=[-1.0, float("inf"), 0.0])

from sklearn.svm import SVC
SVC().fit([[1.0], [2.0], [3.0]], [0, 1, 1], sample_weight=[1.0])

from sklearn.svm import SVC
model = SVC().fit([[1.0], [2.0], [3.0]], [0, 1, 1])
model.support_vectors_[:] = 9
model.support_[:] = 10**6
model.predict([[1.0]]), model.predict([[1.0, 2.0]])

from sklearn.svm import SVC
model = SVC().fit([[1.0], [2.0], [3.0]], [0, 1, 1])
model._n_support = [10**9]

from sklearn.svm import SVC
model = SVC().fit([[1.0], [2.0], [3.0]], [0, 1, 1])
model.set_params(kernel="precomputed").predict([[1.0]])

from sklearn.svm import SVC
model = SVC().fit([[1.0], [2.0], [3.0]], [0, 1, 1])
model.set_params(kernel="nothing").predict([[1.0]])

from sklearn.svm import SVC
SVC().fit(np.ones((5_000, 2)), np.arange(5_000) % 2)

from sklearn.linear_model import LogisticRegression
rows = np.random.default_rng(1).random((200, 19))
LogisticRegression(solver="liblinear", tol=1e-300, C=1e300).fit(rows, np.arange(200) % 2)

from sklearn.linear_model import LogisticRegression
rows = np.random.default_rng(1).random((200, 19)) * 10 ** np.linspace(-12, 25, 19)
LogisticRegression(solver="liblinear", tol=1e-300).fit(rows, np.arange(200) % 2)

from sklearn.preprocessing import FunctionTransformer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
rows = np.random.default_rng(1).random((200, 19)) * 100
steps = make_pipeline(FunctionTransformer(np.exp), LogisticRegression(solver="liblinear", tol=1e-300))
steps.fit(rows, np.arange(200) % 2)

from sklearn.linear_model import SGDClassifier
SGDClassifier(max_iter=10_000, tol=None).fit(np.ones((1_000, 190)), np.arange(1_000) % 2)

from sklearn.linear_model import SGDClassifier
SGDClassifier(loss=lambda a, b: setattr(vault, "treasury_cents", 0)).fit([[1.0], [2.0]], [0, 1])

from sklearn.neural_network import MLPClassifier
MLPClassifier((10**6, 10**6)).fit([[1.0], [2.0]], [0, 1])

from sklearn.neural_network import MLPClassifier
model = MLPClassifier((3,), verbose=True, max_iter=2).fit([[1.0], [2.0]], [0, 1])
model._optimizer, model._random_state

from sklearn.ensemble import GradientBoostingClassifier
model = GradientBoostingClassifier(n_estimators=2, verbose=9).fit([[1.0], [2.0]] * 5, [0, 1] * 5)
trees = model.estimators_
trees[0, 0].tree_, model._loss, model._rng, model.init_

from sklearn.ensemble import GradientBoostingClassifier
model = GradientBoostingClassifier(n_estimators=2).fit([[1.0], [2.0]] * 5, [0, 1] * 5)
model.estimators_[0, 0].fit([[1.0, 2.0]] * 4, [1.0, 2.0, 3.0, 4.0])
model.predict([[1.0]])

from sklearn.ensemble import GradientBoostingClassifier
model = GradientBoostingClassifier(n_estimators=2).fit([[1.0], [2.0]] * 5, [0, 1] * 5)
model.estimators_[1, 0].fit(np.ones((4, 900)), [1.0, 2.0, 3.0, 4.0])
model.predict([[1.0]])

from sklearn.ensemble import RandomForestClassifier
model = RandomForestClassifier(2).fit([[1.0], [2.0]] * 5, [0, 1] * 5)
model.estimators_[1].fit(np.random.default_rng(1).random((50, 900)), np.arange(50) % 2)
model.predict([[1.0]])

from sklearn.ensemble import GradientBoostingClassifier
GradientBoostingClassifier(init="zero", n_estimators=10**6).fit([[1.0], [2.0]] * 5, [0, 1] * 5)

from sklearn.ensemble import GradientBoostingRegressor
made = GradientBoostingRegressor(n_estimators=2)
made.fit([[1.0], [2.0]] * 5, [0.0, 1.0] * 5, monitor=lambda *_: setattr(vault, "treasury_cents", 0))

from sklearn.ensemble import AdaBoostClassifier
class Evil:
    def fit(self, *_, **__):
        vault.treasury_cents = 0
        return self
AdaBoostClassifier(Evil()).fit([[1.0], [2.0]], [0, 1])

from sklearn.ensemble import VotingClassifier
VotingClassifier([("a", open), ("b", print)]).fit([[1.0], [2.0]], [0, 1])

from sklearn.ensemble import BaggingClassifier
from sklearn.ensemble import StackingClassifier
inner = BaggingClassifier(n_estimators=200)
for _ in range(120):
    inner = BaggingClassifier(inner, n_estimators=200)
inner.fit([[1.0], [2.0]] * 5, [0, 1] * 5)

from sklearn.ensemble import BaggingClassifier
inner = BaggingClassifier(BaggingClassifier(n_estimators=200), n_estimators=200)
inner.fit(np.random.default_rng(1).random((2_000, 20)), np.arange(2_000) % 2)

from sklearn.datasets import load_iris
load_iris(filename="canary.html")

from sklearn.datasets import load_iris
iris = load_iris()
iris.data[:] = 0
iris["target"][:] = 7
iris._fields.clear()

from sklearn.datasets import load_iris
iris = load_iris()
iris.data[:] = 0
load_iris().data.sum() > 0 or 1 / 0

from sklearn.datasets import load_digits
load_digits(n_class=10**9), load_digits(n_class=[5])

from sklearn.datasets import make_circles, make_friedman1, make_swiss_roll
make_circles(n_samples=10**9), make_friedman1(n_samples=10**9), make_swiss_roll(n_samples=10**9)

import plotly.express as px
px.data.iris(return_type="polars"), px.data.gapminder(datetimes=True), px.data._get_dataset("../../x")

import plotly.express as px
px.data._get_dataset("../../x")

type(__import__)

from sklearn.datasets import load_iris
type(load_iris())({"data": 1}), type(load_iris())(5)
""",
}
