"""What is installed here, and what this machine offers: versions, extras, isolation, disk."""

from __future__ import annotations

import os
import platform
import shutil
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from cave_sim.hosts.process.fork_server_client import probe_here
from cave_sim.loading.extras import MODULES
from cave_sim.version import __version__, code_revision

LIBRARIES = ("mesa", "numpy", "pandas", "networkx", "pydantic")
BROWSERS = ("chromium", "chromium-browser", "google-chrome")


def installation() -> dict[str, Any]:
    """Return it as plain data."""
    missing = {name: [each for each in modules if find_spec(each) is None] for name, modules in MODULES.items()}
    level = probe_here()
    return {
        "cave_sim": __version__,
        "code": code_revision(),
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.release()}, {platform.machine()}",
        "processors": os.cpu_count(),
        "disk_free_bytes": shutil.disk_usage(Path.cwd()).free,
        "libraries": {name: metadata.version(name) for name in LIBRARIES},
        "extras": {name: {"installed": not absent, "missing": absent} for name, absent in missing.items()},
        "ray": metadata.version("ray") if not missing["ray"] else None,
        "browser": next((path for name in BROWSERS if (path := shutil.which(name))), None),
        "isolation": level.to_data(),
    }


def lines(parts: dict[str, Any]) -> list[str]:
    """Return it as a short table."""
    there = [name for name, each in parts["extras"].items() if each["installed"]]
    absent = [name for name, each in parts["extras"].items() if not each["installed"]]
    level = parts["isolation"]
    rows = {
        "cave_sim": f"{parts['cave_sim']}, code {parts['code']}",
        "python": f"{parts['python']} on {parts['system']}, {parts['processors']} processors",
        "libraries": ", ".join(f"{name} {version}" for name, version in parts["libraries"].items()),
        "extras": ", ".join(there) or "none",
        "not installed": f"{', '.join(absent)}; pip install 'cave_sim[{absent[0]}]'" if absent else "",
        "ray": parts["ray"] or "not installed",
        "browser": parts["browser"] or "no Chromium found; pages open in any browser",
        "isolation": f"{level['name']}: {', '.join(level['layers']) or 'nothing holds cells'}",
        "lacking": "; ".join(level["missing"]),
        "disk": f"{parts['disk_free_bytes'] / 1e9:,.1f} GB free here",
    }
    width = max(map(len, rows))
    return [f"{name:{width}}  {text}" for name, text in rows.items() if text]
