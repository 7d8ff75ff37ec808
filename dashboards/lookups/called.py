"""What the agents of runs are called, for pages that read a journal as a whole: by name, as in the story."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Collection

from cave_sim import Run
from cave_sim.dashboards.lookups.portrayal import title
from cave_sim.journal.rebuild import fold_at


def called(agents: Collection[str], *runs: Run) -> dict[str, str]:
    """Return the title of each agent that is an entity at the end of a run, with its name where that says more.

    Somebody of one name who is called otherwise in another run keeps the name.

    Args:
        agents: their names.
        runs: those with steps are asked.
    """
    titles: dict[str, set[str]] = {}
    for run in runs:
        entities = fold_at(run, run.last_step).settle() if run.last_step >= 0 else {}
        for agent in agents:
            if agent in entities:
                titles.setdefault(agent, set()).add(title(agent, entities[agent]["fields"]))
    one = {agent: min(names) for agent, names in titles.items() if len(names) == 1}
    common = Counter(one.values())
    return {
        agent: names if _plain(names) == agent and common[names] == 1 else f"{agent} ({names})"
        for agent, names in one.items()
    }


def _plain(text: str) -> str:
    """Return a title as names of entities are written: Väinö Väisänen, vaino_vaisanen."""
    letters = unicodedata.normalize("NFKD", text.lower().replace(" ", "_"))
    return "".join(letter for letter in letters if not unicodedata.combining(letter))
