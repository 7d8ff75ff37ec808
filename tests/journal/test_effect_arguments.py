"""Arguments that people edited are checked by the schema that the run keeps, which may be a stranger's."""

from typing import Literal

import pytest

from cave_sim.errors import SchemaError
from cave_sim.journal.effect_arguments import expect_taken
from cave_sim.world.tool_signature import signature_of


def ship(
    to: str,
    cents: int = 0,
    how: Literal["air", "sea"] = "sea",
    tags: list[str] | None = None,
    of: dict[str, int] | None = None,
): ...


SCHEMA = signature_of(ship).schema


@pytest.mark.parametrize(
    "arguments", [{"to": "bob"}, {"to": "bob", "cents": 5, "how": "air", "tags": ["a"], "of": {"tea": 1}}]
)
def test_what_fits_is_taken(arguments):
    expect_taken(SCHEMA, arguments)


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        ({}, "missing a required argument: 'to'"),
        ({"to": "bob", "colour": 1}, "unexpected keyword argument 'colour'; it takes to, cents"),
        ({"to": "bob", "cents": True}, r"argument cents: takes integer \(got True\)"),
        ({"to": "bob", "how": "rail"}, "argument how: takes one of 'air, sea'"),
        ({"to": "bob", "tags": ["a", 1]}, r"argument tags: item 1: takes string \(got 1\) or takes null"),
        ({"to": "bob", "of": {"tea": "one"}}, "argument of: 'tea': takes integer"),
    ],
)
def test_what_does_not_fit_is_named(arguments, why):
    with pytest.raises(SchemaError, match=why):
        expect_taken(SCHEMA, arguments)


@pytest.mark.parametrize("says", [5, {"$ref": "http://x.test/"}, {"type": 3, "anyOf": {}, "pattern": "(a+)+$"}])
def test_a_schema_of_any_shape_is_only_looked_at(says):
    expect_taken({"properties": {"to": says}, "required": "to"}, {"to": "a" * 50 + "!"})
    with pytest.raises(SchemaError, match="unexpected"):
        expect_taken(says, {"to": "bob"})
