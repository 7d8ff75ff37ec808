"""What became of the storm and of the café, told from the journal of a run alone."""

from datetime import datetime, timedelta

from cave_sim import Run
from cave_sim.simulations.minds import thinking

CAFE, MANAGER = "cafe_windfall", "otto_windfall"


def summary(run: Run) -> str:
    """Return who changed the weather, who was outdoors before and after, and what became of the café and its manager.

    Args:
        run: a journal as `cave_sim.open_run` returns it.
    """
    parts = [_storm(run), _cafe(run), "\n  ".join(["Thinking:", *thinking(run)])]
    return "\n\n".join(part for part in parts if part)


def _storm(run: Run) -> str:
    rows = run.query(
        """SELECT turns.step, turns.agent FROM changes JOIN turns USING (turn)
           WHERE entity = 'weather' AND path = '["held_until_s"]' ORDER BY turns.turn"""
    )
    if not rows:
        return "No storm came."
    step, agent = rows[0]
    before, during = (_measure(run, "outdoors (share)", at) for at in (step, step + 3))
    wet = run.query("SELECT count(*) FROM measures WHERE name = 'precipitation (mm/h)' AND value > 0")[0][0]
    return "\n  ".join(
        [
            f"{_time_of(run, step)} {agent} turned the weather; it stormed for {wet} steps.",
            f"outdoors: {before:.0%} of the residents as it came, {during:.0%} half an hour later",
        ]
    )


def _cafe(run: Run) -> str:
    openings = run.query(
        """SELECT turns.step, turns.agent FROM changes JOIN turns USING (turn)
           WHERE op = 'create' AND entity = ? AND kind = 'cell'""",
        CAFE,
    )
    if not openings:
        return "No café opened."
    step, agent = openings[0]
    activity = run.query("SELECT min(step), count(*) FROM turns WHERE agent = ? AND kind = 'cell'", MANAGER)[0]
    guests = [name for name in _visitors(run) if name != MANAGER]
    deeds = f"acted {activity[1]} times, first at {_time_of(run, activity[0])}" if activity[1] else "never acted"
    return "\n  ".join(
        [
            f"{_time_of(run, step)} {agent} opened {CAFE}.",
            f"its manager, {MANAGER}, {deeds}",
            f"guests: {', '.join(guests) or 'nobody yet'}",
        ]
    )


def _visitors(run: Run) -> list[str]:
    went = """SELECT DISTINCT entity FROM changes WHERE path = '["location"]' AND json_extract(new, '$."$ref"') = ?"""
    return sorted(name for (name,) in run.query(went, CAFE))


def _measure(run: Run, name: str, step: int) -> float:
    rows = run.query("SELECT value FROM measures WHERE name = ? AND step <= ? ORDER BY step DESC LIMIT 1", name, step)
    return float(rows[0][0]) if rows else 0.0


def _time_of(run: Run, step: int) -> str:
    start = datetime.fromisoformat(run.manifest["start"])
    return f"{start + timedelta(seconds=step * float(run.manifest['step_s'])):%H:%M}"
