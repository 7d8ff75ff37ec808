"""``cave-sim blame``: who gave a field its values, by which line of which cell; or who else has read it."""

from __future__ import annotations

import argparse
import json

from cave_sim.errors import JournalError
from cave_sim.history.blame import FieldWrite, blame
from cave_sim.history.field_target import find_target
from cave_sim.history.readers import readers
from cave_sim.history.variable_blame import blame_variable, names_variable
from cave_sim.history.wording import change_text, value_text
from cave_sim.journal.reader import Run, open_run
from cave_sim.journal.suspicion import suspecting

COMMITTED = "committed"
BY_KIND = {"world": "by itself (dynamics or an event)", "outside": "a script of the researcher"}


def call(options: argparse.Namespace) -> int:
    """Print the chain of values, oldest first."""
    with open_run(options.run) as run, suspecting(run):
        if options.readers:
            _print_readers(run, options)
            return 0
        is_variable = names_variable(options.target)
        ask = blame_variable if is_variable else blame
        writes = ask(run, options.target, at=options.at, last=options.last or None)
        if not writes:
            until = "" if options.at is None else f" up to step {options.at}"
            target = options.target if is_variable else find_target(run, options.target)
            raise JournalError(f"{options.run}: nothing was ever at {target}{until}")
        for written in writes:
            print(json.dumps(written.to_data(), ensure_ascii=False) if options.json else "\n".join(lines(written)))
    return 0


def _print_readers(run: Run, options: argparse.Namespace) -> None:
    """Print who read the field, the latest last."""
    readings = list(readers(run, options.target, at=options.at))
    for reading in readings[-options.last :]:
        head = f"{reading.time.replace('T', ' ')}  step {reading.step}  turn {reading.turn}  {reading.agent}"
        ended = "" if reading.status == COMMITTED else f"   (the turn {reading.status})"
        line = f"{head}   read {reading.entity}.{reading.field}{ended}"
        print(json.dumps(reading.to_data(), ensure_ascii=False) if options.json else line)
    if not readings and not options.json:
        print(f"Nobody else read {options.target}.")


def lines(written: FieldWrite) -> list[str]:
    """Return one value in words: what, when and who; then the line, the question and answer, and what was read."""
    head = f"{written.time.replace('T', ' ')}  step {written.step}  turn {written.turn}  {written.agent}"
    text = [f"{head}   {change_text(written.path, written.op, written.old, written.new)}"]
    if len(written.lines) > 1:
        text.append(f"  one of these lines ({written.lines[0].how}):")
    text += [f"  line {line.number}: {line.text}   ({line.how})" for line in written.lines]
    if not written.code:
        text.append(f"  {BY_KIND.get(written.kind, written.kind)}")
    if written.inside:
        text.append(f"  run by turn {', '.join(map(str, written.inside))}")
    if written.read:
        text.append(f"  read {', '.join(written.read)}")
    if written.asked:
        text += [f"  {written.asked.model} was asked {value_text(written.asked.prompt, 90)}"]
        text += [f"  and replied {value_text(written.asked.reply, 90)}"]
    return text
