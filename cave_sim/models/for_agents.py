"""What a run says in place of what its agents are made with, by their names."""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Generic, TypeVar

Said = TypeVar("Said")


@dataclass(frozen=True)
class ForAgents(Generic[Said]):
    """What a run says of its agents, such as how much of what was said their requests repeat.

    Attributes:
        patterns: patterns as in file names, and what is said; the first that a name fits counts.
    """

    patterns: tuple[tuple[str, Said], ...] = ()

    def of(self, agent: str) -> Said | None:
        """Return what is said for an agent; None where nothing is."""
        return next((value for pattern, value in self.patterns if fnmatchcase(agent, pattern)), None)
