"""Fits that fail, fits that would not end, and estimators that were set anew: nothing of them is half new."""

import pytest

from tests.policy import square

ROWS = "rows = np.random.default_rng(1).random((50, 30))\n"
TREE = "sklearn.tree.DecisionTreeRegressor(criterion='poisson')"
PIPELINE = f"""import sklearn.tree
from sklearn.pipeline import make_pipeline
made = make_pipeline({TREE}).fit(rows, rows[:, 0])"""
FAILING = {
    "a tree": (
        f"import sklearn.tree\nmade = {TREE}.fit(rows, np.arange(50.0))",
        "made.fit(rows[:, :1], -np.arange(50.0))",
    ),
    "support vectors": (
        "from sklearn.svm import SVC\nmade = SVC().fit(rows, np.arange(50) % 2)",
        "made.fit(rows[:, :1], np.arange(50) % 2, sample_weight=[1.0])",
    ),
    "a tree in a pipeline": (
        PIPELINE,
        "made.fit(rows[:, :1], -np.arange(50.0))",
    ),
}


@pytest.mark.parametrize("kind", FAILING)
def test_a_fit_that_fails_leaves_what_was_learned_before_and_it_is_kept(kind):
    world = square.build(deadline_s=10.0)
    fit, fail = FAILING[kind]
    first = world.execute(
        f"{ROWS}{fit}\nbefore = made.predict(rows).tolist()\n"
        f"try:\n    {fail}\nexcept ValueError as error:\n    print(error)",
        agent="ann",
    )
    assert first.output
    assert first.committed, first.error
    then = world.execute("print(made.n_features_in_, made.predict(rows).tolist() == before)", agent="ann")
    assert then.output == "30 True\n", then.error
    assert "expecting 30 features" in world.execute("made.predict([[1.0]])", agent="ann").error


@pytest.mark.parametrize("steps", ["made = PolynomialFeatures(1)", "made = make_pipeline(PolynomialFeatures(1))"])
def test_columns_are_made_by_the_parameters_that_were_learned_with(steps):
    name = "polynomialfeatures__include_bias" if "pipeline" in steps else "include_bias"
    turn = square.build().execute(
        "from sklearn.preprocessing import PolynomialFeatures\nfrom sklearn.pipeline import make_pipeline\n"
        f"{steps}\nmade.fit([[3.0]])\nmade.set_params({name}=False)\n"
        "try:\n    made.transform([[3.0]])\nexcept ValueError as error:\n    print(error)\n"
        "print(made.fit_transform([[3.0]]).tolist())",
        agent="ann",
    )
    assert "not fitted yet" in turn.output
    assert turn.output.endswith("[[3.0]]\n"), turn.error


def test_fits_that_failed_tell_why_and_nothing_of_where_files_lie():
    turn = square.build().execute(
        "from sklearn.model_selection import cross_val_score\nfrom sklearn.linear_model import Ridge\n"
        "cross_val_score(Ridge(alpha=-1), [[1.0]] * 9, [1.0] * 9)",
        agent="ann",
    )
    assert "error:\nInvalidParameterError: The 'alpha' parameter of Ridge" in turn.error
    assert "File " not in turn.error
    assert "Traceback" not in turn.error


REFUSED = {
    "rows that a part names again": """
from sklearn.model_selection import cross_val_score
from sklearn.neighbors import KNeighborsRegressor
places = np.arange(95_000) % 2_000
cross_val_score(KNeighborsRegressor(), np.ones((2_000, 2)), np.ones(2_000), cv=[(places, places)])""",
    "rounds of sag": """
from sklearn.linear_model import Ridge
Ridge(solver="sag", tol=0, max_iter=10_000).fit(np.ones((20_000, 9)), np.ones(20_000))""",
    "rounds of saga, of many classes": """
from sklearn.linear_model import LogisticRegression
LogisticRegression(solver="saga", max_iter=1_000).fit(np.ones((2_000, 50)), np.arange(2_000) % 100)""",
    "support vectors of many classes": """
from sklearn.svm import SVC
SVC(probability=True).fit(np.ones((2_000, 95)), np.arange(2_000) % 100)""",
    "a matrix of another size": """
from sklearn.neighbors import NearestNeighbors
NearestNeighbors(metric="mahalanobis", metric_params={"VI": np.eye(3)}).fit(np.ones((5, 50)))""",
    "a matrix of another size, of a measure": """
from sklearn.metrics import silhouette_score
silhouette_score(np.ones((5, 5)), [0, 1, 0, 1, 1], metric="mahalanobis", VI=np.eye(1))""",
    "samples beyond what there is": """
from sklearn.ensemble import BaggingRegressor
from sklearn.neighbors import KNeighborsRegressor
BaggingRegressor(KNeighborsRegressor(), max_samples=200_000).fit(np.ones((20, 2)), np.ones(20))""",
    "more than all samples": """
from sklearn.ensemble import RandomForestClassifier
RandomForestClassifier(max_samples=50.0)""",
    "digits without end": """
from sklearn.metrics import classification_report
classification_report([0, 1], [0, 1], digits=10**7)""",
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_c_would_do_for_minutes_or_with_the_wrong_sizes_is_refused(case):
    turn = square.build(deadline_s=10.0).execute(REFUSED[case], agent="ann")
    assert (turn.status, "Refused by the policy" in turn.error) == ("blocked", True), turn.error


def test_parts_of_data_are_named_by_rows_or_by_masks():
    turn = square.build(deadline_s=10.0).execute(
        "from sklearn.model_selection import KFold, cross_val_score\nfrom sklearn.linear_model import Ridge\n"
        "rows = np.arange(20.0).reshape(10, 2)\nmask = np.arange(10) < 6\n"
        "for parts in (list(KFold(2).split(rows)), [(mask, ~mask)]):\n"
        "    print(len(cross_val_score(Ridge(), rows, rows[:, 0], cv=parts)))",
        agent="ann",
    )
    assert turn.output == "2\n1\n", turn.error
