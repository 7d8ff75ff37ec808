"""What installed packages offer: simulations, studies and dashboards by the entry points of their distributions.

A package of yours offers one in its ``pyproject.toml``::

    [project.entry-points."cave_sim.simulations"]
    teahouse = "mypackage.teahouse"
"""

from __future__ import annotations

import ast
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import import_module, metadata
from importlib.machinery import ModuleSpec, PathFinder
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from cave_sim.errors import WorldError
from cave_sim.version import __version__

SIMULATIONS = "cave_sim.simulations"
STUDIES = "cave_sim.studies"
PAPERS = "cave_sim.papers"
DASHBOARDS = "cave_sim.dashboards"
MAPS = "cave_sim.maps"
HOSTS = "cave_sim.hosts"

FOLDERS = ("agents", "dashboards", "simulations", "worlds")
"""Packages of ours that once stood beside cave_sim. Journals of that time name their modules so."""


@dataclass(frozen=True)
class Plugin:
    """One entry point.

    Attributes:
        name: what it is called on the command line.
        target: ``package.module``, or ``package.module:name``.
        source: the distribution that brings it, and its version.
    """

    name: str
    target: str
    source: str

    def load(self) -> Any:
        """Import it; raises ImportError or AttributeError if it is not what its distribution says."""
        return load(self.target)

    def purpose(self) -> str:
        """Return the first line of its module's docstring, without its name in front. The module is read, not run."""
        spec = _spec(self.target.partition(":")[0])
        source = spec.loader.get_source(spec.name) if spec and hasattr(spec.loader, "get_source") else None  # type: ignore[union-attr]
        if source is None:
            return f"({self.target} is not there)"
        line = (ast.get_docstring(ast.parse(source)) or "").partition("\n")[0]
        return line.removeprefix(f"``{self.name}``: ")


def installed(group: str) -> dict[str, Plugin]:
    """Return what is offered in a group, by name. Of two with one name ours counts, then the first that is loaded."""
    return dict(sorted((_of_others(group, tuple(sys.path)) | _ours(group)).items()))


@lru_cache(16)
def _of_others(group: str, _path: tuple[str, ...]) -> dict[str, Plugin]:
    """Return what is loaded on a path; that is to read what every distribution says of itself."""
    entries = list(metadata.entry_points(group=group))[::-1]
    dists = {each.dist for each in entries if each.dist}
    sources = {dist: f"{dist.name} {dist.version}" for dist in dists}  # which reads its whole file each time
    return {each.name: Plugin(each.name, each.value, sources[each.dist] if each.dist else "") for each in entries}


@cache
def _ours(group: str) -> dict[str, Plugin]:
    return {name: Plugin(name, target, f"cave_sim {__version__}") for name, target in _declared(group)}


def _declared(group: str) -> Iterator[tuple[str, str]]:
    """Yield what our own distribution declares; a checkout is read itself, since it may be newer than its install."""
    project = Path(__file__).parents[2] / "pyproject.toml"
    if project.is_file():
        about = tomllib.loads(project.read_text(encoding="utf-8")).get("project", {})
        if about.get("name") == "cave_sim":
            yield from about["entry-points"].get(group, {}).items()
            return
    try:
        offered = metadata.distribution("cave_sim").entry_points
    except metadata.PackageNotFoundError:
        return
    yield from ((each.name, each.value) for each in offered if each.group == group)


def load(target: str) -> Any:
    """Return the module or the object that ``package.module`` or ``package.module:name`` means.

    Raises:
        ImportError, AttributeError: there is none.
    """
    module, _, name = resolve(target).partition(":")
    loaded = import_module(module)
    return getattr(loaded, name) if name else loaded


def resolve(target: str) -> str:
    """Return a dotted name as it is imported today: ``simulations.town_day`` was ours before it stood in cave_sim.

    It still is, unless the user has a module of that name.
    """
    module = target.partition(":")[0]
    if module.partition(".")[0] not in FOLDERS:
        return target
    ours, theirs = _spec(f"cave_sim.{module}"), _spec(module)
    if ours is None or (theirs is not None and not _is_same(ours, theirs)):
        return target
    return f"cave_sim.{target}"


def _spec(module: str) -> ModuleSpec | None:
    """Find a module without importing the packages that it lies in."""
    top, *parts = module.split(".")
    try:
        spec = find_spec(top)
    except ValueError:  # a module made by hand, which has no spec
        return None
    for part in parts:
        spec = spec and PathFinder.find_spec(f"{spec.name}.{part}", spec.submodule_search_locations or [])
    return spec


def _is_same(one: ModuleSpec, other: ModuleSpec) -> bool:
    """Say whether two names lead to one file, as they do in a checkout, where the folders lie at the top as well."""
    return bool(one.origin and other.origin and Path(one.origin).resolve() == Path(other.origin).resolve())


def named(group: str, name: str) -> Any:
    """Return what goes by a name in a group, imported; raises WorldError if nothing does."""
    plugins = installed(group)
    if name not in plugins:
        raise WorldError(f"nothing that is installed offers {name!r} in {group}")
    return plugins[name].load()
