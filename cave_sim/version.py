"""Which code this is: the version of the distribution, and a revision that any change of its source changes."""

from __future__ import annotations

import hashlib
import importlib.util
from pathlib import Path

__version__ = "0.1.0"

PACKAGES = ("cave_sim", "worlds", "agents", "dashboards", "simulations")


def code_revision() -> str:
    """Return a digest of the Python source of all our packages, so that a run knows what code made it."""
    digest = hashlib.sha256()
    for package in PACKAGES:
        spec = importlib.util.find_spec(package)
        for folder in spec.submodule_search_locations or () if spec is not None else ():
            for path in sorted(Path(folder).rglob("*.py")):
                digest.update(f"{package}/{path.relative_to(folder).as_posix()}\n".encode())
                digest.update(path.read_bytes())
    return digest.hexdigest()[:16]
