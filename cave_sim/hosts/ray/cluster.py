"""Starting Ray quietly, small, and so that nothing of it is left behind; or joining a cluster that is there."""

from __future__ import annotations

import logging
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType, TracebackType
from typing import Any, Self

from cave_sim.errors import CaveSimError
from cave_sim.loading.extras import extra

NAMESPACE = "cave_sim"
"""Actors of ours are found by name in this namespace of a cluster."""

HERE = ("127.0.0.1", "localhost", "::1")
"""Where a cluster of ours listens. One that other machines are to join is started by ``ray start``, and named."""

OBJECT_STORE_BYTES = 100 * 2**20
"""Turns are small and travel by value; Ray would otherwise take a third of the memory."""


LOOK_MS = 100
"""How long a driver waits to hear that a world it asked has died, and how often it looks whether it can ask again. By
itself Ray takes a second for either, while a world that is restarted has long been back."""


def library() -> ModuleType:
    """Return the ray module.

    Raises:
        MissingExtra: it is not installed.
    """
    with extra("ray", "work on Ray"):
        import ray
    return ray


class Cluster:
    """Ray, as far as this process is concerned. A context manager: what was started here ends with it.

    Attributes:
        is_ours: whether it was started here, and so ends here.
    """

    def __init__(self, folder: Path | None, *, is_ours: bool) -> None:
        self.is_ours = is_ours
        self._folder = folder

    @property
    def address(self) -> str:
        """Where others can join it: ``start(address)``."""
        return str(library().get_runtime_context().gcs_address)

    def close(self) -> None:
        """Leave the cluster; one that was started here is shut down, and its files removed."""
        if self.is_ours:
            library().shutdown()
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()


def start(address: str | None = None, *, cpus: int | None = None) -> Cluster:
    """Join a cluster, or start one on this machine: quiet, without its web server, with a small object store.

    Args:
        address: of a cluster that runs (``auto`` finds it, ``ray://host:10001`` is another machine's); None starts one.
        cpus: how many processors Ray may count on; all of them by default. Worlds wait more than they compute: giving
            it more than there are is fine.

    Raises:
        CaveSimError: no cluster answers at that address, or none can be started.
        MissingExtra: ray is not installed.
    """
    ray = library()
    if ray.is_initialized():
        return Cluster(None, is_ours=False)
    here = _is_here(address)
    ray._private.ray_constants.ENABLE_RAY_CLUSTER = not here  # read from the environment when ray was imported
    quiet: dict[str, Any] = {"namespace": NAMESPACE, "log_to_driver": False, "logging_level": logging.ERROR}
    folder = None
    try:
        if address is not None:
            if here:
                _show_token()
            with _environment(here):
                ray.init(address=address, **quiet)
            return Cluster(None, is_ours=True)
        folder = Path(tempfile.mkdtemp(prefix="cs"))  # sockets lie in it, and their paths must be short
        with _environment(here):
            ray.init(
                num_cpus=cpus,
                include_dashboard=False,
                object_store_memory=OBJECT_STORE_BYTES,
                _temp_dir=str(folder),
                **quiet,
            )
    except (ConnectionError, RuntimeError, ValueError, OSError, TimeoutError) as error:
        if folder is not None:
            shutil.rmtree(folder, ignore_errors=True)
        where = f"at {address!r}" if address else "on this machine"
        raise CaveSimError(f"no Ray cluster {where}: {' '.join(str(error).split())[:200]}") from None
    return Cluster(folder, is_ours=True)


def _is_here(address: str | None) -> bool:
    """Say whether a cluster is one that listens on this machine alone, as those do that are started here."""
    if address == "auto":
        from ray._private.services import find_gcs_addresses

        address = os.environ.get("RAY_ADDRESS") or next(iter(find_gcs_addresses()), "")  # type: ignore[no-untyped-call]
    return address is None or address.rpartition(":")[0].strip("[]") in HERE


@contextmanager
def _environment(here: bool) -> Iterator[None]:
    """Set what Ray's processes read from their environment, for as long as they are being started.

    Ray would otherwise report its use, and warn of a default that is to change. By itself it listens on the loopback
    address alone on desktops only.
    """
    settings = {
        "RAY_USAGE_STATS_ENABLED": os.environ.get("RAY_USAGE_STATS_ENABLED", "0"),
        "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": os.environ.get("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0"),
        "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": str(int(not here)),
        "RAY_core_worker_internal_heartbeat_ms": str(LOOK_MS),
        "RAY_timeout_ms_task_wait_for_death_info": str(LOOK_MS),
    }
    before = {name: os.environ.get(name) for name in settings}
    os.environ.update(settings)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


def _show_token() -> None:
    """Have Ray show the token that lies in the user's home: clusters that it started here ask who joins them for it.

    Where an address is given it does not look for a token by itself.
    """
    from ray._private.authentication import authentication_token_setup

    authentication_token_setup.maybe_enable_token_auth_if_token_available(warn_if_disabled=False)
