"""Whose cells a study jails: those of every trial with a language model, unless it is told otherwise."""

import os
import subprocess
import sys

import pytest

from cave_sim.experiment.study import STUDIES
from cave_sim.journal.reader import open_run
from cave_sim.loading.entry_points import installed
from cave_sim.testing.openai_server import OpenAIServer

OWN = sorted({*installed(STUDIES)} - {"bfcl", "tau2"})
KEY = "OPENAI_API_KEY"
LINE = "cells run in sandboxed processes"


def studied(folder, study, *options):
    """Return what hosts the trials of a study ran on whose model is behind HTTP, and what was said of that."""
    command = [sys.executable, "-m", "cave_sim", "study", study, "--model", "openai/test", "--out", str(folder)]
    taste = ["--quiet", "--limit", "1", "--rounds", "1", "--max-calls", "3"]
    with OpenAIServer(lambda body: "```python\nx = 1\n```") as server:
        command += ["--api-base", server.url, *taste, *options]
        ended = subprocess.run(command, env=os.environ | {KEY: "x"}, capture_output=True, text=True, check=False)
    hosts = []
    for trial in folder.rglob("trials/*"):
        with open_run(trial) as run:
            hosts.append(run.manifest.get("host"))
    return hosts, [line for line in ended.stderr.splitlines() if LINE in line]


@pytest.mark.long
@pytest.mark.parametrize("study", OWN)
def test_the_trials_of_a_language_model_are_jailed_and_one_line_says_so(tmp_path, study):
    hosts, lines = studied(tmp_path / study, study)
    assert {*hosts} == {"process"}
    assert len(lines) == 1


@pytest.mark.long(cases=0)
def test_so_are_those_of_a_paper(tmp_path):
    hosts, lines = studied(tmp_path / "paper", "paper", "--groups", "T3")
    assert {*hosts} == {"process"}
    assert len(lines) == 1


@pytest.mark.long(cases=0)
def test_who_says_local_has_them_run_in_the_study_and_is_told_nothing(tmp_path):
    hosts, lines = studied(tmp_path / "study", OWN[0], "--host", "local")
    assert hosts
    assert "process" not in hosts
    assert lines == []
