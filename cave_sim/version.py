"""Which code this is: the version of the distribution, and a revision that any change of its source changes.

All of the package imports this first: what takes long to import waits until it is asked for.
"""

from __future__ import annotations

import os
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

__version__ = "0.1.0"


@cache
def code_revision() -> str:
    """Return a digest of the Python source of the package, so that a run knows what code made it.

    It is taken once: what is written into the source afterwards is not what this process runs.
    """
    import hashlib

    package = Path(__file__).parent
    digest = hashlib.sha256()
    # some of its folders are links in a checkout, which Path.rglob does not follow
    paths = (Path(folder, name) for folder, _, names in os.walk(package, followlinks=True) for name in names)
    for path in sorted(path for path in paths if path.suffix == ".py"):
        digest.update(f"{path.relative_to(package).as_posix()}\n".encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


@lru_cache(256)
def version_of(distribution: str) -> str | None:
    """Return the version of a distribution that is installed; None if there is none."""
    from importlib import metadata

    try:
        return metadata.version(distribution)
    except (metadata.PackageNotFoundError, ValueError):
        return None


THREADS = ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS")
"""Variables of the environment that say with how many threads linear algebra computes."""
KERNELS = (
    *("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE", "MKL_CBWR", "MKL_ENABLE_INSTRUCTIONS", "BLIS_ARCH_TYPE"),
    *("NPY_DISABLE_CPU_FEATURES", "NPY_ENABLE_CPU_FEATURES"),
)
"""Variables that say with which instructions of the processor: its last digits follow them."""


def machine() -> dict[str, Any]:
    """Return what of a machine may change the last digits of what is computed on it.

    Sums of large arrays follow the threads of linear algebra where a world's own code computes them; cells use one. All
    of linear algebra follows the instructions that it chose for the processor, its kernels.
    """
    import platform

    from threadpoolctl import threadpool_info

    numbers = (os.environ.get(name) for name in THREADS)
    threads = next((text for text in numbers if text), str(os.cpu_count()))
    kernels = {each.get("architecture", "") for each in threadpool_info() if each["user_api"] == "blas"}
    return {
        "system": platform.system(),
        "processor": platform.machine(),
        "linear_algebra_threads": threads,
        "linear_algebra_kernels": ", ".join(sorted(filter(None, kernels))),
    }
