"""The report's small charts, one card each: weather, how residents fare, money, the run's own measures, turns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go

from cave_sim.dashboards.figures import AXIS, over_time
from cave_sim.dashboards.palette import BLUE, CYCLE, INK, MUTED, SKY, STATUS, plain, split_unit, veil
from cave_sim.dashboards.record import Born, Numbers, Record

HOLDINGS = {"money_cents", "cash_cents", "treasury_cents", "balance_cents", "savings_cents"}


@dataclass(frozen=True)
class Chart:
    """One card: a title, its unit, a figure, and a colour per legend word (none: a single series)."""

    title: str
    unit: str
    figure: go.Figure
    legend: Mapping[str, str]


def charts(record: Record) -> list[Chart]:
    """Return the small charts of the day: weather, how residents fare, money by holder, the run's own measures."""
    found = [_weather_chart(record), *_level_charts(record), _money_chart(record), *_measure_charts(record)]
    return [chart for chart in found if chart is not None]


def _weather_chart(record: Record) -> Chart | None:
    if record.weather is None:
        return None
    lines = [_line(record, record.numbers("temperature_c", [record.weather])[0], "°C")]
    if "precipitation_mm" not in record.weather.fields:
        return Chart("weather", "°C", over_time(record, lines), {})
    rain = record.numbers("precipitation_mm", [record.weather])[0]
    lines.append(_area(record, rain, line={"width": 0, "shape": "hv"}, yaxis="y2", fill="tozeroy", fillcolor=veil(SKY)))
    lines[-1].update(hoverinfo="y", hovertemplate="%{y:.1f} mm<extra></extra>")
    above = {"overlaying": "y", "side": "right", "range": [0, max(2.0, 2 * float(np.nan_to_num(rain).max()))]}
    second = (
        AXIS | above | {"showgrid": False, "tickmode": "auto", "nticks": 3, "tickformat": "~g", "ticksuffix": " mm"}
    )
    figure = over_time(record, lines, yaxis2=second, margin={"l": 44, "r": 56, "t": 8, "b": 24})
    return Chart("weather", "°C", figure, {"temperature": BLUE, "precipitation": SKY})


def _level_charts(record: Record) -> list[Chart]:
    found = []
    for index, (field, values) in enumerate(record.levels.items()):
        title, unit = split_unit(field)
        colour = CYCLE[index % len(CYCLE)]
        low, middle, high = _spread(values)
        band = [_area(record, low), _area(record, high, fill="tonexty", fillcolor=veil(colour))]
        figure = over_time(record, [*band, _line(record, middle, unit, colour)])
        found.append(Chart(f"residents’ {title}", unit, figure, {"median": colour, "middle 80 %": veil(colour)}))
    return found


def _spread(values: Numbers) -> Numbers:
    """Return the 10th, 50th and 90th percentile of each frame; NaN where nobody has a value."""
    nobody = np.isnan(values).all(axis=0)
    spread: Numbers = np.nanpercentile(np.where(nobody, 0.0, values), (10, 50, 90), axis=0)
    spread[:, nobody] = np.nan
    return spread


def _money_chart(record: Record) -> Chart | None:
    """Return what each kind of holder gained or lost since the start; money that is conserved sums to zero."""
    holders: dict[str, list[Born]] = {}
    for born in record.born.values():
        for field in HOLDINGS & born.fields.keys():
            holders.setdefault(f"{born.type}.{field}", []).append(born)
    gains = {held: _gain(record.numbers(held.partition(".")[2], members)) for held, members in sorted(holders.items())}
    gains = {held.partition(".")[0]: gain for held, gain in gains.items() if gain.any()}
    if not gains:
        return None
    colours = dict(zip(gains, CYCLE * len(gains), strict=False))
    lines = [_line(record, gain, f"cents, {plain(held)}", colours[held], meta="") for held, gain in gains.items()]
    return Chart("money gained since the start", "cents", over_time(record, lines), colours)


def _gain(values: Numbers) -> Numbers:
    """Return the sum over holders of what each has more than when it came."""
    first = np.nan_to_num(values[np.arange(len(values)), (~np.isnan(values)).argmax(axis=1)])
    gained: Numbers = np.nansum(values - first[:, None], axis=0)
    return gained


def _measure_charts(record: Record) -> list[Chart]:
    """Return one chart a measure; those that repeat what the charts of weather and residents show are left out."""
    fields = [*(record.weather.fields if record.weather else ()), *record.levels]
    shown = {split_unit(field)[0] for field in fields}
    series: dict[str, Numbers] = {}
    for name, step, value in record.run.query("SELECT name, step, value FROM measures ORDER BY name, step"):
        line = series.setdefault(name, np.full(len(record.frames), np.nan))
        line[record.frames.at(step)] = np.nan if value is None else value
    return [
        _measure_chart(record, name, values)
        for name, values in series.items()
        if split_unit(name)[0].removeprefix("mean ") not in shown
    ]


def _measure_chart(record: Record, name: str, values: Numbers) -> Chart:
    title, unit = split_unit(name)
    return Chart(title, unit, over_time(record, [_line(record, values, unit, INK)]), {})


def turns(record: Record) -> list[Chart]:
    """Return turns per step that landed, and those that did not, by status."""
    counts: dict[str, Numbers] = {status: np.zeros(len(record.frames)) for status in STATUS}
    sql = "SELECT step, status, count(*) FROM turns WHERE kind = 'cell' GROUP BY step, status"
    for step, status, number in record.run.query(sql):
        counts.setdefault(status, np.zeros(len(record.frames)))[record.frames.at(step)] += number
    landed = over_time(record, [_line(record, counts.pop("committed"), "")])
    lost = {status: line for status, line in counts.items() if line.any()}
    found = [Chart("turns that landed", "per step", landed, {})]
    if lost:
        colours = {status: STATUS.get(status, MUTED) for status in lost}
        bars = [_bars(record, line, status, colours[status]) for status, line in lost.items()]
        figure = over_time(record, bars, barmode="stack", bargap=0.1)
        found.append(Chart("turns that did not", "per step", figure, colours))
    return found if any(line.any() for line in (*lost.values(), landed.data[0].y)) else []


def _line(record: Record, values: Numbers, unit: str, colour: str = BLUE, meta: str = "main") -> go.Scatter:
    """Return a line; the page shows the value of a "main" one at the chosen moment in the card's corner."""
    line = {"color": colour, "width": 1.8}
    said = f"%{{y:,.4~g}} {unit}<extra></extra>"
    return _area(record, values, line=line, meta=meta, hoverinfo="y", hovertemplate=said)


def _area(record: Record, values: Numbers, **style: Any) -> go.Scatter:
    quiet = {"mode": "lines", "line": {"width": 0}, "hoverinfo": "skip"}
    return go.Scatter(x=record.frames.labels, y=values.astype(np.float32), **(quiet | style))


def _bars(record: Record, values: Numbers, status: str, colour: str) -> go.Bar:
    said = f"%{{y:,}} {plain(status)}<extra></extra>"
    marker = {"color": colour, "line": {"width": 0}}
    return go.Bar(x=record.frames.labels, y=values.astype(np.float32), marker=marker, hovertemplate=said)
