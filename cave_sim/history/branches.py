"""Branches: which runs were forked from which, as a tree."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cave_sim.errors import JournalError
from cave_sim.journal.no_run import runs_in
from cave_sim.journal.queries import state_hashes, step_hashes
from cave_sim.journal.reader import Run, open_run
from cave_sim.journal.tables import DATABASE


@dataclass
class Branch:
    """A run in the tree.

    Attributes:
        name: of its folder.
        first, last: its steps.
        state_hash: after the last.
        parent: what its manifest says it was forked from: ``{"run", "step", "hash"}``; None for one that began anew.
        is_true: whether the parent was found, with the very hash at that step.
        children: the runs that were forked from it.
    """

    name: str
    first: int
    last: int
    state_hash: str
    parent: dict[str, Any] | None = None
    is_true: bool = True
    children: list[Branch] = field(default_factory=list)

    def to_data(self) -> dict[str, Any]:
        """Return it with its children as plain data."""
        data = {name: getattr(self, name) for name in ("name", "first", "last", "state_hash", "parent", "is_true")}
        return {**data, "children": [child.to_data() for child in self.children]}


def branches(folder: str | Path) -> list[Branch]:
    """Return the trees of the runs that lie beside a run, its own first, or of those that a folder holds; each by name.

    Raises:
        JournalError: the folder is no run, and holds none.
    """
    folder = Path(folder)
    if (folder / DATABASE).is_file() or not runs_in(folder):
        with open_run(folder):
            pass
        folder = folder.resolve()
        place = folder.parent
    else:
        place = folder = folder.resolve()
    runs = {path.name: _branch(path) for path in sorted(runs_in(place))}
    known = {name: branch for name, branch in runs.items() if branch is not None}
    roots = []
    for branch in known.values():
        parent = known.get(Path(str(branch.parent["run"])).name) if branch.parent else None
        if parent is None or parent is branch:
            branch.is_true = branch.parent is None
            roots.append(branch)
            continue
        branch.is_true = _hash_at(place / parent.name, branch.parent) == (branch.parent or {}).get("hash")
        parent.children.append(branch)
    return sorted(roots, key=lambda root: (place != folder and folder.name not in _names(root), root.name))


def parent_of(run: Run) -> tuple[Path, int] | None:
    """Return where the run that a branch came from lies, and the step; None if it is not there as it was."""
    with run.reading():
        for parent in run.manifest.get("parents") or ():
            folder = run.folder.resolve().parent / Path(str(parent["run"])).name
            if (folder / DATABASE).is_file() and _hash_at(folder, parent) == parent["hash"]:
                return folder, int(parent["step"])
    return None


def tree_lines(branch: Branch, here: str = "") -> Iterator[str]:
    """Yield a tree line by line; the run that is asked for is marked."""
    yield _line(branch, here)
    for number, child in enumerate(branch.children):
        is_last = number == len(branch.children) - 1
        first, *rest = tree_lines(child, here)
        yield f"{'└── ' if is_last else '├── '}{first}"
        yield from (f"{'    ' if is_last else '│   '}{line}" for line in rest)


def _line(branch: Branch, here: str) -> str:
    steps = f"steps {branch.first} to {branch.last}, {branch.state_hash[:12]}"
    origin = f"  forked at step {branch.parent['step']}," if branch.parent else " "
    mark = "  <- here" if branch.name == here else ""
    if branch.parent and not branch.is_true:
        mark += f"  (its parent {branch.parent['run']} is not here, or not as it was)"
    return f"{branch.name}{origin} {steps}{mark}"


def _branch(folder: Path) -> Branch | None:
    """Return a run as a branch; None for a file that cannot be read, or holds no step."""
    try:
        with open_run(folder) as run:
            return _read(run, folder.name)
    except JournalError:
        return None


def _read(run: Run, name: str) -> Branch | None:
    with run.reading():
        states = state_hashes(run)
        parents = run.manifest.get("parents") or [None]
        parent = {key: parents[0][key] for key in ("run", "step", "hash")} if parents[0] else None
        steps = list(states)
        return Branch(name, steps[0], steps[-1], states[steps[-1]], parent) if steps else None


def _hash_at(folder: Path, parent: dict[str, Any] | None) -> str:
    with open_run(folder) as run:
        return str(step_hashes(run).get((parent or {}).get("step", -1), ""))


def _names(branch: Branch) -> set[str]:
    return {branch.name}.union(*map(_names, branch.children))
