"""A prompt is the same from its first byte to the first thing that changed."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cave_sim.llm_agent.prompt import Prompt, StabilityMeter
from cave_sim.models.base import Message

FRONT = {"instructions": "Write one cell.", "api": "class Café: ...", "identity": "You are Ann."}
PART = st.text(st.sampled_from("ab é\n"), max_size=8)


def make(clock="06:00", **changing):
    return Prompt(FRONT, changing, clock)


def test_the_front_comes_first_and_the_clock_last_however_they_were_given():
    prompt = make(state="Hungry.", plan="Eat.")
    assert list(prompt.parts) == ["identity", "api", "instructions", "state", "plan", "clock"]
    assert prompt.messages() == (
        Message("system", "You are Ann.\n\nclass Café: ...\n\nWrite one cell."),
        Message("user", "Hungry.\n\nEat.\n\n06:00"),
    )


def test_what_was_said_stands_behind_the_front_and_how_things_stand_before_the_last_words():
    said = (Message("user", "hello"), Message("assistant", "hi"), Message("user", "Plan the day."))
    _front, *before, last = make(state="Hungry.").messages(said)
    assert tuple(before) == said[:2]
    assert last == Message("user", "Hungry.\n\n06:00\n\nPlan the day.")


def test_roles_take_turns():
    said = (Message("user", "hello"), Message("assistant", "hi"))
    for count in range(3):
        roles = [message.role for message in make().messages(said[:count])[1:]]
        assert all(one != other for one, other in itertools.pairwise(roles))


def test_empty_parts_leave_no_gap():
    assert make(clock="", state="").messages() == make(clock="").messages()
    assert len(make(clock="").messages()) == 1


def test_two_parts_of_one_name_are_refused():
    with pytest.raises(ValueError, match="called 'api'"):
        make(api="another")
    with pytest.raises(ValueError, match="called 'clock'"):
        Prompt({"clock": "noon"})


def test_tokens_are_counted_by_part():
    assert make(state="one two").tokens(lambda text: len(text.split())) == {
        "identity": 3,
        "api": 3,
        "instructions": 3,
        "state": 2,
        "clock": 1,
    }


def test_a_second_request_repeats_the_front_and_what_was_said():
    meter = StabilityMeter()
    said = (Message("user", "hello"),)
    first = make("06:00", state="Hungry.").messages(said)
    assert meter.measure(first).stable_bytes == 0
    found = meter.measure(make("06:10", state="Hungry.").messages(said))
    assert found.total_bytes - found.stable_bytes == len("10\n\nhello")
    assert found.changed == 1
    assert (meter.stable_bytes, meter.total_bytes) == (found.stable_bytes, 2 * found.total_bytes)


def test_the_same_request_again_is_stable_to_the_last_byte():
    meter = StabilityMeter()
    meter.measure(make().messages())
    found = meter.measure(make().messages())
    assert (found.share, found.changed) == (1.0, None)


def test_a_change_in_the_front_costs_everything_behind_it():
    meter = StabilityMeter()
    meter.measure(make().messages())
    found = meter.measure(Prompt({**FRONT, "identity": "You are Bob."}, clock="06:00").messages())
    assert (found.stable_bytes, found.changed) == (len("You are "), 0)


@given(st.lists(PART, max_size=4), st.lists(PART, max_size=4))
def test_the_stable_bytes_are_the_common_prefix_of_the_texts(one, other):
    meter = StabilityMeter()
    requests = [tuple(Message("user", text) for text in texts) for texts in (one, other)]
    meter.measure(requests[0])
    found = meter.measure(requests[1])
    expected = 0
    for left, right in zip(one, other, strict=False):
        pairs = list(zip(left.encode(), right.encode(), strict=False))
        same = next((place for place, (a, b) in enumerate(pairs) if a != b), len(pairs))
        expected += same
        if left != right:
            break
    assert found.stable_bytes == expected
    assert found.total_bytes == sum(len(text.encode()) for text in other)
