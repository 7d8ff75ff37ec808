"""The page of studies says what its commands print, and who did it."""

import re

import pytest

from cave_sim.cli.main import main
from cave_sim.experiment.results import Outcome, Result
from cave_sim.experiment.statistics import markdown, summarised
from tests.experiment.page import outputs

QUICK = ("bank_account", "smart_home", "token_efficiency")


def rows(text):
    """Return the table without its tokens, which depend on the wording of prompts and on how tokens are counted."""
    return [line.split("|")[1:7] for line in text.splitlines() if line.startswith("|")]


def test_every_output_says_that_a_script_made_it():
    assert len(outputs()) == 6
    assert all("Model: scripted, no language model" in output for output in outputs().values())


@pytest.mark.long
@pytest.mark.parametrize("name", QUICK)
def test_the_tables_of_the_page_are_what_its_commands_print(name, tmp_path, capsys):
    command, output = next(each for each in outputs().items() if each[0].startswith(f"study {name} "))
    arguments = re.sub(r"--out \S+", f"--out {tmp_path / 'study'}", command).split()
    assert main(arguments) == 0
    assert rows(capsys.readouterr().out) == rows(output)


def test_counts_of_three_repetitions_are_told_with_the_interval_of_student():
    """Over 3 seeds t is 4.30 where a normal law has 1.96."""
    trials = [
        Result("tea", "tasks", "cave", seed, (Outcome(True, "", steps, 0, 0),))
        for seed, steps in enumerate((8, 10, 12))
    ]
    row = summarised(trials).iloc[0]
    assert row["steps"] == 10
    assert row["steps_spread"] == pytest.approx(4.3027 * 2 / 3**0.5, abs=1e-3)
    assert "10 ± 5" in markdown(trials, scripted=False)
    assert "±" not in markdown(trials[:1], scripted=False)
