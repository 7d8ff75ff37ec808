"""What is forked again and again lies in huge pages, where the system has them."""

import subprocess
import sys

import pytest

from cave_sim.hosts.process import huge_pages

GATHERS = """
from cave_sim.hosts.process import huge_pages
held = [bytes(1000) for _ in range(30_000)]
gathered = huge_pages.gather()
told = {line.split()[0]: line.split()[1] for line in open("/proc/self/smaps_rollup") if line.count(" ") > 1}
print(gathered, told["AnonHugePages:"], held.count(bytes(1000)))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="Linux alone is asked for them")
def test_a_process_has_its_own_memory_in_huge_pages_and_all_that_was_in_it():
    gathered, huge_kb, whole = map(int, subprocess.check_output([sys.executable, "-c", GATHERS], text=True).split())
    assert whole == 30_000
    if not gathered:
        pytest.skip("this system puts nothing into huge pages")
    assert huge_kb >= gathered * 1024


def test_a_system_that_has_none_is_asked_for_nothing(monkeypatch, tmp_path):
    monkeypatch.setattr(huge_pages, "SIZE", tmp_path / "none")
    assert huge_pages.gather() == 0
