"""Stretches of time in words: ``40 s``, ``2.5 h``."""

from __future__ import annotations


def duration(seconds: float) -> str:
    """Return a stretch of time in words."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    if seconds < 5400:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} h" if seconds < 48 * 3600 else f"{seconds / 86400:,.0f} days"
