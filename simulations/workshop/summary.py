"""What became of a workshop, told from the journal of a run alone."""

from collections import Counter

from cave_sim import Run
from cave_sim.diagnostics.plurals import counted
from cave_sim.journal.queries import given_answers
from cave_sim.simulations.minds import thinking


def summary(run: Run) -> str:
    """Return what each cell of the chief came to, and how often it had others think within it.

    Args:
        run: a journal as `cave_sim.open_run` returns it.
    """
    replies = given_answers(run)
    lines = ["The chief's cells:"]
    for turn in run.turns(agent="chief"):
        done = replies.get(turn.turn, {}).get("given", [])
        counts = Counter(each["do"] for each in done)
        answers, cells = counted(counts["answer"], "answer"), counted(counts["cell"], "cell")
        asked = f"{answers}, {cells} of others within it" if done else "nobody was asked"
        outcome = turn.error.splitlines()[-1] if turn.error else "landed"
        lines.append(f"step {turn.step}, turn {turn.turn}: {turn.status}; {asked}; {outcome}")
    return "\n  ".join([*lines, *thinking(run)])
