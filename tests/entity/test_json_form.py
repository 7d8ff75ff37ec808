"""Values that JSON has no notation for come back from their form as they were."""

import datetime as dt
import json

import pytest

from cave_sim.entity.json_form import (
    ATOMS,
    FLOAT,
    ITEMS,
    REF,
    SET,
    TUPLE,
    is_key,
    read_pairs,
    read_world_value,
    referenced,
    tag_of,
    write_pairs,
)  # fmt: skip
from cave_sim.errors import SchemaError

EXAMPLES = {
    "$date": dt.date(2012, 6, 1),
    "$datetime": dt.datetime(2012, 6, 1, 6, 10, 0, 5),
    "$time": dt.time(23, 59),
    "$timedelta": dt.timedelta(days=-1, seconds=3, microseconds=7),
    "$bytes": b"\x00\xff",
    "$range": range(1, 9, 2),
    "$complex": 1 - 2j,
    "$float": float("-inf"),
}
FORMS = {form.tag: form for form in (*ATOMS, FLOAT)}


@pytest.mark.parametrize("tag", FORMS)
def test_a_value_comes_back_from_a_file_as_it_was_written(tag):
    form, value = FORMS[tag], EXAMPLES[tag]
    written = form.write(value)
    data = json.loads(json.dumps(written))
    assert tag_of(data) == tag
    assert form.decode(data[tag]) == value
    assert type(form.decode(data[tag])) is type(value)


class Wandering(dt.tzinfo):
    """A zone of somebody's own."""


@pytest.mark.parametrize("tag", ["$datetime", "$time"])
def test_a_time_with_a_zone_comes_back_with_it_and_one_in_an_unknown_zone_is_refused(tag):
    zoned = EXAMPLES[tag].replace(tzinfo=dt.timezone(dt.timedelta(hours=2)), fold=1)
    found = FORMS[tag].decode(json.loads(json.dumps(FORMS[tag].write(zoned)))[tag])
    assert (repr(found), found.fold) == (repr(zoned), 1)
    with pytest.raises(SchemaError, match="Wandering cannot be kept"):
        FORMS[tag].write(zoned.replace(tzinfo=Wandering()))


@pytest.mark.parametrize("dictionary", [{}, {"bread": 2}, {1: 2}, {"$ref": "ann"}, {None: 1, "bread": 2}])
def test_a_dict_comes_back_and_is_never_taken_for_a_tag(dictionary):
    written = write_pairs(dictionary.items(), all(map(is_key, dictionary)))
    data = json.loads(json.dumps(written))
    assert dict(read_pairs(data)) == dictionary
    assert tag_of(data) in ("", ITEMS)
    assert referenced(data) is None


def test_what_a_field_holds_is_read_without_its_declaration():
    written = {"friends": [{REF: "ann"}], "place": {TUPLE: [1, {SET: [2]}]}, "prices": {ITEMS: [[1, {REF: "bob"}]]}}
    assert read_world_value(written, str.upper) == {"friends": ["ANN"], "place": (1, [2]), "prices": {1: "BOB"}}
