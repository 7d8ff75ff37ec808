"""One mistake to be made on purpose: which lines, what stands there instead, and which tests should notice."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Mutant:
    """A mistake.

    Attributes:
        name: what goes wrong, in words.
        where: a file, or a folder in which exactly one file has the text; files may move within their room.
        old: a text that stands there exactly once.
        new: what replaces it.
        tests: the files of tests that are run, below ``tests/``, the nearest first.
        excuse: why no test can notice; empty for all that a test must.
    """

    name: str
    where: str
    old: str
    new: str
    tests: tuple[str, ...]
    excuse: str = ""

    def places(self, root: Path = ROOT) -> list[tuple[Path, int]]:
        """Return the files that hold the text, relative to the root, and how often each does."""
        start = root / self.where
        files = sorted(start.rglob("*.py")) if start.is_dir() else [start] if start.is_file() else []
        counts = [(file.relative_to(root), file.read_text().count(self.old)) for file in files]
        return [(file, count) for file, count in counts if count]

    def is_stale(self, root: Path = ROOT) -> bool:
        """Say whether the code has changed so that the mistake can no longer be made."""
        return [count for _, count in self.places(root)] != [1]

    def file(self, root: Path = ROOT) -> Path:
        """Return the one file that is changed, relative to the root; raises ValueError unless there is just one."""
        places = self.places(root)
        if self.is_stale(root):
            raise ValueError(f"{self.name}: {self.old!r} stands in {self.where} at {places}, and not exactly once")
        return places[0][0]

    def text(self, root: Path = ROOT) -> str:
        """Return the text of the file with the mistake in it."""
        return (root / self.file(root)).read_text().replace(self.old, self.new)

    def digest(self, root: Path = ROOT) -> str:
        """Return a name for the mutant and its tests as they are now: a result holds as long as it is the same."""
        digest = hashlib.sha256(self.text(root).encode())
        for test in self.tests:
            digest.update((root / "tests" / test).read_bytes())
        return digest.hexdigest()[:24]
