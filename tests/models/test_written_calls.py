import pytest

from cave_sim.models.written_calls import written_calls

TOOLS = {"set_light", "set_heating"}
CALL = '{"name": "set_light", "arguments": {"room": "hall", "on": true}}'


@pytest.mark.parametrize(
    "text",
    [
        CALL,
        f"```json\n{CALL}\n```",
        f"<tool_call>\n{CALL}\n</tool_call>",
        f"Sure, {{I}} switch it on: {CALL}. Done.",
        CALL.replace("arguments", "parameters"),
        f"[{CALL}]",
    ],
)
def test_a_call_is_read_wherever_it_is_written(text):
    (call,) = written_calls(text, TOOLS)
    assert (call.name, call.arguments) == ("set_light", '{"room": "hall", "on": true}')


@pytest.mark.parametrize("wrong", ["[" * 200_000, f'{{"total": {"1" * 5_000}}}'])
def test_a_call_behind_what_nobody_can_read_is_read(wrong):
    assert [call.name for call in written_calls(f"{wrong} {CALL}", TOOLS)] == ["set_light"]


def test_several_calls_keep_their_order_and_have_ids_of_their_own():
    text = f'{CALL}\n{CALL}\n{{"name": "set_heating", "arguments": {{}}}}'
    calls = written_calls(text, TOOLS)
    assert [call.name for call in calls] == ["set_light", "set_light", "set_heating"]
    assert len({call.id for call in calls}) == 3


@pytest.mark.parametrize(
    "text",
    [
        "The light is on.",
        '{"total": 5}',
        '{"name": "set_light"}',
        '{"name": "launch", "arguments": {}}',
        '{"name": "set_light", "arguments": {"room": ',
        '{"name": ["set_light"], "arguments": {}}',
        '{"name": "set_light", "arguments": {"room": ' * 5_000,
        f'{{"name": "set_light", "arguments": {{"room": {"1" * 5_000}}}}}',
        f'{{"name": "set_light", "arguments": {{"room": {"[" * 200_000}{"]" * 200_000}}}}}',
    ],
)
def test_what_is_no_call_of_an_offered_tool_is_left_alone(text):
    assert written_calls(text, TOOLS) == ()
