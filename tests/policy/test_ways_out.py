"""What ordinary Python reads and cells do not is refused with what to write in its place."""

import pytest

from tests.policy import square

WAYS_OUT = {
    "the cause of an error": ("ValueError().__cause__", "write the first error into an attribute of the second one"),
    "setting past a frozen class": (
        "object.__setattr__(me, 'a', 1)",
        "what a frozen dataclass works out, as",
    ),
    "members of an enum": ("Citizen.__members__", "write list(Colour)"),
    "names of a pattern": ("Citizen.__match_args__", "write the names themselves"),
    "classes below": ("int.__subclasses__()", "issubclass(kind, other), or keep classes in a list"),
    "Python's own errors of syntax": ("SyntaxError('x')", "write a class below ValueError"),
    "how values are spread": ("from scipy.stats import ecdf", "take np.sort(values)"),
    "points that fill a space": ("from scipy.stats import qmc", "draw by np.random.default_rng().random((n, d))"),
    "that module itself": ("import scipy.stats.qmc", "draw by np.random.default_rng().random((n, d))"),
    "columns of a structured array": ("import numpy.lib.recfunctions as rfn", "keep columns in a pd.DataFrame"),
    "what one column does": ("from sklearn.inspection import partial_dependence", "take the mean of predict()"),
    "bytes of an array": ("np.zeros(2).tobytes()", "take tolist(), and struct.pack or bytes of that"),
    "a template of a match": ("import re\nre.match('(a)', 'a').expand('x')", "a text of match['name'], or take sub"),
    "how long learning takes": (
        "from sklearn.model_selection import learning_curve as curve\ncurve(1, [[1.0]], [1.0], return_times=True)",
        "return_times= tells how fast this machine is, and no two are alike; leave it out",
    ),
    "a score that is not taken": (
        "from sklearn.feature_selection import SelectKBest, mutual_info_classif\nSelectKBest(mutual_info_classif)",
        "are chi2, f_classif, f_regression, r_regression, not mutual_info_classif",
    ),
    "hints of types": ("from typing import get_type_hints", "ask dataclasses.fields"),
    "a function of objects for arrays": ("np.frompyfunc(len, 1, 1)", "take np.vectorize"),
    "whether arrays share memory": ("np.shares_memory(np.zeros(1), np.zeros(1))", "take np.may_share_memory"),
}


@pytest.mark.parametrize(("cell", "words"), WAYS_OUT.values(), ids=WAYS_OUT)
def test_a_refusal_says_what_to_write_instead(cell, words):
    turn = square.build().execute(cell, agent="ann")
    assert turn.status in ("blocked", "failed")
    assert words in turn.error


def test_notes_of_an_error_are_read_and_only_texts_are_noted():
    world = square.build()
    assert world.execute("e = ValueError('a')\ne.add_note('b')\ne.__notes__.append(5)\ne.__notes__").output == "['b']"
    assert world.execute("e.__notes__, getattr(KeyError(), '__notes__', 'none')").output == "(['b'], 'none')"


def test_json_is_written_as_python_writes_it():
    cell = "import json\nprint(json.dumps('é'), json.dumps('é', ensure_ascii=False))"
    assert square.build().execute(cell).output == '"\\u00e9" "é"\n'


READ_ONLY = {
    "an item of .flat": "a.T.flat[0] = 9",
    "items of .flat": "a[:, ::2].flat[:2] = [1, 2]",
    "what was stretched": "np.broadcast_to(a[0], (2, 3))[0, 0] = 1",
    "the result of a function": "np.add(1, 1, out=np.broadcast_to(a[0], (2, 3)))",
    "a shape": "a.shape = (3, 2)",
    "a type": "a.dtype = 'float64'",
    ".flat itself": "a.flat = 3",
}


@pytest.mark.parametrize("kind", READ_ONLY)
def test_what_is_not_written_of_an_array_says_how_it_is_written(kind):
    turn = square.build().execute(f"a = np.arange(6).reshape(2, 3)\n{READ_ONLY[kind]}", agent="ann")
    assert turn.status in ("failed", "blocked")
    assert "x.copy()" in turn.error or "array[...] = value" in turn.error, turn.error


def test_no_text_of_an_error_is_asked_for_where_it_is_told():
    cell = """
class Sly:
    def __str__(self):
        me.plan = "told"
        return "it is read-only"
raise ValueError(Sly())
"""
    world = square.build()
    turn = world.execute(cell, agent="ann")
    assert turn.status == "failed"
    assert "read-only" not in turn.error
    assert world["ann"].plan == ""
