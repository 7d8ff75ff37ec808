"""What each is asked, made from what the journal knows of them, in the five areas of Park et al. 2023, §6.

The paper has people judge the answers. Here every question has one right answer, which the journal knows and the
respondent can know, among others that are true of somebody or somewhere else; so answers are checked, not judged, and
what a guess would score is known. Where the journal has nothing to ask about, nothing is asked.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from random import Random

from cave_sim.determinism.random_streams import RandomStream
from cave_sim.simulations.believability.facts import Facts
from cave_sim.survey import Choice
from cave_sim.worlds.town.place import clock_text

AREAS = ("self-knowledge", "memory", "plans", "reactions", "reflections")
OTHERS = 3
FREE, BUSY = "I am free then.", "I have something else to do then."
NOTHING = "Nothing that I know of."
YES, NO = "yes", "no"


@dataclass(frozen=True)
class ExamItem:
    """One question to one respondent.

    Attributes:
        area: one of :data:`AREAS`.
        item: as it is asked.
        truth: the right one of its options.
    """

    area: str
    item: Choice
    truth: str

    @property
    def chance(self) -> float:
        """The share of right answers of those who guess."""
        return 1 / len(self.item.options)


def questions(facts: Facts, name: str) -> list[ExamItem]:
    """Return what somebody is asked; the same from the same journal."""
    rng = RandomStream("believability", facts.seed, facts.step, name)
    makers = (_self_knowledge, _memory, _plans, _reactions, _reflections)
    return [question for maker in makers for question in maker(facts, name, rng)]


def _self_knowledge(facts: Facts, name: str, rng: Random) -> Iterator[ExamItem]:
    me = facts.people[name]
    jobs = {each["job"] or "at home" for each in facts.people.values()}
    yield from _one("self-knowledge", "work", "What do you do for a living?", me["job"] or "at home", jobs, rng)
    if home := facts.key(name, "home"):
        homes = {facts.titles[key] for each in facts.people if (key := facts.key(each, "home"))}
        yield from _one("self-knowledge", "home", "Where do you live?", facts.titles[home], homes, rng)
    hours = {clock_text(each["wakes_h"]) for each in facts.people.values()}
    yield from _one("self-knowledge", "wakes", "When do you usually wake up?", clock_text(me["wakes_h"]), hours, rng)


def _memory(facts: Facts, name: str, rng: Random) -> Iterator[ExamItem]:
    if been := facts.places(name):
        place, step = rng.choice(been)
        others = {facts.titles[key] for key in facts.people[name]["haunts"] if key in facts.titles}
        text = f"Where were you at {facts.time_at(step)}?"
        yield from _one("memory", "where", text, facts.titles[place], others, rng)
    if partners := facts.partners(name):
        text = "With whom did you talk last?"
        yield from _one("memory", "talk", text, facts.titles[partners[-1]], _strangers(facts, name), rng)


def _plans(facts: Facts, name: str, rng: Random) -> Iterator[ExamItem]:
    mine, theirs = facts.plans(name), set[str]()
    for other in facts.people.keys() - {name}:
        theirs |= set(facts.plans(other).values())
    theirs |= {f"go to {facts.titles[key]}" for key in facts.people[name]["haunts"] if key in facts.titles}
    free = [at for hour in range(facts.now.hour + 1, 24) if (at := f"{hour:02d}:00") not in mine]
    if not (hours := sorted(mine) or free):
        return
    at = rng.choice(hours)
    others = sorted(theirs - set(mine.values()))
    others = rng.sample(others, min(OTHERS - 1, len(others)))
    text = f"What do you mean to do at {at} today?"
    yield from _one("plans", "what", text, mine.get(at, NOTHING), {*others, NOTHING} if mine else {*others}, rng)
    if not mine:
        return
    times = {clock_text(hour / 2) for hour in range(2 * facts.now.hour + 2, 48)} - mine.keys()
    yield from _one("plans", "when", f'When do you mean to do this: "{mine[at]}"?', at, times, rng)


def _reactions(facts: Facts, name: str, rng: Random) -> Iterator[ExamItem]:
    mine = facts.plans(name)
    free = [at for hour in range(facts.now.hour + 1, 24) if (at := f"{hour:02d}:00") not in mine]
    asks_for_planned = mine and (not free or rng.random() < 0.5)
    if hours := sorted(mine) if asks_for_planned else free:
        at = rng.choice(hours)
        text = f"Somebody whom you like asks you to meet them at {at} today. What do you answer?"
        yield from _one("reactions", "meeting", text, BUSY if asks_for_planned else FREE, {FREE, BUSY}, rng)
    cents = facts.people[name]["money_cents"]
    can_pay = rng.random() < 0.5
    price_eur = max(1, round(cents * (0.5 if can_pay else 2) / 100))
    text = f"You are offered something that you like, for {price_eur} EUR. Could you pay for it with what you have?"
    yield from _one("reactions", "price", text, YES if 100 * price_eur <= cents else NO, {YES, NO}, rng)


def _reflections(facts: Facts, name: str, rng: Random) -> Iterator[ExamItem]:
    for item, counts, text, others in (
        ("company", Counter(facts.partners(name)), "With whom do you talk most?", _strangers(facts, name)),
        (
            "place",
            dict(facts.steps_in_places(name)),
            "Where, apart from home and work, have you spent most of your time?",
            {facts.titles[key] for key in facts.people[name]["haunts"] if key in facts.titles},
        ),
    ):
        ranked = sorted(counts, key=lambda key: (-counts[key], key))
        if ranked and (len(ranked) == 1 or counts[ranked[0]] > counts[ranked[1]]):  # there is one right answer
            yield from _one("reflections", item, text, facts.titles[ranked[0]], others, rng)


def _one(area: str, item: str, text: str, truth: str, others: Iterable[str], rng: Random) -> Iterator[ExamItem]:
    """Yield a question with the right answer among up to three wrong ones; nothing where there is no wrong one."""
    wrong = sorted({other for other in others if other.casefold() != truth.casefold()})
    if wrong:
        options = tuple(sorted([truth, *rng.sample(wrong, min(OTHERS, len(wrong)))]))
        name = f"{area.replace('-', '_')}_{item}"
        yield ExamItem(area, Choice(name=name, question=text, options=options), truth)


def _strangers(facts: Facts, name: str) -> set[str]:
    """Return the full names of others."""
    return {facts.titles[other] for other in facts.people if other != name}
