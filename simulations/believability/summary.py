"""How believable the minds of a run were, told from its journal alone."""

from cave_sim import Run
from cave_sim.diagnostics.plurals import counted
from cave_sim.simulations.believability.scores import in_words, scores, table
from cave_sim.simulations.minds import thinking


def summary(run: Run) -> str:
    """Return the scores of a run area by area, what was asked most in vain, and what the thinking cost.

    Args:
        run: a journal as `cave_sim.open_run` returns it.
    """
    frame = scores(run)
    if frame.empty:
        return "Nobody was asked yet: --set every= says when, and --steps how long the day is."
    minds = "scripted minds, whose scores say nothing about any language model" if _is_scripted(run) else "minds"
    asked = f"{counted(len(frame), 'question')} to {frame['agent'].nunique()} {minds}; right answers by area:"
    worst = frame.groupby("item")["right"].mean().sort_values(kind="stable").head(3)
    lines = [f"{item}: {share:.0%} right" for item, share in worst.items()]
    parts = [
        [asked, *in_words(table([run.folder])).splitlines()],
        ["Known least:", *lines],
        ["Thinking:", *thinking(run)],
    ]
    return "\n\n".join("\n  ".join(part) for part in parts)


def _is_scripted(run: Run) -> bool:
    return bool(run.manifest["config"]["scripted"])
