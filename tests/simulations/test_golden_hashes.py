"""Runs come to the states that they have always come to.

The hashes are those of the code before a rewrite. To record them anew, with a checkout of that code:
``PYTHONPATH=CHECKOUT python tests/fixtures/record_golden_hashes.py`` (its text says when that may be done).
"""

import json

import pytest

from cave_sim.cli.main import main
from tests.fixtures.record_golden_hashes import GOLDEN, state_hash, trial_hashes
from tests.long_cases import cases

HASHES = json.loads(GOLDEN.read_text())


@pytest.mark.parametrize("command", HASHES["runs"])
def test_a_run_comes_to_the_state_that_it_always_came_to(command, tmp_path, capsys):
    assert main([*command.split(), "--out", str(tmp_path / "run"), "--quiet"]) == 0
    assert state_hash(capsys.readouterr().out) == HASHES["runs"][command]


LONG = ("study token_efficiency --limit 1", "study multi_variable --limit 1")


@pytest.mark.parametrize("command", cases(HASHES["studies"], LONG.__contains__))
def test_the_trials_of_a_study_come_to_the_states_that_they_always_came_to(command, tmp_path, capsys):
    assert main([*command.split(), "--out", str(tmp_path), "--quiet"]) == 0
    assert trial_hashes(tmp_path) == HASHES["studies"][command]
