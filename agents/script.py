"""A scripted language model for residents: reads a prompt as a model would, and nothing but the prompt.

It writes a thought and a cell, draws up plans, reflects, and says so when there is nothing to do. What it decides
follows from the urges of the scripted residents, so that a run without a key takes the very path of a real model.
"""

import re
from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Any

from cave_sim.agents.duties import duty, plain
from cave_sim.agents.errands import due, keep, meetings
from cave_sim.agents.mind import Perception
from cave_sim.agents.prompts import texts
from cave_sim.agents.prompts.heard import TEXT
from cave_sim.agents.reading import seen_in, texts_after, told_now
from cave_sim.agents.scripted import WHILE_BUSY, WHILE_FREE, first, learn, settle
from cave_sim.agents.smalltalk import answer
from cave_sim.determinism.random_streams import RandomStream
from cave_sim.models.base import Request

NOTHING = "Nothing to do."
THOUGHTS = {
    "go": "That is where I want to be.",
    "eat": "I am hungry.",
    "drink": "Something to drink would be nice.",
    "buy": "I need a few things.",
    "work": "It is time to work.",
    "sleep": "I am tired.",
    "rest": "I will sit down for a while.",
    "enjoy": "I like it here.",
    "say": "I want to talk.",
    "meet": "We should see more of each other.",
    "note": "I want to remember this.",
}
_DEED = re.compile(r"\bme\.(\w+)\(")
_CLOSED = re.compile(r"\((\w+)\) is (closed[^.;\"\\]*)")
_MEMORY = re.compile(rf"^(\d+)\. \w{{3}} \d\d:\d\d ({TEXT})$", re.MULTILINE)
_NAMED = re.compile(r"\((\w+)\): |you to (\w+): ")


def reply(request: Request) -> str:
    """Return what the script says to a request."""
    texts_sent = told_now(request)
    prompt = "\n".join(texts_sent)
    for task, in_words in IN_WORDS:
        if task in prompt:
            return in_words(prompt)
    observation = seen_in(prompt)
    if texts.ANSWERS in prompt:
        return _as_reply(_answer(observation)) if "<error>" not in prompt else NOTHING
    mind = Perception(
        observation | {"plan": meetings(observation)},
        partial(RandomStream, "script", observation["me"]["name"], observation["time"], len(texts_sent)),
    )
    if texts.PLANS in prompt and "<error>" not in prompt:
        return _as_reply(_plan(mind), "This is how I see my day.")
    return _as_reply(_cell_for_missed(prompt) or _cell(mind, observation, prompt))


def _cell(mind: Perception, observation: dict[str, Any], prompt: str) -> str:
    """Return the cell of the moment: a lesson, a duty, an errand, or the first urge that has one."""
    if shut := _closed_door(prompt):
        return learn(*shut, observation)
    if "<error>" in prompt or "<refusal>" in prompt or observation["me"]["activity"] in ("sleeping", "walking"):
        return ""
    errand = due(observation)
    cell = duty(observation) if "town" in observation else ""
    cell = cell or (keep(errand, observation) if errand else "")
    return cell or first(mind, WHILE_BUSY if observation["me"]["busy_minutes"] else WHILE_FREE)


def _answer(observation: dict[str, Any]) -> str:
    """Return the cell that goes on with a talk, or settles what it is about; "" if it is over."""
    mind = Perception(observation, partial(RandomStream, "talk", observation["me"]["name"], *observation["heard"]))
    if cell := settle(mind):
        return cell
    who, words = mind.just_heard() or ("", "")
    answer_text = answer(words, mind.rng, mind.said_to(who)) if who and not mind.awaits_answer_of(who) else ""
    return f'me.say({who}, "{answer_text}")' if answer_text else ""


def _closed_door(prompt: str) -> tuple[str, str] | None:
    """Return the place and the sign of a door that stayed shut in the last cell."""
    errors = re.findall(r"<error>\n(.*?)\n</error>", prompt, re.DOTALL)
    match = _CLOSED.search((errors or texts_after("Your last cell did not land", prompt) or [""])[-1])
    return (match[1], match[2]) if match else None


def _cell_for_missed(prompt: str) -> str:
    """Return the cell that strikes off what the plan has missed, if the prompt asks for it."""
    match = re.search(rf"{re.escape(texts.PLANS_ANEW)} Missed: ([\d:, ]+)\.", prompt)
    return "\n".join(f'me.plan.pop("{at}", None)' for at in match[1].split(", ")) if match else ""


def _plan(mind: Perception) -> str:
    """Return the cell that plans a day: an outing after work, something to eat if one has the money."""
    begins_h, ends_h = mind.me["shift"]
    works = mind.me["workplace"] and begins_h < ends_h and (mind.seen["weekday"] < 5 or mind.me["works_weekends"])
    free_h = int(max(mind.hour + 2, ends_h + 1 if works and ends_h < 20 else 15))
    hobby = mind.pick(*("culture", "sport") if mind.euros > 40 else ("park", "culture"), at_h=free_h)
    supper = mind.pick("meal", "drinks", at_h=free_h + 2) if mind.euros > 60 and free_h < 19 else None
    activities = {free_h: ("spend an hour", hobby), free_h + 2: ("have supper", supper)}
    lines = [
        f'me.plan["{hour:02d}:00"] = "{what} at {where}"'
        for hour, (what, where) in activities.items()
        if where and hour < 22 and f"{hour:02d}:00" not in mind.seen["plan"]
    ]
    return "\n".join(lines)


def _reflect(prompt: str) -> str:
    """Conclude who one talks to most, and think well of them."""
    memories = _MEMORY.findall(prompt)
    talks = [(number, name) for number, text in memories for pair in _NAMED.findall(text) for name in pair if name]
    if not talks:
        return f"My days are quiet. (because of {', '.join(number for number, _ in memories[:3])})"
    ((name, times),) = Counter(name for _, name in talks).most_common(1)
    reasons = ", ".join(number for number, other in talks if other == name)
    opinion = "a good friend" if times > 2 else "good company"
    return f"I talk with {name} more than with anybody else. (because of {reasons})\nabout {name}: {opinion}"


def _questions(prompt: str) -> str:
    """Ask oneself about whom one talked to, and about one's days."""
    names = [name for _, text in _MEMORY.findall(prompt) for pair in _NAMED.findall(text) for name in pair if name]
    people = [f"What do I know of {name}?" for name, _ in Counter(names).most_common(2)]
    return "\n".join([*people, "What are my days like?"])


def _ratings(prompt: str) -> str:
    """Rate memories of what was asked or announced above those of company, and that above the rest."""
    memories = _MEMORY.findall(prompt)
    return "\n".join(f"{number}: {6 if '?' in text else 4 if _NAMED.search(text) else 2}" for number, text in memories)


def _hour(prompt: str) -> str:
    """Spend the hour on what one does, and on what the plan says for it."""
    observation = seen_in(prompt)
    begins, activity = f"{int(observation['hour']):02d}", observation["me"]["activity"]
    planned = [f"{at} {what}" for at, what in sorted(observation["plan"].items()) if at.startswith(begins)]
    return "\n".join([f"{begins}:00 go on {activity}", *planned, f"{begins}:45 see what is next"])


IN_WORDS: tuple[tuple[str, Callable[[str], str]], ...] = (
    (texts.REFLECT, _reflect),
    (texts.QUESTIONS.partition("{")[0], _questions),
    (texts.INSIGHTS.partition("} ")[2].partition("\n")[0], _reflect),
    (texts.RATE, _ratings),
    (texts.HOURS.partition("} ")[2].partition("{")[0], _hour),
)
"""Tasks that are answered in words, told by what never changes in them."""


def _as_reply(cell: str, thought: str = "") -> str:
    """Return a reply as models write it: one block, whose first line is a thought."""
    if not cell:
        return NOTHING
    match = _DEED.search(cell)
    thought = thought or THOUGHTS.get(match[1] if match else "", "I will see to this.")
    return f"```python\n{cell}\n```" if cell.startswith("#") else f"```python\n# {plain(thought)}\n{cell}\n```"
