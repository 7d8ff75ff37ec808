"""``re`` in a cell: its flags neither print nor follow the locale of the machine."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable
from typing import Any

from cave_sim.errors import Blocked


def _flagged(name: str, at: int) -> Callable[..., Any]:
    """Return a function of ``re``, by the place of its flags, without those that print or follow the machine."""
    function = getattr(re, name)

    @functools.wraps(function)
    def call(*args: Any, **options: Any) -> Any:
        pattern, flags = options.get("pattern", args[0] if args else None), options.get("flags", (*args, *(0,) * 5)[at])
        # Both are keys of Python's cache, which would hold an object of a cell for everybody.
        if not isinstance(pattern, (str, bytes, re.Pattern)) or not isinstance(flags, int):
            raise TypeError(f"re.{name}: a pattern is a text, and its flags are flags")
        if flags & (re.DEBUG | re.LOCALE):
            raise Blocked(f"re.{name}: flags DEBUG and LOCALE are not for cells")
        return function(*args, **options)

    return call


_FLAGS_AT = {
    "compile": 1,
    "match": 2,
    "search": 2,
    "fullmatch": 2,
    "findall": 2,
    "finditer": 2,
    "split": 3,
    "sub": 4,
    "subn": 4,
}

_FLAGS = "IGNORECASE MULTILINE DOTALL VERBOSE ASCII UNICODE NOFLAG I M S X A U"
EXPRESSIONS: dict[str, Any] = {
    "escape": re.escape,
    "error": re.error,
    # Plain numbers: Python's own flags keep, for good and for everybody, each number that they were ever joined to.
    **{name: int(getattr(re, name)) for name in _FLAGS.split()},
    **{name: _flagged(name, at) for name, at in _FLAGS_AT.items()},
}
