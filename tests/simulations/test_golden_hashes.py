"""Runs come to the states that they have always come to, and a run that was written long ago is still one.

The hashes are those of the code before a rewrite. To record them anew, with a checkout of that code:
``PYTHONPATH=CHECKOUT python tests/fixtures/record_golden_hashes.py`` (its text says when that may be done).
"""

import gzip
import json

import pytest

from cave_sim.cli.main import main
from tests.fixtures.record_golden_hashes import GOLDEN, OLD_RUN, state_hash, trial_hashes

HASHES = json.loads(GOLDEN.read_text())


@pytest.mark.parametrize("command", HASHES["runs"])
def test_a_run_comes_to_the_state_that_it_always_came_to(command, tmp_path, capsys):
    assert main([*command.split(), "--out", str(tmp_path / "run"), "--quiet"]) == 0
    assert state_hash(capsys.readouterr().out) == HASHES["runs"][command]


@pytest.mark.parametrize("command", HASHES["studies"])
def test_the_trials_of_a_study_come_to_the_states_that_they_always_came_to(command, tmp_path, capsys):
    assert main([*command.split(), "--out", str(tmp_path), "--quiet"]) == 0
    assert trial_hashes(tmp_path) == HASHES["studies"][command]


@pytest.fixture
def old_run(tmp_path):
    """The folder of a run of four steps that the code before the rewrite wrote."""
    folder = tmp_path / "old"
    folder.mkdir()
    (folder / "run.sqlite").write_bytes(gzip.decompress(OLD_RUN.read_bytes()))
    return folder


def test_an_old_run_still_verifies(old_run, capsys):
    assert main(["verify", str(old_run)]) == 0, capsys.readouterr().out


def last_hash(capsys, *arguments):
    assert main([str(each) for each in arguments]) == 0
    return state_hash(capsys.readouterr().out)


def test_an_old_run_is_resumed_to_the_end_that_a_new_one_comes_to(old_run, tmp_path, capsys):
    resumed = last_hash(capsys, "resume", old_run, "--steps", 8, "--quiet")
    options = ("--residents", 2, "--steps", 8, "--seed", 5, "--out", tmp_path / "new", "--quiet")
    assert resumed == last_hash(capsys, "run", "town_day", *options)


def test_an_old_run_is_forked_and_comes_to_the_same_where_nothing_is_changed(old_run, tmp_path, capsys):
    forked = last_hash(capsys, "fork", old_run, "--at", 2, "--steps", 8, "--out", tmp_path / "branch", "--quiet")
    assert forked == last_hash(capsys, "resume", old_run, "--steps", 8, "--quiet")
