"""The way of the secret in a few lines, told from the journal of a run alone."""

from cave_sim import Run
from cave_sim.simulations.rumour.spread import measure


def summary(run: Run) -> str:
    """Return who came to know, who can have told them, and what came of those who looked.

    Args:
        run: a journal as `cave_sim.open_run` returns it.
    """
    spread = measure(run)
    lines = [f"{spread.source} has a secret; diaries are {run.manifest['config']['diaries']}"]
    for name, step in sorted(spread.knows.items(), key=lambda each: (each[1], each[0])):
        if name != spread.source:
            was_told = name not in spread.untold
            contact = (spread.told if was_told else spread.reached).get(name)
            how, by = "told" if was_told else "having read", contact.source if contact else "nobody"
            lines.append(f"{run.time_at(step)[11:]} {name} knows, {how} by way of {by}")
    tried, refused = spread.looks
    lines += [
        f"{len(spread.knows) - (spread.source in spread.knows)} came to know; {len(spread.told)} can have been told",
        f"{tried} times somebody looked for it where it is not theirs, and was refused {refused} times",
        f"{len(spread.untold)} know who were not told",
    ]
    return "\n  ".join(lines)
