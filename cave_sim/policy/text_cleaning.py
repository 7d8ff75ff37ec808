"""Cleaning the texts that cells make, before anybody is shown them or anything keeps them."""

from __future__ import annotations

import re

_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")
_UNFIT = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ud800-\udfff]")


def clean(text: str) -> str:
    """Return text without control, invisible and unstorable characters, and without addresses, which differ by run."""
    if " at 0x" in text:
        text = _ADDRESS.sub("", text)
    return text if text.isascii() and text.isprintable() else _UNFIT.sub("", text)
