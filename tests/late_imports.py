"""Libraries that a few tests need: each worker imports all modules of tests, and most never run those few."""

from importlib import import_module
from importlib.util import find_spec
from typing import Any

import pytest


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
