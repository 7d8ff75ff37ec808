"""Values, paths and changes read as people write them."""

import numpy as np
import pandas as pd
import pytest

from cave_sim.entity.codecs import codec_of
from cave_sim.history.wording import change_text, part_text, path_text, third_person, told_apart, value_text


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ((("hunger",), "set", 0.7, 0.1), "hunger 0.7 → 0.1"),
        ((("guests", {"$ref": "ann"}), "add", None, None), "guests + ann"),
        ((("plan", "18:00"), "delete", "meet bob", None), 'plan["18:00"] "meet bob" → gone'),
        ((("diary",), "splice", {"at": 0, "items": ["a"]}, {"at": 0, "items": ["b"]}), 'diary - "a", + "b"'),
        (((), "create", None, {"type": "Guest", "fields": {}}), "created"),
    ],
)
def test_a_change_is_told_in_a_few_words(change, text):
    assert change_text(*change) == text


def test_a_reference_reads_as_the_name():
    assert value_text({"friends": [{"$ref": "ann"}]}) == '{"friends": ["ann"]}'
    assert path_text(("guests", {"$ref": "ann"})) == 'guests["ann"]'
    assert part_text({"$ref": "ann"}) == "ann"


def test_a_long_value_is_cut():
    assert value_text("x" * 100, width=10) == '"xxxxxxxx…'


@pytest.mark.parametrize(
    ("held", "told"),
    [
        (np.array([0.5, 2.0]), "[0.5, 2.0]"),
        (np.arange(4).reshape(2, 2), "[[0, 1], [2, 3]]"),
        (np.array(7), "[7]"),
        (pd.DataFrame({"day": ["Mon", "Tue"], "l": [1.5, None]}), '{"day": ["Mon", "Tue"], "l": [1.5, NaN]}'),
    ],
)
def test_arrays_and_tables_are_shown_by_what_is_in_them(held, told):
    data = codec_of(type(held)).snapshot(held)
    assert value_text(data) == told
    assert change_text(("held",), "patch", None, {"data": data}) == f"held changed to {value_text(data)}"


@pytest.mark.parametrize("broken", [{"dtype": "O"}, {"shape": [3]}, {"base64": "%"}, {"dtype": None}])
def test_what_only_looks_like_an_array_is_shown_as_nothing(broken):
    assert value_text({**codec_of(np.ndarray).snapshot(np.arange(4)), **broken}) == "[]"


def test_two_long_values_are_shown_where_they_part():
    one, other = told_apart(["the same beginning"] * 9 + ["ann"], ["the same beginning"] * 9 + ["bob"], 40)
    assert one.startswith("…")
    assert "ann" in one
    assert "bob" in other
    assert max(len(one), len(other)) <= 40


@pytest.mark.parametrize(
    ("verb", "done"),
    [("sell", "sells"), ("go", "goes"), ("try", "tries"), ("play", "plays"), ("pass", "passes"), ("sits", "sits")],
)
def test_a_verb_is_told_as_somebody_does_it(verb, done):
    assert third_person(verb) == done
