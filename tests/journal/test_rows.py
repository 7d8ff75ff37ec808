"""Turns and changes come back from their rows as they were."""

from cave_sim import Change, Turn
from cave_sim.journal.rows import change_of_columns, columns_of_change, from_text, row_of_turn, rows_of_changes, to_text

CHANGES = [
    Change("ann", (), "create", None, {"type": "Guest", "fields": {"mood": 0.5}}),
    Change("ann", ("belongings", "bread"), "set", 1, 2),
    Change("town", ("guests", {"$ref": "ann"}), "add", None, None),
    Change("town", ("events",), "splice", {"at": 0, "items": []}, {"at": 0, "items": [2**70]}),
]
TURN = Turn(7, 3, "ann", "me.mood = 1", "committed", CHANGES, "ok", None, 0.25, {"prompt_tokens": 9}, None)


def test_a_change_comes_back_from_its_columns():
    assert [change_of_columns(*columns_of_change(change)) for change in CHANGES] == CHANGES


def test_the_changes_of_a_turn_are_numbered_in_their_order():
    assert [row[:2] for row in rows_of_changes(TURN)] == [(7, 0), (7, 1), (7, 2), (7, 3)]


def test_a_turn_without_usage_leaves_that_column_empty():
    free = Turn(8, 3, "ann", "", "failed", [], error="no")
    assert row_of_turn(TURN, "cell")[-1] == '{"prompt_tokens":9}'
    assert row_of_turn(free, None)[-1] is None


def test_a_column_without_a_value_stays_empty():
    assert (to_text(None), from_text(None)) == (None, None)
    assert from_text(to_text({"zero": 0})) == {"zero": 0}
