"""Names that stand for two things, and private names that others use."""

import ast
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

from tests.house.imports import LINKED, PACKAGE


def shared_class_names(modules: dict[str, Path]) -> dict[str, list[str]]:
    """Return the names that stand for two or more classes, with the modules of these."""
    homes: dict[str, list[str]] = defaultdict(list)
    for module, path in modules.items():
        for node in ast.parse(path.read_bytes()).body:
            if isinstance(node, ast.ClassDef):
                homes[node.name].append(module)
    return {name: found for name, found in homes.items() if len(found) > 1}


def private_uses(tree: Path) -> list[str]:
    """Return where a private name of another object is used, libraries' own among them, as ruff's SLF001 finds it."""
    ruff = [sys.executable, "-m", "ruff", "check", "--isolated", "--select", "SLF001", "--output-format", "concise"]
    folders = [path for name in (PACKAGE, *LINKED) if (path := tree / name).is_dir()]
    found = subprocess.run([*ruff, *folders], capture_output=True, text=True, check=False)
    return [line for line in found.stdout.splitlines() if "SLF001" in line]
