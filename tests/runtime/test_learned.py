"""What was learned from data is kept as plain data, and what was tampered with is not put together again."""

import base64
import copy
import json

import numpy as np
import pytest

from cave_sim import World
from cave_sim.runtime.graph.errors import Malformed
from cave_sim.runtime.graph.learned import ESTIMATOR
from tests.late_imports import LateImport
from tests.world.market import make_market

ensemble = LateImport("sklearn.ensemble")

LEARN = """
from sklearn.ensemble import RandomForestClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.cluster import KMeans
data = np.arange(40.0).reshape(20, 2) % 7
forest = make_pipeline(StandardScaler(), RandomForestClassifier(3)).fit(data, data[:, 0] > 3)
groups = KMeans(2, n_init=1).fit(data)
from sklearn.compose import make_column_transformer
from sklearn.preprocessing import OneHotEncoder
from sklearn.model_selection import KFold
table = pd.DataFrame({"a": data[:, 0], "b": list("xyzx" * 5)})
columns = make_column_transformer((OneHotEncoder(), ["b"]), remainder="passthrough").fit(table)
folds = KFold(2)
"""
ASK = "columns.transform(table)[2].tolist(), [len(test) for _, test in folds.split(data)], "
ASK += "forest.predict(data).tolist(), forest.predict_proba(data[:2]).tolist(), groups.predict(data).tolist()"


@pytest.fixture(scope="module")
def learned():
    """Return what ann's variables are kept as, after she has learned, and what they answer."""
    world = make_market(7)
    assert world.execute(LEARN, agent="ann").committed
    return world.interpreter.namespaces["ann"].data, world.execute(ASK, agent="ann").output, world


def reread(kept) -> World:
    world = make_market(7)
    world.interpreter.namespace("ann").put(json.loads(json.dumps(kept)))
    return world


def test_what_was_learned_answers_as_before_when_it_is_read_back(learned):
    kept, answer, _ = learned
    again = reread(kept)
    assert again.execute(ASK, agent="ann").output == answer
    assert again.interpreter.namespaces["ann"].data == kept


def test_it_comes_out_as_scikit_learns_own(learned):
    forest = learned[2].retrieve("forest", agent="ann")
    assert isinstance(forest[-1], ensemble.RandomForestClassifier)
    assert forest.predict(np.zeros((1, 2))).tolist() == [False]


def test_what_one_agent_hands_to_another_is_a_copy(learned):
    world = learned[2]
    world.inject("groups", learned[2].retrieve("groups", agent="ann"), agent="bob")
    assert "array" in world.execute("groups.cluster_centers_", agent="bob").output


def nodes_of(kept):
    """Yield the columns of nodes of each tree in what is kept."""
    waiting = [kept]
    while waiting:
        part = waiting.pop()
        if isinstance(part, dict):
            if "tree" in part:
                yield part["tree"]
            waiting += part.values()
        elif isinstance(part, list):
            waiting += part


def poke(array, place, value):
    """Return the form of an array with one of its numbers changed."""
    dtype, shape, data, order = array["array"]
    numbers = np.frombuffer(base64.b64decode(data), dtype).copy()
    numbers[place] = value
    return {"array": [dtype, shape, base64.b64encode(numbers.tobytes()).decode(), order]}


TAMPERED = {
    "a way out of the tree": lambda tree: tree[2].update(left_child=poke(tree[2]["left_child"], 0, 10**6)),
    "a way back": lambda tree: tree[2].update(right_child=poke(tree[2]["right_child"], 0, 0)),
    "a column that is not there": lambda tree: tree[2].update(feature=poke(tree[2]["feature"], 0, 10**6)),
    "more columns than the data have": lambda tree: tree[0]["tuple"].__setitem__(0, {"int": "9"}),
    "no nodes": lambda tree: tree[2].update({key: {"array": ["<i8", [0], "", False]} for key in tree[2]}),
    "code in place of numbers": lambda tree: tree.__setitem__(3, {"$function": "print"}),
    "an object": lambda tree: tree.__setitem__(3, {"estimator": ["SVC", {}]}),
}
VECTORS = """
from sklearn.svm import SVC
from sklearn.ensemble import GradientBoostingClassifier
data = np.arange(40.0).reshape(20, 2) % 7
vectors = SVC().fit(data, data[:, 0] // 3)
boost = GradientBoostingClassifier(n_estimators=3).fit(data, data[:, 0] > 3)
"""
SIZES = {
    "fewer vectors": ("vectors", lambda parts: parts.update(support_vectors_=ROWS)),
    "more columns": ("vectors", lambda parts: parts.update(n_features_in_={"int": "900"})),
    "more of a class": ("vectors", lambda parts: parts.update(_n_support=poke(parts["_n_support"], 0, 10**6))),
    "fewer than none": ("vectors", lambda parts: parts.update(_n_support=poke(parts["_n_support"], 0, -1))),
    "other coefficients": ("vectors", lambda parts: parts.update(_dual_coef_=ROWS)),
    "other bounds": ("vectors", lambda parts: parts.update(_intercept_=ROWS)),
    "one more probability": ("vectors", lambda parts: parts.update(_probA={"array": ["<f8", [1], ZERO, False]})),
    "another class": ("vectors", lambda parts: parts["classes_"]["array"].__setitem__(1, [1])),
    "rows of its own": ("vectors", lambda parts: parts.update(kernel="precomputed")),
    "holes": ("vectors", lambda parts: parts.update(_sparse=True)),
    "nothing learned": ("vectors", lambda parts: parts.pop("support_")),
    "stages of several classes": ("boost", lambda parts: parts.update(n_classes_={"int": "7"})),
    "trees of other columns": ("boost", lambda parts: parts.update(n_features_in_={"int": "900"})),
    "no stages": ("boost", lambda parts: parts.update(estimators_=ROWS)),
}
ZERO = base64.b64encode(np.zeros(1).tobytes()).decode()
ROWS = {"array": ["<f8", [1, 1], ZERO, False]}


@pytest.mark.parametrize("how", TAMPERED)
def test_a_tree_that_was_tampered_with_is_not_put_together_again(learned, how):
    kept = copy.deepcopy(learned[0])
    TAMPERED[how](next(nodes_of(kept)))
    turn = reread(kept).execute("forest.predict(data)", agent="ann")
    assert not turn.committed
    assert "forest cannot be read back" in turn.error


def test_words_that_no_array_has_are_refused():
    for content in (
        {"$json": {"estimator": ["KMeans", {"labels_": {"array": ["O", [1], "AAAA", False]}}]}},
        {"$json": 3},
    ):
        with pytest.raises(Malformed):
            ESTIMATOR.make(content, None)


@pytest.fixture(scope="module")
def by_parts():
    """Return what ann's variables are kept as, after she has learned by what is C all through."""
    world = make_market(7)
    turn = world.execute(VECTORS, agent="ann")
    assert turn.committed, turn.error
    return world.interpreter.namespaces["ann"].data


def estimator_in(kept):
    """Return the form of the first estimator in what is kept."""
    waiting = [kept]
    while waiting:
        part = waiting.pop()
        if isinstance(part, dict) and "estimator" in part:
            return part["estimator"][1]
        waiting += part.values() if isinstance(part, dict) else part if isinstance(part, list) else []
    raise AssertionError("there is none")


@pytest.mark.parametrize("how", SIZES)
def test_parts_of_other_sizes_are_not_put_together_again(by_parts, how):
    name, change = SIZES[how]
    kept = copy.deepcopy(by_parts)
    change(estimator_in(kept.get(name, kept)))
    turn = reread(kept).execute(f"{name}.predict(data)", agent="ann")
    assert not turn.committed
    assert f"{name} cannot be read back" in turn.error


def test_what_was_searched_voted_and_boosted_answers_as_before_when_it_is_read_back():
    world = make_market(7)
    learn = """
from sklearn.datasets import load_iris
from sklearn.ensemble import AdaBoostClassifier, GradientBoostingClassifier, VotingClassifier
from sklearn.metrics import f1_score, make_scorer
from sklearn.model_selection import GridSearchCV
from sklearn.svm import SVC
iris = load_iris()
pairs = [("a", SVC(probability=True)), ("b", GradientBoostingClassifier(n_estimators=3)), ("c", AdaBoostClassifier())]
vote = VotingClassifier(pairs, voting="soft").fit(iris.data, iris.target)
measure = make_scorer(f1_score, average="macro")
search = GridSearchCV(SVC(), {"C": [1, 9]}, scoring=measure, cv=3).fit(iris.data, iris.target)
"""
    ask = """(search.score(iris.data, iris.target), search.best_params_, search.cv_results_["param_C"].tolist(),
vote.predict_proba(iris.data[:3]).tolist(), iris.feature_names)"""
    turn = world.execute(learn, agent="ann")
    assert turn.committed, turn.error
    answer = world.execute(ask, agent="ann")
    assert answer.committed, answer.error
    assert reread(world.interpreter.namespaces["ann"].data).execute(ask, agent="ann").output == answer.output


def test_a_tree_that_a_cell_takes_from_a_forest_is_its_own():
    world = make_market(7)
    cell = """
from sklearn.ensemble import RandomForestClassifier
data = np.arange(40.0).reshape(20, 2) % 7
forest = RandomForestClassifier(3, random_state=1).fit(data, data[:, 0] > 3)
before = forest.predict(data).tolist()
forest.estimators_[1].fit(np.ones((4, 900)), [0, 1, 0, 1])
forest.predict(data).tolist() == before
"""
    assert world.execute(cell, agent="ann").output == "True"
