"""The shape of the repository: who imports whom, how long a file may be, and what no file may name."""

import ast
import importlib
import re
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import networkx as nx
import pytest

ROOT = Path(__file__).parents[1]
MAY_IMPORT = {  # besides itself and what is installed
    "cave_sim": set(),
    "worlds": {"cave_sim"},
    "agents": {"cave_sim"},
    "dashboards": {"cave_sim"},
    "simulations": {"cave_sim", "worlds", "agents", "dashboards"},
}
LONGEST_FILE_LINES = 400
NOT_TO_BE_NAMED = {
    "a path of one machine": re.compile(r"(?<![\w.:~}-])/(?:root|home|tmp|opt|work|Users|mnt)/[\w.-]"),
    "a package host": re.compile(r"pypi\.org|pythonhosted\.org|debian\.org|registry\.npmjs|--(?:extra-)?index-url"),
}


@cache
def files() -> list[Path]:
    """Return every file that is committed, or would be by `git add .`."""
    ask_git = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(ask_git, cwd=ROOT, capture_output=True, check=False)
    if listed.returncode:
        pytest.skip("not a git checkout: nothing says which files belong to the project")
    return [path for name in listed.stdout.decode().split("\0") if name and (path := ROOT / name).is_file()]


def modules(package: str) -> list[Path]:
    return sorted((ROOT / package).rglob("*.py"))


def imports(module: Path) -> Iterator[str]:
    """Yield the top-level package of every import statement, wherever in the module it stands."""
    for node in ast.walk(ast.parse(module.read_bytes())):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module.partition(".")[0]


def named(module: Path) -> str:
    return ".".join(module.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def import_graph() -> nx.DiGraph:
    """Return which of our modules needs which others before it can be imported itself."""
    ours = {named(module): module for package in MAY_IMPORT for module in modules(package)}
    graph = nx.DiGraph()
    for name, module in ours.items():
        for target in needed_at_once(ast.parse(module.read_bytes())):
            found = target if target in ours else target.rpartition(".")[0]
            if found in ours and found != name:
                graph.add_edge(name, found)
    return graph


def needed_at_once(tree: ast.Module) -> Iterator[str]:
    """Yield what a module imports as soon as it is imported; not what functions or type checkers import."""
    for statement in tree.body:
        for node in () if is_for_type_checkers(statement) else plain_nodes(statement):
            if isinstance(node, ast.Import):
                yield from (alias.name for alias in node.names)
            elif isinstance(node, ast.ImportFrom):
                yield from (f"{node.module}.{alias.name}" for alias in node.names)


def is_for_type_checkers(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.If) and ast.unparse(statement.test) in ("TYPE_CHECKING", "typing.TYPE_CHECKING")


def plain_nodes(node: ast.AST) -> Iterator[ast.AST]:
    yield node
    if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
        for child in ast.iter_child_nodes(node):
            yield from plain_nodes(child)


@pytest.mark.parametrize("package", MAY_IMPORT)
def test_imports_run_one_way(package):
    forbidden = {*MAY_IMPORT, "tests"} - MAY_IMPORT[package] - {package}
    found = {(str(module.relative_to(ROOT)), name) for module in modules(package) for name in imports(module)}
    assert not {(module, name) for module, name in found if name in forbidden}


def test_only_the_ray_host_imports_ray():
    importers = {module for package in MAY_IMPORT for module in modules(package) if "ray" in imports(module)}
    assert importers <= {ROOT / "cave_sim" / "hosts" / "ray" / "cluster.py"}


def test_modules_do_not_import_each_other_in_circles():
    graph = import_graph()
    knots = [graph.subgraph(names) for names in nx.strongly_connected_components(graph) if len(names) > 1]
    assert not [nx.find_cycle(knot) for knot in knots]


@pytest.mark.parametrize("package", MAY_IMPORT)
def test_the_packages_resolve_to_ours(package):
    assert Path(importlib.import_module(package).__file__) == ROOT / package / "__init__.py"


def test_no_file_outgrows_its_reader():
    lengths = {path.relative_to(ROOT): path.read_bytes().count(b"\n") for path in files() if path.suffix == ".py"}
    assert not {path: length for path, length in lengths.items() if length > LONGEST_FILE_LINES}


@pytest.mark.parametrize("what", NOT_TO_BE_NAMED)
def test_nothing_committed_names(what):
    named = {path.relative_to(ROOT): NOT_TO_BE_NAMED[what].search(path.read_text(errors="replace")) for path in files()}
    assert not {path: found.group() for path, found in named.items() if found}
