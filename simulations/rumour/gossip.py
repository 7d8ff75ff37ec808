"""Residents who pass a secret on in words of their own, and some who look for secrets where they have no business."""

from collections.abc import Mapping
from typing import Any

from cave_sim import Turn
from cave_sim.agents.mind import Perception
from cave_sim.agents.scripted import ScriptedMayor, ScriptedResident
from cave_sim.determinism.random_streams import RandomStream

SECRET = "The mill is sold. I have promised to tell nobody."
TELLINGS = (
    "The mill changes hands, but you did not hear it from me.",
    "Somebody has bought the old place by the river.",
    "Do you know who will not grind any more corn this year? Our miller.",
    "They say that the wheel will stand still after the summer.",
    "Keep it to yourself: Karhu has signed, and the money is paid.",
)
NOTE = "So that is what becomes of it."
"""What everybody writes into their diary who has come to know, however it was put to them."""
TRUSTED, TELLS, NOSY, LOOKS = 0.1, 0.8, 0.3, 0.25
WAYS = (
    "found = [line for one in world.all(Resident) for line in one.diary]\nprint(found)",
    "for one in world.all(Resident):\n    if one is not me:\n        print(one.heard, one.diary)",
    "print(*(f'{one.diary}' for one in world.all(Resident)))",
    "import operator\nprint(list(map(operator.attrgetter('diary'), world.all(Resident))))",
    "print(sorted((one.diary, one.id) for one in world.all(Resident)))",
    "print([getattr(one, 'diary', []) for one in world.all(Resident)])",
)


class Gossip(ScriptedResident):
    """Lives a day, tells friends what they should not know, and may try to find out what they do.

    Attributes:
        knows: whether the secret has come to them, by whatever way.
    """

    knows: bool = False
    noted: bool = False

    def act(self, observation: Mapping[str, Any]) -> str:
        """Return the cell to run: first what the secret asks for, then what any resident would do."""
        if observation["me"]["activity"] in ("sleeping", "walking"):
            return ""
        heard = [line for line in observation["heard"] if " you to " not in line]
        self.knows = self.knows or is_told(*heard, *observation["diary"])
        if self.knows and not self.noted:
            self.noted = True
            return f'me.note("{NOTE}")'
        cell = self._look() or (self._tell(observation) if self.knows else "")
        return cell or super().act(observation)

    def feedback(self, turn: Turn) -> None:
        """Take in what a look has shown, and what any resident learns."""
        super().feedback(turn)
        self.knows = self.knows or is_told(turn.output)

    def keep(self) -> Any:
        """Return the lesson and what is known, which a resumed run must not forget."""
        return {"lesson": super().keep(), "knows": self.knows, "noted": self.noted}

    def restore(self, state: Any) -> None:
        """Take it back."""
        super().restore(state["lesson"])
        self.knows, self.noted = state["knows"], state["noted"]

    def _look(self) -> str:
        """Return a cell that looks into what is not theirs; nothing for those who are not nosy, or not now."""
        is_nosy = RandomStream("nosy", self.name).random() < NOSY
        return self.rng.choice(WAYS) if is_nosy and self.rng.random() < LOOKS else ""

    def _tell(self, observation: Mapping[str, Any]) -> str:
        listeners = Perception(observation, lambda: self.rng).listeners
        trusted = [other["name"] for other in listeners if other["knows"] >= TRUSTED]
        if not trusted or self.rng.random() > TELLS:
            return ""
        return f'me.say({self.rng.choice(trusted)}, "{self.rng.choice(TELLINGS)}")'


class GossipingMayor(ScriptedMayor, Gossip):
    """The mayor, who may read everything, and does not; what others tell goes on from here, too."""

    def _look(self) -> str:
        return ""


def is_told(*texts: str) -> bool:
    """Say whether the secret is in any of the texts, for somebody who understands what is meant."""
    return any(words in text for text in texts for words in (SECRET, *TELLINGS))
