"""A reply in free words is read as one value of its item, or not at all."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from cave_sim.survey import Choice, FreeText, Likert, NotAnAnswer, Number

PARTY = Choice(name="party", question="Whom would you vote for?", options=("Green", "Red", "Red and Green", "None"))
TRUST = Likert(name="trust", question="Most people can be trusted.")
SURE = Choice(name="sure", question="Will you come?", options=("yes", "no", "I don't know"))
WAY = Choice(name="way", question="How do you get there?", options=("car", "bus", "on foot"))
PART = Number(name="part", question="What part of it?", minimum=0, maximum=100, unit="percent")
ANY = Number(name="any", question="How many?")
RENT = Number(name="rent", question="What do you pay?", minimum=0, maximum=5_000, unit="EUR a month")
CHILDREN = Number(name="children", question="How many children?", whole=True, minimum=0)
WORDS = FreeText(name="why", question="Why?")

READ = [
    (PARTY, "Green", "Green"),
    (PARTY, " green. ", "Green"),
    (PARTY, "**Red and Green**", "Red and Green"),
    (PARTY, "I would choose red and green, of course!", "Red and Green"),
    (PARTY, "My answer: “Red”", "Red"),
    (PARTY, "None", "None"),
    (TRUST, "4", 4),
    (TRUST, "I'd say 4.", 4),
    (TRUST, "**5**", 5),
    (TRUST, "5 (strongly agree)", 5),
    (TRUST, "4 out of 5", 4),
    (TRUST, "4/5", 4),
    (TRUST, "Strongly disagree", 1),
    (RENT, "850", 850),
    (RENT, "About 1,250.50 EUR", 1250.5),
    (RENT, "0", 0),
    (SURE, "I don’t know.", "I don't know"),
    (SURE, "<think>yes?</think>No.", "no"),
    (TRUST, "<Thinking>3 or 4\n</Thinking>\n4", 4),
    (TRUST, "maybe 3</think>4", 4),
    (WORDS, "<think>I am tired.</think>It rains.", "It rains."),
    (SURE, "No, I never did.", "no"),
    (SURE, "Yes - but not for long", "yes"),
    (WAY, "by car", "car"),
    (TRUST, "4, I am not sure why", 4),
    (TRUST, "４", 4),
    (PART, "50 %", 50),
    (ANY, "\u22124.5", -4.5),
    (ANY, "1\u202f200", 1200),
    (ANY, "1,234,567.5 in all", 1234567.5),
    (CHILDREN, "I have 2 children.", 2),
    (WORDS, "  Because I like it. ", "Because I like it."),
    (WORDS, "Well:\n```python\nme.rest()\n```\nI am tired.", "Well:\n\nI am tired."),
]
NOT_READ = [
    (PARTY, ""),
    (PARTY, "Blue"),
    (PARTY, "Green or Red"),
    (PARTY, "Redgreen"),
    (TRUST, "6"),
    (TRUST, "0"),
    (TRUST, "3 or 4"),
    (TRUST, "2.5"),
    (TRUST, "often"),
    (RENT, "-5"),
    (RENT, "5001"),
    (RENT, "between 700 and 800"),
    (RENT, "nothing"),
    (CHILDREN, "1.5"),
    (SURE, "no idea"),
    (TRUST, "<think>I take 4"),
    (WORDS, "<think>I am tired.</think>"),
    (SURE, "not yes"),
    (SURE, "I cannot answer that, no."),
    (SURE, "oui"),
    (WAY, "never by car"),
    (WAY, "I have no car"),
    (TRUST, "not 4"),
    (TRUST, "I would not say 4"),
    (TRUST, "GPT-4 has no opinions"),
    (TRUST, "As an AI, version 4, I can’t"),
    (TRUST, "4%"),
    (TRUST, "4,5"),
    (TRUST, "1. 4"),
    (TRUST, "4th"),
    (TRUST, "v1.2 says 4"),
    (ANY, "0,5"),
    (ANY, "1.200,50"),
    (ANY, "12,34,567"),
    (ANY, "1'200"),
    (ANY, "2 thousand"),
    (ANY, "3 and a half"),
    (ANY, "minus 50"),
    (ANY, "more than 50"),
    (ANY, "50%"),
    (ANY, "50-60"),
    (ANY, "9" * 400),
    (WORDS, "..."),
    (WORDS, "\u200b"),
    (WORDS, " \n "),
    (WORDS, "```python\nme.rest()\n```"),
    (WORDS, "```python\nme.rest()"),
]


@pytest.mark.parametrize(("item", "reply", "value"), READ)
def test_a_reply_that_gives_one_value_is_read(item, reply, value):
    assert item.read(reply) == value
    assert type(item.read(reply)) is type(value)


@pytest.mark.parametrize(("item", "reply"), NOT_READ)
def test_a_reply_that_gives_none_or_several_is_told_what_is_asked_for(item, reply):
    with pytest.raises(NotAnAnswer, match="Answer "):
        item.read(reply)


def spaced_once(text):
    return " ".join(text.split())


@given(st.lists(st.text("abc ÄöЖ語-", min_size=1).map(spaced_once).filter(bool), min_size=2, unique_by=str.casefold))
def test_every_option_is_read_as_itself_in_any_order(options):
    item = Choice(name="x", question="?", options=tuple(options))
    shuffled = item.shuffled(Random(7))
    assert sorted(shuffled.options) == sorted(options)
    for option in shuffled.options:
        assert shuffled.read(option) == option
        assert option in shuffled.how()


@given(st.integers(-9, 9), st.integers(1, 9), st.data())
def test_every_point_of_a_scale_is_read_as_itself_and_none_beyond_it(low, length, data):
    scale = Likert(name="x", question="?", low=low, high=low + length)
    point = data.draw(st.integers(low, low + length))
    assert scale.read(str(point)) == point
    for beyond in (low - 1, low + length + 1):
        with pytest.raises(NotAnAnswer):
            scale.read(str(beyond))


@given(st.floats(-1e9, 1e9).map(lambda value: round(value, 3)))
def test_every_number_is_read_as_itself(value):
    assert Number(name="x", question="?").read(f"It is {value:.3f}, I think") == value


@pytest.mark.parametrize(
    ("kind", "data"),
    [
        (Choice, {"options": ("A", "a")}),
        (Choice, {"options": ("A",)}),
        (Choice, {"options": ("A", " ")}),
        (Likert, {"low": 5, "high": 5}),
        (Number, {"name": "two words"}),
        (Number, {"minimum": float("nan")}),
        (Number, {"maximum": float("inf")}),
        (Number, {"minimum": 3, "maximum": 2}),
        (FreeText, {"question": " "}),
        (FreeText, {"colour": "red"}),
    ],
)
def test_an_item_that_cannot_be_answered_is_not_made(kind, data):
    with pytest.raises(ValidationError):
        kind(**{"name": "x", "question": "?", **data})
