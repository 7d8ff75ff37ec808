"""Values, paths and changes read as people write them."""

import pytest

from cave_sim.history.wording import change_text, part_text, path_text, value_text


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
