"""``cave-sim sessions``: the graph of a run's sessions, and their rows."""

from __future__ import annotations

import argparse
import json

from cave_sim.diagnostics.short_texts import shortened
from cave_sim.journal.reader import open_run
from cave_sim.journal.redaction import REDACTED, expect_prompts
from cave_sim.journal.suspicion import suspecting
from cave_sim.session.graph import drawn, named, nodes_of, own_rows, sessions_of

TEXT_CHARS = 200


def call(options: argparse.Namespace) -> int:
    """Print sessions or rows, parents first."""
    with open_run(options.run) as run, suspecting(run):
        expect_prompts(run.folder, run.manifest.get(REDACTED))
        sessions = sessions_of(run, options.at)
    chosen = list(sessions.values()) if options.session is None else named(sessions, options.session)
    if options.rows:
        rows = [row for session in chosen for row in own_rows(session)]
        for row in rows:
            print(json.dumps(row, ensure_ascii=False) if options.json else _line(row))
        if not rows and not options.json:
            print("no rows: nothing was asked, said or run by then")
        return 0
    nodes = nodes_of(chosen)
    if options.json:
        for node in nodes:
            print(json.dumps(node.to_data(), ensure_ascii=False))
        return 0
    print("\n".join(drawn(nodes)) or "no agent of this run has a session: none asked a model")
    return 0


def _line(row: dict[str, object]) -> str:
    text = " ".join(str(row["text"]).split())
    return f"{row['id']}  step {row['step']}  {row['kind']}: {shortened(text, TEXT_CHARS)}"
