"""The scripted language model of this story: residents as ever, who also invite, pass an invitation on, and come.

It reads the prompt and nothing else: the host's intention from who they are, an invitation from what they hear, who is
there to be told from who is with them. Whether somebody wants to come depends on who they are alone.
"""

import re
from functools import partial
from typing import Any, NamedTuple

from cave_sim.agents.mind import Perception
from cave_sim.agents.prompts import texts
from cave_sim.agents.reading import seen_in, told_now
from cave_sim.determinism.random_streams import RandomStream
from cave_sim.models import Request
from cave_sim.simulations import scripted_model
from cave_sim.survey.asking import FRAME

PARTY = "Valentine's party"
COMES, GOSSIPS = 0.75, 0.4
"""Shares of those invited who want to come, and of the moments in which guests pass the invitation on."""
ATTENDS = f"be at the {PARTY}"
_INVITES = re.compile(rf"to give a {PARTY} at (\w+) at (\d\d:\d\d), and to invite everybody")
_HEARD = re.compile(rf"\((\w+)\): [^\"]*{PARTY} at (\w+) at (\d\d:\d\d)")
_PLANNED = re.compile(rf"(\w[\w ]* the {PARTY})(?: \(known to ([\w, ]+)\))? at (\w+)")


class Party(NamedTuple):
    """What a resident knows of the party."""

    where: str
    at: str
    told_by: str = ""


def reply(request: Request) -> str:
    """Return what the script says to a request."""
    prompt = "\n".join(told_now(request))
    _, asked, question = prompt.rpartition(FRAME.partition("{question}")[0])
    if asked and "party" in question:
        return _answer(prompt)
    asks_else = any(text in prompt for text in (texts.REFLECT, texts.PLANS, texts.PLANS_ANEW, "<error>"))
    return ("" if asks_else else _party(prompt)) or scripted_model.reply(request)


def _answer(prompt: str) -> str:
    """Say whether anything that one remembers, hears, plans or intends is about the party."""
    before_the_question = prompt.partition(FRAME.partition("{question}")[0])[0]
    return "yes" if PARTY in before_the_question else "no"


def _party(prompt: str) -> str:
    """Return the cell that the party asks for now; "" if it asks for nothing."""
    observation = seen_in(prompt)
    mind = Perception(observation, partial(RandomStream, "party", observation["me"]["name"], observation["time"]))
    if mind.me["activity"] in ("sleeping", "walking"):
        return ""
    invites, invitation = _INVITES.search(prompt), _invitation(observation)
    plan, time = observation["plan"], observation["time"][-5:]
    if invitation and not invites and invitation.at not in plan and time < invitation.at:
        return _accept(mind, invitation) if _wants_to_come(mind) else ""
    if invites:
        party: Party | None = Party(*invites.groups())
    else:
        party = invitation if invitation and invitation.at in plan else _planned_party(observation)
    if party is None or time >= party.at or not (invites or mind.rng.random() < GOSSIPS):
        return ""
    return _tell(mind, party, is_host=bool(invites))


def _invitation(observation: dict[str, Any]) -> Party | None:
    """Return the latest invitation that a resident has heard."""
    matches = [match for line in observation["heard"] if (match := _HEARD.search(line))]
    return Party(matches[-1][2], matches[-1][3], matches[-1][1]) if matches else None


def _planned_party(observation: dict[str, Any]) -> Party | None:
    """Return the party that a resident plans to attend."""
    lines = [(at, _PLANNED.fullmatch(what)) for at, what in observation["plan"].items()]
    return next((Party(match[3], at) for at, match in lines if match and match[1] == ATTENDS), None)


def _accept(mind: Perception, party: Party) -> str:
    is_there = any(person["name"] == party.told_by for person in mind.listeners)
    thanks = f'me.say({party.told_by}, "I would love to come!")\n' if is_there else ""
    return (
        f"```python\n# A party! I would like to be there.\n"
        f'me.plan["{party.at}"] = "{ATTENDS} (known to {_called(party.told_by)}) at {party.where}"\n'
        f'me.note("{party.told_by} told me of the {PARTY}.")\n{thanks}```'
    )


def _wants_to_come(mind: Perception) -> bool:
    return RandomStream("comes", mind.me["name"]).random() < COMES


def _tell(mind: Perception, party: Party, *, is_host: bool) -> str:
    """Return the cell that invites a listener who is not known to know of the party; "" if there is none.

    One hears the latest words alone, so who knows goes into the plan.
    """
    planned = _PLANNED.fullmatch(mind.seen["plan"].get(party.at, ""))
    plan, about = (planned[1], planned[2] or "") if planned else (f"give the {PARTY}", "")
    heard = set(re.findall(r"\w+", " ".join(line for line in mind.seen["heard"] if PARTY in line)))
    others = [
        person["name"]
        for person in mind.listeners
        if person["name"] not in heard and _called(person["name"]) not in about.split(", ")
    ]
    if not others or not (planned or is_host):
        return ""
    who = "I am giving" if is_host else "They are giving"
    words = f"{who} a {PARTY} at {party.where} at {party.at}. Will you come?"
    known_to = ", ".join(filter(None, [about, _called(others[0])]))
    return (
        f'```python\n# They should know of the party.\nme.say({others[0]}, "{words}")\n'
        f'me.plan["{party.at}"] = "{plan} (known to {known_to}) at {party.where}"\n```'
    )


def _called(name: str) -> str:
    """Return what friends call somebody: a list of whole names is long."""
    return name.partition("_")[0]
