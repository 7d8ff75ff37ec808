"""Of each estimator that cells have: chance is the agent's own stream, and it is kept as any variable."""

import numpy as np
import pytest

from cave_sim.policy.libraries.estimators import KINDS
from tests.long_cases import cases
from tests.policy import square

MADE = {name: f"{name}()" for name in KINDS} | {
    "ColumnTransformer": 'ColumnTransformer([("a", KBinsDiscretizer(2, strategy="kmeans"), [0])])',
    "Pipeline": 'Pipeline([("a", PCA(1, svd_solver="randomized")), ("b", RandomForestClassifier(3))])',
    **{
        name: f"{name}(DecisionTreeClassifier())"
        for name in ("RFE", "SelectFromModel", "MultiOutputClassifier", "OneVsOneClassifier", "OneVsRestClassifier")
    },
    **{
        name: f'{name}([("a", RandomForestClassifier(3)), ("b", DummyClassifier())])'
        for name in ("StackingClassifier", "VotingClassifier")
    },
    **{
        name: f'{name}([("a", RandomForestRegressor(3)), ("b", DummyRegressor())])'
        for name in ("StackingRegressor", "VotingRegressor")
    },
    "MultiOutputRegressor": "MultiOutputRegressor(DecisionTreeRegressor())",
    "MLPClassifier": "MLPClassifier((3,), max_iter=5)",
    "MLPRegressor": "MLPRegressor(hidden_layer_sizes=(3,), max_iter=5)",
    "GridSearchCV": 'GridSearchCV(RandomForestClassifier(3), {"max_depth": [1, 2]}, cv=2)',
    "RandomizedSearchCV": 'RandomizedSearchCV(RandomForestClassifier(3), {"max_depth": randint(1, 9)}, n_iter=2, cv=2)',
    "SelectKBest": "SelectKBest(k=1)",
    "StratifiedKFold": "StratifiedKFold(shuffle=True)",
    "KFold": "KFold(shuffle=True)",
}
MORE = {
    "KBinsDiscretizer": 'KBinsDiscretizer(3, strategy="kmeans")',
    "ElasticNet": 'ElasticNet(selection="random", max_iter=3)',
    "NMF": 'NMF(2, init="random", max_iter=5)',
    "NMF, shuffled": 'NMF(2, solver="cd", shuffle=True, max_iter=5)',
    "PCA": 'PCA(1, svd_solver="arpack")',
    "LogisticRegression": 'LogisticRegression(solver="saga", max_iter=3)',
    "Ridge": 'Ridge(solver="sag", max_iter=3)',
    "SVC": "SVC(probability=True)",
    "GradientBoostingClassifier": "GradientBoostingClassifier(n_estimators=3, subsample=0.5)",
    "GridSearchCV": 'GridSearchCV(SVC(), {"C": [1, 2]}, scoring=make_scorer(f1_score, average="macro"), cv=2)',
    "GridSearchCV, several": 'GridSearchCV(Pipeline([("a", PCA(1)), ("b", SVC())]), '
    '[{"b": [DecisionTreeClassifier()]}, {"b__C": [1]}], cv=2)',
    "GridSearchCV, measures": 'GridSearchCV(Ridge(), {"alpha": np.logspace(-2, 2, 3)}, '
    'scoring=["r2", "neg_mean_squared_error"], refit="r2", cv=3)',
    "TransformedTargetRegressor": "TransformedTargetRegressor(RandomForestRegressor(2), func=np.log1p, "
    "inverse_func=np.expm1)",
    "BaggingClassifier": "BaggingClassifier(SVC(), n_estimators=3, max_features=0.6)",
    "LassoCV": "LassoCV(cv=ShuffleSplit(3))",
    "LogisticRegressionCV": "LogisticRegressionCV(Cs=2, cv=RepeatedKFold(n_splits=2, n_repeats=2), max_iter=5)",
}
CASES = {f"{name}, as it is": made for name, made in MADE.items()} | {
    f"{name}, drawing": each for name, each in MORE.items()
}
USUAL = [*CASES][::4]
"""Estimators that stand for the others, which are made by the same rules: `make long` tries each."""
IMPORTS = (
    "\n".join(f"from sklearn.{module} import {name}" for name, module in KINDS.items())
    + """
from scipy.stats import randint
from sklearn.metrics import f1_score, make_scorer
X = np.arange(60.0).reshape(20, 3) % 7 + np.arange(20.0)[:, None] % 3
y = np.arange(20) * 7 % 3 % 2
Y = np.c_[y, 1 - y]
"""
)
SPLIT = "[test.tolist() for _, test in made.split(X, y, y * 2 + np.arange(20) % 5)]"
FIT = """(made.fit({data}), [getattr(made, each)({rows}).tolist()
for each in ("predict", "transform", "score_samples", "fit_transform", "fit_predict") if hasattr(made, each)])[1]"""


def use_of(name: str) -> str:
    """Return an expression that uses a variable `made` of a kind in all ways that may draw."""
    if KINDS[name] == "multioutput":
        return FIT.format(data="X, Y", rows="X")
    if KINDS[name] == "model_selection" and "Search" not in name:
        return SPLIT
    if name in ("LabelEncoder", "LabelBinarizer"):
        return FIT.format(data="y", rows="y")
    return FIT.format(data="X, y", rows="X").replace(
        "each)(X)", 'each)(*((X, y) if each == "fit_transform" else (X,)))'
    )


def told(case: str) -> list[str]:
    """Return what a world's cells are told of an estimator that is made in one turn and used in two others."""
    world = square.build(deadline_s=30.0, ticks=300_000)
    cells = [IMPORTS, f"made = {CASES[case]}", use := use_of(case.partition(",")[0]), f"again = made\n{use}"]
    turns = [world.execute(cell, agent="ann") for cell in cells]
    assert [turn.status for turn in turns] == ["committed"] * 4, [turn.error for turn in turns]
    return [turn.output for turn in turns]


@pytest.mark.filterwarnings("ignore")  # of fits that were cut short
@pytest.mark.parametrize("case", cases(CASES, lambda case: case not in USUAL))
def test_an_estimator_draws_from_the_agents_stream_alone_and_is_kept(case):
    before = np.random.get_state()
    first = told(case)
    after = np.random.get_state()
    assert (before[2], before[1].tolist()) == (after[2], after[1].tolist())
    np.random.random(7)
    assert told(case) == first
    assert first[2]
