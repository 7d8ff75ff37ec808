"""The tables of a run's file. Documented for people in docs/journal.md; plain SQL can use them."""

from __future__ import annotations

DATABASE = "run.sqlite"
"""The file of a run, in its folder."""
MANIFEST = "manifest.json"
"""What the file says of the run in short, beside it, for people."""
FORMAT = 3
"""Of a run's file. In older ones, the order of keys and of neighbours was in no state hash."""

TABLES = """
CREATE TABLE manifest (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE steps (
    step INTEGER PRIMARY KEY, time_s REAL NOT NULL, last_turn INTEGER NOT NULL, state_hash TEXT NOT NULL,
    previous TEXT NOT NULL, hash TEXT NOT NULL, last_call INTEGER NOT NULL DEFAULT 0, seal TEXT NOT NULL DEFAULT ''
);
CREATE TABLE cells (hash TEXT PRIMARY KEY, code TEXT NOT NULL);
CREATE TABLE turns (
    turn INTEGER PRIMARY KEY, step INTEGER NOT NULL, agent TEXT NOT NULL, parent INTEGER, kind TEXT NOT NULL,
    cell TEXT, status TEXT NOT NULL, output TEXT NOT NULL, error TEXT, duration_s REAL NOT NULL, usage TEXT
);
CREATE TABLE changes (
    turn INTEGER NOT NULL, position INTEGER NOT NULL, entity TEXT NOT NULL, path TEXT NOT NULL, op TEXT NOT NULL,
    old TEXT, new TEXT, PRIMARY KEY (turn, position)
) WITHOUT ROWID;
CREATE TABLE snapshots (step INTEGER PRIMARY KEY, state BLOB NOT NULL);
CREATE TABLE events (entry INTEGER PRIMARY KEY, step INTEGER NOT NULL, kind TEXT NOT NULL, data TEXT NOT NULL);
CREATE TABLE measures (step INTEGER NOT NULL, name TEXT NOT NULL, value REAL, PRIMARY KEY (step, name)) WITHOUT ROWID;
CREATE TABLE texts (hash TEXT PRIMARY KEY, text TEXT NOT NULL);
CREATE TABLE calls (
    call INTEGER PRIMARY KEY, run TEXT NOT NULL, step INTEGER NOT NULL, agent TEXT NOT NULL, attempt INTEGER NOT NULL,
    retry INTEGER NOT NULL, hash TEXT NOT NULL, model TEXT NOT NULL, request TEXT NOT NULL, reply TEXT, error TEXT,
    reused INTEGER NOT NULL, UNIQUE (step, agent, attempt, retry, hash, run)
);
CREATE TABLE sessions (
    entry INTEGER PRIMARY KEY, step INTEGER NOT NULL, session TEXT NOT NULL, agent TEXT NOT NULL, about TEXT NOT NULL,
    rows TEXT NOT NULL
);
CREATE TABLE kept (
    step INTEGER NOT NULL, agent TEXT NOT NULL, kind TEXT NOT NULL, data TEXT NOT NULL, PRIMARY KEY (agent, kind, step)
) WITHOUT ROWID;
CREATE TABLE inbox (entry INTEGER PRIMARY KEY, driver TEXT NOT NULL, acts BLOB NOT NULL, at_once INTEGER NOT NULL);
CREATE TABLE answers (
    survey TEXT NOT NULL, step INTEGER NOT NULL, agent TEXT NOT NULL, item TEXT NOT NULL, place INTEGER NOT NULL,
    question TEXT NOT NULL, value TEXT, text TEXT NOT NULL, tries INTEGER NOT NULL,
    PRIMARY KEY (survey, step, agent, item)
) WITHOUT ROWID;
CREATE TABLE effects (
    entry INTEGER PRIMARY KEY, step INTEGER NOT NULL, ticket TEXT NOT NULL, agent TEXT NOT NULL, tool TEXT NOT NULL,
    arguments TEXT NOT NULL, status TEXT NOT NULL, result TEXT, error TEXT, reused INTEGER NOT NULL,
    UNIQUE (step, ticket, tool, arguments)
);
CREATE TABLE table_seals (name TEXT PRIMARY KEY, seal TEXT NOT NULL);
"""

INDEXES = """
CREATE INDEX IF NOT EXISTS turns_by_step ON turns (step);
CREATE INDEX IF NOT EXISTS turns_by_agent ON turns (agent);
CREATE INDEX IF NOT EXISTS changes_by_entity ON changes (entity);
"""
"""Made when a run is closed, so that a running one does not pay for them."""


ADDED = ("answers", "effects", "table_seals")
"""Tables that files of this format lack if they were begun before there were such."""


def statements(script: str) -> list[str]:
    """Return the statements of a script one by one, so that they can be part of one transaction."""
    return [statement.strip() for statement in script.split(";") if statement.strip()]
