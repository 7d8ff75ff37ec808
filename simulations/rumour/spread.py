"""Who can have known, by who heard whom and who read what; and who did. No word of what was said is looked at."""

from dataclasses import dataclass, field

from cave_sim import Run, World
from cave_sim.history.diffusion import Contact, contacts, reached
from cave_sim.simulations.rumour.gossip import NOTE, WAYS
from cave_sim.worlds.town import Resident


@dataclass
class SecretSpread:
    """How far a secret went.

    Attributes:
        source: whose it was.
        told: who can have been told -> the contact by which they first can have.
        reached: who can have come by it at all, by being told or by reading what is another's -> the same.
        knows: who knows -> the step in which they wrote so.
        looks: how often somebody tried to read what is another's; how often they were refused.
    """

    source: str
    told: dict[str, Contact] = field(default_factory=dict)
    reached: dict[str, Contact] = field(default_factory=dict)
    knows: dict[str, int] = field(default_factory=dict)
    looks: tuple[int, int] = (0, 0)

    @property
    def untold(self) -> set[str]:
        """Everybody who knew before anybody can have told them."""
        return {
            name
            for name, step in self.knows.items()
            if name != self.source and (name not in self.told or self.told[name].step > step)
        }


def knowing(world: World) -> float:
    """Return the share of residents in whose diary stands that they know, the source among them; of nobody, 0."""
    residents = world.all(Resident)
    return sum(any(NOTE in line for line in person.diary) for person in residents) / max(1, len(residents))


def measure(run: Run) -> SecretSpread:
    """Return how far the secret of a run of this simulation went.

    Args:
        run: a journal as `cave_sim.open_run` returns it.
    """
    source, passed = run.manifest["config"]["source"], contacts(run)
    listeners = reached([contact for contact in passed if contact.text], [source])
    return SecretSpread(source, listeners, reached(passed, [source]), _notes(run), _looks(run))


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
