"""The list of mutants does not rot: each still finds its place, and is still Python with its mistake in it."""

import ast

import pytest

from tests.mutants.listed import MUTANTS
from tests.mutants.mutant import ROOT

FEWEST = 100


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_a_mutant_finds_its_place_exactly_once_and_is_python(mutant):
    assert ast.dump(ast.parse(mutant.text())) != ast.dump(ast.parse((ROOT / mutant.file()).read_text()))


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_the_tests_that_should_notice_are_there(mutant):
    assert [test for test in mutant.tests if not (ROOT / "tests" / test).is_file()] == []


def test_there_are_enough_and_each_has_a_name_of_its_own():
    assert len(MUTANTS) >= FEWEST
    assert len({mutant.name for mutant in MUTANTS}) == len(MUTANTS)
