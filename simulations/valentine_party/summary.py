"""The story of the party in a few lines, told from the journal of a run alone."""

from datetime import datetime, timedelta

from cave_sim import Run
from cave_sim.simulations.minds import talking, thinking
from cave_sim.simulations.valentine_party.spread import InvitationSpread, measure


def summary(run: Run) -> str:
    """Return who learned of the party when and from whom, who came, and what the thinking cost.

    Args:
        run: a journal as `cave_sim.open_run` returns it.
    """
    config, spread = run.manifest["config"], measure(run)
    start, step_s = datetime.fromisoformat(run.manifest["start"]), float(run.manifest["step_s"])
    lines = [
        f"{config['host']} means to give a party at {config['venue']} at {config['at']}; invites: {config['invites']}"
    ]
    for name, (step, by) in spread.knows.items():
        time = f"{start + timedelta(seconds=step * step_s):%H:%M}"
        lines += [f"{time} {name} heard of it from {by or 'nobody known'}"] if name != spread.host else []
    lines += [
        f"{len(spread.invited)} know of it",
        *_three_ways(spread),
        f"{len(spread.came)} of them came: {', '.join(sorted(spread.came)) or 'nobody'}",
        f"{len(spread.present)} were in the place while it lasted, host and passers-by included",
    ]
    sections = [lines, ["Talk:", *talking(run)], ["Thinking:", *thinking(run)]]
    return "\n\n".join("\n  ".join(section) for section in sections)


def _three_ways(spread: InvitationSpread) -> list[str]:
    """Return how many know by each way of measuring, and where the ways disagree."""
    lines = [
        f"  by words (heard, noted or planned): {len(spread.invited)}",
        f"  by provenance (word can have reached them): {len(spread.reached)}",
    ]
    if spread.says_so is None:
        return lines
    words = spread.by_words
    return [
        *lines,
        f"  by asking (they say so): {len(spread.says_so - {spread.host})}",
        f"  words against asking: {words.missed} missed, {words.invented} invented, error rate {words.error_rate:.0%}",
        f"  say so though nobody can have told them: {len(spread.claimed)}",
    ]
