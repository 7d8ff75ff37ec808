"""Scripted residents who argue, write, invite and promise, and mostly keep what they promised."""

import re
from collections.abc import Mapping
from typing import Any

from cave_sim.agents.mind import Perception, hour_of
from cave_sim.agents.scripted import ScriptedResident
from cave_sim.determinism.random_streams import RandomStream

TOPIC = "tram"
FOR = ("The tram would do this town good.", "With the tram I would leave the car at home.", "Build the tram, I say.")
AGAINST = ("Who is to pay for this tram?", "The tram will only bring noise.", "We never needed a tram here.")
ARGUES, WRITES, PROMISES, INVITES, ACCEPTS = 0.4, 0.08, 0.04, 0.04, 0.6
RELIABLE, LAW_ABIDING = 0.8, 0.75
"""Shares of moments in which people do so, and of people who keep promises, and norms."""
_INVITED = re.compile(r"You are invited to .*?\((\w+)\) at (\d\d:\d\d)")
_TO_BE_AT = re.compile(r"be at (\w+),? ")
SOON_H = 0.5


class Talker(ScriptedResident):
    """Lives a day, and talks about the tram."""

    def act(self, observation: Mapping[str, Any]) -> str:
        """Return the cell to run: first what talk and promises ask for, then what any resident would do."""
        if observation["me"]["activity"] in ("sleeping", "walking"):
            return ""
        mind = Perception(observation, lambda: self.rng)
        urges = (self._keep_promise, self._go_home, self._accept, self._promise, self._invite, self._argue, self._write)
        return next((cell for urge in urges if (cell := urge(mind))), "") or super().act(observation)

    def _is(self, kind: str, share: float) -> bool:
        """Say whether this is somebody who is so, as a share of people are."""
        return RandomStream(kind, self.name).random() < share

    def _keep_promise(self, mind: Perception) -> str:
        for at, line in mind.seen["plan"].items():
            match, due_h = _TO_BE_AT.match(f"{line} "), hour_of(at)
            if match and due_h is not None and 0 <= due_h - mind.hour <= SOON_H and mind.at != match[1]:
                return f'me.go("{match[1]}")' if self._is("reliable", RELIABLE) else ""
        return ""

    def _go_home(self, mind: Perception) -> str:
        is_due = mind.hour >= 21.3 and mind.at != mind.me["home"] and self._is("law_abiding", LAW_ABIDING)
        return "me.go(me.home)" if is_due else ""

    def _accept(self, mind: Perception) -> str:
        for line in mind.seen["heard"]:
            match = _INVITED.search(line)
            if match and " you to " not in line and match[2] not in mind.seen["plan"] and mind.rng.random() < ACCEPTS:
                return f'me.plan["{match[2]}"] = "be at {match[1]}"'
        return ""

    def _promise(self, mind: Perception) -> str:
        return self._ask_somewhere(mind, PROMISES, 'me.promise({other}, at="{at}", place="{place}")')

    def _invite(self, mind: Perception) -> str:
        return self._ask_somewhere(mind, INVITES, 'me.invite({other}, "{place}", at="{at}")')

    def _ask_somewhere(self, mind: Perception, share: float, cell: str) -> str:
        """Return the cell that names a place and an hour to somebody; nothing if it is not the moment."""
        hour, contacts = int(mind.hour) + 2, mind.seen.get("contacts", [])
        if mind.rng.random() > share or not contacts or hour > 20 or f"{hour:02d}:00" in mind.seen["plan"]:
            return ""
        place = mind.pick("coffee", "park", "drinks", at_h=hour)
        return cell.format(other=mind.rng.choice(contacts), place=place, at=f"{hour:02d}:00") if place else ""

    def _argue(self, mind: Perception) -> str:
        others = [other["name"] for other in mind.listeners if not mind.awaits_answer_of(other["name"])]
        if not others or mind.rng.random() > ARGUES:
            return ""
        return f'me.say({mind.rng.choice(others)}, "{self._opinion(mind)}")'

    def _write(self, mind: Perception) -> str:
        contacts = mind.seen.get("contacts", [])
        if not contacts or mind.rng.random() > WRITES:
            return ""
        return f'me.text({mind.rng.choice(contacts)}, "{self._opinion(mind)}")'

    def _opinion(self, mind: Perception) -> str:
        return mind.rng.choice(FOR if mind.seen["attitudes"].get(TOPIC, 0.0) >= 0 else AGAINST)
