"""The page's own colours, read from its style sheet and its modules, so that a film looks as the page does."""

from __future__ import annotations

import re
from functools import cache

from cave_sim.dashboards.page_files import web_text

Colour = tuple[int, int, int]


@cache
def tokens() -> dict[str, Colour]:
    """Return the colours of the light theme by their names, without the two dashes."""
    light = web_text("tokens.css").partition(":root[data-theme")[0]
    return {name: _colour(digits) for name, digits in re.findall(r"--([\w-]+): #([0-9a-f]{6})\b", light)}


@cache
def activities() -> dict[str, str]:
    """Return which colour an activity has on every page."""
    listed = re.search(r"^const COLOURS = \{(.*?)\};", web_text("dom.js"), re.MULTILINE)
    assert listed is not None, "dom.js lists the colours of activities"
    return dict(re.findall(r'(\w+): "--([\w-]+)"', listed[1]))


def of_activity(word: str) -> Colour:
    """Return the colour of what somebody does; a grey for words that have none of their own."""
    pale = {"sleep": "asleep", "rest": "at-rest"}
    name = next((colour for begin, colour in pale.items() if word.startswith(begin)), activities().get(word, "other"))
    return tokens()[name]


def mixed(one: Colour, other: Colour, share: float) -> Colour:
    """Return a colour that is so much of the other one."""
    return tuple(round(a + (b - a) * share) for a, b in zip(one, other, strict=True))  # type: ignore[return-value]


def _colour(digits: str) -> Colour:
    return int(digits[:2], 16), int(digits[2:4], 16), int(digits[4:], 16)
