"""The reference is complete: names, options, limits and tables are those of the code."""

import argparse
import importlib
import re
import sqlite3
from contextlib import closing

import pytest

import cave_sim
from cave_sim.cli import parser
from cave_sim.journal.schema import TABLES
from cave_sim.policy.gate import CLASS_METHODS
from cave_sim.policy.scope import MODULES
from cave_sim.schedule import SCHEDULERS
from tests.docs.pages import ROOT, code_words, tables

REFERENCE = tables(ROOT / "docs" / "reference.md")
CELLS = tables(ROOT / "docs" / "cells.md")
JOURNAL = tables(ROOT / "docs" / "journal.md")


def first_words(rows):
    """Return the code words of the first column of a table."""
    return {word for row in rows for word in code_words(row[0])}


def options_of(command):
    """Return the options that a command of the command line takes, without --help."""
    subparsers = next(each for each in parser()._actions if isinstance(each, argparse._SubParsersAction))
    actions = subparsers.choices[command]._actions
    return {option for action in actions for option in action.option_strings} - {"-h", "--help"}


def constant(dotted):
    """Return a constant of cave_sim by its dotted name: `policy.gate.MAX_NODES`, or a default of `limits.Limits`."""
    module, _, name = dotted.rpartition(".")
    if module.endswith((".Limits", ".LIMITS")):
        module, _, holder = module.rpartition(".")
        limits = getattr(importlib.import_module(f"cave_sim.{module}"), holder)
        return getattr(limits() if isinstance(limits, type) else limits, name)
    return getattr(importlib.import_module(f"cave_sim.{module}"), name)


def test_every_public_name_has_its_line():
    assert first_words(REFERENCE["Public names"]) == set(cave_sim.__all__)


@pytest.mark.parametrize("command", ["run", "resume", "verify", "replay", "fork", "doctor", "log", "blame", "story", "bisect", "diff", "branches", "export"])
def test_every_option_of_a_command_has_its_line(command):
    assert {word.split()[0] for word in first_words(REFERENCE[f"cave-sim {command}"])} == options_of(command)


def test_every_command_has_its_section():
    subparsers = next(each for each in parser()._actions if isinstance(each, argparse._SubParsersAction))
    assert {f"cave-sim {command}" for command in subparsers.choices} <= REFERENCE.keys()


def test_every_scheduler_has_its_line():
    assert first_words(REFERENCE["Schedulers"]) >= SCHEDULERS.keys()


@pytest.mark.parametrize("row", REFERENCE["Limits"], ids=lambda row: row[0])
def test_a_limit_is_what_the_reference_says(row):
    _, value, name = row
    assert constant(name.strip("`")) == float(re.match(r"[\d,.]+", value)[0].replace(",", ""))


def test_the_modules_of_cells_are_those_that_may_be_imported():
    assert first_words(CELLS["Modules"]) == MODULES


def test_the_special_methods_of_cells_are_those_that_the_gate_lets_through():
    assert first_words(CELLS["Special methods"]) == CLASS_METHODS


def test_every_table_and_column_of_a_journal_has_its_line():
    with closing(sqlite3.connect(":memory:")) as journal:
        journal.executescript(TABLES)
        names = [name for (name,) in journal.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        columns = {name: {row[1] for row in journal.execute(f"PRAGMA table_info({name})")} for name in names}
    assert {name: first_words(JOURNAL.get(name, [])) for name in names} == columns
