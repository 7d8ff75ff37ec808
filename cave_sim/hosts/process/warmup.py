"""Using the data libraries once before cells are jailed: they load parts of themselves when these are first used."""

from __future__ import annotations

import importlib
import pkgutil
import warnings
from contextlib import suppress

import networkx as nx
import numpy as np
import pandas as pd

PACKAGES = ("pandas.core", "pandas.io.formats", "numpy.lib", "numpy.linalg", "numpy.fft", "numpy.random", "networkx")


def warm_up() -> None:
    """Load what cells may come to use."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name in PACKAGES:
            _import_all(name)
        _use()


def _import_all(name: str) -> None:
    package = importlib.import_module(name)
    for found in pkgutil.walk_packages(package.__path__, f"{name}."):
        if ".tests" in found.name or ".conftest" in found.name or "f2py" in found.name:
            continue
        with suppress(Exception):  # a part that needs what is not installed is of no use to cells either
            importlib.import_module(found.name)


def _use() -> None:
    table = pd.DataFrame({"a": [1.0, 2.0], "b": ["x", "y"], "d": pd.to_datetime(["2020-01-01", "2020-01-02"])})
    str(table), str(table.describe()), table.groupby("b").mean(numeric_only=True), table.merge(table, on="b")
    str(table["d"].dt.day_name()), table["b"].str.upper(), table.rolling(2, on="d")["a"].mean()
    str(np.linalg.inv(np.eye(2))), np.einsum("ij,jk", np.eye(2), np.eye(2)), np.fft.fft(np.ones(4))
    nx.pagerank(nx.path_graph(3)), nx.shortest_path(nx.path_graph(3), 0, 2)
