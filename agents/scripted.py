"""Residents without a language model: they decide by need, hour, weather and plan, and write the cells a model would.

An agent sees its observation and nothing else. It keeps no state of its own but the lesson of its last turn.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any

from cave_sim import Agent, Turn
from cave_sim.agents.duties import duty, plain
from cave_sim.agents.festivities import celebrate
from cave_sim.agents.mind import GRACE_H, Perception
from cave_sim.agents.sick_days import stay_at_home
from cave_sim.agents.smalltalk import opening, reply

NEARBY_M = 400
SATURDAY = 5
FRIENDS, VISITS = 0.5, 0.6  # at a weekend friends are asked home rather than out, so often
LUNCH_H = (11.0, 13.6)
_ASKED = re.compile(r"Shall we meet at .+ \((\w+)\) at (\d\d:\d\d)\?")
_DECLINED = re.compile(r"At (\d\d:\d\d) I have something else in mind\.")
DOINGS = {"meal": "me.eat()", "sport": "me.enjoy(60)", "care": "me.enjoy(40)", "drinks": "me.drink()"}


class ScriptedResident(Agent):
    """Lives a day: wakes, eats, works, meets people, keeps out of the rain, tries closed doors and learns from it."""

    lesson: tuple[str, str] | None = None
    glances = True

    def act(self, observation: Mapping[str, Any]) -> str:
        """Return the cell to run; empty to carry on."""
        me = observation["me"]
        if me["activity"] in ("sleeping", "walking"):
            return ""
        lesson, self.lesson = self.lesson, None
        if lesson:
            return learn(*lesson, observation)
        mind, is_busy = Perception(observation, lambda: self.rng), me["busy_minutes"] > 0
        if observation.get("health"):
            return "" if is_busy else first(mind, WHILE_ILL)
        return first(mind, WHILE_BUSY if is_busy else WHILE_FREE)

    def feedback(self, turn: Turn) -> None:
        """Remember which door stayed shut, to write it down in the next cell: what a failed one wrote is undone."""
        match = re.search(r"\((\w+)\) is (closed[^.;]*)", turn.error or "")
        self.lesson = (match[1], match[2]) if match else None

    def keep(self) -> list[str] | None:
        """Return the lesson, which a resumed run must not forget."""
        return None if self.lesson is None else list(self.lesson)

    def restore(self, lesson: list[str] | None) -> None:
        """Take the lesson back."""
        self.lesson = None if lesson is None else (lesson[0], lesson[1])


class ScriptedMayor(ScriptedResident):
    """A resident who also looks after the town: closes parks in bad weather, opens a shelter, says so."""

    def act(self, observation: Mapping[str, Any]) -> str:
        """Return the cell to run: duty first."""
        if observation["me"]["activity"] == "sleeping":
            return ""
        return duty(observation) or super().act(observation)


Urge = Callable[[Perception], str]
CARRY_ON = "\n"  # what an urge says that wants nothing done, and none of those after it


def first(mind: Perception, urges: tuple[Urge, ...]) -> str:
    """Return the cell of the first urge that has one; "" if none has, or if that is to carry on."""
    return next((cell for urge in urges if (cell := urge(mind))), "").strip()


def learn(place: str, sign: str, observation: Mapping[str, Any]) -> str:
    """Return the cell that writes down what a shut door said, and strikes what was planned behind it off the plan."""
    title = next((place_seen["title"] for place_seen in observation["places"] if place_seen["name"] == place), place)
    in_vain = [
        at
        for at, what in observation["plan"].items()
        if what.endswith(f" at {place}") and sign.startswith("closed until")
    ]
    return "\n".join(
        [
            f'me.learned["{place}"] = "{sign}"',
            f'me.note("{plain(title)} is {sign}.")',
            *(f'del me.plan["{at}"]' for at in in_vain),
        ]
    )


# -- urges: each looks at one reason to act, and returns a cell or nothing ---------------------------------------


def _go_to_bed(mind: Perception) -> str:
    if not mind.is_bedtime or mind.work_left_h:
        return ""
    if mind.use == "home" and mind.at == mind.me["home"]:
        how = "a good day" if mind.me["mood"] > 0.6 else "a long day" if mind.me["mood"] > 0.4 else "not my day"
        over = "".join(f'me.plan.pop("{at}", None)\n' for at in mind.over())  # tomorrow has the same hours
        return f'me.note("That was {how}. Good night.")\n{over}me.sleep()'
    return _go(mind.me["home"])


def _keep_appointment(mind: Perception) -> str:
    if mind.appointment is None:
        return ""
    at, whom, where = mind.appointment
    if mind.at != where:
        return f"# {at}: {whom} waits for me\nme.go({where})"
    if all(other["name"] != whom for other in mind.listeners):
        return ""
    words = _words_at_a_meeting(mind, whom)
    stays = "\nme.rest(60)" if mind.use == "home" else ""
    cell = f'me.say({whom}, "{words}")\ndel me.plan["{at}"]{stays}' if words else ""
    return cell or _do_what_one_does_here(mind) or CARRY_ON


def _words_at_a_meeting(mind: Perception, whom: str) -> str:
    """Return an answer if the other has spoken; else the first of the two by name greets: both see each other now."""
    heard = mind.just_heard(whom, GRACE_H)
    if heard and not mind.awaits_answer_of(whom):
        return reply(heard[1], mind.rng)
    return "There you are! How was your day?" if mind.me["name"] < whom else ""


def _strike_out(mind: Perception) -> str:
    missed = mind.missed()
    return f'me.plan.pop("{missed[0]}", None)' if missed else ""


def _do_what_one_does_here(mind: Perception) -> str:
    here = mind.here
    if here is None or not mind.just_arrived or mind.at == mind.me["workplace"] or here["sign"].startswith("closed"):
        return ""
    if here["price_cents"] > mind.me["money_cents"] and mind.rng.random() < 0.8:
        return ""
    if here["sells"]:
        return _shop(mind)
    if mind.use == "coffee":
        return "me.eat()" if mind.me["hunger"] > 0.45 else "print(me.drink())"
    if mind.use == "drinks" and mind.me["hunger"] > 0.6:
        return "me.eat()"
    if mind.use in ("park", "culture"):
        wet_park = mind.use == "park" and mind.is_wet
        return "" if wet_park else f"me.enjoy({mind.rng.choice((30, 60, 90))})"
    return "me.rest(30)" if mind.use == "shelter" else DOINGS.get(mind.use, "")


def _shop(mind: Perception) -> str:
    here = mind.here or {}
    if here["sells"] != "groceries":
        return f"if me.money_cents > 3 * {mind.at}.price_cents:\n    me.buy()"
    most = int(mind.me["money_cents"] // (2 * max(1, here["price_cents"])))
    return f"me.buy({max(1, min(4, most))})"


def _work(mind: Perception) -> str:
    if not mind.work_left_h:
        return ""
    return "me.work()" if mind.at == mind.me["workplace"] else _go(mind.me["workplace"])


def _eat(mind: Perception) -> str:
    hunger, has_food = mind.me["hunger"], mind.me["belongings"].get("groceries", 0) > 0
    at_home = mind.at == mind.me["home"]
    if at_home and has_food and hunger > (0.35 if mind.hour < 10 else 0.5):
        return "me.eat()"
    if hunger < 0.6:
        return ""
    if mind.serves_food and mind.here and mind.euros * 100 >= mind.here["price_cents"]:
        return "me.eat()"
    return _go_and_eat(mind, has_food)


def _go_and_eat(mind: Perception, has_food: bool) -> str:
    can_afford = mind.euros > (60 if "frugal" in mind.me["traits"] else 25)
    eats_out = can_afford and mind.rng.random() < (0.35 if has_food else 0.6)
    if has_food and not eats_out and mind.at != mind.me["home"]:
        return _go(mind.me["home"])
    place = mind.pick("meal", "coffee") if eats_out else mind.pick("shop", sells="groceries")
    return _go(place or mind.pick("meal", "coffee", "drinks"))


def _have_lunch(mind: Perception) -> str:
    worked_h = mind.hour - mind.me["shift"][0]
    if mind.me["activity"] != "working" or worked_h < 2.5 or mind.work_left_h < 1 or mind.me["hunger"] < 0.5:
        return ""
    noon = LUNCH_H[0] <= mind.hour <= LUNCH_H[1]
    if not (noon or mind.me["hunger"] > 0.75) or mind.rng.random() > 0.4:
        return ""
    place = mind.pick("coffee") if mind.euros < 30 or mind.rng.random() < 0.3 else mind.pick("meal")
    friend = next((other["name"] for other in mind.listeners if other["knows"] > 0.4), None)
    if place and friend and mind.rng.random() < 0.4:
        return f'me.say({friend}, "I am off to lunch, I will be back soon.")\nme.go({place})'
    return f"# lunch\nme.go({place})" if place else ""


def _get_out_of_the_rain(mind: Perception) -> str:
    outside = mind.here is None or mind.use == "park"
    if not mind.is_wet or not outside:
        return ""
    roofs = mind.options("shelter") + mind.options("coffee" if 7 < mind.hour < 18 else "drinks", "culture")
    near = [roof["name"] for roof in roofs if roof["distance_m"] < NEARBY_M]
    return f"if weather.is_wet():\n    me.go({near[0]})" if near else _go(mind.me["home"])


def _buy_food(mind: Perception) -> str:
    wants = mind.me["belongings"].get("groceries", 0) < 2 and mind.euros > 10 and 7 <= mind.hour < 21.5
    return _go(mind.pick("shop", sells="groceries")) if wants and mind.rng.random() < 0.5 else ""


def settle(mind: Perception) -> str:
    """Answer who asks to meet: agree if one's plan has room for it; and strike off what was declined."""
    if not any(_ASKED.search(line) or _DECLINED.search(line) for line in mind.seen["heard"]):
        return ""
    for who, words in (utterance for other in mind.listeners if (utterance := mind.just_heard(other["name"]))):
        if declined := _DECLINED.fullmatch(words):
            if _is_asked(mind, who, declined[1]):
                return f'del me.plan["{declined[1]}"]'
        elif (question := _ASKED.fullmatch(words)) and not mind.awaits_answer_of(who):
            place, at = question[1], question[2]
            if at not in mind.seen["plan"] or _is_asked(mind, who, at):
                return f'me.meet({who}, {place}, at="{at}")'
            return f'me.say({who}, "At {at} I have something else in mind.")'
    return ""


def _is_asked(mind: Perception, who: str, at: str) -> bool:
    """Say whether one has asked somebody to meet at a time of day, and has no answer."""
    return bool(mind.seen["plan"].get(at, "").startswith(f"asked {who} to meet at "))


def _answer(mind: Perception) -> str:
    who, words = mind.just_heard() or ("", "")
    if not who or mind.awaits_answer_of(who):
        return ""
    answers = mind.rng.random() < (0.7 if words.endswith("?") else 0.25)
    return f'me.say({who}, "{reply(words, mind.rng)}")' if answers else ""


def _talk(mind: Perception) -> str:
    is_company = any(not mind.awaits_answer_of(other["name"]) for other in mind.listeners)
    return _talk_to_one(mind) if is_company and _feels_like_talking(mind) else ""


def _chat(mind: Perception) -> str:
    """Talk if one happens to feel like it; the mood comes first, so that most who are busy need not look around."""
    return _talk_to_one(mind) if _feels_like_talking(mind) else ""


def _feels_like_talking(mind: Perception) -> bool:
    chance = 0.05 if mind.me["activity"] == "working" else 0.2
    chance *= 2.0 if "sociable" in mind.me["traits"] else 0.5 if "quiet" in mind.me["traits"] else 1.0
    return mind.rng.random() <= chance


def _talk_to_one(mind: Perception) -> str:
    others = [other for other in mind.listeners if not mind.awaits_answer_of(other["name"])]
    if not others:
        return ""
    other = others[min(int(mind.rng.expovariate(1.2)), len(others) - 1)]
    if other["knows"] >= 0.4 and 9 <= mind.hour < 19 and mind.rng.random() < 0.5:
        return _arrange(mind, other) or _start_talk(mind, other)
    return _start_talk(mind, other)


def _start_talk(mind: Perception, other: dict[str, Any]) -> str:
    if heard := mind.just_heard(other["name"]):
        return f'me.say({other["name"]}, "{reply(heard[1], mind.rng)}")'
    is_acquainted = mind.has_talked_to(other["name"])
    return f'me.say({other["name"]}, "{opening(mind.seen, "" if is_acquainted else other["title"], mind.rng)}")'


def _arrange(mind: Perception, other: Mapping[str, Any]) -> str:
    free_h = int(max(mind.hour + 1.5, mind.me["shift"][1] + 0.5 if mind.work_left_h else 0.0)) + 1
    place = mind.pick("coffee", "drinks", "meal", at_h=free_h)
    if place is None or free_h > 21 or mind.seen["plan"]:
        return ""
    if mind.seen["weekday"] >= SATURDAY and other["knows"] >= FRIENDS and mind.rng.random() < VISITS:
        place = mind.me["home"]
    return f'me.meet({other["name"]}, {place}, at="{free_h:02d}:{mind.rng.choice(("00", "30"))}")'


def _enjoy_free_time(mind: Perception) -> str:
    traits, hour, awake = mind.me["traits"], mind.hour, mind.me["energy"] - 0.35
    bold = 1.5 if "careless" in traits else 0.0  # the careless set out before anything opens
    weights = {
        "home": 3.0 + 8 * max(0.0, -awake) + 2 * mind.is_wet + 3 * (hour > 21 or hour < 7),
        "park": 0.0 if mind.is_wet else 2.5 + 2 * ("sporty" in traits),
        "coffee": 2.0 * (6.5 - bold < hour < 17.5),
        "drinks": (1.0 + 2 * ("sociable" in traits)) * (hour > 16.5 - bold),
        "culture": (1.2 + 2 * ("curious" in traits)) * (8.5 - bold < hour < 19),
        "sport": (0.8 + 2 * ("sporty" in traits)) * (awake > 0),
        "shop": 0.8 * (8.5 - bold < hour < 19),
        "care": 0.3 * (9 - bold < hour < 17),
    }
    if mind.euros < 20:
        weights.update(drinks=0.2, sport=0.1, care=0.0, shop=0.0)
    return _spend(mind, mind.rng.choices(list(weights), list(weights.values()))[0])


def _spend(mind: Perception, use: str) -> str:
    place = mind.pick(use) if use != "home" else None
    if place is None or (use == "park" and not 7 <= mind.hour < 22):
        return f"me.rest({mind.rng.choice((30, 60, 90))})" if mind.at == mind.me["home"] else _go(mind.me["home"])
    if use == "park":
        return f"if not weather.is_wet():\n    me.go({place})\nelse:\n    me.note('Too wet for the park.')"
    return f"me.go({place})"


WHILE_FREE: tuple[Urge, ...] = (
    _go_to_bed,
    _keep_appointment,
    _strike_out,
    _do_what_one_does_here,
    _work,
    celebrate,
    _eat,
    _get_out_of_the_rain,
    settle,
    _answer,
    _talk,
    _buy_food,
    _enjoy_free_time,
)
WHILE_ILL: tuple[Urge, ...] = (_go_to_bed, _do_what_one_does_here, stay_at_home)
WHILE_BUSY: tuple[Urge, ...] = (_keep_appointment, _have_lunch, settle, _answer, _chat)


def _go(place: str | None) -> str:
    if not place:
        return ""
    return f"me.go({place})" if place.isidentifier() else f"me.go({place!r})"
