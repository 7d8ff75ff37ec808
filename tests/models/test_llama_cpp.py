"""A model in this process. What needs weights is skipped unless CAVE_SIM_GGUF names a file of them."""

import asyncio
import os
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from cave_sim.cli.main import main
from cave_sim.errors import MissingExtra, WorldError
from cave_sim.models import Asker, Message, ModelError, ToolCall, ask
from cave_sim.models.from_cli import ModelChoice
from cave_sim.models.llama_cpp import LocalModel
from tests.models.asking import question

GGUF = os.environ.get("CAVE_SIM_GGUF", "")
with_weights = pytest.mark.skipif(not GGUF, reason="CAVE_SIM_GGUF names no weights; get_weights.py fetches some")
TOOL = {"type": "function", "function": {"name": "greet", "parameters": {"type": "object", "properties": {}}}}
PORT = "18437"
ROOT = Path(__file__).parents[2]
ASKS_OVER_HTTP = f"""if True:
    import sys
    from pathlib import Path
    from cave_sim.models import ask
    from cave_sim.models import LiteLLMModel
    from tests.models.asking import question
    model = LiteLLMModel("openai/local", api_base="http://127.0.0.1:{PORT}/v1")
    reply = ask(model, question("Write a haiku about rain.", max_tokens=20))
    assert not reply.usage.is_estimate
    Path(sys.argv[1]).write_text(reply.text)
"""
YES_OR_NO = 'root ::= "yes" | "no"'


@pytest.fixture
def some_file(tmp_path):
    """A file that begins as weights do, and holds none."""
    pytest.importorskip("xllamacpp")
    path = tmp_path / "small.gguf"
    path.write_bytes(b"GGUF and nothing else")
    return path


@pytest.fixture(scope="module")
def asked():
    """Ask a real model, which lives as long as the module's tests."""
    model = LocalModel(GGUF, window_tokens=2_048)
    with Asker() as asker:
        yield lambda request, **changes: asker.ask(_changed(model, changes), request)


def _changed(model, changes):
    for name in ("grammar", "timeout_s"):
        setattr(model, name, changes.get(name, {"grammar": "", "timeout_s": 300.0}[name]))
    return model


def code_question(**options):
    return question("Write Python that prints hello, in a ```python block. Then explain it.", **options)


def test_a_request_becomes_what_the_chat_endpoint_takes(some_file):
    call = ToolCall("call-1", "greet", '{"who": "bob"}')
    said = Message("user", "greet bob"), Message("assistant", "", (call,)), Message("tool", "done", (), "call-1")
    request = replace(question(max_tokens=9, temperature=0.5, stop=("END",), tools=(TOOL,)), messages=said)
    body = LocalModel(some_file, grammar=YES_OR_NO, seed=3).body(request)
    assert body["messages"] == [
        {"role": "user", "content": "greet bob"},
        {
            "role": "assistant",
            "content": "",
            "tool_calls": [
                {"id": "call-1", "type": "function", "function": {"name": "greet", "arguments": '{"who": "bob"}'}}
            ],
        },
        {"role": "tool", "content": "done", "tool_call_id": "call-1"},
    ]
    wanted = {"max_tokens": 9, "temperature": 0.5, "stop": ["END"], "tools": [TOOL], "grammar": YES_OR_NO, "seed": 3}
    assert wanted.items() <= body.items()


def test_what_was_not_asked_for_is_not_sent(some_file):
    body = LocalModel(some_file).body(question())
    assert not {"max_tokens", "stop", "tools", "grammar"} & body.keys()
    assert body["temperature"] == 0


def test_its_name_is_that_of_the_file_and_no_path(some_file):
    model = LocalModel(some_file)
    assert model.name == "local/small"
    assert str(some_file.parent) not in f"{model!r} {model.name}"


def test_a_missing_file_says_how_to_get_one(tmp_path):
    with pytest.raises(WorldError, match=r"no-such\.gguf: there is no such file.*docs/local_models\.md") as found:
        LocalModel(tmp_path / "no-such.gguf")
    assert "\n" not in str(found.value)


def test_a_file_of_something_else_is_refused(tmp_path):
    (tmp_path / "notes.txt").write_text("not weights")
    with pytest.raises(WorldError, match=r"notes\.txt: this is no GGUF file"):
        LocalModel(tmp_path / "notes.txt")


def test_weights_that_cannot_be_loaded_end_the_run_in_one_line(some_file):
    with pytest.raises(WorldError, match=r"^small\.gguf: llama\.cpp cannot serve it"):
        ask(LocalModel(some_file), question())


def test_without_xllamacpp_the_error_says_what_to_install(some_file, monkeypatch):
    monkeypatch.setitem(sys.modules, "xllamacpp", None)
    with pytest.raises(MissingExtra, match=r"pip install 'cave_sim\[local\]'"):
        LocalModel(some_file)


def test_the_command_line_opens_it_by_name_and_file(some_file):
    assert ModelChoice("local", gguf=str(some_file)).open().name == "local/small"
    with pytest.raises(WorldError, match=r"--gguf PATH"):
        ModelChoice("local").open()


@pytest.mark.long
def test_a_server_of_ones_own_has_more_time_to_read_than_a_provider():
    own, listed = ModelChoice("openai/mine", api_base="http://127.0.0.1:9/v1").open(), ModelChoice("openai/gpt").open()
    assert own.model.model.idle_s > 5 * listed.model.model.idle_s


def test_serving_a_file_that_is_not_there_is_one_line(capsys):
    assert main(["serve", "--gguf", "no-such.gguf"]) == 1
    assert capsys.readouterr().err.count("\n") == 1


@with_weights
def test_a_real_model_writes_a_block_of_code(asked):
    reply = asked(code_question(max_tokens=80))
    assert "```python" in reply.text
    assert "print(" in reply.text
    assert reply.cost_usd == 0
    assert reply.latency_s > 0


@with_weights
def test_asking_again_gets_the_same_reply_and_reads_the_prompt_from_the_cache(asked):
    first, again = (asked(code_question(max_tokens=30)) for _ in range(2))
    assert again.text == first.text
    assert again.usage.prompt_tokens == first.usage.prompt_tokens > 30
    assert again.usage.cached_tokens == again.usage.prompt_tokens - 1  # llama.cpp always reads the last one
    assert not again.usage.is_estimate


@with_weights
def test_a_limit_of_tokens_is_kept_and_told(asked):
    reply = asked(code_question(max_tokens=5))
    assert reply.usage.completion_tokens == 5
    assert reply.is_truncated


@with_weights
def test_the_reply_ends_where_its_first_block_does(asked):
    whole = asked(code_question(max_tokens=120))
    block = asked(code_question(max_tokens=120, stop_at_block=True))
    assert whole.text.startswith(block.text)
    assert block.text.count("```") == 2
    assert 0 < block.usage.completion_tokens < whole.usage.completion_tokens


@with_weights
def test_a_stop_ends_the_reply_and_is_not_in_it(asked):
    reply = asked(code_question(max_tokens=60, stop=("print",)))
    assert "print" not in reply.text
    assert reply.finish_reason == "stop"


@with_weights
def test_a_grammar_is_obeyed(asked):
    assert asked(question("Is the sky green?", max_tokens=5), grammar=YES_OR_NO).text in ("yes", "no")


@with_weights
def test_a_prompt_that_does_not_fit_is_told_apart(asked):
    with pytest.raises(ModelError, match="window_tokens") as found:
        asked(question("word " * 3_000))
    assert found.value.kind == "too_long"


@with_weights
def test_a_request_that_makes_no_sense_is_refused(asked):
    with pytest.raises(ModelError) as found:
        asked(question(), grammar="root ::= (")
    assert found.value.kind == "refused"


@with_weights
def test_a_reply_that_takes_too_long_is_given_up(asked):
    with pytest.raises(ModelError, match=r"timeout_s=0\.01") as found:
        asked(code_question(max_tokens=200), timeout_s=0.01)
    assert found.value.kind == "timeout"


@with_weights
def test_whoever_stops_listening_holds_nobody_up():
    async def impatient():
        model = LocalModel(GGUF, window_tokens=2_048)
        await model.reply(code_question(max_tokens=1))
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(model.reply(code_question(max_tokens=1_500)), 0.2)
        reply = await model.reply(code_question(max_tokens=5))
        await model.close()
        return reply

    assert asyncio.run(impatient()).latency_s < 20


@with_weights
def test_a_crowd_is_answered_in_the_order_of_asking_and_as_if_each_were_alone():
    def crowd(model):
        questions = [question(f"What is {number} + 1?", max_tokens=12) for number in range(4)]
        with Asker() as asker:
            return [reply.text for reply in asker.ask_all((model, each) for each in questions)]

    model = LocalModel(GGUF, window_tokens=2_048)
    assert crowd(model) == crowd(model)  # closed in between, and loaded anew


@with_weights
def test_the_same_weights_say_the_same_in_process_and_over_http(asked, tmp_path, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    told = tmp_path / "told.txt"
    client = [sys.executable, "-W", "ignore", "-c", ASKS_OVER_HTTP, str(told)]
    assert main(["serve", "--gguf", GGUF, "--port", PORT, "--window-tokens", "2048", *client]) == 0
    assert told.read_text() == asked(question("Write a haiku about rain.", max_tokens=20)).text


@with_weights
def test_a_command_that_cannot_be_run_ends_the_serving_in_one_line(capsys):
    assert main(["serve", "--gguf", GGUF, "--port", "0", "--", "no-such-program"]) == 1
    assert capsys.readouterr().err == "cave-sim: serve: no-such-program cannot be run: No such file or directory\n"
