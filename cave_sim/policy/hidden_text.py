"""Characters that a reader does not see: they make what runs look like something else (Trojan Source, CVE-2021-42574).

Everything that is not printable is one, save tabs, line ends and spaces of any width; so is what Unicode calls
printable and draws as nothing. Joiners and variation selectors are let through where they make one emoji.
"""

from __future__ import annotations

import re

_FILLERS = "\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180d\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef"
"""Printable by the tables of Unicode, and drawn as nothing."""

_INVISIBLE = re.compile(
    rf"[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff"
    rf"\U0001d173-\U0001d17a\U000e0000-\U000e007f{_FILLERS}]"
)
_PICTURE = (
    "[\u00a9\u00ae\u203c\u2049\u2122-\u2139\u2194-\u27ff\u2900-\u2bff\u3030\u303d\u3297-\u3299\U0001f000-\U0001faff]"
)
_EMOJI = re.compile(rf"[0-9#*]\ufe0f\u20e3|{_PICTURE}\ufe0f?(?:\u200d{_PICTURE}\ufe0f?)*")


def hidden_character(text: str) -> str:
    """Return the first character of a text that a reader would not see; "" if there is none."""
    if not _may_hide(text):
        return ""
    hidden = _INVISIBLE.search(text if text.isascii() else _EMOJI.sub("", text))
    return hidden.group() if hidden else ""


def without_hidden(text: str) -> str:
    """Return a text without the characters that a reader would not see."""
    if not _may_hide(text):
        return text
    parts, last = [], 0
    for picture in () if text.isascii() else _EMOJI.finditer(text):
        parts += [_INVISIBLE.sub("", text[last : picture.start()]), picture.group()]
        last = picture.end()
    return "".join((*parts, _INVISIBLE.sub("", text[last:])))


def _may_hide(text: str) -> bool:
    """Say whether a text has what is invisible where it stands alone; pictures are looked for in such a one only."""
    if text.isascii() and text.replace("\n", "").replace("\t", "").isprintable():
        return False
    return _INVISIBLE.search(text) is not None
