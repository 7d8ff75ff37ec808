"""``rng`` in a cell."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from cave_sim.determinism.random_streams import RandomStream
from cave_sim.diagnostics.told_names import told_as
from cave_sim.policy.attributes import ALLOWED
from cave_sim.policy.guards import facade_type


@facade_type
class TurnRandom:
    """``rng``, and what ``import random`` gives: the acting agent's own stream of this turn."""

    __slots__ = ("_stream",)

    def __init__(self, stream: Callable[[], RandomStream]) -> None:
        self._stream = stream

    def seed(self, *_: Any) -> None:
        """Do nothing: the stream is the agent's own, and follows from the seed of the world."""

    def Random(self, *_: Any) -> TurnRandom:  # noqa: N802 -- as `random` calls it
        """Return the agent's own stream, whatever the seed."""
        return self

    def __getattr__(self, name: str) -> Any:
        if name not in ALLOWED[RandomStream]:
            raise AttributeError(f"rng.{name} is not for cells. rng offers: {', '.join(sorted(ALLOWED[RandomStream]))}")
        return getattr(self._stream(), name)

    def __repr__(self) -> str:
        return "<rng>"


told_as(TurnRandom, "random.Random")
