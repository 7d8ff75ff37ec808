"""A chart as SVG: lines, bars and points on axes, in a file that loads nothing."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from cave_sim.rendering.escaping import html

WIDTH, HEIGHT = 640, 320
LEFT, RIGHT, TOP, BOTTOM = 64, 16, 32, 44
COLOURS = ("#1b6ca8", "#d1495b", "#2e8b57", "#b5651d", "#6a4c93", "#7a7a7a")
TICKS = 5


def chart_svg(chart: Mapping[str, Any]) -> str:
    """Return a chart as an SVG element; the same chart gives the same text.

    Args:
        chart: as :class:`cave_sim.rendering.schemas.Chart` describes it.
    """
    series = chart["series"]
    words = list(dict.fromkeys(x for one in series for x in one["x"] if isinstance(x, str)))
    places = {word: place for place, word in enumerate(words)}
    points = [
        [
            (float(places[x]) if isinstance(x, str) else float(x), float(y))
            for x, y in zip(one["x"], one["y"], strict=True)
            if y is not None
        ]
        for one in series
    ]
    flat = [point for each in points for point in each]
    has_bars = any(one["kind"] == "bar" for one in series)
    x_low, x_high = _span([x for x, _ in flat], margin=0.5 if words or has_bars else 0.0)
    y_low, y_high = _span([y for _, y in flat] + ([0.0] if has_bars else []))

    def at(x: float, y: float) -> tuple[float, float]:
        across = (x - x_low) / (x_high - x_low) * (WIDTH - LEFT - RIGHT) + LEFT
        down = (y_high - y) / (y_high - y_low) * (HEIGHT - TOP - BOTTOM) + TOP
        return round(across, 1), round(down, 1)

    parts = [_text(WIDTH / 2, 18, chart.get("title") or "", "middle", "title")]
    for tick in ticks(y_low, y_high):
        _, y = at(x_low, tick)
        parts.append(
            f'<path class="grid" d="M{LEFT} {y}H{WIDTH - RIGHT}"/>{_text(LEFT - 6, y + 4, f"{tick:g}", "end")}'
        )
    marks = (
        [(places[word], word) for word in words] if words else [(tick, f"{tick:g}") for tick in ticks(x_low, x_high)]
    )
    every = max(1, math.ceil(len(marks) / 12))
    parts += [_text(at(x, y_low)[0], HEIGHT - BOTTOM + 16, label[:18], "middle") for x, label in marks[::every]]
    for place, (one, here) in enumerate(zip(series, points, strict=True)):
        parts.append(_drawn(one, here, COLOURS[place % len(COLOURS)], at, len(series), place))
        parts.append(_text(WIDTH - RIGHT, TOP + 14 * place, one["name"], "end", "", COLOURS[place % len(COLOURS)]))
    parts.append(_text(WIDTH / 2, HEIGHT - 8, chart.get("x_label") or "", "middle"))
    parts.append(_text(8, 18, chart.get("y_label") or "", "start"))
    label = html(chart.get("title") or "figure")
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{label}">'
        "<style>text{font:12px sans-serif;fill:currentColor}.title{font-weight:600}.grid{stroke:#8884}</style>"
        f"{''.join(parts)}</svg>"
    )


def ticks(low: float, high: float) -> Sequence[float]:
    """Return round numbers between two, about five of them."""
    raw = (high - low) / TICKS
    power = 10.0 ** math.floor(math.log10(raw))
    step = next(factor * power for factor in (1, 2, 5, 10) if factor * power >= raw)
    first = math.ceil(low / step)
    return [float(f"{place * step:.10g}") for place in range(first, math.floor(high / step) + 1)][: 4 * TICKS]


def _span(values: Sequence[float], margin: float = 0.0) -> tuple[float, float]:
    if not values:
        return 0.0, 1.0
    low, high = min(values) - margin, max(values) + margin
    if not math.isfinite(high - low) or high - low < 1e-9 * max(1.0, abs(high)):
        return low - 0.5 * max(1.0, abs(low)), high + 0.5 * max(1.0, abs(high))
    return low, high


def _drawn(
    one: Mapping[str, Any], here: Sequence[tuple[float, float]], colour: str, at: Any, of: int, place: int
) -> str:
    if one["kind"] == "line":
        path = "L".join(f"{x} {y}" for x, y in (at(*point) for point in here))
        return f'<path d="M{path}" fill="none" stroke="{colour}" stroke-width="2"/>' if path else ""
    if one["kind"] == "points":
        return "".join(f'<circle cx="{x}" cy="{y}" r="3" fill="{colour}"/>' for x, y in (at(*point) for point in here))
    width = 0.8 / of
    bars = []
    for x, y in here:
        (left, top), (right, bottom) = (
            at(x - 0.4 + place * width, max(y, 0)),
            at(x - 0.4 + (place + 1) * width, min(y, 0)),
        )
        box = f'x="{left}" y="{top}" width="{round(max(0.5, right - left), 1)}" height="{round(bottom - top, 1)}"'
        bars.append(f'<rect {box} fill="{colour}"/>')
    return "".join(bars)


def _text(x: float, y: float, text: str, anchor: str, kind: str = "", colour: str = "") -> str:
    if not text:
        return ""
    fill = f' style="fill:{colour}"' if colour else ""
    named = f' class="{kind}"' if kind else ""
    return f'<text x="{round(x, 1)}" y="{round(y, 1)}" text-anchor="{anchor}"{named}{fill}>{html(text)}</text>'
