"""A study by a model behind a server: over real HTTP, in all three ways of acting, and the table names the model."""

import json
from importlib.util import find_spec

import pytest

from cave_sim.cli.main import main
from cave_sim.testing.openai_server import Answer, OpenAIServer

pytestmark = pytest.mark.skipif(find_spec("litellm") is None, reason="needs the extra llm")

CELL = "```python\ncounter = {}\n```"
THROUGH_THE_DESK = "```python\nwrite_variable('counter', {})\n```"


QUERIES = {"Raise counter by 30.": 42, "Now make it four times as large.": 168, "Keep only the remainder": 6}


def skilled(body):
    """Do the task `counter` as somebody would who finds out what way of acting is meant."""
    said = body["messages"]
    asked = {at: value for at, each in enumerate(said) for text, value in QUERIES.items() if text in each["content"]}
    last, value = max(asked.items())
    if any(message["role"] in ("assistant", "tool") for message in said[last:]):
        return "Done."
    if body.get("tools"):
        arguments = json.dumps({"name": "counter", "value": value})
        return Answer(tool_calls=(("write_variable", arguments),), finish_reason="tool_calls")
    return (THROUGH_THE_DESK if "write_variable" in said[0]["content"] else CELL).format(value)


def test_a_model_behind_a_server_is_put_to_a_task_in_all_three_ways(tmp_path, capsys):
    out = tmp_path / "study"
    with OpenAIServer(skilled) as server:
        options = ["--groups", "simple", "--limit", "1", "--paradigms", "cave,codeact,json", "--out", str(out)]
        asked = ["--model", "openai/small", "--api-base", server.url, "--host", "local"]
        assert main(["study", "stateful_types", *asked, *options]) == 0
        offered = [{tool["function"]["name"] for tool in seen.body.get("tools", ())} for seen in server.seen]
    told = capsys.readouterr().out
    assert "Model: openai/small." in told
    for paradigm in ("cave", "codeact", "json"):
        assert f"| simple | {paradigm} | 3 of 3 | 100.0 [44, 100] | 1 of 1 | 6 |" in told
    assert {"read_variable", "write_variable"} in offered
