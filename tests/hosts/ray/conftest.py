"""One Ray cluster for all tests that need one, whichever worker they run on."""

import fcntl
import time
from contextlib import contextmanager
from importlib.util import find_spec

import pytest

if find_spec("ray") is None:
    collect_ignore_glob = ["test_*.py"]


@contextmanager
def locked(folder):
    with (folder / "lock").open("a") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield


def users(folder, by=0):
    """Count those who use the cluster, after adding ``by``."""
    book = folder / "users"
    count = int(book.read_text() if book.exists() else 0) + by
    book.write_text(str(count))
    return count


@pytest.fixture(scope="package")
def cluster(shared_folder):
    """Start a cluster, or join the one that another worker started; whoever started it ends it when all have left."""
    from cave_sim.hosts.ray import start

    shared = shared_folder / "ray"
    shared.mkdir(exist_ok=True)
    address = shared / "address"
    with locked(shared):
        ours = start(address.read_text() if address.exists() else None, cpus=4)
        if not address.exists():
            address.write_text(ours.address)
            ours.owner = True
        users(shared, +1)
    yield ours
    if not getattr(ours, "owner", False):
        ours.close()
    with locked(shared):
        users(shared, -1)
    while getattr(ours, "owner", False):
        with locked(shared):  # so that nobody joins a cluster that is being ended
            if users(shared) == 0:
                address.unlink()
                ours.close()
                return
        time.sleep(0.1)
