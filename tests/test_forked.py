import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SUITE = """
import os
import time
from pathlib import Path

import pytest

@pytest.mark.parametrize("mine", [0, 1])
def test_waits_for_the_other(mine):
    Path(str(mine)).touch()
    due = time.monotonic() + 60
    while not Path(str(1 - mine)).exists() and time.monotonic() < due:
        time.sleep(0.01)
    assert Path(str(1 - mine)).exists()

@pytest.mark.parametrize("number", range(20))
def test_holds(number, tmp_path):
    (tmp_path / "kept").touch()

def test_fails():
    print("what it said")
    assert 1 == 2

def test_ends_its_process():
    os._exit(7)

@pytest.fixture(scope="session")
def shared():
    yield
    raise OSError("not cleared up")

def test_whose_fixture_does_not_end(shared):
    pass
"""

ENDLESS = """
import os
import time
from pathlib import Path

import pytest

@pytest.mark.parametrize("mine", [0, 1])
def test_waits_for_those_who_began_it_to_end(mine):
    Path(f"{mine}.pid.part").write_text(str(os.getpid()))
    Path(f"{mine}.pid.part").rename(f"{mine}.pid")
    while not Path("killed").exists():
        time.sleep(0.01)
"""


def begin(folder, suite, *options):
    (folder / "test_suite.py").write_text(suite)
    arguments = ["-p", "tests.forked", "-q", "-c", "none.ini", "--rootdir", ".", *options, "test_suite.py"]
    (folder / "none.ini").touch()
    return subprocess.Popen(
        [sys.executable, "-m", "pytest", *arguments],
        cwd=folder,
        env={"PYTHONPATH": str(ROOT), "PATH": "", "TMPDIR": str(folder)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def run(folder, *options):
    with begin(folder, SUITE, *options) as process:
        stdout, stderr = process.communicate(timeout=300)
        return subprocess.CompletedProcess(process.args, process.returncode, stdout, stderr)


def comes(condition):
    """Wait for something to be true; far beyond what a busy machine takes."""
    due = time.monotonic() + 100
    while not (found := condition()) and time.monotonic() < due:
        time.sleep(0.01)
    return found


def test_no_process_outlives_the_one_that_hands_out_tests(tmp_path):
    with begin(tmp_path, ENDLESS, "--workers", "2", "-p", "no:randomly") as process:
        began = [tmp_path / "0.pid", tmp_path / "1.pid"]
        assert comes(lambda: all(path.exists() for path in began))
        workers = [Path("/proc", path.read_text()) for path in began]
        process.kill()
        (tmp_path / "killed").touch()
        assert comes(lambda: not any(worker.exists() for worker in workers))


def test_a_test_that_ends_its_process_fails_alone_and_all_others_are_run(tmp_path):
    done = run(tmp_path, "--workers", "2", "-p", "no:randomly")
    assert done.returncode == pytest.ExitCode.TESTS_FAILED
    assert "its process ended with code 7 while this test ran" in done.stdout
    assert "what it said" in done.stdout
    assert "OSError: not cleared up" in done.stdout
    assert "2 failed, 23 passed, 1 error in" in done.stdout
    kept = Path(done.stdout.partition("What they wrote is in ")[2].partition(".\n")[0])
    assert list(kept.glob("*/pytest-of-*/pytest-0/test_holds_*/kept"))


@pytest.mark.long
def test_after_the_first_failure_no_more_tests_are_begun(tmp_path):
    done = run(tmp_path, "--workers", "2", "-x", "-k", "fails or holds", "-p", "no:randomly")
    assert done.returncode == pytest.ExitCode.TESTS_FAILED
    assert "stopping after 1 failures" in done.stdout
