"""The page of a why: the causes on the time line, as a graph, and as a table; it opens from disk and runs nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any

from cave_sim.dashboards.page_files import write_page
from cave_sim.dashboards.standalone import page

WIDTH, LEFT, ROW, PAD = 920, 170, 26, 30
AGENTS_SHOWN, CAUSES_SHOWN, LETTERS = 40, 12, 70
MORE, LESS, NONE = "#1b6ca8", "#d1495b", "#9aa0a6"
Row = Mapping[str, Any]


def write_causes_page(found: Mapping[str, Any], path: Path) -> Path:
    """Write the page of what ``cave-sim why`` found and return where it is.

    Args:
        found: what ``cave-sim why --json`` prints.
        path: the HTML file to write.
    """
    title = f"Why {found['question']}?"
    causes = found["causes"][:CAUSES_SHOWN]
    parts = [
        f"<h1>{escape(title)}</h1>",
        f"<p>{escape(_fact(found))}</p>",
        f"<h2>When</h2>{_time_line(found)}",
        f"<h2>What</h2>{_graph(found, causes)}" if causes else "<p>No cause among those that are known.</p>",
        _table(causes) if causes else "",
        _shares(found["interactions"]) if found.get("interactions") else "",
    ]
    write_page(path, page(title, f'<main class="pad">{"".join(parts)}</main>', styles=("tokens.css", "page.css")))
    return path


def _fact(found: Mapping[str, Any]) -> str:
    unit = f" {found['unit']}" if found["unit"] else ""
    tried = f"{found['tried']} of {found['candidates']} candidates were tried on {found['forks']} forks"
    colours = "Blue: it made it more; red: less; grey: no cause."
    return f"{_number(found['fact'])}{unit} at step {found['at']}; {tried}. {colours}"


def _time_line(found: Mapping[str, Any]) -> str:
    """Draw each candidate that was tried at its step, in the row of its agent; the larger its effect, the larger."""
    rows: Sequence[Row] = found["tried_effects"]
    agents = sorted({_who(row) for row in rows})[:AGENTS_SHOWN]
    most = max((abs(row["effect"] or 0.0) for row in rows), default=0.0) or 1.0
    last = max(found["at"], 1)
    named = {_place(row) for row in found["causes"]}
    drawn = []
    for row in sorted(rows, key=lambda row: _place(row) in named):
        if _who(row) not in agents:
            continue
        is_cause = _place(row) in named
        size = 3 + 9 * (abs(row["effect"] or 0.0) / most if is_cause else 0)
        x, y = LEFT + (WIDTH - LEFT - PAD) * row["step"] / last, PAD + ROW * agents.index(_who(row))
        drawn.append(
            f'<circle cx="{x:.1f}" cy="{y}" r="{size:.1f}" fill="{_colour(row["effect"] if is_cause else 0)}"'
            f' fill-opacity="0.8"><title>{escape(_tip(row))}</title></circle>'
        )
    labels = [_text(LEFT - 14, PAD + ROW * place + 4, name[:24], "end") for place, name in enumerate(agents)]
    bottom = PAD + ROW * len(agents)
    ticks = [
        _text(LEFT + (WIDTH - LEFT - PAD) * step / last, bottom + 8, str(step), "middle")
        for step in sorted({round(last * part / 6) for part in range(7)})
    ]
    return _svg(bottom + 20, [*labels, *ticks, *drawn], "candidates by step and agent")


def _graph(found: Mapping[str, Any], causes: Sequence[Row]) -> str:
    """Draw an arrow from each cause to what is asked about, the wider the larger its effect."""
    most = max(abs(row["effect"]) for row in causes)
    height = PAD + 34 * len(causes)
    goal_x, goal_y = WIDTH - 190, height / 2
    parts = []
    for place, row in enumerate(causes):
        y = PAD + 34 * place
        wide = 1 + 7 * abs(row["effect"]) / most
        parts.append(
            f'<path d="M560 {y - 4}C640 {y - 4} 640 {goal_y:.0f} {goal_x - 8} {goal_y:.0f}" fill="none"'
            f' stroke="{_colour(row["effect"])}" stroke-opacity="0.7" stroke-width="{wide:.1f}"/>'
        )
        parts.append(_text(552, y, f"{row['name']}: {row['told']}"[:LETTERS], "end"))
    parts.append(_text(goal_x, goal_y + 4, found["question"][:28], "start"))
    return _svg(height + 6, parts, "causes of what is asked about")


def _table(causes: Sequence[Row]) -> str:
    head = "<tr><th>effect<th>95 % interval<th>who and when<th>what</tr>"
    rows = "".join(
        f'<tr><td class="number">{_number(row["effect"], sign="+")}<td>{_interval(row)}<td>{escape(row["name"])}'
        f"<td>{escape(row['told'])}</tr>"
        for row in causes
    )
    return f"<table>{head}{rows}</table>"


def _shares(found: Mapping[str, Any]) -> str:
    rows = "".join(
        f'<tr><td class="number">{_number(each["value"], sign="+")}<td>{escape(each["name"])}'
        f"<td>{escape(each['told'])}</tr>"
        for each in found["shares"]
    )
    names = [each["name"] for each in found["shares"]]
    pairs = "".join(f"<li>{escape(each)}</li>" for each in _pairs(found, names))
    how = "all" if found["is_exact"] else "sampled"
    return (
        f"<h2>Together</h2><p>Shapley values over {found['orders']} {how} orders.</p>"
        f"<table><tr><th>value<th>who and when<th>what</tr>{rows}</table><ul>{pairs}</ul>"
    )


def _pairs(found: Mapping[str, Any], names: Sequence[str]) -> Iterator[str]:
    for each in found["together"]:
        if each["effect"]:
            one, other = (names[place] for place in each["pair"])
            yield f"{one} and {other}: {_number(each['effect'], sign='+')} beyond the sum of what either does"


def _svg(height: float, parts: Sequence[str], label: str) -> str:
    return (
        f'<svg viewBox="0 0 {WIDTH} {height:.0f}" role="img" aria-label="{label}"'
        f' style="max-width:{WIDTH}px;width:100%">'
        f"{''.join(parts)}</svg>"
    )


def _text(x: float, y: float, text: str, anchor: str) -> str:
    style = "font:12px system-ui,sans-serif;fill:currentColor"
    return f'<text x="{x:.0f}" y="{y:.0f}" text-anchor="{anchor}" style="{style}">{escape(text)}</text>'


def _tip(row: Row) -> str:
    effect = "not known" if row["effect"] is None else _number(row["effect"], sign="+")
    return f"{row['name']}: {row['told']} ({effect})"


def _who(row: Row) -> str:
    return str(row["agent"] or row["kind"])


def _place(row: Row) -> tuple[Any, ...]:
    return row["agent"], row["step"], row["told"], *row["turns"]


def _colour(effect: float | None) -> str:
    return NONE if not effect else MORE if effect > 0 else LESS


def _interval(row: Row) -> str:
    return "" if row["low"] is None else f"{_number(row['low'])} to {_number(row['high'])}"


def _number(value: Any, sign: str = "") -> str:
    return str(value).lower() if isinstance(value, bool) else f"{value:{sign},.4g}"
