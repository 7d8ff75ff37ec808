"""Attention: what makes somebody who walks or is busy look up. Who does nothing is always free to act.

A mind that is asked in every step costs as many questions as there are steps; this asks where an answer may matter.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from cave_sim.agents.mind import hour_of
from cave_sim.agents.prompts.view import since
from cave_sim.history.dialogues import OVERHEARD

AN_HOUR_S = 3600.0
SOON_H = 0.35
FRIEND = 0.4


def is_called_for(
    observation: Mapping[str, Any],
    last_look: Mapping[str, Any],
    new_lines: Sequence[str],
    looked_s_ago: float,
    *,
    converses: bool,
) -> bool:
    """Say whether a resident who is walking or busy should be interrupted, and who is neither be asked.

    Args:
        observation: what they see.
        last_look: what they saw when they were last asked.
        new_lines: what they have heard since.
        looked_s_ago: how many seconds ago that was.
        converses: whether being spoken to is a reason.
    """
    me = observation["me"]
    is_spoken_to = converses and any(" you to " not in line and OVERHEARD not in line for line in new_lines)
    if me["activity"] == "walking":
        return is_spoken_to
    if not me["busy_minutes"] or is_spoken_to:
        return True
    friends = {other["name"] for other in observation["near"] if other["knows"] >= FRIEND}
    hours = [hour for at in observation["plan"] if (hour := hour_of(at)) is not None]
    return (
        bool(since(observation["news"], last_look.get("news", "")))
        or not friends <= set(last_look.get("near", ()))
        or any(abs(hour - observation["hour"]) <= SOON_H for hour in hours)
        or looked_s_ago >= AN_HOUR_S
    )
