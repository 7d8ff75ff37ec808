"""Files that somebody names or hands over: read within limits, so that none keeps us waiting or fills the memory."""

from __future__ import annotations

import errno
import hashlib
import io
import os
import re
import stat
import tomllib
from itertools import islice
from pathlib import Path
from typing import Any

from cave_sim.errors import WorldError, nearest, reason

MOST_BYTES = 64 * 2**20
MOST_TOML = 4 * 2**20
MOST_KEY_PARTS = 32
NAMED = 8
"""How many files an error lists that lie where another one was looked for."""
MOST_BESIDE = 1_000
_TOLD = re.compile(
    r""""{3}(?:[^"\\]|\\.|"(?!""))*(?:"{3})?|'{3}.*?(?:'{3}|\Z)"""
    r"""|"(?:[^"\\\n]|\\.)*"?|'[^'\n]*'?|\#[^\n]*""",
    re.DOTALL,
)
"""Strings and remarks: outside of them, dots join the parts of a key, or stand in a number."""


def given_bytes(path: str | Path, most_bytes: int = MOST_BYTES) -> bytes:
    """Return what a file holds.

    Args:
        path: of a regular file; whoever opens a pipe waits for its other end, and a device has none.
        most_bytes: how much it may hold.

    Raises:
        OSError: it cannot be read, is no regular file, or holds more; said in words.
    """
    path = Path(path)
    about = expect_file(path)
    with path.open("rb") as file:
        data = b"" if about.st_size > most_bytes else file.read(most_bytes + 1)
    if max(about.st_size, len(data)) > most_bytes:
        raise OSError(errno.EFBIG, f"it holds more than {most_bytes:,} bytes", str(path))
    return data


def expect_file(path: Path) -> os.stat_result:
    """Return what is known of a file or a folder; raises OSError for a pipe or a device, which it does not open."""
    about = path.stat()
    if not stat.S_ISREG(about.st_mode) and not stat.S_ISDIR(about.st_mode):
        raise OSError(errno.EINVAL, "it is no file, but a pipe or a device", str(path))
    return about


def sha256_of(path: Path) -> str:
    """Return the SHA-256 of a file; raises OSError if it cannot be read."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def given_text(path: str | Path, most_bytes: int = MOST_BYTES) -> str:
    """Return what a text file in UTF-8 holds, whatever its line ends; errors as :func:`given_bytes`, or ValueError."""
    return io.StringIO(given_bytes(path, most_bytes).decode("utf-8-sig"), newline=None).read()


def why_unread(error: OSError) -> str:
    """Return why a file that somebody named cannot be read; of one that is not there also what may have been meant."""
    if not isinstance(error, FileNotFoundError) or not error.filename:
        return reason(error)
    path = Path(os.fsdecode(error.filename))
    if not path.parent.is_dir():
        return f"there is no folder {path.parent}"
    try:
        alike = [each.name for each in islice(path.parent.iterdir(), MOST_BESIDE) if each.suffix == path.suffix]
    except OSError:
        alike = []
    beside = sorted(name for name in alike if not name.startswith("."))
    if near := nearest(path.stem, [Path(name).stem for name in beside]):
        return f"there is no such file. Did you mean {path.parent / near}{path.suffix}?"
    if not path.suffix or not beside:
        return "there is no such file"
    more = f" and {len(beside) - NAMED} more" if len(beside) > NAMED else ""
    return f"there is no such file. There are: {', '.join(str(path.parent / name) for name in beside[:NAMED])}{more}"


def expected_text(path: str | Path, most_bytes: int = MOST_BYTES) -> str:
    """Return what :func:`given_text` does; raises WorldError, in one line that names the file, if it cannot be read."""
    try:
        return given_text(path, most_bytes)
    except OSError as error:
        raise WorldError(f"{path} cannot be read: {why_unread(error)}") from None
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise WorldError(f"{path}, line {line}: this is no text in UTF-8") from None


def given_toml(path: str | Path, most_bytes: int = MOST_BYTES) -> dict[str, Any]:
    """Return the tables of a TOML file; errors as :func:`given_text`."""
    return toml_of(given_text(path, most_bytes))


def toml_of(text: str) -> dict[str, Any]:
    """Return the tables of a text; raises ValueError if it is no TOML, or larger or deeper than any that is meant."""
    expect_toml(text)
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def expect_toml(text: str) -> None:
    """Raise ValueError for a text that costs its reader more than it says.

    Of a key ``a.b.c`` that reader keeps every beginning, which is memory with the square of its parts.
    """
    if len(text) > MOST_TOML:
        raise ValueError(f"it holds more than {MOST_TOML:,} characters")
    if any(key.count(".") >= MOST_KEY_PARTS for key in re.split(r"[=,\[\]{}\n]", _TOLD.sub("_", text))):
        raise ValueError(f"it is nested too deeply: a key in it has more than {MOST_KEY_PARTS} parts")
