"""Differences in sentences: by how much, how sure that is, and what was too small to be seen."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

import pandas as pd

from cave_sim.analysis.planning import POWER, smallest_effect
from cave_sim.analysis.statistics import PAIRS_ALIKE
from cave_sim.analysis.wording import figure, p_text, row_text

ALPHA = 0.05


def finding(row: Mapping[str, Any], label: str, unit: str) -> str:
    """Return a difference as a sentence.

    Args:
        row: of :func:`~cave_sim.analysis.trials.contrasts`, with ``p_holm``.
        label: what is measured, as readers know it.
        unit: what it counts; may be empty.
    """
    measured = f" {unit}" if unit else ""
    if not math.isfinite(row["mean"]):
        return f"Of {label} under {row['arm']} there is nothing to compare."
    paired = row["method"] in ("paired t", PAIRS_ALIKE)
    runs = f"{row['n']} pairs of runs with the same seed" if paired else f"{row['n']} runs each"
    if not math.isfinite(row["low"]) and row["n"] > 1:
        gap = f"is {_way(row)} by {figure(row['mean'], sign='+')}{measured} than"
        same = gap if row["mean"] else "is the same as"
        return f"Under {row['arm']}, {label} {same} under {row['reference']}, in all of {runs}."
    if not math.isfinite(row["low"]):
        gap = figure(row["mean"], sign="+")
        return (
            f"Under {row['arm']}, {label} differs by {gap}{measured} from {row['reference']} in the one "
            "pair of runs there "
            "is; whether that is chance cannot be said."
        )
    way = f"is {_way(row)} than" if row["mean"] else "is on average the same as"
    head = (
        f"Under {row['arm']}, {label} {way} under {row['reference']}: {row_text(row, '+')}{measured} "
        f"({runs}, {_p(row)})"
    )
    if row["p_holm"] < ALPHA:
        return f"{head}. That is more than chance explains."
    if row["p_value"] < ALPHA:
        return f"{head}. By itself it would pass for an effect; among so many differences chance brings one like it."
    return f"{head}. Chance may bring as much.{_blind(row, measured)}"


def saving(table: pd.DataFrame) -> Iterator[str]:
    """Yield a sentence on what the same seeds for all conditions were worth."""
    ratios = table["variance_ratio"].dropna()
    if ratios.empty:
        return
    ratio = float(ratios.median())
    over = f"median over {len(ratios)} differences" if len(ratios) > 1 else "of one difference"
    if ratio >= 1:
        yield (
            f"The same seeds under all conditions made differences {figure(ratio, ratio / 4)} times less variable than "
            f"independent runs would have been ({over}): so many times the runs would have been needed for the same "
            "intervals."
        )
    else:
        yield (
            "The same seeds under all conditions saved nothing here (variance ratio "
            f"{figure(ratio, ratio / 4)}, {over}): what is drawn after conditions part has little in common."
        )


def _blind(row: Mapping[str, Any], measured: str) -> str:
    """Return what would have been seen with so many pairs, in the unit of the measure."""
    if row["method"] != "paired t" or row["n"] < 3 or not row["d_z"]:
        return ""
    spread = abs(row["mean"] / row["d_z"])
    seen = smallest_effect(row["n"], POWER) * spread
    return (
        f" A difference of {figure(seen, seen / 4)}{measured} would have been found in {100 * POWER:.0f} of "
        "100 such studies."
    )


def _way(row: Mapping[str, Any]) -> str:
    return "higher" if row["mean"] > 0 else "lower"


def _p(row: Mapping[str, Any]) -> str:
    text = p_text(row["p_holm"])
    return f"p {text}" if text.startswith("<") else f"p = {text}"
