"""What was asked in a run and what was answered, from its manifest."""

from datetime import datetime, timedelta

from cave_sim import Run
from cave_sim.simulations.minds import thinking


def summary(run: Run) -> str:
    """Return the interviews one after another, and what the thinking cost.

    Args:
        run: a journal as `cave_sim.open_run` returns it.
    """
    lines, before = [], None
    for answer in run.manifest.get("answers", ()):
        who = answer["step"], answer["agent"]
        if who != before:
            lines.append(f"{_time_of(run, answer['step'])}, {answer['agent']}:")
        lines += [f"  {answer['question']}", f"    {answer['text']}"]
        before = who
    interviews = "\n".join(lines) or "Nobody was interviewed."
    return "\n\n".join([interviews, "\n  ".join(["Thinking:", *thinking(run)])])


def _time_of(run: Run, step: int) -> str:
    start = datetime.fromisoformat(run.manifest["start"])
    return f"{start + timedelta(seconds=step * float(run.manifest['step_s'])):%a %H:%M}"
