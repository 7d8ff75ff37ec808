"""Results that are kept in a file, a line of JSON each, so that long work goes on where it was broken off."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from os import SEEK_END
from os.path import lexists
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from cave_sim.determinism.canonical_json import from_json
from cave_sim.errors import WorldError


class KeptLines:
    """Objects in a file, to which one is added at a time.

    Args:
        file: where they are kept; nowhere unless given. It and its folder are made with the first one.
        shape: what a line is to be, as an annotation; another program, or somebody, may have written it.
    """

    def __init__(self, file: Path | None = None, shape: Any = dict[str, Any]) -> None:
        self._file = file
        self._shape: TypeAdapter[Any] = TypeAdapter(shape)
        self._seen = 0

    def __iter__(self) -> Iterator[dict[str, Any]]:
        """Yield what is kept; a line that was cut off while it was written, or is of no such shape, is passed over."""
        self._seen = 0
        return self.added()

    def added(self) -> Iterator[dict[str, Any]]:
        """Yield what was added since the last look, by whomever."""
        if self._file is None or not _is_own(self._file):
            return
        with open(self._file, "rb", opener=_here) as file:
            file.seek(self._seen)
            text = file.read()
        self._seen += text.rfind(b"\n") + 1
        for line in text.split(b"\n"):
            try:
                data = from_json(line)
                self._shape.validate_python(data, strict=True)
            except ValueError:  # a ValidationError, too
                continue
            yield data

    def add(self, data: Mapping[str, Any]) -> None:
        """Keep one more; raises WorldError where somebody has put something else in the file's place."""
        if self._file is None:
            return
        if lexists(self._file) and not _is_own(self._file):
            raise WorldError(f"{self._file} is a link or no file: remove it, or name another folder with --out")
        self._file.parent.mkdir(parents=True, exist_ok=True)
        is_first = not lexists(self._file)
        line = f"{json.dumps(data, ensure_ascii=False)}\n".encode("utf-8", "surrogatepass")
        try:
            with open(self._file, "ab+", opener=_here) as file:
                file.seek(max(0, file.seek(0, SEEK_END) - 1))
                file.write(line if file.read(1) in (b"", b"\n") else b"\n" + line)  # behind one that was cut off
        except OSError as error:
            with suppress(OSError):
                if is_first and not self._file.stat().st_size:
                    self._file.unlink()
            raise OSError(error.errno, error.strerror, str(self._file)) from None


def _here(path: str, flags: int) -> int:
    """Open a file, and never what a link leads to that has taken its place since it was looked at."""
    return os.open(path, flags | os.O_NOFOLLOW, 0o666)


def _is_own(path: Path) -> bool:
    """Say whether this is a file, and none elsewhere that a stranger's folder leads to."""
    return path.is_file() and not path.is_symlink()
