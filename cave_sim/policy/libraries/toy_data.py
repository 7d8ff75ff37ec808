"""The small data sets that come with scikit-learn and plotly: read once a process, and handed out as copies.

Which file is read follows from the name of the function alone. A sandboxed process may read none, so all of them are
read before one is forked.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd

from cave_sim.errors import Blocked
from cave_sim.loading.extras import extra
from cave_sim.policy.libraries.late import aside, load
from cave_sim.policy.libraries.named_parts import Bunch

_SETS = "load_breast_cancer load_diabetes load_digits load_iris load_linnerud load_wine"
_OF_FILES = frozenset("filename data_module data_filename target_filename".split())
"""Parts that say where on this machine a set lies."""
_CHARTS = "carshare election experiment gapminder iris medals_long medals_wide stocks tips wind"
_CHOOSING = frozenset("year country continent".split())


@functools.cache
def _set(name: str, as_frame: bool, scaled: bool) -> dict[str, Any]:
    options = {"as_frame": as_frame} | ({} if scaled else {"scaled": False})
    with aside(), extra("learn", "to learn from data"):
        found = getattr(load("sklearn.datasets"), name)(**options)
    return {part: value for part, value in found.items() if part not in _OF_FILES}


def _copy(value: Any) -> Any:
    return value.copy() if isinstance(value, np.ndarray | pd.DataFrame | pd.Series | list) else value


def _loading(name: str) -> Callable[..., Any]:
    title = f"sklearn.datasets.{name}"

    def call(*, return_X_y: bool = False, as_frame: bool = False, **options: Any) -> Any:  # noqa: N803 -- its own name
        odd = set(options) - {"load_digits": {"n_class"}, "load_diabetes": {"scaled"}}.get(name, set())
        if odd:
            raise TypeError(f"{title}() got an unexpected keyword argument {min(odd)!r}")
        found = {
            key: _copy(each) for key, each in _set(name, bool(as_frame), bool(options.get("scaled", True))).items()
        }
        if (most := options.get("n_class", 10)) != 10:
            found = _of_classes(found, most)
        return (found["data"], found["target"]) if return_X_y else Bunch(found)

    call.__name__ = call.__qualname__ = name
    return call


def _of_classes(digits: dict[str, Any], most: Any) -> dict[str, Any]:
    """Return the digits below a number."""
    if type(most) is not int or not 1 <= most <= 10:
        raise ValueError(f"n_class is a whole number from 1 to 10, not {most!r:.40}")
    own = np.asarray(digits["target"]) < most
    rows = {part: digits[part][own] for part in ("data", "target", "images", "frame") if digits.get(part) is not None}
    return digits | rows


def load_sets() -> None:
    """Read all that cells may ask of scikit-learn's."""
    for name in _SETS.split():
        for as_frame in (False, True):
            _set(name, as_frame, True)
    for as_frame in (False, True):
        _set("load_diabetes", as_frame, False)


@functools.cache
def _table(name: str) -> pd.DataFrame:
    with aside(), extra("plots", "to draw"):
        found = getattr(load("plotly.express").data, name)()
    return pd.DataFrame(found)


def _charted(name: str) -> Callable[..., Any]:
    def call(**options: Any) -> Any:
        chosen = {key: value for key, value in options.items() if value not in (None, False)}
        if set(chosen) - (_CHOOSING if name == "gapminder" else set()):
            raise Blocked(
                f"plotly.express.data.{name}: {min(chosen)}= is not for cells; change the table that it gives"
            )
        table = _table(name)
        for column, wanted in chosen.items():
            table = table[table[column] == wanted]
        return table.copy()

    call.__name__ = call.__qualname__ = name
    return call


def load_tables() -> None:
    """Read all that cells may ask of plotly's."""
    for name in _CHARTS.split():
        _table(name)


SETS: dict[str, Callable[..., Any]] = {name: _loading(name) for name in _SETS.split()}
"""What ``sklearn.datasets`` has in files."""
TABLES: dict[str, Callable[..., Any]] = {name: _charted(name) for name in _CHARTS.split()}
"""``plotly.express.data``."""
