"""How much of what was said requests repeat, as a run says it for its agents."""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import fnmatchcase

from cave_sim.models.base import Context


@dataclass(frozen=True)
class Contexts:
    """What a run says in place of its agents' habits.

    Attributes:
        patterns: patterns as in file names, and contexts; the first that a name fits counts.
    """

    patterns: tuple[tuple[str, Context], ...] = ()

    def of(self, agent: str) -> Context | None:
        """Return what is said for an agent; None where it goes by its habits."""
        return next((context for pattern, context in self.patterns if fnmatchcase(agent, pattern)), None)
