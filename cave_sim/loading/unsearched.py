"""Making much at once without Python's search for garbage, which goes through all that is made, again and again."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def unsearched() -> Iterator[None]:
    """Import within this context, or make what is kept: it stays, so a search finds nothing.

    It would take an eighth of an import, and more than half of reading a variable of many parts. It is on again
    afterwards, if it was on before.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
