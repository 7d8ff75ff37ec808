"""The modules that a simulation of one's own imports from its folder, read off its text: none is imported for it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

from cave_sim.replay.own_code import module_file, syntax_nodes

MOST = 500
"""More files than that belong to no simulation."""
_FOLLOWED: dict[tuple[Path, Path], dict[Path, tuple[int, int]]] = {}
"""What was found so far, with what each file was then: a study forks by the hundred, and reads nothing twice."""


def modules_beside(file: Path, folder: Path) -> list[Path]:
    """Return the files below a folder that a file imports, and those that they import in turn; without itself."""
    known = _FOLLOWED.get((file, folder))
    if known is None or any(written(path) != state for path, state in known.items()):
        known = _FOLLOWED[file, folder] = {path: written(path) for path in _followed(file, folder)}
    return sorted(path for path in known if path != file)


def written(path: Path) -> tuple[int, int]:
    """Return when a file was written, in nanoseconds, and its size in bytes; zeros where there is none."""
    try:
        state = path.stat()
    except OSError:
        return 0, 0
    return state.st_mtime_ns, state.st_size


def _followed(file: Path, folder: Path) -> list[Path]:
    found, waiting = [file], [file]
    asked: set[str] = set()
    while waiting and len(found) < MOST:
        importer = waiting.pop()
        package = importer.relative_to(folder).parts[:-1] if importer.is_relative_to(folder) else ()
        for name in [each for each in dict.fromkeys(_imported(importer, package)) if each not in asked]:
            asked.add(name)
            beside = module_file(folder, name)
            if beside is not None and beside not in found and _is_found_there(name.partition(".")[0], folder):
                found.append(beside)
                waiting.append(beside)
    return found


def _imported(file: Path, package: tuple[str, ...]) -> Iterator[str]:
    """Yield the dotted names that may be modules which a file imports, with the packages that hold them."""
    for node in syntax_nodes(file):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) + 1 - node.level] if node.level else ()
            base = ".".join([*above, *filter(None, [node.module])])
            names = [base, *(f"{base}.{alias.name}".lstrip(".") for alias in node.names)]
        else:
            continue
        for name in names:
            parts = name.split(".")
            yield from (".".join(parts[:count]) for count in range(1, len(parts) + 1))


def _is_found_there(top: str, folder: Path) -> bool:
    """Say whether Python takes a module from that folder, which it asks last."""
    try:
        spec = find_spec(top)
    except (ImportError, ValueError, AttributeError):
        return True
    if spec is None:
        return True
    places = [spec.origin, *(spec.submodule_search_locations or ())]
    return any(place is not None and Path(place).is_relative_to(folder) for place in places)
