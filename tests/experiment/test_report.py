"""The page of studies says what its commands print, and who did it."""

import re

import pytest

from cave_sim.cli.main import main
from tests.experiment.page import outputs

QUICK = ("bank_account", "smart_home", "token_efficiency")


def rows(text):
    """Return the table without its tokens, which depend on the wording of prompts and on how tokens are counted."""
    return [line.split("|")[1:7] for line in text.splitlines() if line.startswith("|")]


def test_every_output_says_that_a_script_made_it():
    assert len(outputs()) == 6
    assert all("Model: scripted, no language model" in output for output in outputs().values())


@pytest.mark.parametrize("name", QUICK)
def test_the_tables_of_the_page_are_what_its_commands_print(name, tmp_path, capsys):
    command, output = next(each for each in outputs().items() if each[0].startswith(f"study {name} "))
    arguments = re.sub(r"--out \S+", f"--out {tmp_path / 'study'}", command).split()
    assert main(arguments) == 0
    assert rows(capsys.readouterr().out) == rows(output)
