"""Where jobs are done in processes of their own, stopping them costs nobody a screen of errors."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = """
import sys
import time
from cave_sim.experiment.executors import ProcessExecutor

if __name__ != "__main__":
    print("loading", flush=True)
    time.sleep(0.5)
if __name__ == "__main__":
    executor = ProcessExecutor(2)
    jobs = [executor.submit(time.sleep, 60) for _ in range(2)]
    try:
        jobs[0].result()
    except KeyboardInterrupt:
        executor.shutdown(wait=False, cancel_futures=True)
        sys.exit(130)
"""


@pytest.mark.long
def test_ctrl_c_while_workers_are_loading_ends_them_without_a_word(tmp_path):
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    command = [sys.executable, str(program)]
    around = {**os.environ, "PYTHONPATH": str(Path.cwd())}
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    with subprocess.Popen(command, env=around, start_new_session=True, **pipes) as process:
        assert process.stdout.readline() == "loading\n"
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does
        said = process.communicate()[1]  # once the last of them has closed its side
    assert (process.returncode, said) == (130, "")
