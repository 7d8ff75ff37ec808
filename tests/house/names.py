"""Names that stand for two things, and private names that others use."""

import ast
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

from tests.house.imports import LINKED, PACKAGE

AT_THE_MARGIN = re.compile(r"^class (\w+)", re.MULTILINE)


def shared_class_names(modules: dict[str, Path]) -> dict[str, list[str]]:
    """Return the names that stand for two or more classes, with the modules of these."""
    homes: dict[str, list[str]] = defaultdict(list)
    for module, path in modules.items():
        for name in set(AT_THE_MARGIN.findall(path.read_text(encoding="utf-8"))):
            homes[name].append(module)
    shared = {name: found for name, found in homes.items() if len(found) > 1}
    classes = {module: classes_in(modules[module]) for found in shared.values() for module in found}
    found = {name: [home for home in homes if name in classes[home]] for name, homes in shared.items()}
    return {name: homes for name, homes in found.items() if len(homes) > 1}


def classes_in(path: Path) -> set[str]:
    """Return the classes of a module: a line of a text may look like one."""
    return {node.name for node in ast.parse(path.read_bytes()).body if isinstance(node, ast.ClassDef)}


def private_uses(tree: Path) -> list[str]:
    """Return where a private name of another object is used, libraries' own among them, as ruff's SLF001 finds it."""
    ruff = [sys.executable, "-m", "ruff", "check", "--isolated", "--select", "SLF001", "--output-format", "concise"]
    folders = [path for name in (PACKAGE, *LINKED) if (path := tree / name).is_dir()]
    found = subprocess.run([*ruff, *folders], capture_output=True, text=True, check=False)
    return [line for line in found.stdout.splitlines() if "SLF001" in line]
