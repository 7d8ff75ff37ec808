"""Mesa, imported in a quarter of the processor time that its import takes by itself: take it from here.

Mesa asks :mod:`inspect` for all frames that lead to its import. Most are Python's own import system, whose module
``inspect`` looks for among all that are loaded, in vain and for each frame anew, unless its cache names it.
And it loads three hundred modules of SciPy for one function, by which agents in a continuous space find each other:
here the first call of that loads them.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from random import getstate, setstate
from types import ModuleType
from typing import Any

IMPORT_SYSTEM = ("importlib._bootstrap", "importlib._bootstrap_external")
inspect.modulesbyfile.update({f"<frozen {name}>": name for name in IMPORT_SYSTEM})
DISTANCE = "scipy.spatial.distance"


def cdist(*args: Any, **named: Any) -> Any:
    """Return what SciPy's ``cdist`` does, which is loaded by the first call."""
    return load_distances().cdist(*args, **named)


def load_distances() -> ModuleType:
    """Return SciPy's module of distances. What draws at random draws the same afterwards, though its import draws."""
    drawn = getstate()
    try:
        return import_module(DISTANCE)
    finally:
        setstate(drawn)


class _StandIn(ModuleType):
    """What an import finds in place of SciPy's distances: ``cdist`` as here, and all else from the module itself."""

    cdist = staticmethod(cdist)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):  # the import system asks for these
            raise AttributeError(name)
        if sys.modules.get(DISTANCE) is self:
            del sys.modules[DISTANCE]
        return getattr(load_distances(), name)


@contextmanager
def without_scipy() -> Iterator[None]:
    """Have imports within the context find a stand-in for SciPy's distances, unless they are loaded."""
    if DISTANCE in sys.modules:
        yield
        return
    stand_in = sys.modules[DISTANCE] = _StandIn(DISTANCE)
    try:
        yield
    finally:
        if sys.modules.get(DISTANCE) is stand_in:
            del sys.modules[DISTANCE]


with without_scipy():
    import mesa as mesa
