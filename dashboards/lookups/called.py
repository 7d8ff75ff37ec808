"""What the agents of runs are called, for pages that read a journal as a whole: by name, as in the story."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection

from cave_sim import Run
from cave_sim.dashboards.lookups.portrayal import title
from cave_sim.journal.rebuild import fold_at


def called(agents: Collection[str], *runs: Run) -> dict[str, str]:
    """Return the title of each agent that is an entity at the end of a run, with its name where that says more.

    Args:
        agents: their names.
        runs: the first that has an entity of the name says how it is called.
    """
    titles: dict[str, str] = {}
    for run in runs:
        if run.last_step < 0:
            continue
        entities = fold_at(run, run.last_step).settle()
        here = {agent: title(agent, entities[agent]["fields"]) for agent in agents if agent in entities}
        titles = here | titles
    common = list(titles.values())
    return {
        agent: told if _plain(told) == agent and common.count(told) == 1 else f"{told} ({agent})"
        for agent, told in titles.items()
    }


def _plain(told: str) -> str:
    """Return a title as names of entities are written: Väinö Väisänen, vaino_vaisanen."""
    letters = unicodedata.normalize("NFKD", told.lower().replace(" ", "_"))
    return "".join(letter for letter in letters if not unicodedata.combining(letter))
