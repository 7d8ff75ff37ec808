"""The taxonomy of failed queries (after CaveAgent F.1.1, Figure 13), as questions to the journals of trials."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from cave_sim.experiment.kept_trials import KeptTrial

KINDS = {
    "missing action": "something that had to change is as it was, or a call that had to be made was not",
    "wrong argument": "what had to change did, to something else; or a call was made with other arguments",
    "incomplete exploration": "of several things that had to change some did and others did not; or the agent did not"
    " look at what its task is about",
    "unasked action": "something changed that nobody asked for",
    "unrecovered error": "the last cell for the query failed or was blocked",
    "no action": "the agent ran no cell and made no call",
    "no reply": "a call to the model got no reply",
    "carried over": "only what earlier queries of the conversation had left wrong",
    "other": "the judge finds it wrong, and none of these says why",
}
"""Kinds of failures, and what tells them; one failure may be of several."""


def kinds_of(trial: KeptTrial, query: int) -> set[str]:
    """Return the kinds of a failed query; none if it passed."""
    outcome = trial.result.outcomes[query]
    if outcome.ok:
        return set()
    slips, cells = outcome.slips, trial.cells_of(query)
    tells = {
        "missing action": bool(slips.get("missing")),
        "wrong argument": bool(slips.get("wrong")),
        "incomplete exploration": bool(slips.get("unexplored")) or _is_partial(slips),
        "unasked action": bool(slips.get("unasked")),
        "unrecovered error": bool(cells) and cells[-1].status != "committed",
        "no action": not cells,
        "no reply": outcome.failed_calls > 0,
        "carried over": {*slips} - {"done"} == {"carried"},
    }
    kinds = {kind for kind, is_so in tells.items() if is_so}
    return kinds or {"other"}


def _is_partial(slips: Mapping[str, Sequence[str]]) -> bool:
    """Say whether a field had to change in several entities, and did in some of them."""
    left, done = (
        {path.rpartition(".")[2] for path in slips.get(kind, ()) if "." in path} for kind in ("missing", "done")
    )
    return bool(left & done)


def counted(trials: Iterable[KeptTrial]) -> tuple[Counter[str], int]:
    """Return how many failed queries are of each kind, and how many failed in all."""
    counts: Counter[str] = Counter()
    failed = 0
    for trial in trials:
        for query, outcome in enumerate(trial.result.outcomes):
            failed += not outcome.ok
            counts.update(kinds_of(trial, query))
    return counts, failed
