"""What became of the argument, the promises and the norm, told from the journal of a run alone."""

from collections import Counter

from cave_sim import Run
from cave_sim.history.dialogues import OVERHEARD, utterances
from cave_sim.simulations.town_day.promises import pledges


def summary(run: Run) -> str:
    """Return how attitudes moved, how word got round, which promises and invitations were kept, and the norm.

    Args:
        run: a journal as `cave_sim.open_run` returns it.
    """
    config, measures = run.manifest["config"], run.measures()
    first, last = measures.iloc[0], measures.iloc[-1]
    lines = [
        f"influence: {config['influence']}, rate {config['rate']:g}, tolerance {config['tolerance']:g}",
        f"attitude to the tram: {first['attitude (mean)']:+.2f}, in the end {last['attitude (mean)']:+.2f} on average",
        f"divided over it: {first['divided (0 to 1)']:.2f}, in the end {last['divided (0 to 1)']:.2f}",
        f"{_talk_line(run)}; {_overheard(run):,} times somebody overheard it",
        *_memory_lines(run),
        f"at home at night: {measures['at home at night (share)'].min():.0%} at worst",
    ]
    return "\n  ".join(lines)


def _talk_line(run: Run) -> str:
    ways = Counter("written" if " by phone, " in utterance.text[:17] else "said" for utterance in utterances(run))
    return f"{ways['said']:,} things were said, {ways['written']:,} written"


def _overheard(run: Run) -> int:
    spliced = (change.new["items"] for change in run.changes(field="heard", op="splice") if change.kind == "cell")
    return sum(OVERHEARD in str(line)[:17] for lines in spliced for line in lines)


def _memory_lines(run: Run) -> list[str]:
    counts = Counter((pledge.kind, pledge.status) for pledge in pledges(run))
    return [
        f"{kind}s: " + ", ".join(f"{counts[kind, status]} {status}" for status in ("kept", "broken", "pending"))
        for kind in ("promise", "invitation")
    ]
