"""Influence: what talk does to an attitude, by rules of the literature. An attitude lies between -1 and 1.

A rule says how strongly a distance between two attitudes pulls who hears towards who speaks: 1 fully, 0 not at all, -1
away. The tolerance, from 0 to 2, is for rules that ask for it.
"""

from collections.abc import Callable

Influence = Callable[[float, float], float]


def none(_distance: float, _tolerance: float) -> float:
    """Keep one's attitude."""
    return 0.0


def assimilation(_distance: float, _tolerance: float) -> float:
    """Come closer, whatever the distance (DeGroot 1974): in the end all agree."""
    return 1.0


def bounded_confidence(distance: float, tolerance: float) -> float:
    """Come closer to who is not too far away, and pass over the others (Deffuant et al. 2000): camps form."""
    return 1.0 if distance <= tolerance else 0.0


def repulsion(distance: float, tolerance: float) -> float:
    """Come closer to who is not too far away, and move on from the others (Jager and Amblard 2005): camps part."""
    return 1.0 if distance <= tolerance else -1.0


INFLUENCES: dict[str, Influence] = {rule.__name__: rule for rule in (none, assimilation, bounded_confidence, repulsion)}


def swayed(rule: str, mine: float, theirs: float, rate: float, tolerance: float) -> float:
    """Return the new attitude of who hears, by the rule of that name, within the bounds of attitudes."""
    pull = INFLUENCES[rule](abs(theirs - mine), tolerance)
    return round(min(1.0, max(-1.0, mine + rate * pull * (theirs - mine))), 4)
