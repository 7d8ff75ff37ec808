"""The story of a city's run in a few lines, told from its journal alone."""

import json
from typing import Any


def summary(run: Any) -> str:
    """Return what all districts together came to.

    Args:
        run: a city's journal as `cave_sim.open_run` returns it.
    """
    measures = run.measures()
    first, last = measures.iloc[0], measures.iloc[-1]
    turns = run.query("SELECT new FROM changes WHERE entity = 'districts' AND path = '[\"turns\"]' ORDER BY turn")
    taken = json.loads(turns[-1][0]) if turns else 0
    parts, steps = run.manifest["config"]["districts"], len(measures) - 1
    who = f"{last['people']:,.0f} residents and a crowd of {last['crowd']:,.0f} in {parts} districts"
    did = f"{last['meals']:,.0f} meals eaten, {last['worked_h']:,.0f} hours worked"
    return "\n".join(
        (
            f"{who}, {steps} steps, {taken:,} turns",
            f"{did}, {last['crossings']:,.0f} borders crossed",
            f"{last['money_cents'] / 100:,.2f} EUR, and {first['money_cents'] / 100:,.2f} EUR at the start",
        )
    )
