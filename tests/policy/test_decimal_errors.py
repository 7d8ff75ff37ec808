"""What a Decimal is not computed with, it is told in Python's own words."""

import decimal

import pytest

from tests.policy import square

SIGNS = ("+", "-", "*", "/", "//", "%", "**")
OTHERS = ("1.5", "2j", "None")
SUMS = [
    *(f"Decimal(2) {sign} {other}" for sign in SIGNS for other in OTHERS),
    *(f"{other} {sign} Decimal(2)" for sign in SIGNS for other in OTHERS),
    *("divmod(Decimal(2), 1.5)", "divmod(1.5, Decimal(2))", "sum([Decimal(1), 0.5])"),
]


def test_the_error_is_pythons():
    cell = ["from decimal import Decimal"]
    expected = []
    for each in SUMS:
        with pytest.raises(TypeError) as raised:
            eval(each, {"Decimal": decimal.Decimal})
        expected.append(str(raised.value))
        cell.append(f"try:\n    {each}\nexcept TypeError as error:\n    print(error)")
    turn = square.build().execute("\n".join(cell), agent="ann")
    assert turn.output.splitlines() == expected, turn.error


def test_what_a_class_of_a_cell_makes_of_a_decimal_is_its_own():
    cell = """
from decimal import Decimal
class Money:
    def __radd__(self, other):
        return "both"
print(Decimal(1) + Money(), Decimal(3) + 4, 4 * Decimal(3))
"""
    assert square.build().execute(cell, agent="ann").output == "both 7 12\n"
