"""What a library is handed: copies of plain data, counted; no object of a cell's, whose methods it would call."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd

from cave_sim.diagnostics.plurals import article
from cave_sim.entity.values import LIMITS
from cave_sim.errors import Blocked

MOST_ITEMS = 200_000
"""Values that one call is given at once."""
MOST_DEPTH = 16
NO_SHAPE = object()
"""Stands for what a library may not see."""
_SCALARS = (bool, int, float, np.number, np.bool_, dt.date, dt.time, dt.timedelta, type(None))


class Screen:
    """Copies what a call is given, as far as it is plain data.

    Args:
        title: the call.
        instead: what to do where there is too much of it.
        of_others: returns what the library is to see of any other value; ``NO_SHAPE`` for what it may not.
    """

    def __init__(self, title: str, instead: str, of_others: Callable[[Any], Any]) -> None:
        self._title, self._instead, self._of_others = title, instead, of_others
        self._left = MOST_ITEMS

    def pass_through(self, value: Any, depth: int = 0) -> Any:
        """Return a value as the library is to see it; raises Blocked for too much, TypeError for what is no data."""
        if type(value) is str or isinstance(value, _SCALARS):
            self._spend(1 + len(value) // LIMITS.text_chars if type(value) is str else 1)
            if type(value) is int and value.bit_length() > LIMITS.integer_bits:
                raise Blocked(f"{self._title}: an integer of more than {LIMITS.integer_bits} bits")
            return value
        if depth > MOST_DEPTH:
            raise Blocked(f"{self._title}: lists in lists, more than {MOST_DEPTH} deep")
        if isinstance(value, pd.api.extensions.ExtensionArray):  # as unique() of a column of texts is
            value = np.asarray(value)
        if isinstance(value, (pd.DataFrame, pd.Series, pd.Index, np.ndarray)):
            return self._array(value, depth)
        if isinstance(value, dict):
            return {self.pass_through(key, depth + 1): self.pass_through(dict.__getitem__(value, key), depth + 1)
                    for key in dict.keys(value)}  # fmt: skip
        if isinstance(value, (list, tuple, range)):
            items = [self.pass_through(each, depth + 1) for each in value]
            return tuple(items) if isinstance(value, tuple) else items
        if (plain := self._of_others(value)) is NO_SHAPE:
            raise TypeError(
                f"{self._title} takes numbers, texts, dates and tables of them, not {article(type(value).__name__)}"
            )
        return plain

    def _array(self, value: Any, depth: int) -> Any:
        if isinstance(value, pd.DataFrame):
            self.pass_through(list(value.columns), depth + 1)
            for place in range(value.shape[1]):
                self._array(value.iloc[:, place], depth + 1)
            return value.copy()
        if value.dtype == object or isinstance(value.dtype, pd.CategoricalDtype):
            self.pass_through(value.tolist(), depth + 1)
        else:
            self._spend(value.size)
        return value.copy()

    def _spend(self, items: int) -> None:
        self._left -= items
        if self._left < 0:
            raise Blocked(f"{self._title}: more than {MOST_ITEMS:,} values; {self._instead}")
