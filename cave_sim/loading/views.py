"""What is shown of worlds, runs and what is in them: drawn by rooms that know more than who is shown.

They are the entry points of the group ``cave_sim.views``: ``html``, ``plot``, ``frame`` and ``page``.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from cave_sim.loading.entry_points import named

VIEWS = "cave_sim.views"


@cache
def view(name: str) -> Callable[..., Any]:
    """Return what draws one kind of view; it is imported when the first is asked for."""
    draw: Callable[..., Any] = named(VIEWS, name)
    return draw


class Viewed:
    """What a notebook shows as a small page instead of a line."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        html: str = view("html")(self)
        return html
