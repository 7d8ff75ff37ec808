"""``cave-sim answer``: what waits for people, and what they decide."""

from __future__ import annotations

import argparse
import json
import shlex

from cave_sim.determinism.canonical_json import from_json
from cave_sim.errors import JournalError
from cave_sim.journal.effect_answers import APPROVED, REJECTED, answer, waiting
from cave_sim.journal.reader import open_run


def call(options: argparse.Namespace) -> int:
    """Print what waits; or decide, and print what was decided."""
    if options.ticket is None:
        with open_run(options.run) as run:
            rows = waiting(run)
        for row in rows:
            _show(row, options)
        if not options.json:
            how = f"decide with: cave-sim answer {shlex.quote(str(options.run))} TICKET approve|edit|reject|respond"
            print(how if rows else "nothing waits for people")
        return 0
    if options.decision is None:
        raise JournalError(f"answer {options.ticket}: say approve, edit, reject or respond")
    arguments = None if options.arguments is None else _object(options.arguments)
    row = answer(options.run, options.ticket, options.decision, arguments=arguments, text=options.text)
    _show(row, options)
    if not options.json:
        print(f"it takes effect when the run goes on: cave-sim resume {shlex.quote(str(options.run))}")
    return 0


def _show(row: dict[str, object], options: argparse.Namespace) -> None:
    asked = json.dumps(row["arguments"], ensure_ascii=False)
    line = f"{row['ticket']}  step {row['step']}  {row['tool']} {asked}: {row['status']}{_decided(row)}"
    print(json.dumps(row, ensure_ascii=False) if options.json else line)


def _decided(row: dict[str, object]) -> str:
    """Return what people gave with their decision: other arguments, a reason, a response."""
    if row["status"] == APPROVED:
        return "" if row["result"] is None else f", with {json.dumps(row['result'], ensure_ascii=False)}"
    given = row["error"] if row["status"] == REJECTED else row["result"]
    return "" if given is None else f", {json.dumps(given, ensure_ascii=False)}"


def _object(text: str) -> dict[str, object]:
    try:
        arguments = from_json(text)
    except ValueError as error:
        raise JournalError(f"--arguments {text!r} is no JSON: {error}") from None
    if not isinstance(arguments, dict):
        raise JournalError(f'--arguments {text!r}: takes an object, such as {{"to": "bob"}}')
    return arguments
