"""The small repository that is edited: a basket of goods, its tests, and the issue that asks for a discount."""

BASKET = '''"""A basket of goods."""


def total_cents(lines):
    """Return what all lines cost: (pieces, price in cents) each."""
    return sum(pieces * price for pieces, price in lines)
'''
TESTS = """import unittest

from basket import total_cents


class Totals(unittest.TestCase):
    def test_an_empty_basket_costs_nothing(self):
        self.assertEqual(total_cents([]), 0)

    def test_lines_add_up(self):
        self.assertEqual(total_cents([(2, 150), (1, 99)]), 399)

    def test_twenty_of_one_kind_are_cheaper(self):
        self.assertEqual(total_cents([(20, 100)]), 1900)
"""
FILES = {"basket.py": BASKET, "test_basket.py": TESTS}
ISSUE = "A line of 10 pieces or more gets 5 % off, rounded half up to whole cents. One test asks for it, and fails."

HASTY = '''"""A basket of goods."""

MANY, PERCENT_OFF = 10, 5


def total_cents(lines):
    """Return what all lines cost: (pieces, price in cents) each; many of one kind are cheaper."""
    return sum(_line_cents(pieces, price) for pieces, price in lines)


def _line_cents(pieces, price):
    cents = pieces * price
    return cents * (100 - PERCENT_OFF) // 100 if pieces > MANY else cents
'''
"""Passes the tests that there are; wrong at exactly ten pieces, and in rounding."""
RIGHT = HASTY.replace(
    "cents * (100 - PERCENT_OFF) // 100 if pieces > MANY", "(cents * (100 - PERCENT_OFF) + 50) // 100 if pieces >= MANY"
)
EDGES = """import unittest

from basket import total_cents


class Edges(unittest.TestCase):
    def test_ten_pieces_are_many_and_nine_are_not(self):
        self.assertEqual(total_cents([(10, 100)]), 950)
        self.assertEqual(total_cents([(9, 100)]), 900)

    def test_half_a_cent_is_rounded_up(self):
        self.assertEqual(total_cents([(10, 1)]), 10)
        self.assertEqual(total_cents([(11, 10)]), 105)
"""
