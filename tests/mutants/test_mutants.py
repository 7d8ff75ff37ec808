"""The list of mutants does not rot: each still finds its place, and is still Python with its mistake in it."""

import ast

import pytest

from tests.mutants.__main__ import main
from tests.mutants.listed import MUTANTS
from tests.mutants.mutant import ROOT, Mutant

FEWEST = 100


@pytest.mark.long
@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_a_mutant_finds_its_place_exactly_once_and_is_python(mutant):
    assert ast.dump(ast.parse(mutant.text())) != ast.dump(ast.parse((ROOT / mutant.file()).read_text()))


def test_the_code_has_not_moved_on_from_under_a_mutant():
    """All at once, because it is cheap: whoever moves a line sees here that a mutant has to move with it."""
    assert [mutant.name for mutant in MUTANTS if mutant.is_stale()] == []


def test_the_tests_that_should_notice_are_there():
    named = {(mutant.name, test) for mutant in MUTANTS for test in mutant.tests}
    assert {(name, test) for name, test in named if not (ROOT / "tests" / test).is_file()} == set()


def test_there_are_enough_and_each_has_a_name_of_its_own():
    assert len(MUTANTS) >= FEWEST
    assert len({mutant.name for mutant in MUTANTS}) == len(MUTANTS)


def test_a_mutant_whose_place_is_gone_is_told_from_those_that_can_be_made(monkeypatch, capsys):
    gone = Mutant("a rule that is no more", "cave_sim/policy", "if the_rule_of_old:", "if False:", ())
    monkeypatch.setattr("tests.mutants.__main__.MUTANTS", [gone, MUTANTS[0]])
    monkeypatch.setattr("sys.argv", ["mutants", "--list"])
    assert main() == 1
    shown = capsys.readouterr()
    assert shown.err == "stale: a rule that is no more: what it changes is not in cave_sim/policy exactly once\n"
    assert shown.out == f"{MUTANTS[0].file()}: {MUTANTS[0].name}\n"
