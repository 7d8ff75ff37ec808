"""What is installed here, and what this machine offers: versions, extras, isolation, disk."""

from __future__ import annotations

import os
import platform
import shutil
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from cave_sim.hosts.process.host import probe_here
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
        "browser": next((found for name in BROWSERS if (found := shutil.which(name))), None),
        "isolation": level.to_data(),
    }


def lines(found: dict[str, Any]) -> list[str]:
    """Return it as a short table."""
    there = [name for name, each in found["extras"].items() if each["installed"]]
    absent = [name for name, each in found["extras"].items() if not each["installed"]]
    level = found["isolation"]
    rows = {
        "cave_sim": f"{found['cave_sim']}, code {found['code']}",
        "python": f"{found['python']} on {found['system']}, {found['processors']} processors",
        "libraries": ", ".join(f"{name} {version}" for name, version in found["libraries"].items()),
        "extras": ", ".join(there) or "none",
        "not installed": f"{', '.join(absent)}; pip install 'cave_sim[{absent[0]}]'" if absent else "",
        "ray": found["ray"] or "not installed",
        "browser": found["browser"] or "no Chromium found; pages open in any browser",
        "isolation": f"{level['name']}: {', '.join(level['layers']) or 'nothing holds cells'}",
        "lacking": "; ".join(level["missing"]),
        "disk": f"{found['disk_free_bytes'] / 1e9:,.1f} GB free here",
    }
    width = max(map(len, rows))
    return [f"{name:{width}}  {text}" for name, text in rows.items() if text]
