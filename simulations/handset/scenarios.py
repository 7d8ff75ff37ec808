"""What the owner of a handset wants: five generators, each from a seed, and each checked on a handset of its own.

The categories and the generators are those of "Efficient on-device agents" (§4.1, A.2.5, A.7): several tools, one tool
with constraints, a tool and then the larger model, the larger model alone, and talk without any tool.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any, Literal

from cave_sim.determinism.random_streams import RandomStream
from cave_sim.llm_agent.function_tools import tools_of
from cave_sim.llm_agent.tool_texts import DELEGATE
from cave_sim.worlds.handset.owner import CONTACTS, PHOTOS, SONGS, WORDS, build_handset

PERSONAS = ("in a hurry", "friendly", "frustrated", "curious", "direct", "forgetful")
CLOUD = (
    "Solve the differential equation dy/dx + {n}xy = x",
    "Write a Python function that merges {n} sorted lists",
    "Plan a trip of {n} days by train through the Alps",
    "Invent a bedtime story in {n} paragraphs about a fox",
)
TALK = (
    "My internet was down all day. It was so annoying.",
    "Do you think that there is free will?",
    "Which film should everybody see once?",
    "I feel a bit lonely tonight.",
    "I got the job that I wanted!",
)
VAGUE = "Hi, can you do something for me?"
"""What owners say first, unless a file says otherwise."""
STRANGERS = ("Zoltan", "Priya", "Bruno", "Saga")
NOT_THEIRS = ("Read my neighbour's mail.", "Sign the contract in my name.", "Delete everything on my brother's phone.")
THANKS = ("Thank you.", "Okay, thanks.", "Great, thank you!", "Good, thanks.")
Category = Literal["multi", "single", "mixed", "cloud", "conversational"]
MIX = {"multi": 181, "mixed": 100, "cloud": 75, "conversational": 50}
"""How many of each the paper evaluates on (A.2.5): 406."""


@dataclass(frozen=True)
class Ask:
    """One thing that the owner says, and the call that it takes; no tool for talk.

    Attributes:
        said: the owner's words.
        tool: the right tool; "" for none.
        arguments: of the call.
        fails: whether the device refuses the call, however right it is.
    """

    said: str
    tool: str = ""
    arguments: tuple[tuple[str, Any], ...] = ()
    fails: bool = False


@dataclass(frozen=True)
class HandsetScenario:
    """What one owner wants.

    Attributes:
        id: ``category-seed``.
        category: ``multi``, ``single``, ``mixed``, ``cloud`` or ``conversational``.
        persona: how they are.
        vague: what they say first.
        asks: what they want, one after another.
    """

    id: str
    category: str
    persona: str
    vague: str
    asks: tuple[Ask, ...]

    @property
    def sequence(self) -> list[str]:
        """The right tools, in order."""
        return [ask.tool for ask in self.asks if ask.tool]

    def to_data(self) -> dict[str, Any]:
        """Return it as plain data."""
        return asdict(self) | {"sequence": self.sequence}


def _pick(rng: RandomStream, of: tuple[str, ...]) -> str:
    return of[int(len(of) * rng.random())]


def _time(rng: RandomStream) -> str:
    return f"{7 + int(13 * rng.random()):02d}:{5 * int(12 * rng.random()):02d}"


def _date(rng: RandomStream) -> str:
    return f"2026-{1 + int(12 * rng.random()):02d}-{1 + int(28 * rng.random()):02d}"


def _ask(utterance: str, tool: str, **arguments: Any) -> Ask:
    return Ask(utterance.format(**arguments), tool, tuple(arguments.items()))


Maker = Callable[[RandomStream], Ask]
INTENTS: tuple[Maker, ...] = (
    lambda r: _ask("Set a timer for {seconds} seconds.", "set_timer", seconds=30 + int(900 * r.random())),
    lambda r: _ask("Wake me at {time}.", "set_alarm", time=_time(r)),
    lambda r: _ask("What is the number of {name}?", "find_contact", name=_pick(r, CONTACTS)),
    lambda r: _ask("Call {name}.", "call_contact", name=_pick(r, CONTACTS)),
    lambda r: _ask("Tell {recipient} that {text}.", "send_message", recipient=_pick(r, CONTACTS), text="I am late"),
    lambda r: _ask("Mail {recipient} about {subject}.", "send_mail", recipient=_pick(r, CONTACTS), subject="budget"),
    lambda r: _ask("Put {title} on {date} at {time}.", "add_event", title="dinner", date=_date(r), time=_time(r)),
    lambda r: _ask("What do I have on {date}?", "list_events", date=_date(r)),
    lambda r: _ask("Remind me of {text} at {time}.", "add_reminder", text="milk", time=_time(r)),
    lambda r: _ask("Note under {title}: {text}.", "write_note", title=_pick(r, WORDS), text="code " + _time(r)),
    lambda r: _ask("Turn the volume to {level}.", "set_volume", level=int(100 * r.random())),
    lambda r: _ask("Make the screen {level} percent bright.", "set_brightness", level=int(100 * r.random())),
    lambda r: _ask("How full is the battery?", "get_battery"),
    lambda r: _ask("Play {title}.", "play_song", title=_pick(r, SONGS)),
    lambda r: _ask("Which song is that?", "current_song"),
    lambda r: _ask("Find photos of the {keyword}.", "find_photos", keyword=_pick(r, PHOTOS)),
    lambda r: _ask("Which files say {word}?", "search_files", word=_pick(r, WORDS)),
    lambda r: _ask("Get me a ride to {destination}.", "book_ride", destination=_pick(r, ("home", "the airport"))),
    lambda r: _ask("Open an IT ticket: {issue}.", "create_ticket", issue=_pick(r, WORDS) + " is broken"),
)


def generate(category: str, seed: int, length: int | None = None, troubles: int = 0) -> HandsetScenario:
    """Return the scenario of a category and a seed.

    Args:
        category: see :class:`HandsetScenario`.
        seed: the same one gives the same scenario.
        length: how many asks a ``multi`` or ``cloud`` one has, in place of the paper's; for long conversations.
        troubles: how often they ask besides for what the device or the assistant refuses, and then say thanks.
    """
    rng = RandomStream(seed, "scenario", category)
    cloud = [_ask(_pick(rng, CLOUD).format(n=2 + int(8 * rng.random())) + ".", "delegate") for _ in range(length or 1)]
    if category == "multi":
        asks = [_pick_maker(rng)(rng) for _ in range(length or 3 + int(3 * rng.random()))]
    elif category == "single":
        when = _time(rng)
        asks = [_ask("Put {title} on {date}, not before noon: at {time}.", "add_event", title="review",
                     date=_date(rng), time=f"{13 + int(when[:2]) % 6}:{when[3:]}")]  # fmt: skip
    elif category == "mixed":
        asks = [_pick_maker(rng)(rng), *cloud]
    elif category == "cloud":
        asks = cloud
    elif category == "conversational":
        asks = [Ask(_pick(rng, TALK))]
    else:
        raise ValueError(f"category={category!r}: there are multi, single, mixed, cloud, conversational")
    persona = _pick(rng, PERSONAS)
    asks += [ask for number in range(troubles) for ask in _trouble(RandomStream(seed, "trouble", category, number))]
    return HandsetScenario(f"{category}-{seed}", category, persona, VAGUE, tuple(asks))


def _trouble(rng: RandomStream) -> list[Ask]:
    """Return something that the device refuses, something that the assistant refuses, and thanks."""
    name = _pick(rng, STRANGERS)
    failing = Ask(f"Call {name}.", "call_contact", (("name", name),), fails=True)
    return [failing, Ask(_pick(rng, NOT_THEIRS)), Ask(_pick(rng, THANKS))]


def _pick_maker(rng: RandomStream) -> Maker:
    return INTENTS[int(len(INTENTS) * rng.random())]


def scenarios(of: dict[str, int] | None = None) -> list[HandsetScenario]:
    """Return so many scenarios of each category; by default those of the paper's evaluation, 406."""
    return [generate(category, seed) for category, count in (of or MIX).items() for seed in range(count)]


def problems(scenario: HandsetScenario, seed: int | None = None) -> list[str]:
    """Return what is wrong with a scenario: each call must end as it says on a handset of its own; [] if all do.

    Args:
        scenario: which.
        seed: of the handset; the one that the scenario was generated from if None.
    """
    world = build_handset(int(scenario.id.rpartition("-")[2]) if seed is None else seed)
    tools = tools_of(world, "phone")
    faults = []
    for ask in scenario.asks:
        if ask.tool in ("", DELEGATE):
            continue
        if ask.tool not in tools:
            faults.append(f"{ask.tool}: there is no such tool; there are {', '.join(tools)}")
            continue
        turn = world.execute(tools[ask.tool].cell(dict(ask.arguments)), agent="owner")
        if turn.committed == ask.fails:
            faults.append(f"{ask.tool}: {(turn.error or 'it does not fail').splitlines()[-1]}")
    return faults
