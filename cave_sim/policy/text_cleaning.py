"""Cleaning the texts that cells make, before anybody is shown them or anything keeps them."""

from __future__ import annotations

import re

from cave_sim.policy.hidden_text import without_hidden

_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")


def clean(text: str) -> str:
    """Return text without control, invisible and unstorable characters, and without addresses, which differ by run."""
    if " at 0x" in text:
        text = _ADDRESS.sub("", text)
    return without_hidden(text)
