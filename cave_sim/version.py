"""Which code this is: the version of the distribution, and a revision that any change of its source changes."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

__version__ = "0.1.0"


def code_revision() -> str:
    """Return a digest of the Python source of the package, so that a run knows what code made it."""
    package = Path(__file__).parent
    digest = hashlib.sha256()
    # some of its folders are links in a checkout, which Path.rglob does not follow
    paths = (Path(folder, name) for folder, _, names in os.walk(package, followlinks=True) for name in names)
    for path in sorted(path for path in paths if path.suffix == ".py"):
        digest.update(f"{path.relative_to(package).as_posix()}\n".encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]
