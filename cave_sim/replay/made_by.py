"""What code and libraries made a run, against those that are here."""

from __future__ import annotations

import platform
from collections.abc import Mapping
from typing import Any

from cave_sim.version import code_revision, machine, version_of

MADE_OTHERWISE = "made_otherwise"
"""The event of a run that is gone on with by other code or other libraries."""


def made_otherwise(manifest: Mapping[str, Any]) -> str:
    """Return in words how what made a run differs from what is here; empty if it does not."""
    return _other_code(manifest) or _other_versions(manifest)


def other_machine(manifest: Mapping[str, Any]) -> str:
    """Return how the machine differs; runs from before it was written down do not say."""
    then, now = manifest.get("machine"), machine()
    if not isinstance(then, dict):
        return ""
    changed = [
        f"{name.replace('_', ' ')} {then[name]}, now {now.get(name)}" for name in then if then[name] != now.get(name)
    ]
    return f"the machine is another: {'; '.join(changed)}" if changed else ""


def _other_code(manifest: Mapping[str, Any]) -> str:
    then, now = manifest.get("code"), code_revision()
    return "" if then == now else f"the code is another: the run was made by revision {then}, this is {now}"


def _other_versions(manifest: Mapping[str, Any]) -> str:
    then = {**dict(manifest.get("versions") or {}), "python": manifest.get("python")}
    now = {name: platform.python_version() if name == "python" else _version(name) for name in then}
    changed = [f"{name} {then[name]}, now {now[name]}" for name in then if then[name] != now[name]]
    return f"what the run was made with is another: {'; '.join(changed)}" if changed else ""


def _version(name: str) -> str:
    return version_of(name) or "not installed"
