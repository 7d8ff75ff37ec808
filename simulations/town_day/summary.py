"""The story of a run in a few lines, told from its journal alone."""

import re
from collections import Counter
from datetime import datetime, timedelta
from typing import Any

from cave_sim import Run
from cave_sim.diagnostics.plurals import counted
from cave_sim.journal.tallies import cell_count, most_changed
from cave_sim.simulations.minds import talking, thinking
from cave_sim.simulations.town_day.meetings import agreements, meetings

PEOPLE, REASONS, CHANGES, NEWS = 8, 8, 5, 6  # how many of each are told
People = dict[str, dict[str, Any]]


def summary(run: Run) -> str:
    """Return who did what, who talked, what was spent, what changed most, and which turns did not land and why.

    Args:
        run: a journal as `cave_sim.open_run` returns it.
    """
    people = _people(run)
    hours = _hours(run, people)
    parts = [
        _headline(run, people),
        _news(run),
        _average(hours),
        _lives(people, hours),
        _talk(run, people),
        _money(run, people),
        _changes(run),
        _refusals(run),
        _section("Thinking", thinking(run)),
    ]
    return "\n\n".join(part for part in parts if part)


def _people(run: Run) -> People:
    """Return everyone who entered the world, by name, with the fields they had then."""
    people = {change.entity: change.new["fields"] for change in run.changes(op="create")}
    return {name: fields for name, fields in sorted(people.items()) if "activity" in fields}


def _last_step(run: Run) -> int:
    return max(0, run.last_step)


def _headline(run: Run, people: People) -> str:
    start, step_s = datetime.fromisoformat(run.manifest["start"]), float(run.manifest["step_s"])
    end = start + timedelta(seconds=_last_step(run) * step_s)
    span = f"{start:%a %d %b %Y %H:%M} to {end:%a %d %b %H:%M}: {counted(len(people), 'person', 'people')}"
    measures = run.measures()
    if measures.empty:
        return span
    degrees, wet = measures["temperature (degC)"], (measures["precipitation (mm/h)"] > 0).sum()
    return f"{span}, {degrees.min():.0f} to {degrees.max():.0f} degrees, wet for {wet * step_s / 3600:.0f} h"


def _news(run: Run) -> str:
    lines = [line for change in run.changes(field="announcements", op="splice") for line in change.new["items"]]
    more = [f"... and {len(lines) - NEWS} more"] if len(lines) > NEWS else []
    return _section("Announced", [*lines[:NEWS], *more])


def _hours(run: Run, people: People) -> dict[str, Counter[str]]:
    """Return for each person the hours spent on each activity."""
    step_h = float(run.manifest["step_s"]) / 3600
    rows: list[Any] = [(change.step, change.entity, change.new) for change in run.changes(field="activity", op="set")]
    doing: dict[str, tuple[int, str]] = {name: (0, about["activity"]) for name, about in people.items()}
    hours: dict[str, Counter[str]] = {name: Counter() for name in people}
    ends = [(_last_step(run), name, "") for name in people]
    for step, name, new in [*rows, *ends]:
        begun, activity = doing[name]
        hours[name][activity] += (step - begun) * step_h
        doing[name] = step, new
    return hours


def _average(hours: dict[str, Counter[str]]) -> str:
    total: Counter[str] = sum(hours.values(), Counter())
    averages = (f"{activity} {spent / len(hours):.1f}" for activity, spent in total.most_common())
    return "Hours per person: " + ", ".join(averages) if hours else ""


def _lives(people: People, hours: dict[str, Counter[str]]) -> str:
    lines = []
    for name in list(people)[:PEOPLE]:
        about = people[name]
        day = ", ".join(f"{activity} {spent:.1f}" for activity, spent in hours[name].most_common(5) if spent)
        lines.append(f"{about['title']}, {about['age']}, {about['job'] or 'at home'}: {day}")
    more = [f"... and {len(people) - PEOPLE} more"] if len(people) > PEOPLE else []
    return _section("Who did what (hours)", [*lines, *more])


def _talk(run: Run, people: People) -> str:
    cells = [(turn.code, turn.agent) for turn in run.turns(status="committed")]
    talks_by_pair = Counter(
        tuple(sorted((agent, other)))
        for code, agent in cells
        for other in re.findall(r"me\.(?:say|meet)\((\w+)", code)
        if other in people
    )
    agreed, due = len(agreements(run)), meetings(run)
    most = [
        f"{_name(people, one)} and {_name(people, other)} ({count})"
        for (one, other), count in talks_by_pair.most_common(3)
    ]
    things, pairs = counted(talks_by_pair.total(), "thing"), counted(len(talks_by_pair), "pair")
    total = f"{things} said by {pairs}, {counted(agreed, 'meeting')} agreed"
    kept_meetings = (
        [f"{sum(each.is_kept for each in due)} of {len(due)} meetings that were due were kept"] if due else []
    )
    return _section("Talk", [total, f"most: {', '.join(most)}", *talking(run), *kept_meetings]) if talks_by_pair else ""


def _money(run: Run, people: People) -> str:
    spent: Counter[str] = Counter()
    income_cents = 0
    for change in run.changes(field="money_cents", op="set"):
        gained_cents = change.new - change.old
        income_cents += max(0, gained_cents)
        spent[change.entity] += max(0, -gained_cents)
    most = ", ".join(f"{_name(people, name)} {cents / 100:,.0f}" for name, cents in spent.most_common(3))
    total = f"residents earned {income_cents / 100:,.0f} EUR and spent {spent.total() / 100:,.0f} EUR"
    return _section("Money", [total, f"most spent: {most}"]) if spent else ""


def _changes(run: Run) -> str:
    entities, fields = most_changed(run, CHANGES)
    counts = [", ".join(f"{what} {many:,}" for what, many in counted.items()) for counted in (entities, fields)]
    return _section("Changed most", [f"of entities: {counts[0]}", f"of fields: {counts[1]}"]) if entities else ""


def _refusals(run: Run) -> str:
    refused = (turn for turn in run.turns() if turn.kind == "cell" and turn.status != "committed")
    reasons = Counter((turn.status, _reason(turn.error or "")) for turn in refused)
    lines = [f"{count:,} {status}: {reason}" for (status, reason), count in reasons.most_common(REASONS)]
    more = [f"... and {len(reasons) - REASONS} other reasons"] if len(reasons) > REASONS else []
    if lines:
        return _section("Turns that did not land", [*lines, *more])
    return "Every turn landed." if cell_count(run) else "Nobody acted."


def _reason(error: str) -> str:
    """Return the error's last line without its particulars, so that like errors count as one."""
    line = (error.strip().splitlines() or ["no reason given"])[-1].removeprefix("Refused: ")
    line = re.sub(r"^.*? \(\w+\) (?=is |decides )", "X ", line)
    line = re.sub(r"^.*? has [\d.,]+ EUR and cannot pay .*", "X cannot pay that", line)
    line = re.sub(r"^You have a plan for .*", "there is a plan for that hour already", line)
    return re.sub(r"\b((Mon|Tue|Wed|Thu|Fri|Sat|Sun) )?\d\d:\d\d", "later", line)[:100]


def _name(people: People, name: str) -> str:
    return str(people[name]["title"]) if name in people else name


def _section(title: str, lines: list[str]) -> str:
    return "\n  ".join([f"{title}:", *lines]) if lines else ""
