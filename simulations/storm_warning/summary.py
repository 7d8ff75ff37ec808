"""What became of the storm and of the café, told from the journal of a run alone."""

from datetime import datetime, timedelta

from cave_sim import Run
from cave_sim.diagnostics.plurals import counted
from cave_sim.entity.json_form import referenced
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
    turned = next(run.changes("weather", "held_until_s"), None)
    if turned is None:
        return "No storm came."
    outdoors = run.measures()["outdoors (share)"]
    before, during = (outdoors.loc[:step].iloc[-1] for step in (turned.step, turned.step + 3))
    wet = (run.measures()["precipitation (mm/h)"] > 0).sum()
    return "\n  ".join(
        [
            f"{_time_of(run, turned.step)} {turned.agent} turned the weather; it stormed for {wet} steps.",
            f"outdoors: {before:.0%} of the residents as it came, {during:.0%} half an hour later",
        ]
    )


def _cafe(run: Run) -> str:
    opening = next((change for change in run.changes(CAFE, op="create") if change.kind == "cell"), None)
    if opening is None:
        return "No café opened."
    acted = [turn.step for turn in run.turns(agent=MANAGER) if turn.kind == "cell"]
    guests = sorted({change.entity for change in run.changes(field="location") if referenced(change.new) == CAFE})
    acts_text = f"acted {counted(len(acted), 'time')}, first at {_time_of(run, acted[0])}" if acted else "never acted"
    return "\n  ".join(
        [
            f"{_time_of(run, opening.step)} {opening.agent} opened {CAFE}.",
            f"its manager, {MANAGER}, {acts_text}",
            f"guests: {', '.join(name for name in guests if name != MANAGER) or 'nobody yet'}",
        ]
    )


def _time_of(run: Run, step: int) -> str:
    start = datetime.fromisoformat(run.manifest["start"])
    return f"{start + timedelta(seconds=step * float(run.manifest['step_s'])):%H:%M}"
