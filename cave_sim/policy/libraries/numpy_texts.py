"""``np.loadtxt`` and ``np.genfromtxt`` in a cell: numbers of a text, never of a file."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

import numpy as np

from cave_sim.errors import Blocked
from cave_sim.policy.libraries.array_texts import clean_texts
from cave_sim.policy.libraries.numpy_bounds import check_dtype, check_items, check_listed
from cave_sim.policy.libraries.pandas_texts import StringIO

_OPTIONS = {
    "loadtxt": "dtype comments delimiter skiprows usecols unpack ndmin max_rows quotechar",
    "genfromtxt": (
        "dtype comments delimiter skip_header skip_footer missing_values filling_values usecols autostrip unpack "
        "usemask invalid_raise max_rows ndmin"
    ),
}
_PLAIN = (str, int, float, bool, type(None), np.generic)


def _reading(name: str) -> Callable[..., Any]:
    function, known = getattr(np, name), _OPTIONS[name].split()

    @wraps(function)
    def read(fname: Any, dtype: Any = float, **options: Any) -> Any:
        lines = _lines_of(fname, name)
        for option, value in options.items():
            if option not in known or not _is_plain(value):
                raise Blocked(f"np.{name}({option}=...): it takes {', '.join(known)}, of numbers and texts")
        if options.get("usemask") or dtype is None:
            raise Blocked(f"np.{name} makes arrays of one type; for a table take pd.read_csv(StringIO(text))")
        kind = check_dtype(dtype, name)
        if kind is not None and kind.kind == "M":
            raise Blocked(f"np.{name} reads no dates; read texts, and take astype('M8[D]') of them")
        return clean_texts(function(lines, kind, **options))

    return read


def _lines_of(source: Any, name: str) -> list[str]:
    """Return the lines of a text. numpy takes a text itself for the name of a file, so that none is handed on."""
    if type(source) is StringIO:
        lines = source.read().splitlines()
    elif type(source) in (list, tuple):
        lines = list(source)
    else:
        raise Blocked(f"np.{name} reads no file; give it io.StringIO(text), or a list of lines")
    if any(type(line) is not str for line in lines):
        raise Blocked(f"np.{name} reads lines of text")
    check_items(sum(map(len, lines)), name)
    return lines


def _is_plain(value: Any) -> bool:
    if type(value) in (list, tuple):
        check_listed(value, "an option")
        return all(map(_is_plain, value))
    return isinstance(value, _PLAIN)


READING = {name: _reading(name) for name in _OPTIONS}
"""What reads numbers from a text."""
