"""A fault in C, which ends the process, says where the cell stood, and what was committed goes on in processes."""

import os
import subprocess
import sys

import pytest

from cave_sim import open_run


@pytest.mark.long
def test_a_cell_that_goes_too_deep_in_c_is_named_and_its_run_goes_on_in_processes(tmp_path):
    folder = tmp_path / "run"

    def command(*words):
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
        return subprocess.run(
            [sys.executable, "-m", "cave_sim", *words], capture_output=True, text=True, env=environment
        )

    ended = command("run", "tests.cli.falls_down", "--quiet", "--host", "local", "--out", str(folder))
    assert ended.returncode < 0
    assert "Segmentation fault" in ended.stderr
    assert '<cell>", line 4 in <module>' in ended.stderr
    gone_on = command("resume", str(folder), "--quiet", "--host", "process")
    assert gone_on.returncode == 0, gone_on.stderr
    with open_run(folder) as run:
        assert [turn.status for turn in run.turns() if turn.agent == "ann"] == ["committed", "failed", "committed"]
