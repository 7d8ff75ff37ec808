"""What people say to requests that wait for them: kept in the run's file, so that they wait as long as it takes."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal, get_args

from cave_sim.determinism.canonical_json import from_json
from cave_sim.entity.types import short
from cave_sim.errors import JournalError, SchemaError
from cave_sim.journal.effect_arguments import SCHEMAS, expect_taken
from cave_sim.journal.journal_file import JournalFile
from cave_sim.journal.reader import Run, open_run
from cave_sim.journal.table_seals import expect_sealed
from cave_sim.world.effects import plain

WAITING, APPROVED, REJECTED = "waiting", "approved", "rejected"
Decision = Literal["approve", "edit", "reject", "respond"]


def waiting(run: Run) -> list[dict[str, Any]]:
    """Return the requests that wait for people, in the order in which they were asked."""
    return [row for row in run.effects() if row["status"] == WAITING]


def decided(
    row: Mapping[str, Any], decision: Decision, *, arguments: Mapping[str, Any] | None = None, text: str = ""
) -> dict[str, Any]:
    """Return a row of ``effects`` as it is once people have decided.

    Args:
        row: of a request that waits.
        decision: ``approve``: it is done as asked; ``edit``: done with other arguments; ``reject``: not done;
            ``respond``: not done, and people's own answer stands for its result.
        arguments: with ``edit``, all of them.
        text: with ``reject`` why, with ``respond`` the answer.

    Raises:
        JournalError: there is no such decision, or it lacks what it needs, or has what it does not take.
    """
    if decision not in get_args(Decision):
        raise JournalError(f"{decision!r} is no decision; there are {', '.join(get_args(Decision))}")
    if not isinstance(text, str):
        raise JournalError(f"{decision} takes a text (got {short(text)})")
    if text and decision in ("approve", "edit"):
        raise JournalError(f"{decision} takes no text, and nobody would read it; reject and respond take one")
    if arguments is not None and not isinstance(arguments, Mapping):
        raise JournalError(f"edit takes all arguments by their names (got {short(arguments)})")
    if (decision == "edit") != (arguments is not None):
        raise JournalError("edit takes all arguments that it is to be done with; other decisions take none")
    if decision == "respond" and not text:
        raise JournalError("respond takes the text that stands for the result")
    try:
        arguments, text = None if arguments is None else plain(dict(arguments)), plain(text)
    except SchemaError as error:
        raise JournalError(f"{decision}: {error}") from None
    if decision == "reject":
        return {**row, "status": REJECTED, "error": text or "people said no"}
    if decision == "respond":
        return {**row, "status": "done", "result": text}
    return {**row, "status": APPROVED, "result": arguments}


def decide(
    run: Run, ticket: str, decision: Decision, *, arguments: Mapping[str, Any] | None = None, text: str = ""
) -> dict[str, Any]:
    """Return the row of a request of a run as it is once people have decided; see :func:`decided`. Nothing is written.

    Raises:
        JournalError: no such request waits, the decision lacks something, or the tool does not take its arguments; or
            a request is not as it was written.
    """
    expect_sealed(run.query, run.folder)
    requests = {row["ticket"]: row for row in run.effects()}
    rows = {ticket: row for ticket, row in requests.items() if row["status"] == WAITING}
    if ticket not in rows:
        known = f" waits for people: it is {requests[ticket]['status']}" if ticket in requests else " waits"
        raise JournalError(f"no request {ticket!r}{known}; waiting: {', '.join(rows) or 'none'}")
    row = decided(rows[ticket], decision, arguments=arguments, text=text)
    schema = _schemas(run).get(row["tool"])
    if decision == "edit" and schema is not None:
        try:
            expect_taken(schema, row["result"])
        except SchemaError as error:
            raise JournalError(f"{ticket} waits on: edit: {row['tool']}(): {error}") from None
    return row


def answer(
    folder: Path, ticket: str, decision: Decision, *, arguments: Mapping[str, Any] | None = None, text: str = ""
) -> dict[str, Any]:
    """Decide about a request of a run that nobody writes now; it takes effect when the run is resumed.

    Raises:
        JournalError: as of :func:`decide`; or the run is being written.
    """
    with open_run(folder) as run:
        row = decide(run, ticket, decision, arguments=arguments, text=text)
        is_finished = bool(run.manifest.get("finished"))
    file = JournalFile(folder)
    try:
        file.reopen()
        with file.writing("{path} cannot be written: {error}"):
            file.note_effect(row)
        if is_finished:
            file.finish()
    finally:
        file.release()
    return row


def _schemas(run: Run) -> dict[str, Any]:
    """Return tool -> what it takes, as the run tells by now; nothing of tools that it does not know of."""
    values = run.query("SELECT value FROM manifest WHERE key = ?", SCHEMAS)
    schemas = from_json(values[0][0]) if values else {}
    return schemas if isinstance(schemas, dict) else {}
