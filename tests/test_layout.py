"""The shape of the repository: who imports whom, how long a file may be, and what no file may name."""

import ast
import importlib
import re
import subprocess
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import networkx as nx
import pytest

from tests.house.imports import LINKED, PACKAGE, ROOT, box_of, floors, imports, modules, room_of
from tests.house.names import private_uses, shared_class_names

LONGEST_FILE_LINES = 400
MOST_PRIVATE_USES = 60
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


def test_imports_go_down():
    """A file imports from its own room, and from rooms on floors below: `FLOORS` in `tests/house/imports.py`."""
    upwards = {
        f"{found.importer} imports {found.imported}"
        for found in imports()
        if (importer := room_of(found.importer)) != (imported := room_of(found.imported))
        and floors()[imported] >= floors()[importer]
    }
    assert not upwards


def test_every_room_is_there():
    assert {room_of(module) for module in modules()} == set(floors())


def test_the_package_shows_rooms():
    """What lies flat beside them: how it is started, which code it is, and the errors that all of it raises."""
    flat = {path.stem for path in (ROOT / PACKAGE).glob("*.py")}
    assert flat == {"__init__", "__main__", "errors", "version"}


def test_the_page_about_the_structure_tells_of_every_room():
    told = set(re.findall(r"^\| `cave_sim/(\w+)/` \|", (ROOT / "docs" / "architecture.md").read_text(), re.MULTILINE))
    assert told == {path.name for path in (ROOT / PACKAGE).iterdir() if path.is_dir() and not path.is_symlink()} - {
        "__pycache__"
    }


def circles(arrows: Iterable[tuple[str, str]]) -> list[list[tuple[str, str]]]:
    graph = nx.DiGraph((importer, imported) for importer, imported in arrows if importer != imported)
    knots = [graph.subgraph(names) for names in nx.strongly_connected_components(graph) if len(names) > 1]
    return [nx.find_cycle(knot) for knot in knots]


def test_files_do_not_import_each_other_in_circles():
    """Neither late nor for type checkers: who reads one file of a circle has to read them all."""
    assert not circles((found.importer, found.imported) for found in imports())


def test_folders_do_not_import_each_other_in_circles():
    assert not circles((box_of(found.importer), box_of(found.imported)) for found in imports())


def top_level_imports(path: Path, among: Iterable[str]) -> set[str]:
    """Return which of some packages a file imports; one in which no line might do so need not be understood."""
    text = path.read_text(encoding="utf-8")
    if not re.search(rf"^\s*(?:from|import)\b.*(?<![.\w])(?:{'|'.join(among)})\b", text, re.MULTILINE):
        return set()
    nodes = list(ast.walk(ast.parse(text)))
    names = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    names |= {node.module for node in nodes if isinstance(node, ast.ImportFrom) and node.module}
    return {name.partition(".")[0] for name in names} & {*among}


def test_only_the_ray_host_imports_ray():
    importers = {name for name, path in modules().items() if top_level_imports(path, ["ray"])}
    assert importers <= {"cave_sim.hosts.ray.cluster"}


def test_nothing_is_imported_past_the_package():
    """`agents` may be another package's name, and `worlds` somebody's own folder: ours are below `cave_sim`."""
    paths = [path for path in files() if path.suffix == ".py"]
    assert not {path.relative_to(ROOT): past for path in paths if (past := top_level_imports(path, LINKED))}


@pytest.mark.parametrize("folder", LINKED)
def test_a_folder_at_the_top_is_part_of_the_package(folder):
    link = ROOT / PACKAGE / folder
    assert link.is_symlink()
    assert link.readlink() == Path("..") / folder
    assert Path(importlib.import_module(f"{PACKAGE}.{folder}").__file__).resolve() == ROOT / folder / "__init__.py"


def test_a_name_stands_for_one_class():
    assert shared_class_names(modules()) == {}


def test_private_names_are_used_by_few_others():
    uses = private_uses(ROOT)
    assert len(uses) < MOST_PRIVATE_USES, "\n".join(uses)


def test_no_file_outgrows_its_reader():
    lengths = {path.relative_to(ROOT): path.read_bytes().count(b"\n") for path in files() if path.suffix == ".py"}
    assert not {path: length for path, length in lengths.items() if length > LONGEST_FILE_LINES}


@pytest.mark.parametrize("what", NOT_TO_BE_NAMED)
def test_nothing_committed_names(what):
    named = {path.relative_to(ROOT): NOT_TO_BE_NAMED[what].search(path.read_text(errors="replace")) for path in files()}
    assert not {path: found.group() for path, found in named.items() if found}
