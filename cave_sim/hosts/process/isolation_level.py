"""How well cells are isolated, in words; `isolation_probe.py` finds it out by trying.

``isolated``: none of it works. ``contained``: cells run in a process of their own, which can be ended and may only
propose, but some of it works. ``guarded``: cells run in the process that holds everything, which is the ``local`` host.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from cave_sim.errors import WorldError

LEVELS = ("guarded", "contained", "isolated")
"""From the weakest to the strongest."""


@dataclass(frozen=True)
class IsolationLevel:
    """How well cells are held.

    Attributes:
        name: one of :data:`LEVELS`.
        layers: what holds them.
        missing: what is not there, in words.
    """

    name: str
    layers: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()

    def to_data(self) -> dict[str, Any]:
        """Return it as plain data."""
        return asdict(self)

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> IsolationLevel:
        """Return the level that :meth:`to_data` gave."""
        return cls(data["name"], tuple(data["layers"]), tuple(data["missing"]))

    def lacking(self, missing: tuple[str, ...]) -> IsolationLevel:
        """Return it with more that is not there, which leaves cells contained at the best."""
        if not missing:
            return self
        name = LEVELS[min(LEVELS.index(self.name), LEVELS.index("contained"))]
        return IsolationLevel(name, self.layers, (*self.missing, *missing))

    def demand(self, least: str) -> None:
        """Raise WorldError if this is below ``least``."""
        if LEVELS.index(self.name) < LEVELS.index(least):
            lacks = "; ".join(self.missing) or "the host is local"
            raise WorldError(
                f"--require {least}: cells are only {self.name} here ({lacks}). --host process puts them into the best"
                " sandbox of this machine; cave-sim doctor says how well that is"
            )

    def __str__(self) -> str:
        layers = f" by {', '.join(self.layers)}" if self.layers else ""
        lacks = f"; missing: {'; '.join(self.missing)}" if self.missing else ""
        return f"isolation level: {self.name}{layers}{lacks}"


LOCAL = IsolationLevel(
    "guarded", ("gate", "guards", "limits of values"), ("cells run in the process that holds everything",)
)
