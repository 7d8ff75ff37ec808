"""The story of a city's run in a few lines, told from its journal and those of its districts."""

from collections import Counter
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import NamedTuple

from cave_sim import Run, open_run
from cave_sim.diagnostics.plurals import counted
from cave_sim.journal.tables import DATABASE
from cave_sim.sharding.shard import folder_of

SHOWN = 12


class RecordedTurn(NamedTuple):
    """A turn of a resident: when and where, what they did, and what came of it."""

    step: int
    district: int
    agent: str
    status: str
    cell: str
    told: str


def summary(run: Run) -> str:
    """Return what all districts together came to, and the day of the agent that got around most.

    Args:
        run: a city's journal as `cave_sim.open_run` returns it.
    """
    turns = [turn for number in range(run.manifest["config"]["districts"]) for turn in _turns(run, number)]
    return "\n\n".join(part for part in (_sums(run, turns), _districts(run, turns), _day(run, turns)) if part)


def _turns(run: Run, number: int) -> Iterator[RecordedTurn]:
    folder = folder_of(run.folder, number)
    if (folder / DATABASE).is_file():
        with open_run(folder) as part:
            for turn in part.turns():
                if turn.kind == "cell":
                    result = turn.output if turn.status == "committed" else turn.error
                    yield RecordedTurn(turn.step, number, turn.agent, turn.status, turn.code or "", result or "")


def _sums(run: Run, turns: list[RecordedTurn]) -> str:
    measures = run.measures()
    first, last = measures.iloc[0], measures.iloc[-1]
    counts = Counter(turn.status for turn in turns).most_common()
    by_status = ", ".join(f"{count:,} {status}" for status, count in counts)
    parts, steps = run.manifest["config"]["districts"], len(measures) - 1
    who = f"{last['people']:,.0f} residents and a crowd of {last['crowd']:,.0f} in {parts} districts"
    achievements = f"{last['meals eaten']:,.0f} meals eaten, {last['work done (h)']:,.0f} hours worked"
    return "\n".join(
        (
            f"{who}, {counted(steps, 'step')}, {counted(len(turns), 'turn')}{f' ({by_status})' if by_status else ''}",
            f"{achievements}, {last['borders crossed']:,.0f} borders crossed",
            f"{last['money (EUR cent)'] / 100:,.2f} EUR, and {first['money (EUR cent)'] / 100:,.2f} EUR at the start",
        )
    )


def _districts(run: Run, turns: list[RecordedTurn]) -> str:
    """Return a line for each district: who acted there, and what of it came over a border."""
    lines = []
    for number in range(run.manifest["config"]["districts"]):
        here = [turn for turn in turns if turn.district == number]
        counts = Counter(act for turn in here if turn.status == "committed" for act in _acts(turn.cell))
        what = ", ".join(f"{act} {count:,}" for act, count in counts.most_common())
        lines.append(f"district {number}: {len({turn.agent for turn in here})} acted; {what or 'nothing'}")
    return "\n".join(lines) if turns else ""


def _acts(cell: str) -> Iterator[str]:
    return (line[3:].partition("(")[0] for line in cell.splitlines() if line.startswith("me."))


def _day(run: Run, turns: list[RecordedTurn]) -> str:
    """Return what the one did who acted in the most districts."""
    districts: dict[str, set[int]] = {}
    for turn in turns:
        districts.setdefault(turn.agent, set()).add(turn.district)
    if not districts:
        return ""
    name = min(districts, key=lambda agent: (-len(districts[agent]), agent))
    start, step_s = datetime.fromisoformat(run.manifest["start"]), float(run.manifest["step_s"])
    lines = [f"the day of {name}, in {len(districts[name])} districts:"]
    for turn in sorted(turn for turn in turns if turn.agent == name)[:SHOWN]:
        time = start + timedelta(seconds=turn.step * step_s)
        cell, result_lines = "; ".join(turn.cell.splitlines()), turn.told.strip().strip("'\"").splitlines()
        lines.append(
            f"  {time:%H:%M}  district {turn.district}  {cell}  -> {result_lines[-1] if result_lines else turn.status}"
        )
    return "\n".join(lines)
