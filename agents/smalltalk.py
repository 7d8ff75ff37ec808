"""What scripted people say to each other: about the hour, the weather, and what was just said."""

from collections.abc import Collection, Mapping
from random import Random
from typing import Any

GREETINGS = {5: "Good morning, {name}!", 11: "Hello {name}, good to see you.", 17: "Good evening, {name}."}
SKIES: dict[str, tuple[str, ...]] = {
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
REPLIES: dict[str, tuple[str, ...]] = {
    "?": ("Yes, I think so.", "Why do you ask?", "I would have to think about it.", "To be honest, I am not sure."),
    "!": ("Good to see you too!", "Ha, quite!"),
    ".": ("I know what you mean.", "Same here.", "True, true.", "You always say that."),
}
ANSWERS = {
    "How is work?": ("Busy, but I like it.", "Much the same, and yours?", "There is always enough.", "Do not ask."),
    "Have you eaten yet?": (
        "Yes, a while ago.",
        "Not yet, and you?",
        "I had a little something.",
        "No, I keep forgetting.",
    ),
    "for tonight?": (
        "An early night.",
        "Not yet, and you?",
        "Something to eat, and then home.",
        "To be honest, I am not sure.",
    ),
    "what about you?": (
        "Like a stone.",
        "Well enough; what kept you awake?",
        "Not too well either.",
        "I could sleep right now.",
    ),
    "what kept you awake?": ("The neighbours.", "Who knows?", "Too many thoughts.", "It was far too light."),
    "mayor announced?": ("Yes, I did.", "No, what was it?", "I saw it on the notice board.", "Only half of it."),
    "what was it?": (
        "It is on the notice board.",
        "Is it not on the board?",
        "I only heard of it myself.",
        "I have forgotten.",
    ),
    "your family?": (
        "They are well, thank you.",
        "All well, and yours?",
        "Fine, thank you for asking.",
        "Busy, as ever.",
    ),
    "it will rain?": ("Yes, I think so.", "It looks like it, does it not?", "Not today.", "I never know."),
    "an umbrella?": ("Yes, I did.", "No, and you?", "I never leave without one.", "I forgot it at home."),
    "How was your day?": ("Good, thank you.", "Long, and yours?", "Fine, thank you.", "Better than yesterday."),
    "and yours?": ("Just the same.", "Well, how should it be?", "Fine, thank you for asking.", "I cannot complain."),
    "and you?": ("Me neither.", "What do you think?", "Just like you.", "You know me."),
}
"""Questions by how they end, and what can be said to them; others have the answers of any question."""
FAREWELLS = (
    "It was nice to talk to you. Bye!",
    "I have to go on. See you soon!",
    "Let us talk another time. Take care!",
)
ENDS = 0.3  # of answers that are farewells


def opening(observation: Mapping[str, Any], name: str, rng: Random) -> str:
    """Return something to say first: a greeting for the hour if there is a name to greet, then the weather or news.

    Not what one remembers as said, as long as there is anything else.
    """
    greeting = next(
        (text for hour, text in sorted(GREETINGS.items(), reverse=True) if observation["hour"] >= hour), "Hello {name}."
    )
    topics = SKIES[observation["weather"]["kind"]] if rng.random() < 0.5 else NEWS
    fresh = [topic for topic in topics if not any(line.endswith(topic) for line in observation["heard"])]
    topic = rng.choice(fresh or topics)
    return f"{greeting.format(name=name.split()[0])} {topic}" if name else topic


def reply(words: str, rng: Random) -> str:
    """Return an answer that suits the other's question, or how their sentence ended."""
    fitting = next((answers for question, answers in ANSWERS.items() if words.endswith(question)), None)
    return rng.choice(fitting or REPLIES.get(words[-1:], REPLIES["."]))


def answer(words: str, rng: Random, before: Collection[str] = ()) -> str:
    """Return what one says next in a talk; "" after a farewell, because then it is over.

    Whoever would only say again what they have said before, `before`, says goodbye: a talk comes to its end.
    """
    if words in FAREWELLS:
        return ""
    text = rng.choice(FAREWELLS) if rng.random() < ENDS and not words.endswith("?") else reply(words, rng)
    return rng.choice(FAREWELLS) if text in before else text
