"""Whether a model can be asked is found out before a run begins: one line that names the way out, and nothing paid."""

import socket
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from importlib.util import find_spec
from pathlib import Path

import pytest

from cave_sim import WorldError
from cave_sim.cli.main import main
from cave_sim.models import probe as probe_module
from cave_sim.models.from_cli import ModelChoice
from cave_sim.models.probe import probe
from cave_sim.testing.openai_server import Answer, OpenAIServer

needs_litellm = pytest.mark.skipif(find_spec("litellm") is None, reason="needs the extra llm")


@pytest.fixture
def server():
    with OpenAIServer(["hi"]) as server:
        yield server


@pytest.fixture
def answering():
    """Return a function that serves one HTTP status with one body, and keeps the headers it was sent."""
    servers = []

    def serve(status, body=b"{}", **headers):
        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                serve.keys.append(self.headers.get("Authorization"))
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_message):
                pass

        servers.append(HTTPServer(("127.0.0.1", 0), Handler))
        threading.Thread(target=servers[-1].serve_forever, args=(0.01,), daemon=True).start()
        return f"http://127.0.0.1:{servers[-1].server_address[1]}/v1"

    serve.keys = []
    yield serve
    for each in servers:
        each.shutdown()
        each.server_close()


def nobody():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return f"http://127.0.0.1:{taken.getsockname()[1]}/v1"


@pytest.mark.parametrize("choice", [ModelChoice(), ModelChoice("local", gguf="w"), ModelChoice("x", replay="run")])
def test_who_is_no_server_is_not_looked_for(choice):
    assert probe(choice) == ""


def test_a_server_that_is_there_is_asked_for_nothing_else(server):
    assert probe(ModelChoice("openai/other", api_base=server.url)) == ""
    assert server.seen == []


def test_nobody_at_an_address_is_said():
    url = nobody()
    with pytest.raises(WorldError, match=f"nobody answers at {url} .*Start the server"):
        probe(ModelChoice("openai/test", api_base=url))


@pytest.mark.parametrize("url", ["ftp://127.0.0.1/v1", "http://127.0.0.1:1x/v1", "nonsense", "file:///etc/passwd"])
def test_what_is_no_address_is_said(url):
    with pytest.raises(WorldError, match="nobody answers at"):
        probe(ModelChoice("openai/test", api_base=url))


def test_a_silent_server_costs_little_time_and_is_gone_on_with(monkeypatch):
    monkeypatch.setattr(probe_module, "PATIENCE_S", 0.05)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}/v1"
        assert "has not answered within 0.05 s" in probe(ModelChoice("openai/test", api_base=url))


@pytest.mark.parametrize("status", [401, 403])
def test_a_refused_key_is_named_by_its_variable_and_never_shown(answering, status, monkeypatch):
    monkeypatch.setenv("CAVE_SIM_API_KEY", "sk-very-secret")
    with pytest.raises(WorldError, match="refuses the key in CAVE_SIM_API_KEY") as found:
        probe(ModelChoice("openai/test", api_base=answering(status)))
    assert "secret" not in str(found.value)


@pytest.mark.parametrize(("status", "body"), [(404, b""), (500, b""), (200, b"<html>"), (200, b'{"data": 7}')])
def test_a_server_without_a_list_of_models_may_do(answering, status, body):
    assert probe(ModelChoice("openai/test", api_base=answering(status, body))) == ""


def test_a_key_is_not_carried_on_to_another_server(answering, monkeypatch):
    monkeypatch.setenv("CAVE_SIM_API_KEY", "sk-very-secret")
    elsewhere = answering(200)
    first = answering(302, Location=f"{elsewhere}/models")
    assert probe(ModelChoice("openai/test", api_base=first)) == ""
    assert answering.keys == ["Bearer sk-very-secret"]


@needs_litellm
@pytest.mark.parametrize(
    ("model", "key"),
    [
        ("gpt-4o-mini", "OPENAI_API_KEY"),
        ("anthropic/claude", "ANTHROPIC_API_KEY"),
        ("gemini/gemini-2.0-flash", "GOOGLE_API_KEY or GEMINI_API_KEY"),
        ("groq/llama3", "GROQ_API_KEY"),
        ("mistral/mistral-small", "MISTRAL_API_KEY"),
    ],
)
def test_a_missing_key_is_named_by_its_variable(model, key, monkeypatch):
    for name in key.split(" or "):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(WorldError, match=f"set {key} in the environment"):
        probe(ModelChoice(model))


@needs_litellm
def test_a_model_that_a_provider_has_not_is_said_with_what_comes_nearest(server, monkeypatch):
    monkeypatch.setenv("GROQ_API_KEY", "sk-very-secret")
    monkeypatch.setenv("GROQ_API_BASE", server.url)
    assert probe(ModelChoice("groq/test")) == ""
    with pytest.raises(WorldError, match=r"has no model 'tset'. Did you mean 'test'\?"):
        probe(ModelChoice("groq/tset"))


@needs_litellm
def test_a_model_that_was_not_pulled_is_said(answering, monkeypatch):
    body = b'{"data": [{"id": "qwen2.5-coder:latest"}]}'
    monkeypatch.setenv("OLLAMA_API_BASE", answering(200, body).removesuffix("/v1"))
    assert probe(ModelChoice("ollama/qwen2.5-coder")) == ""
    with pytest.raises(WorldError, match=r"has no model 'llama3'. It has: qwen2.5-coder:latest"):
        probe(ModelChoice("ollama/llama3"))


COMMANDS = [
    ["run", "storm_warning", "--quiet"],
    ["study", "smart_home", "--limit", "1"],
    ["study", "storm_warning", "--steps", "2"],
    ["capacity", "calibrate"],
]


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_a_command_says_it_in_one_line_and_leaves_nothing(command, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main([*command, "--model", "openai/test", "--api-base", nobody(), "--out", "out"]) == 1
    complaint = capsys.readouterr().err
    assert ("nobody answers at" in complaint, complaint.count("\n")) == (True, 1)
    assert not (tmp_path / "out").exists()


@needs_litellm
def test_the_models_of_single_people_are_looked_for_before_the_run_begins(server, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("people.csv").write_text("name,age,job,model\nAino,30,barista,nosuch/model\nOtto,40,teacher,\n")
    asked = ["--model", "openai/test", "--api-base", server.url, "--set", "personas=people.csv", "--residents", "2"]
    assert main(["run", "town_day", *asked, "--out", "out"]) == 1
    assert "--model nosuch/model: no provider goes by that name" in capsys.readouterr().err
    assert not Path("out").exists()


@pytest.mark.long
@needs_litellm
def test_a_run_that_no_call_of_which_was_answered_says_so_and_fails(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    with OpenAIServer([Answer(status=400, error="not in these words")]) as server:
        asked = ["--model", "openai/test", "--api-base", server.url, "--host", "local", "--residents", "1"]
        assert main(["run", "storm_warning", "--quiet", "--steps", "2", *asked]) == 1
    told = capsys.readouterr()
    assert told.err.startswith("cave-sim: no model call was answered: all ")
    assert "state hash: " in told.out
