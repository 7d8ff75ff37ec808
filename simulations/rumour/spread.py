"""Who can have known, by who heard whom and who read what; and who did. No word of what was said is looked at.

Whoever hears a turn of somebody who may know, may know from then on; so does whoever reads a field of theirs that not
everybody may read. That is the most that can have happened: a resident who knows and is not among them was not told.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from cave_sim import Run
from cave_sim.history.readers import readers
from cave_sim.simulations.rumour.gossip import NOTE, WAYS

Contact = tuple[int, int, str, str]
"""Turn, step, from whom, and to whom something can have passed."""


@dataclass
class Spread:
    """How far a secret went.

    Attributes:
        source: whose it was.
        told: who can have been told -> (step, by whom first).
        read: who can have come by it sooner, by what they or others read -> (step, whose).
        knows: who knows -> the step in which they wrote so.
        looks: how often somebody tried to read what is another's; how often they were refused.
    """

    source: str
    told: dict[str, tuple[int, str]] = field(default_factory=dict)
    read: dict[str, tuple[int, str]] = field(default_factory=dict)
    knows: dict[str, int] = field(default_factory=dict)
    looks: tuple[int, int] = (0, 0)

    @property
    def untold(self) -> set[str]:
        """Everybody who knew before anybody can have told them."""
        return {
            name
            for name, step in self.knows.items()
            if name != self.source and (name not in self.told or self.told[name][0] > step)
        }


def measure(run: Run) -> Spread:
    """Return how far the secret of a run of this simulation went.

    Args:
        run: a journal as `cave_sim.open_run` returns it.
    """
    spread = Spread(run.manifest["config"]["source"])
    said, seen = list(_said(run)), list(_seen(run))
    spread.told = reached(spread.source, said)
    everyone = reached(spread.source, sorted([*said, *seen]))
    spread.read = {name: how for name, how in everyone.items() if how != spread.told.get(name)}
    spread.knows = _notes(run)
    spread.looks = _looks(run)
    return spread


def reached(source: str, contacts: list[Contact]) -> dict[str, tuple[int, str]]:
    """Return whom something can have reached from one person by contacts in order, when, and by whom first."""
    reach: dict[str, tuple[int, str]] = {}
    for _turn, step, one, other in contacts:
        if (one == source or one in reach) and other not in reach and other != source:
            reach[other] = step, one
    return reach


def _said(run: Run) -> Iterator[Contact]:
    """Yield who was heard by whom: a cell of the one has left something in what the other has heard."""
    for change in run.changes(field="heard"):
        if change.kind == "cell" and change.agent != change.entity:
            yield change.turn, change.step, change.agent, change.entity


def _seen(run: Run) -> Iterator[Contact]:
    """Yield who was read by whom."""
    return ((each.turn, each.step, each.entity, each.agent) for each in readers(run))


def _notes(run: Run) -> dict[str, int]:
    """Return who wrote that they know, and in which step first."""
    notes: dict[str, int] = {}
    for change in run.changes(field="diary"):
        if change.agent == change.entity and NOTE in str(change.new):
            notes.setdefault(change.entity, change.step)
    return notes


def _looks(run: Run) -> tuple[int, int]:
    looks = [turn.status for turn in run.turns() if turn.code in WAYS]
    return len(looks), looks.count("blocked")
