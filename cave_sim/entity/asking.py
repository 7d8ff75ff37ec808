"""Who asks trusted code for something: lines of a cell, or trusted code that a cell called before."""

from __future__ import annotations

import os
from collections.abc import Callable
from inspect import currentframe
from types import CodeType, FunctionType
from typing import Any, TypeVar

CELL_FILE = f"{os.devnull}/<cell>"
"""What Python calls the file of a cell's code: one that nowhere is, because for a syntax error Python looks into it."""

F = TypeVar("F", bound=Callable[..., Any])


class RunningCells:
    """Says whether cells run in this process, in whichever thread: nobody else is looked for where none does.

    Attributes:
        any: whether one runs.
    """

    any: bool = False


RUNNING = RunningCells()

_entrances: dict[int, CodeType] = {}


def entrance(function: F) -> F:
    """Mark a function by which cells come into trusted code: what that asks for on its way, no cell asked for."""
    _entrances[id(function.__code__)] = function.__code__
    return function


def is_entrance(function: FunctionType) -> bool:
    """Say whether a function is one of ours by which cells come into trusted code: what it comes to is the cell's."""
    return id(function.__code__) in _entrances


def asked_by_cell() -> bool:
    """Say whether whoever called the function that asks this is a cell, itself or by a library."""
    if not RUNNING.any:
        return False
    frame = currentframe()
    frame = frame and frame.f_back and frame.f_back.f_back  # past the one that asks this
    while frame is not None:
        if frame.f_code.co_filename == CELL_FILE:
            return True
        if id(frame.f_code) in _entrances:
            return False
        frame = frame.f_back
    return False
