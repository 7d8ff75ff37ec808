"""The reference is complete: names, options, limits and tables are those of the code."""

import argparse
import importlib
import re
import sqlite3
from contextlib import closing

import pytest

import cave_sim
from cave_sim import MissingExtra, models, open_run
from cave_sim.cli.parser import parser
from cave_sim.journal.tables import TABLES
from cave_sim.loading.entry_points import PAPERS, STUDIES, installed
from cave_sim.policy.ast_check import CLASS_METHODS
from cave_sim.policy.scope import MODULES
from cave_sim.replay.recipe import Recipe
from cave_sim.replay.simulation_names import available, find
from cave_sim.simulation.schedulers import SCHEDULERS
from tests.docs.pages import ROOT, code_words, tables

REFERENCE = tables(ROOT / "docs" / "reference.md")
CELLS = tables(ROOT / "docs" / "cells.md")
JOURNAL = tables(ROOT / "docs" / "journal.md")


def first_words(rows):
    """Return the code words of the first column of a table."""
    return {word for row in rows for word in code_words(row[0])}


def subcommands():
    """Return the parsers of all commands of the command line, by name."""
    return next(each for each in parser()._actions if isinstance(each, argparse._SubParsersAction)).choices


def options_of(command):
    """Return the options that a command of the command line takes, without --help."""
    options = {option for action in subcommands()[command].load()._actions for option in action.option_strings}
    return options - {"-h", "--help"}


def noted():
    """Return the kinds of events that our source notes in a journal, where they stand there as a word."""
    sources = [path.read_text(encoding="utf-8") for path in (ROOT / "cave_sim").rglob("*.py")]
    return {kind for source in sources for kind in re.findall(r"""(?:note|events\.append)\(\(?"(\w+)", """, source)}


def constant(dotted):
    """Return a constant by its dotted name, as `cave_sim.policy.ast_check.MAX_NODES`; or a default of `Limits`."""
    module, _, name = dotted.rpartition(".")
    if module.endswith((".Limits", ".LIMITS")):
        module, _, holder = module.rpartition(".")
        limits = getattr(importlib.import_module(module), holder)
        return getattr(limits() if isinstance(limits, type) else limits, name)
    return getattr(importlib.import_module(module), name)


def test_every_public_name_has_its_line():
    assert first_words(REFERENCE["Public names"]) == set(cave_sim.__all__)


@pytest.mark.parametrize("row", REFERENCE["Modules"], ids=lambda row: row[0])
def test_what_the_reference_imports_from_a_module_is_there(row):
    try:
        modules = [importlib.import_module(name) for name in code_words(row[0])]
    except MissingExtra as extra:
        pytest.skip(str(extra))
    names = [re.match(r"\w+", word)[0] for word in code_words(row[1])]
    assert not [name for name in names if not any(hasattr(module, name) for module in modules)]


def test_every_model_of_the_reference_is_there():
    words = first_words(REFERENCE["Models"])
    assert not [word for word in words if "." not in word and not hasattr(models, re.match(r"\w+", word)[0])]


@pytest.mark.parametrize("command", subcommands())
def test_every_option_of_a_command_has_its_line(command):
    assert {word.split()[0] for word in first_words(REFERENCE[f"cave-sim {command}"])} == options_of(command)


def test_every_command_has_its_line():
    assert first_words(REFERENCE["Commands"]) == subcommands().keys()


def test_every_simulation_has_its_line_and_its_options():
    rows = {code_words(row[0])[0]: set(code_words(row[2])) for row in REFERENCE["Simulations that come along"]}
    assert rows == {name: set(getattr(find(name), "OPTIONS", {})) for name in available()}


def test_every_study_has_its_line():
    assert first_words(REFERENCE["Studies that come along"]) == {*installed(STUDIES), *installed(PAPERS)}


def test_every_event_of_a_run_has_its_line():
    assert noted() == first_words(REFERENCE["Events of a run"])


def test_every_entry_of_a_manifest_has_its_line(tmp_path):
    simulation = Recipe("town_day", {"seed": 7, "residents": 1}).make(tmp_path / "run")
    simulation.run(until=1).close()
    with open_run(tmp_path / "run") as run:
        assert run.manifest.keys() <= first_words(REFERENCE["Manifest"])


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
