"""Who imports whom, read from the source: every import statement, and every `import_module("cave_sim…")`."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGE = "cave_sim"
LINKED = ("agents", "worlds", "dashboards", "simulations")
"""Folders at the top of the repository that are imported as sub-packages of ours, by links in `cave_sim/`."""

FLOORS = """
errors version
diagnostics loading
determinism
files
rendering
entity
changes
policy.libraries
policy
runtime
world
journal
history
models
capacity
session
simulation
mesa_models
llm_agent
survey workflow
replay
hosts.process
hosts workspace
hosts.ray
sharding
analysis
experiment
scenario
causes evidence rules search training_data
gym
mcp
testing
cave_sim
cli.options
cli.commands
cli.actions
cli
__main__
worlds agents dashboards
simulations
"""
"""The rooms, lowest floor first. A file imports from its own room and from floors below it; rooms of one floor do not
know each other."""


@dataclass(frozen=True)
class Import:
    """One module that another one imports.

    Attributes:
        importer, imported: modules by their full names.
        is_late: whether it happens only when a function is called, or only for type checkers.
    """

    importer: str
    imported: str
    is_late: bool


@cache
def floors() -> dict[str, int]:
    """Return room -> floor; the ground floor is 0."""
    return {room: floor for floor, line in enumerate(FLOORS.split("\n")[1:-1]) for room in line.split()}


@cache
def modules_of(tree: Path) -> dict[str, Path]:
    """Return the modules of a checkout by name."""
    return {_name(tree, path): path for path in _sources(tree)}


@cache
def read(tree: Path) -> tuple[dict[str, Path], list[Import]]:
    """Return the modules of a checkout by name, and what they import of each other."""
    modules = modules_of(tree)
    imports = [
        Import(importer, imported, is_late)
        for importer, path in modules.items()
        for target, is_late in _targets(path.read_bytes())
        if (imported := _ours(target, modules)) and imported != importer
    ]
    return modules, imports


def modules() -> dict[str, Path]:
    """Return our modules by the names that they are imported by."""
    return modules_of(ROOT)


def imports() -> list[Import]:
    """Return what our modules import of each other."""
    return read(ROOT)[1]


def room_of(module: str) -> str:
    """Return the room that a module is in: the deepest one whose name it begins with."""
    inner = module.removeprefix(f"{PACKAGE}.")
    while inner not in floors():
        if "." not in inner:
            raise LookupError(f"{module} is in no room: put it into one, or add the room to tests/house/imports.py")
        inner = inner.rpartition(".")[0]
    return inner


def box_of(module: str) -> str:
    """Return what somebody sees of a module who opens the package's folder: a folder of it, or a file."""
    return ".".join(module.split(".")[1:2])


def _targets(source: bytes) -> Iterator[tuple[str, bool]]:
    """Yield what a module's source imports, and whether late. Expressions are looked into only where one may import."""
    below = ast.AST if b"import_module" in source else (ast.stmt, ast.excepthandler, ast.match_case)
    to_do: list[tuple[ast.AST, bool]] = [(ast.parse(source), False)]
    while to_do:
        node, is_late = to_do.pop()
        match node:
            case ast.Import():
                yield from ((alias.name, is_late) for alias in node.names)
            case ast.ImportFrom(module=str(module)):
                yield from ((f"{module}.{alias.name}", is_late) for alias in node.names)
            case ast.Call(func=ast.Attribute(attr="import_module"), args=[target, *_]):
                yield (_beginning(target), True)
        is_late = is_late or isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) or _for_types(node)
        to_do += ((child, is_late) for child in ast.iter_child_nodes(node) if isinstance(child, below))


def _beginning(target: ast.expr) -> str:
    """Return what is known of a module's name that is put together when the code runs."""
    text = target.values[0] if isinstance(target, ast.JoinedStr) else target
    return text.value.rstrip(".") if isinstance(text, ast.Constant) and isinstance(text.value, str) else ""


def _for_types(node: ast.AST) -> bool:
    if not isinstance(node, ast.If):
        return False
    return isinstance(node.test, ast.Name | ast.Attribute) and ast.unparse(node.test).endswith("TYPE_CHECKING")


def _ours(target: str, modules: dict[str, Path]) -> str:
    """Return the module of ours that a dotted name is in; "" if it is another's."""
    while target and target not in modules:
        target = target.rpartition(".")[0]
    return target


def _sources(tree: Path) -> Iterator[Path]:
    for path in (tree / PACKAGE).iterdir():
        if not path.is_symlink():
            yield from path.rglob("*.py") if path.is_dir() else [path] * (path.suffix == ".py")
    for name in LINKED:
        yield from (tree / name).rglob("*.py")


def _name(tree: Path, path: Path) -> str:
    """Return the name of a module; a folder that is linked into the package is imported below it."""
    parts = path.relative_to(tree).with_suffix("").parts
    if (tree / PACKAGE / parts[0]).is_symlink():
        parts = (PACKAGE, *parts)
    return ".".join(parts).removesuffix(".__init__")
