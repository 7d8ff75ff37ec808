"""The scripted language model of this story: residents as ever, who also invite, pass an invitation on, and come.

It reads the prompt and nothing else: the host's intention from who they are, an invitation from what they hear, who is
there to be told from who is with them. Whether somebody wants to come depends on who they are alone.
"""

import re
from typing import Any, NamedTuple

from cave_sim.agents import script
from cave_sim.agents.mind import Perception
from cave_sim.agents.prompts import texts
from cave_sim.agents.reading import seen_in
from cave_sim.models import Request
from cave_sim.random_streams import RandomStream

PARTY = "Valentine's party"
COMES, GOSSIPS = 0.75, 0.4
"""Shares of those invited who want to come, and of the moments in which guests pass the invitation on."""
_INVITES = re.compile(rf"to give a {PARTY} at (\w+) at (\d\d:\d\d), and to invite everybody")
_HEARD = re.compile(rf"\((\w+)\): [^\"]*{PARTY} at (\w+) at (\d\d:\d\d)")


class Party(NamedTuple):
    """What somebody knows of the party."""

    where: str
    at: str
    told_by: str = ""


def reply(request: Request) -> str:
    """Return what the script says to a request."""
    prompt = "\n".join(message.text for message in request.messages if message.role != "assistant")
    asks_else = any(text in prompt for text in (texts.REFLECT, texts.PLAN, texts.PLAN_ANEW, "<error>"))
    return ("" if asks_else else _party(prompt)) or script.reply(request)


def _party(prompt: str) -> str:
    """Return the cell that the party asks for now; "" if it asks for nothing."""
    seen = seen_in(prompt)
    mind = Perception(seen, RandomStream("party", seen["me"]["name"], seen["time"]))
    if mind.me["activity"] in ("sleeping", "walking"):
        return ""
    invites, heard = _INVITES.search(prompt), _heard(seen)
    if heard and not invites and heard.at not in seen["plan"] and seen["time"][-5:] < heard.at:
        return _accept(heard) if _wants_to_come(mind) else ""
    party = Party(*invites.groups()) if invites else heard if heard and heard.at in seen["plan"] else _planned(seen)
    if party is None or seen["time"][-5:] >= party.at or not (invites or mind.rng.random() < GOSSIPS):
        return ""
    return _tell(mind, party, is_host=bool(invites))


def _heard(seen: dict[str, Any]) -> Party | None:
    """Return the invitation among what somebody has heard."""
    found = [match for line in seen["heard"] if (match := _HEARD.search(line))]
    return Party(found[-1][2], found[-1][3], found[-1][1]) if found else None


def _planned(seen: dict[str, Any]) -> Party | None:
    """Return the party that somebody means to go to."""
    lines = [(at, re.search(rf"be at the {PARTY} at (\w+)", what)) for at, what in seen["plan"].items()]
    return next((Party(found[1], at) for at, found in lines if found), None)


def _accept(party: Party) -> str:
    return (
        f"```python\n# A party! I would like to be there.\n"
        f'me.plan["{party.at}"] = "be at the {PARTY} at {party.where}"\n'
        f'me.note("{party.told_by} told me of the {PARTY}.")\n```'
    )


def _wants_to_come(mind: Perception) -> bool:
    return RandomStream("comes", mind.me["name"]).random() < COMES


def _tell(mind: Perception, party: Party, *, is_host: bool) -> str:
    """Return the cell that tells somebody here who has not been told lately."""
    told = [line for line in mind.seen["heard"] if PARTY in line]
    others = [each["name"] for each in mind.listeners() if not any(each["name"] in line for line in told)]
    if not others:
        return ""
    who = "I am giving" if is_host else "They are giving"
    said = f"{who} a {PARTY} at {party.where} at {party.at}. Will you come?"
    return f'```python\n# They should know of the party.\nme.say({others[0]}, "{said}")\n```'
