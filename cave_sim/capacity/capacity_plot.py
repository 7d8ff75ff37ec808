"""A calibration as a picture: what was found at each occupancy, and the curve that fits."""

from __future__ import annotations

from cave_sim.capacity.calibration import Calibration
from cave_sim.capacity.curve_fit import share_left
from cave_sim.capacity.output_capacity import Occupancy
from cave_sim.rendering.chart_svg import chart_svg

POINTS = 50


def capacity_svg(calibration: Calibration) -> str:
    """Return the shares of the free window that were written, whole and failed, and what was fitted to them, as SVG."""
    limits = calibration.limits
    window_tokens = limits.window_tokens or POINTS
    along = [place / POINTS for place in range(POINTS + 1)]
    at = [each.occupancy.share for each in calibration.thresholds]
    free = [max(1, each.occupancy.free_tokens) for each in calibration.thresholds]
    whole = [each.whole_tokens / room for each, room in zip(calibration.thresholds, free, strict=True)]
    failed = [
        None if each.failed_tokens is None else min(1.0, each.failed_tokens / room)
        for each, room in zip(calibration.thresholds, free, strict=True)
    ]
    series = [
        {
            "name": "fitted",
            "kind": "line",
            "x": along,
            "y": [share_left(Occupancy(window_tokens, round(each * window_tokens)), limits) for each in along],
        },
        {"name": "longest whole", "kind": "points", "x": at, "y": whole},
        {"name": "shortest failed", "kind": "points", "x": at, "y": failed},
    ]
    title = f"{limits.model}: share of the free window that is written"
    return chart_svg({"title": title, "x_label": "occupancy", "y_label": "share", "series": series})
