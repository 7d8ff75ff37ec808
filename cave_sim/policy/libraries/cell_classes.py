"""The classes that cells defined."""

from __future__ import annotations

import weakref

OWN_CLASSES: weakref.WeakSet[type] = weakref.WeakSet()
"""Every class that a cell defined."""
