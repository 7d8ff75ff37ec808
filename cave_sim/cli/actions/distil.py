"""``cave-sim distil``: which answers of minds are habits, and can be scripted? A replay proves it."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import asdict

from cave_sim.causes.distil import Elsewhere, Habit, Proof, elsewhere, habits, proven, write_habits
from cave_sim.cli.options import hosts, json_output, output_file, trust
from cave_sim.diagnostics.plurals import counted
from cave_sim.errors import WorldError
from cave_sim.journal.queries import last_turn_of
from cave_sim.journal.reader import open_run

HABITS_SHOWN, LETTERS = 8, 80
PARTED = 1


def call(options: argparse.Namespace) -> int:
    """Learn, prove and tell; the exit code is 1 if a replay parts from the run."""
    output_file.expect_place("--out", options.out)
    recipe = trust.trusted(options)
    options.host = hosts.going_on(options.run, recipe, options)
    with open_run(options.run) as run:
        if options.until is not None:
            last_turn_of(run, options.until)
        known = habits(run, options.least, options.until)
        learned = [each for each in run.calls() if options.until is None or each["step"] < options.until]
        later = [("from there on", elsewhere(run, known, options.until))] if options.until is not None else []
    if not learned:
        raise WorldError(f"{options.run}: no model was asked in it, so there are no habits")
    with hosts.opened(recipe, options) as host:
        proof = proven(options.run, recipe, known, until=options.until, host=host)
    for folder in options.check:
        with open_run(folder) as other:
            later.append((f"in {folder}", elsewhere(other, known)))
    if options.out is not None:
        write_habits(options.out, known)
    if options.json:
        proofs = {"proof": asdict(proof), "elsewhere": {where: asdict(savings) for where, savings in later}}
        json_output.show({"habits": [asdict(each) for each in known], "calls": len(learned), **proofs})
    else:
        print("\n".join(_lines(known, len(learned), proof, later) if known else _none(len(learned), options.least)))
        if options.out is not None:
            print(f"{options.out}: {counted(len(known), 'habit')}")
    return PARTED if proof.parted is not None else 0


def _none(calls: int, least: int) -> Iterator[str]:
    yield f"No habit: in {counted(calls, 'call')}, no situation had one and the same answer {least} times, with a cell"
    yield "that landed every time. Habits need minds whose prompts recur; --least asks for fewer times"


def _lines(known: Sequence[Habit], calls: int, proof: Proof, later: Sequence[tuple[str, Elsewhere]]) -> Iterator[str]:
    tokens = sum(each.tokens for each in known)
    agents = counted(len({each.agent for each in known}), "agent")
    yield f"{counted(len(known), 'habit')} of {agents}, learned from {counted(calls, 'call')}"
    for each in known[:HABITS_SHOWN]:
        cell = " ".join(each.cell.split()) or "does nothing"
        yield f"   {each.agent}, {each.times} times: {cell[:LETTERS]}"
    if len(known) > HABITS_SHOWN:
        yield f"   and {len(known) - HABITS_SHOWN} more; --out writes them all"
    if proof.parted is None:
        share = f"{100 * proof.spared / max(1, proof.spared + proof.asked):.0f} %"
        spared = f"{counted(proof.spared, 'call')} spared ({share}), {counted(tokens, 'token')}"
        yield f"A replay with them has the same hash after every step: {spared}"
    else:
        yield f"A replay with them parts from the run in step {proof.parted}: these habits do not stand for its minds"
    for where, savings in later:
        share = f"{100 * savings.spared / max(1, savings.calls):.0f} %"
        alike = f"{savings.alike:,} of them by the same reply"
        yield f"{savings.spared:,} of {counted(savings.calls, 'call')} {where} would be spared ({share}), {alike}"
