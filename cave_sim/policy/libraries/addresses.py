"""Places in memory, as Python writes them into texts: they differ from run to run."""

from __future__ import annotations

import re

_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")


def without_addresses(text: str) -> str:
    """Return text without places in memory, which differ from run to run."""
    return text if " at 0x" not in text else _ADDRESS.sub("", text)
