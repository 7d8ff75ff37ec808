"""Calls of functions that there are not: a cell that makes one fails, and what is not there notes no call."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable

from cave_sim.session.row import Row

_UNDEFINED = re.compile(r"^NameError: name '(\w+)' is not defined", re.MULTILINE)


def unknown_calls(rows: Iterable[Row], known: Container[str]) -> list[str]:
    """Return the names of functions that an agent called and that there are not, in their order.

    Args:
        rows: of its session: its cells with what came of them, and the calls that it made by JSON.
        known: the names of the functions that there are.
    """
    names, cell = [], ""
    for row in rows:
        if row.kind == "cell":
            cell = row.text
        elif row.kind == "error" and (missing := _UNDEFINED.search(row.text)):
            names += [missing[1]] if re.search(rf"\b{missing[1]}\s*\(", cell) else []
        elif row.kind == "tool_call" and row.data["name"] not in known:
            names.append(row.data["name"])
    return names
