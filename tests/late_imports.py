"""Libraries that tests import when they run, so that nothing waits for those that only a few of them need.

What tests of so many rooms need that each worker would come to import it is imported once, before workers are forked.
"""

from contextlib import suppress
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import pytest

from cave_sim import MissingExtra
from cave_sim.models.listed_models import library

IN_EVERY_WORKER = ("scipy.optimize", "scipy.stats", "statsmodels.stats.power", "statsmodels.stats.weightstats")
"""Beside litellm, which takes five seconds of a slow processor."""


def import_what_every_worker_needs() -> None:
    """Import what all workers share, as far as it is installed."""
    with suppress(MissingExtra):
        library()
    for name in IN_EVERY_WORKER:
        with suppress(ImportError):
            import_module(name)


class LateImport:
    """A module that is imported when something in it is first asked for.

    Args:
        name: the module's name; where the package is not installed, all tests of the asking module are skipped.
    """

    def __init__(self, name: str) -> None:
        if find_spec(name.partition(".")[0]) is None:
            pytest.skip(f"needs {name}, which is not installed", allow_module_level=True)
        self._name = name

    def __getattr__(self, name: str) -> Any:
        """Return what the module calls so; pytest looks through all that is there for a test's private marks."""
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(import_module(self._name), name)
