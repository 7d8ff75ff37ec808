"""``cave-sim bisect``: the first turn that broke a condition."""

from __future__ import annotations

import argparse
import json

from cave_sim.diagnostics.plurals import counted
from cave_sim.history.bisect import Breakage, bisect
from cave_sim.history.wording import value_text
from cave_sim.journal.reader import open_run
from cave_sim.journal.suspicion import suspecting

CHANGES_SHOWN = 5


def call(options: argparse.Namespace) -> int:
    """Print the turn; the exit code is 0 whether there is one or not."""
    with open_run(options.run) as run, suspecting(run):
        broken = bisect(run, options.condition, scan=options.scan)
    if options.json:
        print(json.dumps(broken.to_data() if broken else None, ensure_ascii=False))
    elif broken is None:
        where = "after every turn" if options.scan else "at the first and the last step; --scan looks after every turn"
        print(f"{options.condition} holds {where}")
    else:
        print("\n".join(lines(broken)))
    return 0


def lines(broken: Breakage) -> list[str]:
    """Return what is known of the turn, in words."""
    turn = broken.turn
    if turn is None:
        when = f"step {broken.committed_in} ({broken.time})"
        text = [f"{broken.condition} was broken in {when}; measures are taken once a step"]
    else:
        text = [f"{broken.condition} was broken by turn {turn.turn} of {turn.agent}, step {turn.step} ({broken.time})"]
        code = turn.code.splitlines() or ["by itself (dynamics, an event, or a script)"]
        text += [f"    {line}" for line in code]
    text += [f"  {change}" for change in broken.changes[:CHANGES_SHOWN]]
    if len(broken.changes) > CHANGES_SHOWN:
        text.append(f"  and {counted(len(broken.changes) - CHANGES_SHOWN, 'change')} more")
    if broken.asked:
        text.append(f"  {broken.asked.model} replied {value_text(broken.asked.reply, 90)}")
    return [*text, f"{broken.rebuilds} states were rebuilt"]
