"""What a process may take is named where the system only says that there is no more."""

import resource

import pytest

from cave_sim.diagnostics.system_limits import NO_THREAD, process_limit

ENDLESS = resource.RLIM_INFINITY


@pytest.mark.parametrize(
    ("bytes_", "processes", "told"),
    [
        (700_000_000, 95_000, "; this process may take 0.7 GB of address space: give it more (ulimit -v)"),
        (ENDLESS, 12, " (this user may have 12 processes and threads: allow more, ulimit -u)"),
        (ENDLESS, ENDLESS, ""),
    ],
)
def test_a_thread_that_cannot_start_names_the_limit_that_is_short(monkeypatch, bytes_, processes, told):
    limits = {resource.RLIMIT_AS: bytes_, resource.RLIMIT_NPROC: processes}
    monkeypatch.setattr(resource, "getrlimit", lambda what: (limits.get(what, ENDLESS), ENDLESS))
    assert process_limit(RuntimeError(NO_THREAD)) == told
    assert process_limit(ValueError("other")) == ""
