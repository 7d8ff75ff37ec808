"""Outcomes of the party for studies, read from the journal of a run: who knows by three ways, who came, and talk."""

from collections.abc import Callable
from functools import lru_cache

from cave_sim import Run
from cave_sim.history import dialogues
from cave_sim.simulations.valentine_party.spread import InvitationSpread, measure

measured: Callable[[Run], InvitationSpread] = lru_cache(1)(measure)
talk: Callable[[Run], dialogues.Talk] = lru_cache(1)(dialogues.talk)
"""Of the run that is asked about: it has ended, so one reading serves all outcomes."""


def by_words(run: Run) -> int:
    """Return how many others a text about the party is found with."""
    return len(measured(run).invited)


def by_provenance(run: Run) -> int:
    """Return how many others word can have reached."""
    return len(measured(run).reached)


def by_asking(run: Run) -> int | None:
    """Return how many others said, when they were asked last, that they know; None if nobody was asked."""
    spread = measured(run)
    return None if spread.says_so is None else len(spread.says_so - {spread.host})


def error_rate(run: Run) -> float | None:
    """Return the share of others of whom words and their own answer say different things; None if nobody was asked."""
    spread = measured(run)
    return None if spread.says_so is None else spread.by_words.error_rate


def claimed(run: Run) -> int:
    """Return how many say that they know though word cannot have reached them."""
    return len(measured(run).claimed)


def came(run: Run) -> int:
    """Return how many who knew were in the place at any time while the party lasted."""
    return len(measured(run).came)


def answered_share(run: Run) -> float | None:
    """Return the share of dialogues in which somebody answered; None if nobody talked."""
    talks = talk(run)
    return talks.answered_share if talks.lengths else None


def utterances(run: Run) -> float | None:
    """Return the mean number of utterances of a dialogue; None if nobody talked."""
    talks = talk(run)
    return talks.mean_length if talks.lengths else None
