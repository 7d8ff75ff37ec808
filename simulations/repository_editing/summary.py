"""What became of a repository, told from the journal of a run alone."""

from cave_sim import Run
from cave_sim.simulations.minds import thinking


def summary(run: Run) -> str:
    """Return what each effect came to, with exit statuses and changed files, and what the board was told.

    Args:
        run: a journal as `cave_sim.open_run` returns it.
    """
    ended = [row for row in run.effects() if row["status"] != "begun"]
    lines = ["What was done in workspaces:"]
    lines += [f"step {row['step']}, {row['agent']}: {_row_text(row)}" for row in ended]
    messages = [
        turn.code.strip()
        for turn in run.turns()
        if turn.status == "committed" and turn.code.strip().startswith("board.")
    ]
    return "\n  ".join([*lines, *messages, *thinking(run)])


def _row_text(row: dict[str, object]) -> str:
    name, result = str(row["tool"]).rpartition(".")[2], row["result"]
    if row["status"] != "done":
        return f"{name}: {row['status']}, {row['error']}"
    if not isinstance(result, dict):
        return name
    exit_status = f" exit {result['exit']}" if "exit" in result else ""
    changed = ", ".join(f"{each['how']} {each['path']}" for each in result["changed"])
    return f"{name}{exit_status}{': ' if changed else ''}{changed}"
