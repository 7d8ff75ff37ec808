"""The story of a run in a few lines, told from its journal alone."""

import json
import re
from collections import Counter
from datetime import datetime, timedelta
from typing import Any

from cave_sim import Run
from cave_sim.simulations.minds import thinking

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
    creations = (
        (name, json.loads(new)) for name, new in run.query("SELECT entity, new FROM changes WHERE op = 'create'")
    )
    return {name: new["fields"] for name, new in sorted(creations) if "activity" in new["fields"]}


def _last_step(run: Run) -> int:
    return int(run.query("SELECT coalesce(max(step), 0) FROM steps")[0][0])


def _headline(run: Run, people: People) -> str:
    start, step_s = datetime.fromisoformat(run.manifest["start"]), float(run.manifest["step_s"])
    end = start + timedelta(seconds=_last_step(run) * step_s)
    span = f"{start:%a %d %b %Y %H:%M} to {end:%a %d %b %H:%M}: {len(people)} people"
    ((low, high),) = run.query("SELECT min(value), max(value) FROM measures WHERE name = 'temperature (degC)'")
    ((wet,),) = run.query("SELECT count(*) FROM measures WHERE name = 'precipitation (mm/h)' AND value > 0")
    return span + (f", {low:.0f} to {high:.0f} degrees, wet for {wet * step_s / 3600:.0f} h" if low is not None else "")


def _news(run: Run) -> str:
    rows = run.query("""SELECT new FROM changes WHERE path = '["announcements"]' AND op = 'splice' ORDER BY turn""")
    lines = [line for (new,) in rows for line in json.loads(new)["items"]]
    more = [f"... and {len(lines) - NEWS} more"] if len(lines) > NEWS else []
    return _section("Announced", [*lines[:NEWS], *more])


def _hours(run: Run, people: People) -> dict[str, Counter[str]]:
    """Return for each person the hours spent on each activity."""
    step_h = float(run.manifest["step_s"]) / 3600
    rows = run.query("""SELECT turns.step, entity, new FROM changes JOIN turns USING (turn)
                        WHERE path = '["activity"]' AND op = 'set' ORDER BY turns.turn, position""")
    doing = {name: (0, about["activity"]) for name, about in people.items()}
    hours: dict[str, Counter[str]] = {name: Counter() for name in people}
    ends = [(_last_step(run), name, '""') for name in people]
    for step, name, new in [*rows, *ends]:
        begun, activity = doing[name]
        hours[name][activity] += (step - begun) * step_h
        doing[name] = step, json.loads(new)
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
    cells = run.query("""SELECT code, agent FROM turns JOIN cells ON cells.hash = turns.cell
                         WHERE status = 'committed' AND (code LIKE '%me.say(%' OR code LIKE '%me.meet(%')""")
    talks_by_pair = Counter(
        tuple(sorted((agent, other)))
        for code, agent in cells
        for other in re.findall(r"me\.(?:say|meet)\((\w+)", code)
        if other in people
    )
    meetings = sum("me.meet(" in code for code, _ in cells)
    most = [
        f"{_name(people, one)} and {_name(people, other)} ({count})"
        for (one, other), count in talks_by_pair.most_common(3)
    ]
    total = f"{talks_by_pair.total():,} things said by {len(talks_by_pair):,} pairs, {meetings} meetings agreed"
    return _section("Talk", [total, f"most: {', '.join(most)}"]) if talks_by_pair else ""


def _money(run: Run, people: People) -> str:
    rows = run.query("""SELECT entity, old, new FROM changes WHERE path = '["money_cents"]' AND op = 'set'""")
    spent: Counter[str] = Counter()
    income_cents = 0
    for name, old, new in rows:
        change = json.loads(new) - json.loads(old)
        income_cents += max(0, change)
        spent[name] += max(0, -change)
    most = ", ".join(f"{_name(people, name)} {cents / 100:,.0f}" for name, cents in spent.most_common(3))
    total = f"residents earned {income_cents / 100:,.0f} EUR and spent {spent.total() / 100:,.0f} EUR"
    return _section("Money", [total, f"most spent: {most}"]) if spent else ""


def _changes(run: Run) -> str:
    count = "count(*) AS many FROM changes WHERE op <> 'create' GROUP BY 1 ORDER BY many DESC, 1 LIMIT ?"
    entities = run.query(f"SELECT entity, {count}", CHANGES)
    fields = run.query(f"SELECT json_extract(path, '$[0]'), {count}", CHANGES)
    counts = [", ".join(f"{what} {many:,}" for what, many in rows) for rows in (entities, fields)]
    return _section("Changed most", [f"of entities: {counts[0]}", f"of fields: {counts[1]}"]) if entities else ""


def _refusals(run: Run) -> str:
    rows = run.query("SELECT status, error FROM turns WHERE kind = 'cell' AND status <> 'committed'")
    reasons = Counter((status, _reason(error or "")) for status, error in rows)
    lines = [f"{count:,} {status}: {reason}" for (status, reason), count in reasons.most_common(REASONS)]
    more = [f"... and {len(reasons) - REASONS} other reasons"] if len(reasons) > REASONS else []
    if lines:
        return _section("Turns that did not land", [*lines, *more])
    return "Every turn landed." if run.query("SELECT 1 FROM turns WHERE kind = 'cell' LIMIT 1") else "Nobody acted."


def _reason(error: str) -> str:
    """Return the error's last line without its particulars, so that like errors count as one."""
    line = (error.strip().splitlines() or ["no reason given"])[-1].removeprefix("Refused: ")
    line = re.sub(r"^.*? \(\w+\) (?=is |decides )", "X ", line)
    line = re.sub(r"^.*? has [\d.,]+ EUR and cannot pay .*", "X cannot pay that", line)
    line = re.sub(r"^.*? has a plan for .*", "X has a plan for that hour already", line)
    return re.sub(r"\b((Mon|Tue|Wed|Thu|Fri|Sat|Sun) )?\d\d:\d\d", "later", line)[:100]


def _name(people: People, name: str) -> str:
    return str(people[name]["title"]) if name in people else name


def _section(title: str, lines: list[str]) -> str:
    return "\n  ".join([f"{title}:", *lines]) if lines else ""
