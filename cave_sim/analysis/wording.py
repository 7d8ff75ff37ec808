"""Numbers as people read them: as many digits as their interval leaves standing, no powers of ten, thousands apart."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any

DIGITS, MOST_DECIMALS = 4, 8
IN_EACH = " in each of "
"""What stands behind a mean in place of an interval, where all replicates have this one value."""


def figure(value: float | None, near: float = math.nan, sign: str = "") -> str:
    """Return a number as text.

    Args:
        value: a dash stands for None and NaN.
        near: how far off it may be, which says how many digits are worth reading; by default it has four.
        sign: ``+`` to mark numbers above 0.
    """
    if value is None or not math.isfinite(value):
        return "–"
    is_near = bool(near) and math.isfinite(near)
    scale, digits = (abs(near) / 2, 2) if is_near else (abs(value), DIGITS)
    decimals = digits - 1 - math.floor(math.log10(scale)) if scale else 0
    text = f"{value:{sign},.{min(MOST_DECIMALS, max(0, decimals))}f}"
    return text if is_near or "." not in text else text.rstrip("0").rstrip(".")


def estimate_text(mean: float | None, low: float | None, high: float | None, sign: str = "", *, n: int = 1) -> str:
    """Return a mean with its interval in brackets.

    Args:
        mean: None or NaN where there is none.
        low: one end of its interval, None or NaN as well.
        high: the other one.
        sign: ``+`` to mark means above 0.
        n: over how many replicates. Without an interval, several have one value: ``5 in each of 12``.
    """
    if mean is None or low is None or high is None or not math.isfinite(high - low):
        return f"{figure(mean, sign=sign if mean else '')}{f'{IN_EACH}{n}' if n > 1 else ''}"
    near = (high - low) / 2
    return f"{figure(mean, near, sign)} [{figure(low, near)}, {figure(high, near)}]"


def row_text(row: Mapping[str, Any], sign: str = "") -> str:
    """Return the estimate in a row of a table, with its ``mean``, ``low``, ``high`` and ``n``, as text."""
    return estimate_text(row["mean"], row["low"], row["high"], sign, n=row["n"])


def alike_text(n: int) -> str:
    """Return what may be said where so many replicates have one value: there is no spread to make an interval of.

    If more than this share of all runs came out otherwise, so many alike would come one time in twenty at the most: the
    exact form of the rule of three (Hanley, Lippman-Hand 1983).
    """
    share = 1 - 0.05 ** (1 / n)
    text = f"in each of {n}: all are alike, so there is no interval"
    return f"{text}; up to {100 * share:.0f} % of further runs may differ (95 %)"


def is_share(measure: str, words: Mapping[str, str] = MappingProxyType({})) -> bool:
    """Say whether a measure is a share, from 0 to 1, by its unit or as it is called: ``heard (share)``."""
    return words.get("unit") == "share" or any(each.endswith("(share)") for each in (measure, words.get("label", "")))


def with_unit(label: str, unit: str | None) -> str:
    """Return what is measured with what it is counted in, unless its own words say that: ``months with fish``."""
    if not unit or re.search(rf"(?<!\w){re.escape(unit)}(?!\w)", label, re.IGNORECASE):
        return label
    return f"{label} ({unit})"


def p_text(p_value: float) -> str:
    """Return a p-value as text; below a thousandth its digits say nothing."""
    if not math.isfinite(p_value):
        return "–"
    return "< 0.001" if p_value < 0.001 else f"{p_value:.3f}" if p_value < 0.1 else f"{p_value:.2f}"


def multiplicity(differences: int) -> str:
    """Return what many intervals side by side do: where nothing differs, one in twenty leaves 0 out nevertheless."""
    return f"{differences} differences: where there are none, 1 in 20 of these intervals would leave 0 out by chance"


def listed(words: Iterable[str]) -> str:
    """Return words as an enumeration: ``a, b and c``."""
    *head, last = map(str, words)
    return f"{', '.join(head)} and {last}" if head else last
