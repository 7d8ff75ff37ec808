"""The sessions of a run at a step, as a graph: which came of which and how, what each holds and cost."""

from __future__ import annotations

from typing import Any

from cave_sim.dashboards.lookups.journal_reader import JournalReader
from cave_sim.journal.redaction import REDACTED, expect_prompts
from cave_sim.session.graph import nodes_of, sessions_of
from cave_sim.session.session import Session

MOST_SESSIONS = 120


def sessions(reader: JournalReader, step: int) -> dict[str, Any]:
    """Return the sessions as they were after a step, parents first.

    Returns:
        ``sessions``: the newest that there is room for, each as :class:`~cave_sim.session.graph.SessionNode` tells it;
        ``more``: how many older ones there are.

    Raises:
        JournalError: the prompts of the run were left out.
    """
    result: list[Session] = []
    for _, run in reader.acting:
        expect_prompts(run.folder, run.manifest.get(REDACTED))
        result += sessions_of(run, step).values()
    shown = result[-MOST_SESSIONS:]
    return {"sessions": [node.to_data() for node in nodes_of(shown)], "more": len(result) - len(shown)}
