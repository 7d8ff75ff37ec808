"""Errors of libraries, as cells and journals get them: what one lists of a set, it lists in one order everywhere.

pandas and networkx write sets into their messages, in the order that the salt of a process's hashes gives: a cell that
keeps such a text, or a model that reads it, would go on otherwise in the next process.
"""

from __future__ import annotations

import re
from types import TracebackType
from typing import Any

import pandas as pd

from cave_sim.entity.asking import CELL_FILE
from cave_sim.entity.values import StableSet
from cave_sim.policy.libraries.addresses import without_addresses
from cave_sim.policy.libraries.cell_classes import OWN_CLASSES

MAX_MESSAGE_CHARS = 20_000
_QUOTED = r"""(?:'[^']*'|"[^"]*")"""
_LISTED = re.compile(rf"{_QUOTED}(?:, {_QUOTED})+")
_ITEM = re.compile(_QUOTED)
_SET = re.compile(r"\{([^{}]*)\}")
_PARTS = re.compile(r"(?:[^,(\[]|\([^()]*\)|\[[^\[\]]*\])+")


def settled(error: BaseException) -> None:
    """Put what the message of a library's error lists into one order, and take places in memory out of any message.

    Errors of a cell's own classes stay as the cell made them.
    """
    waiting, seen = [error], set[int]()
    while waiting:  # no group is nested too deeply for it, nor held too often
        each = waiting.pop()
        if id(each) in seen:
            continue
        seen.add(id(each))
        if isinstance(each, BaseExceptionGroup):
            waiting += each.exceptions
        elif type(each) not in OWN_CLASSES:
            order = _in_order if _is_from_library(each.__traceback__) else _plain
            each.args = tuple(map(order, each.args))


def _is_from_library(trace: TracebackType | None) -> bool:
    """Say whether an error was raised neither by a line of a cell nor by what that line called in C."""
    if trace is None:
        return False
    while trace.tb_next is not None:
        trace = trace.tb_next
    return trace.tb_frame.f_code.co_filename != CELL_FILE


def _in_order(part: Any) -> Any:
    if isinstance(part, pd.Index):
        return sorted(part.tolist(), key=str)
    if type(part) in (set, frozenset):
        return StableSet(part)
    if type(part) is not str or len(part) > MAX_MESSAGE_CHARS:
        return part
    listed = _LISTED.sub(lambda match: ", ".join(sorted(_ITEM.findall(match[0]))), part)
    return _plain(
        _SET.sub(lambda match: "{" + ", ".join(sorted(each.strip() for each in _PARTS.findall(match[1]))) + "}", listed)
    )


def _plain(part: Any) -> Any:
    return without_addresses(part) if type(part) is str else part
