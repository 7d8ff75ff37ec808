"""Formats of values as texts: no wider than anyone reads, and dates the same on every machine."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable
from typing import Any

from cave_sim.errors import Blocked

MAX_WIDTH = 9_999
MAX_NORMALIZED = 20_000

_DIRECTIVE = re.compile(r"%-?(.?)", re.DOTALL)
_PERCENTAGE = re.compile(r"[^%]*%")
_WRITTEN = frozenset("aAwdbBmyYHIpMSfjUWGuVzZ%")
_READ = _WRITTEN - {"Z"}  # which names of time zones there are is a setting of the machine


def checked_width(spec: str) -> str:
    """Return a format's text; raises Blocked if it asks for more characters than anyone reads."""
    for run in "".join(c if c.isdigit() else " " for c in spec).split():
        if len(run) > 4:
            raise Blocked(f"a format wider than {MAX_WIDTH} characters")
    return spec


def check_normalized(longest: int, title: str) -> None:
    """Return if texts that long may be normalized: it compares each mark with those before it. Raises Blocked."""
    if longest > MAX_NORMALIZED:
        raise Blocked(f"{title}: at most {MAX_NORMALIZED:,} characters at once")


def checked_format(spec: str) -> str:
    """Return a format; raises Blocked where it is too wide, or makes of a date what depends on the machine."""
    if "%" in spec and not _PERCENTAGE.fullmatch(spec):
        checked_directives(spec)
    return checked_width(spec)


def checked_directives(pattern: Any, known: frozenset[str] = _WRITTEN) -> Any:
    """Return a format of dates; raises Blocked where it asks for what depends on the machine."""
    for directive in _DIRECTIVE.findall(pattern) if isinstance(pattern, str) else ():
        if directive not in known:
            raise Blocked(f"%{directive} in a format of dates depends on the machine; use {' '.join(sorted(known))}")
    return pattern


def writing(moment: Any, name: str) -> Callable[..., Any]:
    """``strftime`` of a date, or of a column of them."""

    def strftime(pattern: Any = None, **named: Any) -> Any:
        given = pattern if pattern is not None else named.get("format", named.get("date_format"))
        return getattr(moment, name)(checked_directives(given))

    return strftime


def strptime(text: str, pattern: str) -> dt.datetime:
    """``datetime.strptime``, which knows no names of time zones."""
    return dt.datetime.strptime(text, checked_directives(pattern, _READ))
