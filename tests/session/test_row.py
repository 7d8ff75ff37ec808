"""Rows are frozen all the way down, and plain."""

import json

import pytest

from cave_sim.errors import SchemaError
from cave_sim.models.base import Usage
from cave_sim.session.row import KINDS, Row, SessionError


def make(**fields):
    return Row(**{"id": "s#0", "kind": "user", "text": "hello", "agent": "ann", **fields})


def test_a_row_cannot_be_changed():
    with pytest.raises(AttributeError):
        make().text = "bye"


def test_the_data_of_a_row_cannot_be_changed_through_the_back_door():
    given = {"hits": [{"score": 1}]}
    row = make(data=given)
    given["hits"][0]["score"] = 2
    assert row.data["hits"][0]["score"] == 1
    with pytest.raises(TypeError):
        row.data["hits"] = ()
    with pytest.raises(TypeError):
        row.data["hits"][0]["score"] = 2


@pytest.mark.parametrize("kind", [*KINDS, "evidence_packet"])
def test_kinds_are_open(kind):
    assert make(kind=kind).kind == kind


@pytest.mark.parametrize("kind", ["", "Cell", "two words", "x" * 33, "ends\n"])
def test_a_kind_is_a_name(kind):
    with pytest.raises(SchemaError, match="lower-case letters"):
        make(kind=kind)


@pytest.mark.parametrize("text", [5, None, b"said"])
def test_a_text_is_a_text(text):
    with pytest.raises(SchemaError, match="what is no text goes into data"):
        make(text=text)


@pytest.mark.parametrize("data", [{"f": print}, {"x": float("nan")}, {1: "a"}])
def test_data_that_is_not_plain_is_refused_with_the_rows_name(data):
    with pytest.raises(SchemaError, match="row s#0"):
        make(data=data)


def test_half_a_surrogate_pair_does_not_stop_a_run():
    assert make(text="a\ud83db").text == "a\ufffdb"


def test_rows_survive_json():
    row = make(kind="tool_result", step=3, time_s=1_800.0, usage=Usage(10, 5, 2), data={"args": [1, {"deep": None}]})
    assert Row.from_data(json.loads(json.dumps(row.to_data()))) == row


def test_rows_can_be_put_into_a_set():
    assert len({make(data={"a": 1}), make(data={"a": 1})}) == 1


@pytest.mark.parametrize("damage", [{"usage": {"teaspoons": 3}}, {"colour": "red"}, {"data": [1]}, {"text": None}])
def test_a_damaged_row_is_named(damage):
    with pytest.raises(SessionError, match="'s#0' cannot be read"):
        Row.from_data({**make().to_data(), **damage})


@pytest.mark.parametrize("kind", [*KINDS, "tool"])
@pytest.mark.parametrize("data", [{}, {"reason": "model"}])
def test_a_row_of_any_kind_is_read_as_it_was_written(kind, data):
    row = make(kind=kind, data=data)
    assert Row.from_data(row.to_data()) == row
