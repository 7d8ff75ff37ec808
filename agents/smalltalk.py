"""What scripted people say to each other: about the hour, the weather, and what was just said."""

from collections.abc import Mapping
from random import Random
from typing import Any

GREETINGS = {5: "Good morning, {name}!", 11: "Hello {name}, good to see you.", 17: "Good evening, {name}."}
SKIES = {
    "sun": ("What a lovely day.", "The light today! I could walk for hours.", "I hope this sun stays."),
    "cloudy": ("Grey again, but at least it is dry.", "Do you think it will rain?"),
    "fog": ("I could hardly see the street this morning.",),
    "drizzle": ("This drizzle gets in everywhere.", "It is only a drizzle, they say."),
    "rain": ("Rain again. Did you bring an umbrella?", "I am soaked; I ran the last block."),
    "storm": ("What a storm! Better stay inside.", "I would not go to the park now."),
    "snow": ("Snow! I love how quiet it makes the streets.",),
}
NEWS = (
    "How is work?",
    "Have you eaten yet?",
    "Any plans for tonight?",
    "I slept badly, what about you?",
    "I found a new bakery around the corner.",
    "Did you hear what the mayor announced?",
    "How is your family?",
    "I should really read more.",
    "We should do something at the weekend.",
)
REPLIES = {
    "?": ("Yes, I think so.", "Not yet, and you?", "Fine, thank you for asking.", "To be honest, I am not sure."),
    "!": ("Good to see you too!", "Ha, quite!"),
    ".": ("I know what you mean.", "Same here.", "True, true.", "You always say that."),
}
FAREWELLS = (
    "It was nice to talk to you. Bye!",
    "I have to go on. See you soon!",
    "Let us talk another time. Take care!",
)
ENDS = 0.3  # of answers that are farewells


def opening(observation: Mapping[str, Any], name: str, rng: Random) -> str:
    """Return something to say first: a greeting for the hour if there is a name to greet, then the weather or news."""
    greeting = next(
        (text for hour, text in sorted(GREETINGS.items(), reverse=True) if observation["hour"] >= hour), "Hello {name}."
    )
    topic = rng.choice(SKIES[observation["weather"]["kind"]] if rng.random() < 0.5 else NEWS)
    return f"{greeting.format(name=name.split()[0])} {topic}" if name else topic


def reply(words: str, rng: Random) -> str:
    """Return an answer that suits how the other's sentence ended."""
    return rng.choice(REPLIES.get(words[-1:], REPLIES["."]))


def answer(words: str, rng: Random) -> str:
    """Return what one says next in a talk; "" after a farewell, because then it is over."""
    if words in FAREWELLS:
        return ""
    return rng.choice(FAREWELLS) if rng.random() < ENDS and not words.endswith("?") else reply(words, rng)
