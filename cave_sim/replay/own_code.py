"""Simulations of one's own: a module in the folder where one stands, or any file by its path.

Python is not told to look for everything there. A folder that holds a ``queue.py``, or was sent by somebody, would then
decide what is imported by any command. Only what is named is imported; its folder comes last on the path, for what lies
beside it.
"""

from __future__ import annotations

import ast
import importlib
import sys
import traceback
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

from cave_sim.errors import MissingExtra, WorldError, nearest, raised_at

SUFFIX = ".py"
SCENARIOS = (".yaml", ".yml", ".toml")
OURS = Path(__file__).parents[1]
_LOADED: list[OwnCode] = []
"""What was imported so far, to tell its mistakes from ours."""
_NAMED: set[Path] = set()
"""Where simulations of others lie that were named: Mesa's examples, installed packages'."""


@dataclass(frozen=True)
class OwnCode:
    """A module that lies in a folder of the user's.

    Attributes:
        module: its dotted name.
        folder: where the name begins; an absolute path.
    """

    module: str
    folder: Path

    @property
    def file(self) -> Path:
        """Where it lies: a file, or the ``__init__.py`` of a package."""
        at = self.folder.joinpath(*self.module.split("."))
        return module_file(self.folder, self.module) or at.with_suffix(SUFFIX)

    def load(self) -> ModuleType:
        """Import it.

        Raises:
            WorldError: it is not there, Python has another module of that name, or its code fails; with file and line.
        """
        if not self.file.is_file():
            raise WorldError(f"there is no {self.file} any more; where it lies now is said by --module path/to/FILE.py")
        if self not in _LOADED:
            _LOADED.append(self)
        if str(self.folder) not in sys.path:
            sys.path.append(str(self.folder))
        if self.module not in sys.modules:  # a file that was written a moment ago is found, too
            importlib.invalidate_caches()
        try:
            module = importlib.import_module(self.module)
        except MissingExtra:
            raise
        except (Exception, SystemExit) as error:  # whatever the user's code raises
            raise WorldError(f"{place(error) or self.file}: {_words(error)}") from error
        origin = getattr(module, "__file__", None)
        if origin is None or Path(origin).resolve() != self.file.resolve():
            raise WorldError(
                f"{self.file}: Python has another module {self.module!r}, {origin or 'built in'}; rename the file"
            )
        return module


def is_path(text: str) -> bool:
    """Say whether a text means a file rather than a name."""
    return text.endswith(SUFFIX) or "/" in text or "\\" in text


def of_path(text: str, module: str | None = None) -> OwnCode:
    """Return the module that lies at a path; ``module`` if that is its full name, else as its packages have it.

    Raises:
        WorldError: there is no file, or none of Python.
    """
    path = Path(text)
    if path.is_dir():
        raise WorldError(f"{text} is a folder; name a file in it, such as {path / 'tea.py'}")
    if path.suffix in SCENARIOS:
        raise WorldError(
            f"{text} is no simulation; a scenario is checked and run by cave-sim check {text} and study {text}"
        )
    if path.suffix != SUFFIX:
        raise WorldError(f"{text} is no Python file; a simulation of your own is a FILE.py with create and STEPS")
    if not path.is_file():
        there = [each.name for each in path.parent.glob(f"*{SUFFIX}")] if path.parent.is_dir() else []
        near = nearest(path.name, there)
        raise WorldError(f"there is no file {text}.{f' Did you mean {path.with_name(near)}?' if near else ''}")
    path = path.absolute()
    parts = [path.stem]
    folders_up = _folders_up(path)
    for package in path.parents:
        named = module is not None and len(parts) < module.count(".") + 1
        in_package = (package / "__init__.py").is_file() or len(parts) <= folders_up
        if not named and not (module is None and in_package):
            break
        parts.insert(0, package.name)
    if not all(part.isidentifier() for part in parts):
        raise WorldError(f"{text}: {path.stem!r} is no name of a module; name the file with letters, digits and _")
    return OwnCode(".".join(parts), path.parents[len(parts) - 1])


def _folders_up(path: Path) -> int:
    """Return from how many folders up a file imports, as ``from .agents import Wolf`` does from the one it lies in."""
    return max((node.level for node in syntax_nodes(path) if isinstance(node, ast.ImportFrom)), default=0)


def syntax_nodes(path: Path) -> Iterator[ast.AST]:
    """Yield what the code of a file is made of; nothing where it is none: importing it says so."""
    with suppress(SyntaxError, ValueError, OSError, RecursionError, MemoryError):
        yield from ast.walk(ast.parse(path.read_bytes()))


def of_name(name: str) -> OwnCode | None:
    """Return the module of a dotted name that is found from the current folder; None if it is not there."""
    here = Path.cwd()
    return OwnCode(name, here) if module_file(here, name) else None


def reach(target: str) -> None:
    """Import the module of a ``module:function`` from the current folder, if it lies there and Python does not find it.

    Raises:
        WorldError: its code fails; with file and line.
    """
    module, colon, _ = target.strip().partition(":")
    own = of_name(module) if colon else None
    top = module.partition(".")[0]
    if own is not None and top not in sys.modules and find_spec(top) is None:
        own.load()


def module_file(folder: Path, module: str) -> Path | None:
    """Return the file of a module that is found from a folder."""
    parts = module.split(".")
    if not all(part.isidentifier() for part in parts):
        return None
    place = folder.joinpath(*parts)
    return next((path for path in (place / "__init__.py", place.with_suffix(SUFFIX)) if path.is_file()), None)


def blame_too(module: ModuleType) -> None:
    """Take the mistakes of a simulation's module for those of whoever named it, though Python finds it by itself."""
    if origin := getattr(module, "__file__", None):
        file = Path(origin)
        is_alone = "." not in module.__name__ and not hasattr(module, "__path__")
        _NAMED.add(file if is_alone else file.parent)  # beside a file that is no part of a package lies what is others'


def place(error: BaseException) -> str:
    """Return file and line at which code of the user's own failed, or that of a simulation; empty if none did."""
    if isinstance(error, SyntaxError) and error.filename:
        return f"{error.filename}, line {error.lineno}"
    frames = traceback.extract_tb(error.__traceback__)
    folders = [*_NAMED, *(each.folder for each in _LOADED)]
    theirs = [frame for frame in frames if not Path(frame.filename).is_relative_to(OURS)]
    own = [frame for frame in theirs if any(Path(frame.filename).is_relative_to(folder) for folder in folders)]
    return f"{own[-1].filename}, line {own[-1].lineno}" if own else ""


def told_place(error: BaseException) -> str:
    """Return, in brackets and with a space in front, where a function of Python code failed; else nothing."""
    called = error.__traceback__ is not None and error.__traceback__.tb_next is not None
    return f" ({place(error) or raised_at(error)})" if called else ""


def _words(error: BaseException) -> str:
    text = error.msg if isinstance(error, SyntaxError) else " ".join(str(error).split())
    return f"{type(error).__name__}: {text}".rstrip(": ")
