"""What a command line says of how a model is asked reaches its server, its record, its replays, and each agent."""

import itertools
import json
import re

import pytest

from cave_sim import WorldError, open_run
from cave_sim.cli.main import main
from cave_sim.models import Message, Request
from cave_sim.models.from_cli import ModelChoice
from cave_sim.simulations.storm_warning.script import reply
from cave_sim.testing.openai_server import Answer, OpenAIServer

RUN = ["run", "storm_warning", "--seed", "7", "--residents", "2", "--steps", "3", "--host", "local", "--quiet"]
WISHES = {"temperature": 0.7, "top_p": 0.9, "seed": 11, "reasoning_effort": "low", "max_tokens": 90, "top_k": 40}
OPTIONS = [
    *("--temperature", "0.7", "--top-p", "0.9", "--model-seed", "11", "--reasoning-effort", "low"),
    *("--reply-tokens", "90", "--extra-body", '{"top_k": 40}', "--price", "1,2", "--max-usd", "5", "--window", "9000"),
    *("--rpm", "100000", "--tpm", "1e9", "--in-flight", "4", "--timeout", "30", "--retries", "1", "--hedge", "20"),
    *("--step-deadline", "60", "--alternate-roles"),
]


def script(body):
    return reply(Request(tuple(Message(each["role"], each["content"]) for each in body["messages"])))


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """Play a run in which much is wished; return its folder and what its server saw."""
    folder = tmp_path_factory.mktemp("wishes")
    models = folder / "models.toml"
    models.write_text('["mayor*"]\nname = "openai/large"\ntemperature = 0.1\n', encoding="utf-8")
    with OpenAIServer(script) as server:
        command = [*RUN, "--model", "openai/small", "--api-base", server.url, "--models", str(models)]
        assert main([*command, *OPTIONS, "--out", str(folder / "run")]) == 0
    return folder / "run", server.seen


def test_every_wish_reaches_the_server(played):
    bodies = [seen.body for seen in played[1]]
    small = [body for body in bodies if body["model"] == "small"]
    assert len(small) > 3
    for body in small:
        assert {name: body[name] for name in WISHES} == WISHES
        roles = [each["role"] for each in body["messages"]]
        assert all(one != other for one, other in itertools.pairwise(roles))


def test_each_agent_asks_the_model_that_was_chosen_for_it(played):
    assert {body["temperature"] for seen in played[1] if (body := seen.body)["model"] == "large"} == {0.1}
    with open_run(played[0]) as run:
        asked = {(call["agent"] == "mayor", call["model"]["name"]) for call in run.calls()}
    assert asked == {(True, "openai/large"), (False, "openai/small")}


@pytest.mark.long
def test_what_was_wished_is_recorded_and_the_record_answers_the_same_run(played, tmp_path, capsys):
    with open_run(played[0]) as run:
        call = next(call for call in run.calls() if call["agent"] != "mayor")
        model, state = run.manifest["model"], run.manifest["state_hash"]
    assert {name: call["request"][name] for name in ("temperature", "seed", "max_tokens")} == {
        "temperature": 0.7,
        "seed": 11,
        "max_tokens": 90,
    }
    assert call["reply"]["cost_usd"] > 0
    assert json.loads(json.dumps(ModelChoice(**model).to_data())) == model
    assert main([*RUN, "--replay-model", str(played[0]), "--out", str(tmp_path / "again")]) == 0
    assert capsys.readouterr().out.strip() == f"state hash: {state}"


@pytest.mark.parametrize("url", ["http://me:word@127.0.0.1:9/v1", "http://127.0.0.1:9/v1?key=word"])
def test_a_url_with_credentials_is_refused_and_not_repeated(url, tmp_path, capsys):
    assert main([*RUN, "--model", "openai/x", "--api-base", url, "--out", str(tmp_path / "run")]) == 1
    told = capsys.readouterr().err
    assert "CAVE_SIM_API_KEY" in told
    assert "word@" not in told
    assert "key=word" not in told
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (["--extra-body", "top_k"], "write a JSON object"),
        (["--models", "nowhere.toml"], "nowhere.toml"),
        (["--models", "typo.toml"], r"'temprature'\. Did you mean 'temperature'\? What can be chosen is"),
        (["--models", "bare.toml"], "stands in no table"),
    ],
)
def test_a_wrong_wish_is_told_in_one_line(options, complaint, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "typo.toml").write_text("[mayor]\ntemprature = 1\n", encoding="utf-8")
    (tmp_path / "bare.toml").write_text("temperature = 1\n", encoding="utf-8")
    assert main([*RUN, "--model", "openai/x", "--api-base", "http://127.0.0.1:9/v1", *options]) == 1
    told = capsys.readouterr().err
    assert told.count("\n") == 1
    assert re.search(complaint, told)


@pytest.mark.long
def test_an_outage_ends_the_command_with_a_code_of_its_own_and_resume_goes_on(tmp_path, capsys, monkeypatch):
    is_down = [True]

    def moody(body):
        return Answer(status=404, error="no such model") if is_down[0] else script(body)

    run = str(tmp_path / "run")
    with OpenAIServer(moody) as server:
        where = ["--api-base", server.url]
        assert main([*RUN, "--model", "openai/x", *where, "--out", run]) == 75
        told = capsys.readouterr().err
        assert told.startswith("cave-sim: outage: openai/x answers nobody")
        assert told.endswith(f"cave-sim resume {run}\n")
        is_down[0] = False
        assert main(["resume", run, "--steps", "3", "--quiet", "--host", "local", *where]) == 0
    gone_on = capsys.readouterr().out
    assert main([*RUN, "--model", "scripted", "--out", str(tmp_path / "scripted")]) == 0
    assert capsys.readouterr().out == gone_on


def test_choices_that_say_nothing_new_are_kept_short():
    assert ModelChoice("openai/x").to_data() == {"name": "openai/x"}
    with pytest.raises(WorldError, match="names 'strict'"):
        ModelChoice("openai/x").for_agents({"mayor": {"strict": False}})
