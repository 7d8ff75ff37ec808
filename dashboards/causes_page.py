"""The page of a why: the causes on the time line, as a graph, and as a table; it opens from disk and runs nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from cave_sim import Run
from cave_sim.dashboards.lookups.called import called
from cave_sim.dashboards.standalone import page
from cave_sim.diagnostics.plurals import counted
from cave_sim.diagnostics.short_texts import fitted, shortened
from cave_sim.files.whole_files import write_whole
from cave_sim.rendering.escaping import SAFE
from cave_sim.rendering.escaping import html as escape
from cave_sim.rendering.shells import page_part

WIDTH, LEFT, ROW, PAD, LETTER = 860, 170, 26, 22, 6.8
AGENTS_SHOWN, CAUSES_SHOWN, LETTERS, QUESTION_LETTERS = 40, 12, 66, 240
MORE, LESS, NONE = "var(--blue)", "var(--vermilion)", "var(--other)"
LEGEND = ((MORE, "made it more, or brought it about"), (LESS, "made it less, or prevented it"), (NONE, "no cause"))
OF_A_RUN = ("agents", "prompt-parts")  # what is absent from its step on, and not in one alone
Row = Mapping[str, Any]


def write_causes_page(answer: Mapping[str, Any], path: Path, run: Run) -> Path:
    """Write the page of what ``cave-sim why`` found and return where it is.

    Args:
        answer: what ``cave-sim why --json`` prints.
        path: the HTML file to write.
        run: that it was asked of; it says how its agents are called.
    """
    answer = _with_names(answer, run)
    title = f"Why {shortened(answer['question'], QUESTION_LETTERS)}?"
    causes = answer["causes"][:CAUSES_SHOWN]
    body = page_part(
        "causes",
        title=title,
        fact=_fact(answer),
        legends=LEGEND,
        causes=_table(causes) if causes else (),
        graph=SAFE(_graph(answer, causes)) if causes else "",
        sureness=_sureness(answer),
        more=len(answer["causes"]) - len(causes),
        time_line=SAFE(_time_line(answer)),
        shares=_shares(answer["interactions"]) if answer.get("interactions") else None,
        unknown=_unknown(answer["unknown"]),
    )
    write_whole(path, page(title, body, styles=("tokens.css", "paper.css")))
    return path


def _with_names(answer: Mapping[str, Any], run: Run) -> Mapping[str, Any]:
    """Return what was found with agents called as in the story."""
    groups = ("causes", "tried_effects", "unknown")
    names = called({row["agent"] for group in groups for row in answer[group]}, run)

    def named(row: Row) -> Row:
        agent = row["agent"]
        if agent not in names:
            return row
        name = names[agent].join(row["name"].rsplit(agent, 1))
        return {**row, "agent": names[agent], "name": name}

    return {**answer, **{group: [named(row) for row in answer[group]] for group in groups}}


def _fact(answer: Mapping[str, Any]) -> str:
    unit = f" {answer['unit']}" if answer["unit"] else ""
    fact = answer["fact"]
    sentence = (
        ("It holds" if fact else "It does not hold") if isinstance(fact, bool) else f"It is {_number(fact)}{unit}"
    )
    when = f"up to step {answer['at']}" if answer["ever"] else f"at step {answer['at']}"
    tried = f"{answer['tried']} of {counted(answer['candidates'], 'candidate')}"
    return f"{sentence} {when}. Taken out, one at a time: {tried}; each time the run was lived again without."


def _sureness(answer: Mapping[str, Any]) -> str:
    if any(row["low"] is not None for row in answer["causes"]):
        return "Intervals are 95 % t intervals of the mean over futures."
    return "Effects are exact for this very history; other seeds may differ."


def _time_line(answer: Mapping[str, Any]) -> str:
    """Draw each candidate that was tried at its step, in the row of its agent; the larger its effect, the larger."""
    rows: Sequence[Row] = answer["tried_effects"]
    everybody = sorted({_who(row) for row in rows})
    agents = everybody[:AGENTS_SHOWN]
    most = max((abs(row["effect"] or 0.0) for row in rows), default=0.0) or 1.0
    last = max(answer["at"], 1)
    named = {_place(row) for row in answer["causes"]}
    bottom, end = PAD + ROW * len(agents), WIDTH - PAD
    drawn = []
    for row in sorted(rows, key=lambda row: _place(row) in named):
        if _who(row) not in agents:
            continue
        is_cause = _place(row) in named
        size = 3 + 7 * (abs(row["effect"] or 0.0) / most if is_cause else 0)
        x, y = LEFT + (end - LEFT) * row["step"] / last, PAD + ROW * agents.index(_who(row))
        fill, tip = _colour(row["effect"] if is_cause else 0), f"<title>{escape(_tip(row))}</title>"
        if row["kind"] in OF_A_RUN:
            line = f'd="M{x:.1f} {y}H{end}" style="stroke:{fill};stroke-width:{size:.1f}" stroke-opacity="0.5"'
            drawn.append(f"<path {line}>{tip}</path>")
        drawn.append(f'<circle cx="{x:.1f}" cy="{y}" r="{size:.1f}" style="fill:{fill}">{tip}</circle>')
    labels = [_text(LEFT - 16, PAD + ROW * place + 4, fitted(name, 22), "end") for place, name in enumerate(agents)]
    lines = [f'<path class="grid" d="M{LEFT} {PAD + ROW * place}H{end}"/>' for place in range(len(agents))]
    ticks = [
        _text(LEFT + (end - LEFT) * step / last, bottom + 8, f"step {step}" if step == 0 else str(step), "middle")
        for step in sorted({round(last * part / 6) for part in range(7)})
    ]
    more = len(everybody) - len(agents)
    rest = [_text(LEFT - 16, bottom + 8, f"and {more} more", "end")] if more > 0 else []
    return _svg(bottom + 24, [*lines, *labels, *ticks, *rest, *drawn], "candidates by step and agent")


def _graph(answer: Mapping[str, Any], causes: Sequence[Row]) -> str:
    """Draw an arrow from each cause to what is asked about, the wider the larger its effect."""
    most = max(abs(row["effect"]) for row in causes)
    height = 2 * PAD + 34 * (len(causes) - 1)
    labels = [shortened(f"{row['name']}: {row['told']}", LETTERS) for row in causes]
    names = 12 + LETTER * max(map(len, labels))
    goal_x, goal_y, asked = names + 120, height / 2, shortened(answer["question"], 28)
    parts = []
    for place, row in enumerate(causes):
        y = PAD + 34 * place
        thick = 1 + 7 * abs(row["effect"]) / most
        bend = f"{(names + goal_x) / 2:.0f}"
        parts.append(
            f'<path d="M{names + 8:.0f} {y}C{bend} {y} {bend} {goal_y:.0f} {goal_x - 10:.0f} {goal_y:.0f}" fill="none"'
            f' style="stroke:{_colour(row["effect"])}" stroke-opacity="0.8" stroke-width="{thick:.1f}"/>'
        )
        parts.append(_text(names, y + 4, labels[place], "end"))
    parts.append(_text(goal_x, goal_y + 4, asked, "start"))
    wide = goal_x + LETTER * len(asked) + 12
    return _svg(height, parts, "causes of what is asked about", wide)


def _table(causes: Sequence[Row]) -> tuple[Sequence[str], Sequence[Sequence[str]]]:
    """Return the heads and the rows of the table of causes."""
    spread = any(row["low"] is not None for row in causes)
    heads = ["effect", *(["95 % interval"] if spread else []), "who and when", "what"]
    rows = [
        [_number(row["effect"], sign="+"), *([_interval(row)] if spread else []), row["name"], row["told"]]
        for row in causes
    ]
    return heads, rows


def _shares(answer: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "orders": _orders(answer),
        "rows": [[_number(each["value"], sign="+"), each["name"], each["told"]] for each in answer["shares"]],
        "pairs": list(_pairs(answer, [each["name"] for each in answer["shares"]])),
    }


def _orders(answer: Mapping[str, Any]) -> str:
    if answer["is_exact"]:
        return "the only order" if answer["orders"] == 1 else f"all {answer['orders']} orders"
    return f"{answer['orders']} random orders"


def _unknown(rows: Sequence[Row]) -> list[str]:
    lines = [f"{row['name']}: {row['unknown']}" for row in rows[:CAUSES_SHOWN]]
    return [*lines, f"and {len(rows) - CAUSES_SHOWN} more"] if len(rows) > CAUSES_SHOWN else lines


def _pairs(answer: Mapping[str, Any], names: Sequence[str]) -> Iterator[str]:
    for each in answer["together"]:
        if each["effect"]:
            one, other = (names[place] for place in each["pair"])
            yield f"{one} and {other}: {_number(each['effect'], sign='+')} beyond the sum of what either does"


def _svg(height: float, parts: Sequence[str], label: str, width: float = WIDTH) -> str:
    size = f"width:{width:.0f}px;max-width:none;margin:0 auto"
    box = f'viewBox="0 0 {width:.0f} {height:.0f}"'
    return f'<svg {box} role="img" aria-label="{escape(label)}" style="{size}">{"".join(parts)}</svg>'


def _text(x: float, y: float, text: str, anchor: str) -> str:
    return f'<text x="{x:.0f}" y="{y:.0f}" text-anchor="{anchor}">{escape(text)}</text>'


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
    return str(value).lower() if isinstance(value, bool) else f"{value:{sign},.4g}".replace("-", "−")
