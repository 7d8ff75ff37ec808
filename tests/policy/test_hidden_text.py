"""What a reader does not see is no part of a cell, and is taken out of what cells say."""

import pytest

from cave_sim.policy.hidden_text import hidden_character, without_hidden
from tests.policy import square

HIDDEN = {
    "a carriage return": "# nothing here\rme.plan = 'x'",
    "an escape sequence": "# \x1b[1A\x1b[2K\nme.plan = 'x'",
    "a backspace": "me.plan = 'x'  # \x08\x08",
    "a null": "me.plan = 'x'\x00",
    "a form feed": "\x0cme.plan = 'x'",
    "a delete": "me.plan = 'x'  # \x7f",
    "a control character of the second block": "me.plan = 'x'  # \x9b1A",
    "tag characters": "# \U000e0069\U000e0067\nme.plan = 'x'",
    "a lone variation selector": "# a\ufe0f\nme.plan = 'x'",
    "two variation selectors": "# \u2600\ufe0f\ufe0f\nme.plan = 'x'",
    "a variation selector of the supplement": "# \U000e0100\nme.plan = 'x'",
    "a filler as a name": "\u3164 = 'x'\nme.plan = \u3164",
    "a half-width filler": "\uffa0 = 'x'",
    "a zero-width space": "me.plan = 'x\u200b'",
    "a joiner between letters": "me.plan = 'x\u200dy'",
    "a word joiner": "me.plan = 'x\u2060'",
    "a direction mark": "me.plan = '\u202egnol'",
    "an isolate": "me.plan = '\u2066x'",
    "an Arabic letter mark": "me.plan = '\u061c'",
    "a soft hyphen": "me.plan = 'x\u00ad'",
    "a byte order mark": "\ufeffme.plan = 'x'",
    "a line separator": "# nothing\u2028me.plan = 'x'",
    "a combining joiner": "me.plan = 'x\u034f'",
    "a blank of Braille": "me.plan = '\u2800'",
    "half an emoji": "me.plan = '\ud83d'",
    "an annotation": "me.plan = '\ufff9x\ufffb'",
}
SEEN = [
    "me.plan = 'caf\u00e9 \u2600\ufe0f \u2764\ufe0f'",
    "me.plan = '\U0001f469\u200d\U0001f33e'",
    "me.plan = '3\ufe0f\u20e3'",
    "# \u65e5\u672c\u8a9e \u0627\u0644\u0639\nme.plan = '1\u202f000\u00a0\u20ac'",
    "me.plan = 'tab\tand line'\r\nme.mood = 0.5",
    "me.plan = '\\x1b'",
]


@pytest.mark.parametrize("source", HIDDEN.values(), ids=HIDDEN)
def test_a_cell_that_hides_something_is_refused_whole(source):
    world = square.build()
    turn = world.execute(source, agent="ann")
    assert (turn.status, turn.changes) == ("blocked", [])
    assert "invisible or control character U+" in turn.error


@pytest.mark.parametrize("source", HIDDEN.values(), ids=HIDDEN)
def test_what_is_hidden_is_taken_out_of_texts(source):
    assert not hidden_character(without_hidden(source))


@pytest.mark.parametrize("source", SEEN)
def test_what_people_write_is_let_through(source):
    assert square.build().execute(source, agent="ann").committed
    assert without_hidden(source.replace("\r", "")) == source.replace("\r", "")
