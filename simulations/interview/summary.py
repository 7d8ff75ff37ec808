"""What was asked in a run and what was answered."""

from datetime import datetime, timedelta
from typing import Any

from cave_sim import Run
from cave_sim.journal.queries import answers
from cave_sim.simulations.minds import thinking


def summary(run: Run) -> str:
    """Return the interviews one after another, and what the thinking cost.

    Args:
        run: a journal as `cave_sim.open_run` returns it.
    """
    lines, before = [], None
    for answer in answers(run):
        who = answer["step"], answer["agent"]
        if who != before:
            lines.append(f"{_time_of(run, answer['step'])}, {answer['agent']}:")
        lines += [f"  {answer['question']}", f"    {_answer_text(answer)}"]
        before = who
    interviews = "\n".join(lines) or "Nobody was interviewed: --set every= and --set whom= say when, and who."
    return "\n\n".join([interviews, "\n  ".join(["Thinking:", *thinking(run)])])


def _answer_text(answer: dict[str, Any]) -> str:
    """Return what was answered, and as what it was read where that is something else."""
    value, text = answer["value"], " ".join(answer["text"].split())
    if value is None:
        return f"(not read) {text}"
    return text if str(value) in text else f"{value} ({text})"


def _time_of(run: Run, step: int) -> str:
    start = datetime.fromisoformat(run.manifest["start"])
    return f"{start + timedelta(seconds=step * float(run.manifest['step_s'])):%a %H:%M}"
