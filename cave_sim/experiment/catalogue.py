"""The studies that are installed: modules of one package, each with its ``STUDY``."""

from __future__ import annotations

import importlib
import pkgutil
from difflib import get_close_matches

from cave_sim.errors import WorldError
from cave_sim.experiment.study import Study
from cave_sim.experiment.trial import Paradigm

PACKAGE = "simulations.studies"


def available() -> list[str]:
    """Return the names of the studies that are installed."""
    try:
        package = importlib.import_module(PACKAGE)
    except ModuleNotFoundError:
        return []
    return sorted(found.name for found in pkgutil.iter_modules(package.__path__) if not found.name.startswith("_"))


def find(name: str) -> tuple[Study, dict[str, Paradigm]]:
    """Return a study by name, and the ways of acting that there are."""
    names = available()
    if name not in names:
        near = get_close_matches(name, names, 1)
        hint = f" Did you mean {near[0]!r}?" if near else ""
        raise WorldError(f"there is no study {name!r}.{hint} There are: {', '.join(names)}")
    package = importlib.import_module(PACKAGE)
    return importlib.import_module(f"{PACKAGE}.{name}").STUDY, package.PARADIGMS
