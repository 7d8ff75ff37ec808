"""What Python writes of objects into texts, and cells are not shown: places in memory, and in our own modules.

The former differ from run to run. The latter tell of a class what stands for it here, and not what it stands for.
"""

from __future__ import annotations

import re

from cave_sim.diagnostics.told_names import TOLD

_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")
_OURS = re.compile(r"\bcave_sim(?:\.\w+)+")


def show_as(place: str, name: str) -> None:
    """Have texts tell another name than the place of one of our classes: its module and its qualified name."""
    TOLD[place] = name


def without_addresses(text: str) -> str:
    """Return text without places in memory, which differ from run to run, and with the names that Python has."""
    if " at 0x" in text:
        text = _ADDRESS.sub("", text)
    return text if "cave_sim." not in text else _OURS.sub(_shown, text)


def _shown(match: re.Match[str]) -> str:
    return TOLD.get(match.group(), match.group())
