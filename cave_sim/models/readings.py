"""The ways in which a text can be read: what somebody would understand who wants to, and not only what stands there."""

from __future__ import annotations

import base64
import binascii
import html
import re
import unicodedata
from typing import Literal
from urllib.parse import unquote

LOOK_ALIKES = str.maketrans(
    "аɑαеорсԁһіјԛѕѵνԝхуАВЕНІКМОРЅТХοιıɡℓᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢոցսհօ",
    "aaaeopcdhijqsvvwxyABEHIKMOPSTXoiiglabcdefghijklmnoprstuvwyznguho",
)
"""Letters of other alphabets that read as Latin ones."""
SIGNS = str.maketrans("@$013457", "asoieast")
"""What stands for a letter in words that are spelt in signs."""
DIGIT_WORDS = dict(zip("zero one two three four five six seven eight nine".split(), "0123456789", strict=True))
_LETTER_BY_LETTER = re.compile(r"(?<!\w)\w(?:([ ._*/|-])\w)(?:\1\w){2,}(?!\w)")
_DIGITS_IN_WORDS = re.compile(rf"(?i)\b(?:{'|'.join(DIGIT_WORDS)})(?:[ ,.-]+(?:{'|'.join(DIGIT_WORDS)}))+\b")
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2}))")
_ENCODED = re.compile(r"(?<![\w+/=-])[\w+/-]{8,}={0,2}(?![\w+/=-])")
_BLANKS = str.maketrans(dict.fromkeys("\u115f\u1160\u3164\uffa0"))


def readings(text: str) -> tuple[str, ...]:
    """Return what a text says: as it reads, decoded, with words together that are spelt, and digits that are words.

    Args:
        text: of any length; each reading takes time in proportion to it.
    """
    texts = dict.fromkeys(as_read(each, form) for each in (text, _decoded(text)) for form in ("NFKC", "NFKD"))
    for each in tuple(texts):
        texts[_LETTER_BY_LETTER.sub(lambda letters: re.sub(r"[\W_]", "", letters[0]), each)] = None
        texts[_DIGITS_IN_WORDS.sub(_digits, each)] = None
        texts[each.translate(SIGNS)] = None
    return tuple(texts)


def as_read(text: str, form: Literal["NFKC", "NFKD"] = "NFKC") -> str:
    """Return a text in plain letters, digits, spaces and hyphens, without what nobody sees; by NFKD no accents."""
    if not text.isascii():
        unseen = {"Cf"} if form == "NFKC" else {"Cf", "Mn", "Me"}
        seen = "".join(each for each in unicodedata.normalize(form, text) if unicodedata.category(each) not in unseen)
        text = "".join(map(_digit, seen.translate(_BLANKS))).translate(LOOK_ALIKES)
        text = re.sub(r"[\u2010-\u2015\u2212]", "-", text).replace("\u2800", " ")
    return re.sub(r"\s+", " ", text)


def _digit(sign: str) -> str:
    value = None if sign.isascii() else unicodedata.numeric(sign, None)
    return str(int(value)) if value is not None and value in range(10) else sign


def _digits(words: re.Match[str]) -> str:
    return "".join(DIGIT_WORDS[each.lower()] for each in re.findall(r"\w+", words[0]))


def _decoded(text: str) -> str:
    """Return a text without the escapes of HTML, URLs and JSON, and with what Base64 or hex say."""
    plain = _ESCAPE.sub(lambda escape: chr(int(escape[1] or escape[2], 16)), unquote(html.unescape(text)))
    return _ENCODED.sub(lambda word: _as_text(word[0]) or word[0], plain)


def _as_text(word: str) -> str:
    """Return what a word says in hex or Base64, if that is text; else ""."""
    for decode in (bytes.fromhex, lambda each: base64.b64decode(each + "=" * (-len(each) % 4), altchars=b"-_")):
        try:
            text = decode(word).decode("utf-8")
        except (ValueError, binascii.Error):
            continue
        if text.isprintable():
            return text
    return ""
