"""Figures of a paper as SVG without scripts: lines with bands, points of all trials, differences, dose and response.

Colours are names of the page's palette, so that a figure follows its theme; what is drawn is told in tables as well.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import pandas as pd

from cave_sim.analysis.wording import row_text
from cave_sim.dashboards.paper.axes import Scale
from cave_sim.diagnostics.short_texts import fitted
from cave_sim.rendering.escaping import html as escape

COLOURS = ("blue", "orange", "green", "vermilion", "purple", "sky", "black", "yellow")
WIDTH, HEIGHT = 460, 250
LEFT, RIGHT, TOP, BOTTOM = 52, 12, 10, 30
ROW = 34
NAMED, LETTERS = 128, 17
"""Where figures with a name for each row begin, and how many letters of it there is room for."""
ASIDE = 5
MOST_COUNTED = 6
"""So many whole numbers stand below an axis themselves: there are no 1.2 doctors."""
MOST_JOINED = 12
MOST_POINTS = 400
"""Points of a line: more than these are not told apart, and a page would be heavy with them."""


def colour(rank: int) -> str:
    """Return the name of the colour that the arm of a rank has in all figures."""
    return COLOURS[rank % len(COLOURS)]


def over_time(table: pd.DataFrame, arms: Sequence[str], label: str) -> str:
    """Return lines of means over steps, each with the band of its interval where there are replicates."""
    x = Scale.over(table["step"], LEFT, WIDTH - RIGHT, 0)
    y = Scale.over([*table["mean"], *table["low"], *table["high"]], HEIGHT - BOTTOM, TOP)
    parts = [*_rows(y), *_columns(x, HEIGHT, "step")]
    lines = []
    for rank, arm in enumerate(arms):
        mine = _thinned(table[table["arm"] == arm])
        band = _drawn(mine)
        if len(band):
            there = [f"{x(step)} {y(high)}" for step, high in zip(band["step"], band["high"], strict=True)]
            back = [f"{x(step)} {y(low)}" for step, low in zip(band["step"][::-1], band["low"][::-1], strict=True)]
            parts.append(f'<path class="band" style="--c:var(--{colour(rank)})" d="M{"L".join([*there, *back])}Z"/>')
        line = "L".join(f"{x(step)} {y(mean)}" for step, mean in zip(mine["step"], mine["mean"], strict=True))
        lines.append(f'<path class="line" style="--c:var(--{colour(rank)})" d="M{line}"/>' if line else "")
    return _svg(HEIGHT, f"{label} over steps, by condition", [*parts, *lines])


def at_the_end(
    values: pd.DataFrame, means: pd.DataFrame, arms: Sequence[str], label: str, within: Sequence[float] = ()
) -> str:
    """Return a row for each arm: the last value of every trial as a point, and their mean with its interval.

    Args:
        values: of each trial: `arm` and `value`; none where they are not told apart.
        means: `arm`, `mean`, `low` and `high`; NaN where there is no interval.
        arms: in their order.
        label: what it is, for whoever does not see it.
        within: numbers that the axis shows in any case, as 0 and 100 of what is in percent.
    """
    height = TOP + ROW * len(arms) + BOTTOM
    drawn = [*values["value"], *means["mean"], *means["low"], *means["high"], *within]
    x = Scale.over(drawn, NAMED, WIDTH - RIGHT)
    parts = list(_columns(x, height, ""))
    for rank, arm in enumerate(arms):
        y, style = TOP + ROW * (rank + 0.5), f'style="--c:var(--{colour(rank)})"'
        parts.append(_name(arm, y))
        arm_values = values.loc[values["arm"] == arm, "value"].dropna()
        parts += [
            f'<circle class="trial" {style} cx="{x(value)}" cy="{y + _aside(at)}" r="3.2"/>'
            for at, value in enumerate(arm_values)
        ]
        parts += [text for row in means[means["arm"] == arm].to_dict("records") for text in _interval(x, y, row, style)]
    return _svg(height, f"{label} at the end: every trial, and means with intervals", parts)


def differences(table: pd.DataFrame, arms: Sequence[str], label: str, colours: Sequence[str] = ()) -> str:
    """Return a row for each difference, with its interval, beside the line of no difference.

    Args:
        table: `arm`, `mean`, `n`, `low` and `high`; NaN where there is no interval.
        arms: in the order of their colours.
        label: what differs, for whoever does not see it.
        colours: of the palette, one for each row; those of the arms unless given.
    """
    height = TOP + ROW * len(table) + BOTTOM
    x = Scale.over([0.0, *table["mean"], *table["low"], *table["high"]], NAMED, WIDTH - RIGHT)
    parts = list(_columns(x, height, ""))
    parts.append(f'<line class="zero" x1="{x(0)}" x2="{x(0)}" y1="{TOP}" y2="{height - BOTTOM}"/>')
    for at, row in enumerate(table.to_dict("records")):
        style = f'style="--c:var(--{colours[at] if colours else colour(arms.index(row["arm"]))})"'
        y = TOP + ROW * (at + 0.5)
        parts += [_name(row["arm"], y), *_interval(x, y, row, style)]
    return _svg(height, f"{label}: differences with intervals", parts)


def against(
    table: pd.DataFrame, conditions: Sequence[str], parameter: str, label: str, arms: Sequence[str] = ()
) -> str:
    """Return means with intervals against a parameter: a line for each condition; texts stand side by side.

    A condition has the colour of its first arm, which the page's legend shows. Of a sample, which has too many
    values for lines, means stand alone.
    """
    ranks = [_rank_of(condition, rank, arms) for rank, condition in enumerate(conditions)]
    values = list(dict.fromkeys(table["value"]))
    is_numeric = all(isinstance(value, int | float) for value in values)
    places = {value: float(value) if is_numeric else float(at) for at, value in enumerate(values)}
    x = Scale.over(places.values(), LEFT, WIDTH - RIGHT)
    y = Scale.over([*table["mean"], *table["low"], *table["high"]], HEIGHT - BOTTOM, TOP)
    is_counted = len(values) <= MOST_COUNTED and all(float(place).is_integer() for place in places.values())
    names = [(place, str(value)) for value, place in places.items()] if is_counted or not is_numeric else None
    parts = [*_rows(y), *_columns(x, HEIGHT, parameter, names)]
    for rank, condition in enumerate(conditions):
        rows = table[table["condition"] == condition].assign(place=lambda part: part["value"].map(places))
        rows, style = rows.sort_values("place").to_dict("records"), f'style="--c:var(--{colour(ranks[rank])})"'
        aside = ASIDE * (rank - (len(conditions) - 1) / 2)  # intervals of one value stand beside each other
        line = "L".join(f"{x(row['place']) + aside} {y(row['mean'])}" for row in rows if math.isfinite(row["mean"]))
        if line and len(values) <= MOST_JOINED:  # of a sample each point has other values of the rest, too
            parts.append(f'<path class="line" {style} d="M{line}"/>')
        for row in rows:
            at = x(row["place"]) + aside
            if math.isfinite(row["low"]) and len(values) <= MOST_JOINED:
                parts.append(
                    f'<line class="reach" {style} x1="{at}" x2="{at}" y1="{y(row["low"])}" y2="{y(row["high"])}"/>'
                )
            parts.append(f'<circle class="mean" {style} cx="{at}" cy="{y(row["mean"])}" r="3.6">{_tip(row)}</circle>')
    return _svg(HEIGHT, f"{label} against {parameter}", parts)


def importance(table: pd.DataFrame, index: str, label: str) -> str:
    """Return a row for each parameter: an index of sensitivity with its interval, beside the line of no influence."""
    height = TOP + ROW * len(table) + BOTTOM
    value, reach = table[index], table[f"{index}_conf"].fillna(0.0)
    x = Scale.over([0.0, *value, *(value - reach), *(value + reach)], NAMED, WIDTH - RIGHT)
    parts = list(_columns(x, height, ""))
    parts.append(f'<line class="zero" x1="{x(0)}" x2="{x(0)}" y1="{TOP}" y2="{height - BOTTOM}"/>')
    for at, (name, row) in enumerate(table.iterrows()):
        y = TOP + ROW * (at + 0.5)
        near = row[f"{index}_conf"]
        estimate = {"mean": row[index], "low": row[index] - near, "high": row[index] + near, "n": 1}
        parts += [_name(str(name), y), *_interval(x, y, estimate, f'style="--c:var(--{COLOURS[0]})"')]
    return _svg(height, f"{label}, by parameter", parts)


def _rank_of(condition: str, rank: int, arms: Sequence[str]) -> int:
    named = (at for at, arm in enumerate(arms) if arm == condition or arm.startswith(f"{condition}, "))
    return next(named, rank)


def _name(text: str, y: float) -> str:
    """Return the name of a row, left of it: in two lines if it has two parts, shortened in their middle."""
    first, comma, second = text.partition(", ")
    lines = [text] if len(text) <= LETTERS or not comma else [first, second]
    tops = [y + 4] if len(lines) == 1 else [y - 3, y + 11]
    label = "".join(
        f'<tspan x="{NAMED - 8}" y="{top}">{escape(_shortened(line))}</tspan>'
        for line, top in zip(lines, tops, strict=True)
    )
    return f'<text text-anchor="end">{label}<title>{escape(text)}</title></text>'


def _shortened(text: str) -> str:
    if fitted(text, LETTERS) == text:
        return text
    ends = fitted(text[::-1], LETTERS - 9)[-2::-1]  # from its end on, without the mark that it was cut
    return f"{fitted(text, 10)}{ends}"


def _interval(x: Scale, y: float, row: dict[str, float], style: str) -> Iterator[str]:
    if not math.isfinite(row["mean"]):
        return
    if math.isfinite(row["low"]):
        yield f'<line class="reach" {style} x1="{x(row["low"])}" x2="{x(row["high"])}" y1="{y}" y2="{y}"/>'
    yield f'<circle class="mean" {style} cx="{x(row["mean"])}" cy="{y}" r="5">{_tip(row)}</circle>'


def _tip(row: dict[str, float]) -> str:
    return f"<title>{escape(row_text(row))}</title>"


def _aside(at: int) -> float:
    """Return how far a point stands beside its row, so that equal ones do not hide each other."""
    return ((at * 0.618) % 1 - 0.5) * ROW * 0.55


def _drawn(table: pd.DataFrame) -> pd.DataFrame:
    """Return where there are replicates: where all are alike, their band is the line of their mean."""
    there = table[table["n"] > 1]
    return there.assign(low=there["low"].fillna(there["mean"]), high=there["high"].fillna(there["mean"]))


def _thinned(table: pd.DataFrame) -> pd.DataFrame:
    every = -(-len(table) // MOST_POINTS)
    return table.iloc[sorted({*range(0, len(table), max(1, every)), *([len(table) - 1] if len(table) else [])})]


def _rows(y: Scale) -> Iterator[str]:
    for value, text in y.ticks(5):
        yield f'<line class="grid" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y(value)}" y2="{y(value)}"/>'
        yield f'<text x="{LEFT - 7}" y="{y(value) + 4}" text-anchor="end">{text}</text>'


def _columns(x: Scale, height: float, name: str, columns: Sequence[tuple[float, str]] | None = None) -> Iterator[str]:
    ticks = x.ticks(6) if columns is None else columns
    for value, text in ticks:
        yield f'<line class="grid" x1="{x(value)}" x2="{x(value)}" y1="{TOP}" y2="{height - BOTTOM}"/>'
        yield f'<text x="{x(value)}" y="{height - 12}" text-anchor="middle">{escape(text)}</text>'
    if name:
        yield f'<text class="axis" x="{LEFT - 7}" y="{height - 12}" text-anchor="end">{escape(name[:9])}</text>'


def _svg(height: float, label: str, parts: Sequence[str]) -> str:
    return f'<svg viewBox="0 0 {WIDTH} {height:g}" role="img" aria-label="{escape(label)}">{"".join(parts)}</svg>'
