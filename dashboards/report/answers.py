"""Every answer that a page may ask for, packed for one file; of what would be too much, an even share.

A report of a town's day is some hundred kilobytes, and none grows past a few megabytes.
"""

from __future__ import annotations

from typing import Any

from cave_sim.dashboards.lookups import crowd, frames, overview, series, spending, time_strip
from cave_sim.dashboards.lookups.journal_reader import JournalReader
from cave_sim.dashboards.lookups.turns import outstanding
from cave_sim.dashboards.report.histories import costs_by_agent, evenly, histories, variables
from cave_sim.dashboards.report.kept_calls import kept_calls
from cave_sim.dashboards.report.kept_talk import kept_talk
from cave_sim.dashboards.report.kept_turns import kept_turns

MOST_STEPS = 1_500
MOST_CROWDS = 25
MOST_POINTS = 300_000  # residents x steps, five bytes each


def packed_answers(reader: JournalReader) -> bytes:
    """Return the answers as one message: a JSON head, and behind it the packed frames of all steps that are kept."""
    about = overview.overview(reader)
    steps = kept_steps(reader, len(about["movers"]))
    packed = packed_frames(reader, steps)
    answers = {
        "overview": about | {"folder": reader.folder.name, "status": status(reader), "live": None, "boot": "saved"},
        "steps": steps,
        "totals": totals(reader),
        "timeline": time_strip.timeline(reader),
        "crowds": crowds(reader, about["districts"], steps),
        "series": series.series(reader, about["measures"]),
        "spending": spending.spending(reader) | {"in_flight": None},
        "variables": variables(reader),
        "costs": costs_by_agent(reader),
        "highlights": outstanding(reader),
        "frames": [frame_head for frame_head, _ in packed],
        **kept_turns(reader),
        **kept_talk(reader),
        **kept_calls(reader),
        **histories(reader, steps),
    }
    where, states = [spot for _, (spot, _) in packed], [state for _, (_, state) in packed]
    return frames.message(answers, [*where, *states])


def status(reader: JournalReader) -> str:
    """Return whether the run had ended when it was saved."""
    return "finished" if reader.entry("finished") else "not finished"


def kept_steps(reader: JournalReader, movers: int) -> list[int]:
    """Return the steps that are kept: all of them, or of a long run evenly many."""
    steps = [step for (step,) in reader.run.query("SELECT step FROM steps ORDER BY step")] or [0]
    most = max(2, min(MOST_STEPS, MOST_POINTS // max(1, movers)))
    stride = -(-len(steps) // most)
    return [steps[at] for at in sorted({*range(0, len(steps), stride), len(steps) - 1})]


def packed_frames(reader: JournalReader, steps: list[int]) -> list[tuple[dict[str, Any], frames.Packed]]:
    """Return head and packed positions of the scene after each of some steps."""
    wanted, timeline = set(steps), reader.timeline
    scenes = timeline.scenes(steps[0], steps[-1])
    return [(frames.head(scene), frames.packed(timeline, scene)) for scene in scenes if scene.step in wanted]


def crowds(reader: JournalReader, districts: list[str], steps: list[int]) -> list[dict[str, Any]]:
    """Return where the crowd of a city is at some of the steps; there is none elsewhere."""
    return [crowd.crowd(reader, step) for step in evenly(steps, MOST_CROWDS)] if districts else []


def totals(reader: JournalReader) -> dict[str, Any]:
    """Return how many turns ended how, and the last state's hash."""
    statuses = reader.run.query(
        "SELECT status, count(*) FROM turns WHERE kind = 'cell' GROUP BY status ORDER BY 2 DESC"
    )
    newest = reader.run.query("SELECT state_hash FROM steps ORDER BY step DESC LIMIT 1")
    return {"turns": dict(statuses), "state_hash": str(newest[0][0]) if newest else ""}
