"""The files that a simulation is made from: a manifest tells them by digests, so that a resumed run knows its own."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from cave_sim.files.given_files import sha256_of


def digests(create: Mapping[str, Any]) -> dict[str, str]:
    """Return option -> SHA-256 of its file, for the options of ``create`` that name one."""
    by_option = {}
    for option, value in create.items():
        if isinstance(value, str | os.PathLike) and (digest := _digest(Path(value))):
            by_option[option] = digest
    return by_option


def other_files(manifest: Mapping[str, Any]) -> str:
    """Return in words which files are not what they were when a run began; empty if all are, or none was noted."""
    then, create = manifest.get("files"), manifest.get("create")
    if not isinstance(then, dict) or not isinstance(create, dict):
        return ""
    named = {option: create[option] for option in then if isinstance(create.get(option), str)}
    changed = [f"{path} ({option})" for option, path in named.items() if _digest(Path(path)) != then[option]]
    return f"not as it was when the run began: {', '.join(changed)}" if changed else ""


def _digest(path: Path) -> str:
    """Return the digest of a regular file; empty for anything else, which may never end."""
    try:
        return sha256_of(path) if path.is_file() else ""
    except (OSError, ValueError):
        return ""
