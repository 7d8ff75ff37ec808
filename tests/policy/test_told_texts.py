"""Texts that numpy and pandas make of objects tell no place in memory, and all other texts are as they were."""

import re

import numpy as np
import pandas as pd
import pytest

from tests.policy import square
from tests.policy.hostile import scripts
from tests.policy.hostile_texts import PAGES

HOSTILE = [script for page in PAGES.values() for script in scripts(page)]


@pytest.mark.parametrize("script", HOSTILE)
def test_no_text_of_a_library_tells_where_something_lies(script):
    world = square.build()
    turn = world.execute(script, "ann")
    assert turn.status == "committed", turn.error
    assert not re.search(r"[0-9a-f]{6}|0x", world["ann"].plan), world["ann"].plan


@pytest.mark.parametrize(
    ("expression", "plan"),
    [
        ("np.array(['a', 1])[1]", "1"),
        ("np.array([1.5, None], dtype=object).astype(str)[1]", "None"),
        ("np.str_(1.5)", "1.5"),
        ("str(isinstance(np.array(['a'])[0], np.str_))", "True"),
        ("str(np.issubdtype(np.array(['a']).dtype, np.str_))", "True"),
        ("np.array(['a'], dtype=np.str_)[0]", "a"),
        ("pd.Series([1, 'b', None]).astype(str)[0]", "1"),
        ("pd.Series(['a', 'b']).astype('category').astype(str)[1]", "b"),
        ("pd.DataFrame({'a': [1]}).add_prefix('x_').columns[0]", "x_a"),
        ("pd.Series([(1, 2)]).astype(str)[0]", "(1, 2)"),
    ],
)
def test_other_texts_are_as_they_were(expression, plan):
    world = square.build()
    assert world.execute(f"me.plan = str({expression})", "ann").status == "committed"
    assert world["ann"].plan == plan


@pytest.mark.parametrize(
    "value", ["'cd'", "7", "['cd']", "np.array(['cd'])", "np.array([7])", "1.5", "None", "np.float64(2.5)", "b'x'"]
)
def test_items_of_arrays_of_texts_are_written_as_numpy_does(value):
    world = square.build()
    turn = world.execute(f"texts = np.array(['ab', 'longer one'])\ntexts[:1] = {value}\nme.plan = texts[0]", "ann")
    texts = np.array(["ab", "longer one"])
    texts[:1] = eval(value)
    assert turn.status == "committed", turn.error
    assert world["ann"].plan == texts[0]


def test_pandas_is_what_it_was_when_no_cell_runs():
    before = pd.Categorical.astype, pd._libs.lib.ensure_string_array
    square.build().execute("me.plan = pd.Series([len], dtype=str)[0]", "ann")
    assert (pd.Categorical.astype, pd._libs.lib.ensure_string_array) == before
