"""Where a process may take little, linear algebra is loaded by one thread, or not at all; it never waits for ever."""

import os
import resource
import subprocess
import sys

import pytest

from cave_sim.cli.options import scarce_memory

ENDLESS = resource.RLIM_INFINITY
LOAD = """
import os, resource, sys
import numpy
from cave_sim.cli.options import scarce_memory
taken = int(open("/proc/self/statm").read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
resource.setrlimit(resource.RLIMIT_AS, (taken + int(sys.argv[1]),) * 2)
scarce_memory.spare()
try:
    from scipy import special
    print("loaded on", os.environ["OPENBLAS_NUM_THREADS"])
except MemoryError as error:
    print(error)
"""


@pytest.mark.long
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks into /proc")
@pytest.mark.parametrize(
    ("left_bytes", "environment", "told"),
    [
        (60_000_000, {}, "to load linear algebra takes 120 MB, and "),
        (180_000_000, {"OPENBLAS_NUM_THREADS": "8"}, "to load linear algebra takes 400 MB, and "),
        (300_000_000, {}, "loaded on 1"),
    ],
)
def test_it_is_loaded_where_there_is_room_and_else_says_how_much_it_takes(left_bytes, environment, told):
    inherited = {name: value for name, value in os.environ.items() if name != scarce_memory.THREADS}
    ended = subprocess.run(
        [sys.executable, "-c", LOAD, str(left_bytes)],
        env={**inherited, **environment, "PYTHONPATH": ":".join(sys.path)},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert (ended.returncode, ended.stdout[: len(told)]) == (0, told), ended.stderr


@pytest.mark.parametrize(
    ("bytes_", "processes", "threads"),
    [(ENDLESS, ENDLESS, None), (ENDLESS, 95_000, None), (ENDLESS, 12, "1"), (2**40, ENDLESS, "1")],
)
def test_threads_are_spared_where_a_limit_is_short(monkeypatch, bytes_, processes, threads):
    limits = {resource.RLIMIT_AS: bytes_, resource.RLIMIT_NPROC: processes}
    monkeypatch.setattr(resource, "getrlimit", lambda what: (limits.get(what, ENDLESS), ENDLESS))
    monkeypatch.setattr(sys, "meta_path", list(sys.meta_path))
    monkeypatch.delenv(scarce_memory.THREADS, raising=False)
    scarce_memory.spare()
    assert os.environ.get(scarce_memory.THREADS) == threads
    monkeypatch.delenv(scarce_memory.THREADS, raising=False)
