"""Linear algebra on one thread: with more, numbers are added up in an order that follows the machine.

The setting belongs to the whole process, so it is made for one call at a time and taken back, and only for arrays that
are large enough to be shared out among threads at all.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from contextlib import nullcontext
from typing import Any

import numpy as np
from threadpoolctl import ThreadpoolController

SHARED_FROM_ITEMS = 1_000
"""No library hands out work as small as this."""


@functools.cache
def find_libraries(_of: str = "numpy") -> ThreadpoolController:
    """Find what works on threads in this process, by reading its files: once a library, before a sandbox has none."""
    return ThreadpoolController()


def all_on_one_thread() -> Any:
    """Return a context in which scikit-learn, and what multiplies for it, works on one thread."""
    return find_libraries("sklearn").limit(limits=1)


def one_thread(*arrays: Any) -> Any:
    """Return a context in which these arrays are multiplied by one thread."""
    if sum(map(np.size, arrays)) < SHARED_FROM_ITEMS:
        return nullcontext()
    return find_libraries().limit(limits=1, user_api="blas")


def on_one_thread(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function of numpy that hands its arrays to one thread."""

    @functools.wraps(function)
    def call(*args: Any, **options: Any) -> Any:
        with one_thread(*args):
            return function(*args, **options)

    return call
