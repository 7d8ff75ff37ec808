"""Calibration: measuring how much a model writes at which occupancy, and fitting a curve to it (Gen-Pilot, §3.2).

At each occupancy the longest answer that comes whole is found by halving, in probes that want numbers to be written.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from cave_sim.capacity.curve_fit import PRECISION, Threshold, fit, known_from_both_sides
from cave_sim.capacity.output_capacity import Occupancy, OutputLimits
from cave_sim.capacity.probes import Probe, came_of, last_number, question
from cave_sim.errors import WorldError
from cave_sim.models.base import Model, ModelError
from cave_sim.models.client import Asker
from cave_sim.models.tokens import TokenCounter, offline_counter

OCCUPANCIES = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
SLACK_TOKENS = 16
"""What chat templates put around a request, and no counter of ours counts."""


@dataclass(frozen=True, slots=True)
class Calibration:
    """What a calibration found.

    Attributes:
        limits: of the model, with the curve or the stall limit that fits.
        rmse: of these as shares of what was free, at thresholds that are known from both sides; None if there are none,
            or no more of them than what was fitted has parameters, so that it goes through all of them.
        thresholds: one for each occupancy.
        probes: all of them, in the order of asking.
        ended: why it ended before all was measured; "" if it did not.
    """

    limits: OutputLimits
    rmse: float | None
    thresholds: tuple[Threshold, ...]
    probes: tuple[Probe, ...] = field(repr=False, default=())
    ended: str = ""

    @property
    def points(self) -> int:
        """How many thresholds the curve or the stall limit comes from."""
        return len(known_from_both_sides(self.thresholds, self.limits))

    def to_data(self) -> dict[str, Any]:
        """Return it as plain data."""
        return {
            "limits": self.limits.to_data(),
            "rmse": self.rmse,
            "ended": self.ended,
            "thresholds": [
                {
                    "limit_tokens": each.occupancy.limit_tokens,
                    "used_tokens": each.occupancy.used_tokens,
                    "whole_tokens": each.whole_tokens,
                    "failed_tokens": each.failed_tokens,
                }
                for each in self.thresholds
            ],
            "probes": [
                [each.occupancy.used_tokens, each.asked_tokens, each.written_tokens, each.outcome]
                for each in self.probes
            ],
        }


def calibrate(
    model: Model,
    *,
    occupancies: Sequence[float] = OCCUPANCIES,
    longest_tokens: int | None = None,
    most_probes: int = 12,
    counter: TokenCounter | None = None,
    note: Callable[[Probe], object] = lambda probe: None,
    asking: Callable[[int, int], object] = lambda used_tokens, tokens: None,
    within_s: float = math.inf,
) -> Calibration:
    """Measure a model, and fit its curve. The same model gives the same calibration if its replies are the same.

    What is interrupted, runs out of time or meets a model that gives no reply any more keeps what is known by then.

    Args:
        model: the model; it is asked one question at a time.
        occupancies: to measure at, each in [0, 1).
        longest_tokens: the longest answer to want; None for as much as is free, which costs accordingly.
        most_probes: for each occupancy.
        counter: counts tokens where the model does not.
        note: told of each probe as it ends.
        asking: told of each as it begins: how many tokens are used, and how many are wanted.
        within_s: no probe begins after so many seconds.

    Raises:
        KeyboardInterrupt, ModelError: the model gave no reply, and nothing is known yet.
        WorldError: an occupancy is out of range, or the model does not say what window it has; it ended before any
            answer came whole, so there is nothing to plan by.
    """
    if not occupancies or not all(0 <= each < 1 for each in occupancies):
        raise WorldError(f"occupancies {list(occupancies)}: name at least one, each from 0 to below 1")
    base = OutputLimits.of_model(model)
    if base.window_tokens <= 0:
        raise WorldError(f"{model.name} does not say what window it has, so nobody knows how full it is")
    counter = counter or getattr(model, "counter", None) or offline_counter()
    probes: list[Probe] = []
    until_s = time.monotonic() + within_s
    counted = 1.0  # tokens of a request as the provider counts them, for each that the counter does
    asker = Asker()

    def tried(used_tokens: int, tokens: int) -> Probe:
        nonlocal counted
        if time.monotonic() > until_s:
            raise _Ended(f"{within_s:g} s are over")
        last = last_number(tokens, counter)
        request = question(round(used_tokens / counted), last, counter, len(probes))
        asking(used_tokens, tokens)
        try:
            (answer,) = asker.ask_all([(model, request)])
            probe = came_of(answer, last, tokens, base.window_tokens, counter.of_request(request))
        except (ModelError, KeyboardInterrupt) as error:
            if not probes:
                raise
            raise _Ended(str(error) or "it was interrupted") from None
        counted = probe.occupancy.used_tokens / counter.of_request(request)
        probes.append(probe)
        note(probe)
        return probe

    limit, thresholds, ended = longest_tokens or base.longest_tokens, list[Threshold](), ""
    try:
        for each in sorted(set(occupancies)):
            used_tokens = round(each * base.window_tokens)
            threshold, ended = _threshold(used_tokens, base.window_tokens, limit, most_probes, tried)
            thresholds += [threshold] if threshold else []
            if ended:
                break
    finally:
        asker.close()
    if not thresholds:
        raise WorldError(_nothingknown_from_both_sides(probes, ended))
    limits, error = fit(thresholds, base)
    return Calibration(limits, error, tuple(thresholds), tuple(probes), ended)


class _Ended(Exception):
    """No probe begins any more, for the reason that it says."""


def _nothingknown_from_both_sides(probes: Sequence[Probe], ended: str) -> str:
    tried = "none was asked for"
    if probes:
        wanted = min(probe.asked_tokens for probe in probes)
        tried = f"none of {len(probes)} did, the shortest of {wanted:,} tokens: want less, or give it more time"
    return f"it ended before any answer came whole, so there is nothing to plan by; {tried} ({ended})"


def _threshold(
    used_tokens: int, window_tokens: int, longest: int | None, most_probes: int, tried: Callable[[int, int], Probe]
) -> tuple[Threshold | None, str]:
    """Return the longest answer that comes whole at an occupancy, by halving; and why that ended early, if it did.

    None if what is known by then tells nothing: no answer came whole, and shorter ones were not tried.
    """
    free = window_tokens - used_tokens - SLACK_TOKENS
    whole, failed, tokens = 0, None, max(1, free if longest is None else min(free, longest))
    occupancy = Occupancy(window_tokens, used_tokens)
    ended = ""
    for _ in range(most_probes):
        try:
            probe = tried(used_tokens, tokens)
        except _Ended as reason:
            ended = str(reason)
            break
        occupancy = probe.occupancy
        if probe.outcome == "complete":
            whole = tokens
        else:
            failed = tokens
        if failed is None or failed <= max(1, whole) * PRECISION or failed - whole <= 1:
            break
        tokens = math.isqrt(max(1, whole) * failed) if whole else max(1, failed // 2)
    return (None if ended and not whole else Threshold(occupancy, whole, failed)), ended
