"""How the variables of cells come back when a state is restored."""

from __future__ import annotations

from enum import Enum


class RestoreMode(Enum):
    """What the variables of cells are in a world whose state was restored; the world holds it, whoever restores."""

    LIVE = "live"
    """Objects: their functions and classes are defined again here, by running the source that a cell gave them."""

    SERIALIZED = "serialized"
    """Plain data: the cells of this world run in another process, and no code of a cell is run in this one."""
