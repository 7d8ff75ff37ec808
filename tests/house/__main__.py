"""The numbers of the house: `make house`, or `python -m tests.house --tree CHECKOUT` for another state of the code."""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable
from pathlib import Path

import networkx as nx

from tests.house.imports import PACKAGE, ROOT, Import, box_of, read
from tests.house.names import private_uses, shared_class_names

WAYS = ("cell", "reply", "fork")


def main() -> None:
    """Print one line for each number."""
    parser = argparse.ArgumentParser(prog="python -m tests.house", description=__doc__)
    parser.add_argument("--tree", type=Path, default=ROOT, help="the checkout to measure; this one if not given")
    tree = parser.parse_args().tree.resolve()
    modules, imports = read(tree)
    core = {name: path for name, path in modules.items() if path.relative_to(tree).parts[0] == PACKAGE}
    for what, number in [*sizes(modules, core), *shape(imports, core), *names(modules, tree), *ways(tree)]:
        print(f"{what:<60} {number:>8,}")


def sizes(modules: dict[str, Path], core: dict[str, Path]) -> list[tuple[str, int]]:
    """Count files and lines."""
    lines = {name: path.read_bytes().count(b"\n") for name, path in modules.items()}
    return [
        ("files", len(modules)),
        (f"files that lie flat in {PACKAGE}/", sum(path.parent.name == PACKAGE for path in core.values())),
        ("lines of Python", sum(lines.values())),
        ("lines of the longest file", max(lines.values())),
    ]


def shape(imports: Iterable[Import], core: dict[str, Path]) -> list[tuple[str, int]]:
    """Measure the graph of the core: what one sees who looks at its folder, and the files one by one."""
    inside = [found for found in imports if found.importer in core and found.imported in core]
    boxes = nx.DiGraph((a, b) for found in inside if (a := box_of(found.importer)) != (b := box_of(found.imported)))
    files = nx.DiGraph((found.importer, found.imported) for found in inside)
    return [
        (f"boxes in {PACKAGE}/", len({box_of(name) for name in core})),
        ("floors of these boxes", nx.dag_longest_path_length(nx.condensation(boxes)) + 1),
        ("arrows between them", boxes.number_of_edges()),
        ("circles of boxes", _circles(boxes)),
        ("circles of files, late imports and those for types included", _circles(files)),
    ]


def names(modules: dict[str, Path], tree: Path) -> list[tuple[str, int]]:
    """Count names that stand for more than one class or file, and uses of private names of others."""
    files = Counter(path.name for path in modules.values() if not path.name.startswith("__"))
    return [
        ("class names that stand for two or more classes", len(shared_class_names(modules))),
        ("file names that stand for two or more files", sum(count > 1 for count in files.values())),
        ("uses of another object's private names (SLF001)", len(private_uses(tree))),
    ]


def ways(tree: Path) -> list[tuple[str, int]]:
    """Count the files of ours that are entered on the way of a cell, of a reply and of a fork."""
    script = Path(__file__).with_name("ways.py")
    told: dict[str, str] = defaultdict(lambda: "0")
    for way in WAYS:
        done = subprocess.run([sys.executable, script, tree, way], capture_output=True, text=True, check=True)
        told[way] = done.stdout
    return [(f"files entered on the way of a {way}", int(told[way])) for way in WAYS]


def _circles(graph: nx.DiGraph) -> int:
    return sum(len(knot) > 1 for knot in nx.strongly_connected_components(graph))


if __name__ == "__main__":
    main()
