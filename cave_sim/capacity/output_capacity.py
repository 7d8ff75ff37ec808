"""Output capacity: how many tokens a model can write in one turn, as its window is filled now (Gen-Pilot, §3)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Self

from cave_sim.capacity.degradation import NONE, Degradation, degradation_of
from cave_sim.determinism.canonical_json import from_json
from cave_sim.errors import WorldError
from cave_sim.files.given_files import given_bytes
from cave_sim.models.base import Model
from cave_sim.models.wrapped import longest_output_for, window_for

CAPACITY_FILE = "capacity.json"


@dataclass(frozen=True, slots=True)
class Occupancy:
    """How full a window is.

    Attributes:
        limit_tokens: that the window holds, a request and its reply together; above 0.
        used_tokens: that are in it, 0 to the limit.

    Raises:
        WorldError: the numbers are none of this.
    """

    limit_tokens: int
    used_tokens: int

    def __post_init__(self) -> None:
        if not (self.limit_tokens > 0 and 0 <= self.used_tokens <= self.limit_tokens):
            raise WorldError(
                f"a window of {self.limit_tokens:,} tokens of which {self.used_tokens:,} are used: there is no such"
                " window; used tokens are 0 to the limit, and the limit is above 0"
            )

    @property
    def share(self) -> float:
        """How full it is, 0 to 1."""
        return self.used_tokens / self.limit_tokens

    @property
    def free_tokens(self) -> int:
        """What is left in it."""
        return self.limit_tokens - self.used_tokens

    def after(self, tokens: int) -> Self:
        """Return the window once so many more tokens are in it; full is full."""
        return replace(self, used_tokens=min(self.limit_tokens, self.used_tokens + tokens))


@dataclass(frozen=True, slots=True)
class OutputLimits:
    """What is known of how much a model writes in one turn.

    Attributes:
        degradation: of its capacity with its occupancy.
        longest_tokens: the longest output that it or its provider allows; None if nobody says.
        stall_tokens: the longest output that was tried and not known to stall; None if none ever did.
        model: its name; "" for any.
        window_tokens: its window; 0 if nobody knows.
    """

    degradation: Degradation = NONE
    longest_tokens: int | None = None
    stall_tokens: int | None = None
    model: str = ""
    window_tokens: int = 0

    @classmethod
    def of_model(cls, model: Model, agent: str = "", degradation: Degradation = NONE) -> Self:
        """Return what a model says of itself to an agent."""
        window_tokens = window_for(model, agent)
        return cls(degradation, longest_output_for(model, agent), None, model.name, window_tokens)

    def to_data(self) -> dict[str, Any]:
        """Return it as plain data."""
        return {
            "model": self.model,
            "window_tokens": self.window_tokens,
            "longest_tokens": self.longest_tokens,
            "stall_tokens": self.stall_tokens,
            "degradation": self.degradation.to_data(),
        }

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Self:
        """Return what :meth:`to_data` wrote; raises WorldError if it is none of that."""
        try:
            longest, stall, window = (
                _tokens(name, data.get(name)) for name in ("longest_tokens", "stall_tokens", "window_tokens")
            )
            return cls(degradation_of(data["degradation"]), longest, stall, str(data.get("model", "")), window or 0)
        except (LookupError, TypeError, ValueError, AttributeError) as error:
            raise WorldError(f"this says nothing of a model's output: {type(error).__name__}: {error}") from None

    def known_to(self, model: Model, agent: str = "") -> Self:
        """Return them with what a model says of itself to an agent: of two longest outputs, or windows, the lesser."""
        longest = [each for each in (self.longest_tokens, longest_output_for(model, agent)) if each is not None]
        windows = [each for each in (self.window_tokens, window_for(model, agent)) if each > 0]
        return replace(self, longest_tokens=min(longest, default=None), window_tokens=min(windows, default=0))

    @classmethod
    def read(cls, path: Path) -> Self:
        """Return what a calibration wrote, given its file or the folder of it; raises WorldError."""
        file = path / CAPACITY_FILE if path.is_dir() else path
        try:
            return cls.from_data(from_json(given_bytes(file))["limits"])
        except (OSError, ValueError, LookupError, TypeError, WorldError) as error:
            what = str(error) if isinstance(error, WorldError) else f"{type(error).__name__}: {error}"
            raise WorldError(f"{file}: {what}. cave-sim capacity calibrate writes such a file") from None


def most_used_tokens(wanted_tokens: int, window_tokens: int, degradation: Degradation) -> int:
    """Return how many tokens a window may hold so that an answer of so many can still be written; 0 if none may.

    Args:
        wanted_tokens: of the answer.
        window_tokens: that the window holds, a request and its reply together; above 0.
        degradation: of the model.
    """
    low, high = 0, window_tokens
    while low < high:
        middle = (low + high + 1) // 2
        if output_capacity(Occupancy(window_tokens, middle), OutputLimits(degradation)) >= wanted_tokens:
            low = middle
        else:
            high = middle - 1
    return low


def output_capacity(occupancy: Occupancy, limits: OutputLimits) -> int:
    """Return how many tokens a model reliably writes in its next turn.

    That is ``min(degradation(used / limit) * (limit - used), longest output, learned stall limit)``. The paper's
    equation 1 has the first part alone, so that a model of 200,000 tokens that writes 8,192 at the most is believed to
    write 82,000 (Gen-Pilot, Def. 3).

    Args:
        occupancy: how full the window is.
        limits: what is known of the model.

    Raises:
        WorldError: the degradation left [0, 1].
    """
    share = limits.degradation(occupancy.share)
    if not 0 <= share <= 1:
        raise WorldError(f"the degradation at occupancy {occupancy.share:.3f} is {share}: it must be in [0, 1]")
    known = [each for each in (limits.longest_tokens, limits.stall_tokens) if each is not None]
    return max(0, min([int(share * occupancy.free_tokens), *known]))


def _tokens(name: str, given: Any) -> int | None:
    """Return a number of tokens as a file has it; raises ValueError if it is none."""
    if given is None:
        return None
    if isinstance(given, bool) or not isinstance(given, int) or given < 0:
        raise ValueError(f"{name} is {given!r}, and not a number of tokens, 0 or more")
    return given
