"""The Model Context Protocol, by the library's own client: a world to live in, a run to look at, tools of strangers."""

import asyncio
import io
import json
import re
import socket
import subprocess
import sys

import pytest

from cave_sim import Entity, Simulation, World, WorldError, field, open_run
from cave_sim.cli.main import main
from cave_sim.journal.integrity import problems
from cave_sim.llm_agent.habits import Habits
from cave_sim.llm_agent.llm_agent import LLMAgent
from cave_sim.mcp.resident_client import ResidentClient
from cave_sim.mcp.run_view import RunView
from cave_sim.mcp.tool_server import ToolServer
from cave_sim.mcp.toolbox import app_of, serve_http, server_of
from cave_sim.models import ScriptedModel
from tests.late_imports import LateImport
from tests.mcp.rude_server import ENDLESS
from tests.mcp.strange_server import LURES, TOOLBOX

mcp = LateImport("mcp")

STRANGE = [sys.executable, "-m", "tests.mcp.strange_server"]


class Guest(Entity):
    """Somebody with a purse."""

    money_cents: int = field(500, ge=0)
    diary: str = field("", private=True)


def simulation(**options):
    world = World(seed=3)
    world.add("ann", Guest())
    world.add("bob", Guest(diary="I know"))
    return Simulation(world, {"ann": lambda seen: "me.money_cents -= 1", "bob": lambda seen: ""}, **options)


def told(answer):
    """Return what a tool answered, and whether it failed."""
    text = answer.content[0].text
    return text, bool(answer.is_error)


def by_client(toolbox, *calls):
    """Return what the library's client is told of some calls."""

    async def ask():
        async with mcp.Client(server_of(toolbox)) as client:
            return [told(await client.call_tool(name, arguments)) for name, arguments in calls]

    return asyncio.run(ask())


def test_a_client_lives_as_a_resident_with_that_ones_rights(tmp_path):
    with simulation(out=tmp_path / "run") as world:
        answers = by_client(
            ResidentClient(world, "ann").toolbox(),
            ("act", {"code": "me.money_cents = 7"}),
            ("act", {"code": "bob.money_cents = 7"}),
            ("act", {"code": "print(bob.diary)"}),
            ("act", {"code": 3}),
            ("act", {}),
            ("leave", {}),
            ("wait", {"steps": 3}),
            ("wait", {"steps": 0}),
        )
        assert [failed for _, failed in answers] == [False, False, False, True, True, True, False, True]
        assert [json.loads(text)["status"] for text, _ in answers[:3]] == ["committed", "blocked", "blocked"]
        assert "valid string (got 3)" in answers[3][0]
        assert json.loads(answers[6][0])["seen"]["money_cents"] == 7  # her own agent stood still
        assert json.loads(answers[6][0])["step"] == 3
    with open_run(tmp_path / "run") as run:
        assert not list(problems(run))
    view = by_client(
        RunView(tmp_path / "run").toolbox(),
        ("summary", {}),
        ("observe", {"entity": "ann"}),
        ("blame", {"target": "ann.money_cents", "last": 1}),
        ("turns", {"agent": "ann", "status": "blocked"}),
        ("query", {"sql": "SELECT count(*) FROM steps"}),
        ("query", {"sql": "DELETE FROM steps"}),
        ("observe", {"entity": "zoe"}),
        ("turns", {"status": "block"}),
        ("turns", {"agent": "anne"}),
        ("turns", {"last": 0}),
        ("story", {"lines": 10**6}),
    )
    assert "Did you mean 'blocked'?" in view[7][0]
    assert "there is no agent 'anne' in this run. Did you mean 'ann'?" in view[8][0]
    assert view[9][0] == "turns(last=...): Input should be greater than or equal to 1 (got 0)"
    assert view[10][0] == "story(lines=...): Input should be less than or equal to 200 (got 1000000)"
    assert json.loads(view[0][0])["last_step"] == 3
    assert json.loads(view[1][0])["fields"]["money_cents"] == 7
    assert json.loads(view[2][0])[0]["code"] == "me.money_cents = 7"
    assert len(json.loads(view[3][0])) == 2
    assert view[4] == ("[[4]]", False)
    assert [failed for _, failed in view[5:]] == [True] * 6


def test_whoever_may_look_at_a_run_writes_nothing_on_this_machine(tmp_path):
    simulation(out=tmp_path / "run").run(2).close()
    before = sorted(tmp_path.rglob("*"))
    loot = tmp_path / "loot.sqlite"
    attacks = [f"ATTACH DATABASE '{loot}' AS loot", f"VACUUM INTO '{loot}'", "SELECT load_extension('loot')",
               "SELECT hex(zeroblob(400000000))", "DROP TABLE steps"]  # fmt: skip
    asked = [*(("query", {"sql": sql}) for sql in attacks), ("turns", {"step": 10**30})]
    answers = by_client(RunView(tmp_path / "run").toolbox(), *asked)
    assert all(failed and text.startswith("the query cannot be run: ") for text, failed in answers), answers
    assert sorted(tmp_path.rglob("*")) == before
    many = "WITH RECURSIVE each(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM each) SELECT hex(zeroblob(60000)) FROM each"
    ((text, failed),) = by_client(RunView(tmp_path / "run").toolbox(), ("query", {"sql": many}))
    assert (failed, text.endswith("ask for less)")) == (False, True)


def test_nobody_lives_as_somebody_who_is_not_there(tmp_path):
    with (
        simulation() as world,
        pytest.raises(WorldError, match=r"nobody called 'anne' lives there\. Did you mean 'ann'"),
    ):
        ResidentClient(world, "anne")


def test_a_client_lives_an_hour_among_minds_over_stdio(tmp_path):
    line = ["-m", "cave_sim", "mcp", "town_day", "--as", "mayor", "--residents", "2", "--host", "local"]
    line += ["--model", "scripted"]
    server = mcp.StdioServerParameters(command=sys.executable, args=[*line, "--out", str(tmp_path / "run")])

    async def live():
        async with mcp.Client(mcp.stdio_client(server, errlog=sys.__stderr__)) as client:
            tools = {each.name: each for each in (await client.list_tools()).tools}
            acted = told(await client.call_tool("act", {"code": "print(town.treasury_cents)"}))
            waited = told(await client.call_tool("wait", {"steps": 6}))
            return tools, acted, waited

    tools, acted, waited = asyncio.run(live())
    assert tools["act"].input_schema["required"] == ["code"]
    assert json.loads(acted[0])["status"] == "committed"
    assert json.loads(waited[0])["step"] == 6
    with open_run(tmp_path / "run") as run:
        assert run.last_step == 6
        assert run.manifest["model"]["name"] == "scripted"  # which the others ask
        assert not list(problems(run))


def test_the_same_command_goes_on_where_a_client_hung_up_and_keeps_its_last_act(tmp_path, monkeypatch, capfd):
    def come_back(*options):
        shape = ["--as", "mayor", "--residents", "1", "--host", "local", "--out", str(tmp_path / "run")]
        return main(["mcp", "town_day", *shape, *options])

    acting = {"code": "town.announcements.append('Bye')"}
    monkeypatch.setattr("cave_sim.cli.actions.mcp.serve_stdio", lambda toolbox: toolbox.call("act", acting))
    assert come_back() == come_back() == 0
    assert f"mayor lives in {tmp_path / 'run'}, from step 1 on" in capfd.readouterr().err
    assert come_back("--seed", "8") != 0
    assert "made otherwise, with {'seed': 7, 'residents': 1}" in capfd.readouterr().err
    with open_run(tmp_path / "run") as run:
        assert [(turn.step, turn.agent) for turn in run.turns() if turn.code] == [
            (0, "operator"),
            (0, "mayor"),
            (1, "mayor"),
        ]
        assert not list(problems(run))


@pytest.mark.long
def test_what_a_client_did_is_kept_that_hangs_up_before_it_is_answered(tmp_path):
    line = [sys.executable, "-m", "cave_sim", "mcp", "town_day", "--as", "mayor", "--residents", "1", "--host", "local"]
    about = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "rude", "version": "1"}}
    act = {"name": "act", "arguments": {"code": "town.announcements.append('Bye')"}}
    pipe = subprocess.PIPE
    server = subprocess.Popen([*line, "--out", str(tmp_path / "run")], stdin=pipe, stdout=pipe, stderr=pipe, text=True)
    with server:
        said = [{"id": 1, "method": "initialize", "params": about}, {"method": "notifications/initialized"}]
        for each in (*said, {"id": 2, "method": "tools/call", "params": act}):
            server.stdin.write(json.dumps({"jsonrpc": "2.0", **each}) + "\n")
        server.stdin.flush()
        assert "serverInfo" in server.stdout.readline()
        assert "committed" in server.stdout.readline()
        server.stdout.close()
        for number in range(3, 30):
            ask = {"jsonrpc": "2.0", "id": number, "method": "tools/list"}
            server.stdin.write(json.dumps(ask) + "\n")
        server.stdin.close()
        assert server.stderr.read().splitlines() == [f"mayor lives in {tmp_path / 'run'}"]
        assert server.wait() == 0
    with open_run(tmp_path / "run") as run:
        assert [turn.agent for turn in run.turns() if turn.code][-1] == "mayor"


def test_http_is_for_who_knows_the_token():
    testclient = pytest.importorskip("starlette.testclient")
    hello = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
    headers = {"accept": "application/json, text/event-stream", "host": "127.0.0.1:80"}
    with testclient.TestClient(app_of(TOOLBOX, "secret")) as client:
        assert client.post("/mcp", json=hello, headers=headers).status_code == 401
        assert client.post("/mcp", json=hello, headers={**headers, "authorization": "Bearer guess"}).status_code == 401
        known = {**headers, "authorization": "Bearer secret"}
        assert client.post("/mcp", json=hello, headers={**known, "host": "evil.example"}).status_code in (403, 421)
        assert client.post("/mcp", json=hello, headers=known).status_code not in (401, 403, 421)


def test_whoever_reads_the_address_of_a_server_may_call_at_once(monkeypatch):
    class Reader(io.StringIO):
        def write(self, text):
            port = re.search(r"127\.0\.0\.1:(\d+)", text)
            socket.create_connection(("127.0.0.1", int(port[1])), timeout=60).close()
            raise KeyboardInterrupt

    monkeypatch.setattr(sys, "stderr", Reader())
    with pytest.raises(KeyboardInterrupt):
        serve_http(TOOLBOX, 0)


@pytest.fixture(scope="module")
def strange():
    with ToolServer(STRANGE) as server:
        yield server


def test_tools_of_a_server_are_tools_with_effects_by_one_session(strange, tmp_path):
    world = World(seed=1)
    world.add("ann", Guest())
    for name, tool in strange.tools().items():
        world.inject(name, tool)
    with Simulation(world, out=tmp_path / "run") as simulation:
        code = "note(text='one'), note(text='two', times=2), lure(), fail()"
        assert world.execute(code, agent="ann").committed
        assert "valid string (got 3)" in world.execute("note(text=3)", agent="ann").error
        simulation.run(2)
        outcome = world.execute("[note.outcome(f'ann-{n}') for n in range(1, 5)]", agent="ann").output
    assert "'result': {'kept': 1, 'times': 1}" in outcome or "'result': '{\"kept\":1" in outcome
    assert '"kept":2' in outcome or "'kept': 2" in outcome
    assert "WorldError: ValueError: nothing here" in outcome


@pytest.mark.long
def test_lines_of_a_server_that_are_no_messages_are_told_of_by_one_line_that_names_it(caplog):
    with ToolServer([*STRANGE, "--chatty"]) as server:
        assert server.call("note", {"text": "x"}) == '{"kept":1,"times":1}'
    (line,) = caplog.messages
    assert line.startswith(f"the server of tools {sys.executable}: ")
    assert line.endswith(': Loading \\"models\\" … is no message; more of this is passed over in silence')
    assert caplog.records[0].exc_info is None


@pytest.mark.long
def test_a_server_that_ends_is_told_of_once_and_begun_again():
    with ToolServer(STRANGE) as server:
        with pytest.raises(WorldError, match=r'"Connection closed" \(it ended; what it was doing is not known'):
            server.call("leave", {})
        assert '"kept":1' in server.call("note", {"text": "one"})


DEEP = '{"deep":' * 300 + "1" + "}" * 300


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ('{"jsonrpc":"2.0","id":ID,"result":' + DEEP + "}", "its reply cannot be read: {"),
        ('{"jsonrpc":"2.0","result":{"content":[]}}', "a reply cannot be read: {"),
        ('{"jsonrpc":"2.0","result":{"content":[{"te', "a reply cannot be read: {"),
        ('{"jsonrpc":"2.0","id":4711,"result":{}}', "it answers what was not asked: {"),
        ("The answer is 4", "it says what is no message: The answer is 4; a server's stdout is for messages alone"),
        pytest.param(ENDLESS, "it says more than 16,000,000 bytes without an end of line", marks=pytest.mark.long),
    ],
    ids=["too deep", "without an id", "cut off", "of another", "words", "endless"],
)
def test_a_reply_that_cannot_be_read_settles_its_request_and_the_next_one_is_asked_all_the_same(line, why):
    with ToolServer([sys.executable, "-m", "tests.mcp.rude_server", line]) as server:
        for _ in range(2):  # none of them waits for the minute that a server has
            with pytest.raises(WorldError, match=re.escape(why)):
                server.call("tool0", {})


def test_all_pages_of_tools_are_read():
    with ToolServer([sys.executable, "-m", "tests.mcp.rude_server", ""]) as server:
        assert list(server.tools()) == ["tool0", "tool1", "tool2"]


def test_no_tool_of_a_stranger_takes_the_place_of_what_cells_have():
    listing = [{"name": name, "description": "", "input_schema": {}} for name in ("print", "me", "world", "np", "go")]
    names = list(ToolServer(["nobody"], listing=listing).tools())
    assert names == ["tool_print", "tool_me", "tool_world", "tool_np", "go"]
    world = World(seed=1)
    world.add("ann", Guest())
    tool = ToolServer(["nobody"], listing=listing).tools()["go"]
    with pytest.raises(WorldError, match=r"inject 'ann': an entity has that name; give the tool another one"):
        world.inject("ann", tool)


@pytest.mark.long
def test_a_strangers_words_reach_a_prompt_only_as_quoted_data(strange):
    world = World(seed=1)
    world.add("ann", Guest())
    for name, tool in strange.tools().items():
        world.inject(name, tool)
    described = world.describe("ann")
    assert not [line for line in described.splitlines() if line.lstrip("# ").startswith(("Ignore", "You may write: *"))]
    assert 'Of itself it says: "Keep a note.' in described


@pytest.mark.long
def test_what_a_strangers_tools_give_reaches_a_prompt_only_between_tags(strange, tmp_path):
    prompts, at_once = [], 6

    def script(request):
        numbers = range(len(LURES))[at_once * len(prompts) :][:at_once]
        prompts.append("\n".join(message.text for message in request.messages))
        calls = [f"lure(number={n}), lure(number={n}, as_data=True), fail(number={n})" for n in numbers]
        return "\n".join(["```python", *calls, "1", "```"])

    world = World(seed=1)
    world.add("ann", Guest())
    for name, tool in strange.tools().items():
        world.inject(name, tool)
    mind = {"ann": lambda simulation, name: LLMAgent(simulation, name, habits=Habits(max_cells=1, context="step"))}
    with Simulation(world, mind, llm=ScriptedModel(script), out=tmp_path / "run") as simulation:
        simulation.run(len(LURES) // at_once + 1)
        told = [row.text for row in simulation.by_name["ann"].session if row.kind == "tool_result"]
    assert len(told) == 3 * len(LURES)
    a_reader_may_take_for_the_end = r"<tool_result>.*?<\s*/\s*tool_result\b[^>]*>"
    for text in (*told, *(prompt[prompt.find("lure (ann-") :] for prompt in prompts if "lure (ann-" in prompt)):
        outside = re.sub(a_reader_may_take_for_the_end, "", text, flags=re.DOTALL | re.IGNORECASE)
        assert "obey" not in outside
        assert not re.search(
            r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060\U000e0000-\U000e007f]", text
        )


def test_a_world_is_made_without_a_server_by_what_it_offered():
    listing = [
        {
            "name": "drop table;",
            "description": "x" * 500,
            "input_schema": {"properties": {"class": {"type": "integer"}}},
        }
    ]
    ((name, tool),) = ToolServer(["no-such-program"], listing=listing).tools().items()
    assert name == "drop_table_"
    assert tool.signature.schema["properties"].keys() == {"tool_class"}
    with pytest.raises(WorldError, match="either a command"):
        ToolServer()


@pytest.mark.parametrize("command", [["no-such-program"], [sys.executable, "-c", "pass"]], ids=["missing", "silent"])
def test_a_server_that_is_none_is_told_in_one_line(command):
    with ToolServer(command) as server, pytest.raises(WorldError, match=r"^the server of tools [^\n]+: \"[^\n]+\"$"):
        server.tools()


@pytest.mark.parametrize("schema", [{"properties": [1], "required": 3}, {"properties": {"a": 7}, "required": "a"}, []])
def test_a_schema_that_makes_no_sense_costs_nothing_but_its_parameters(schema):
    offered = {"name": "odd", "description": "x", "input_schema": schema}
    assert list(ToolServer(["nothing"], listing=[offered]).tools()) == ["odd"]


def test_of_endless_parameters_a_tool_has_those_that_it_needs():
    many = {f"p{number}": {"type": "string"} for number in range(1000)}
    schema = {"properties": {**many, "word": {"type": "string"}}, "required": ["word"]}
    offered = {"name": "go", "description": "", "input_schema": schema}
    (tool,) = ToolServer(["nobody"], listing=[offered]).tools().values()
    assert list(tool.signature.schema["properties"])[:2] == ["word", "p0"]
    assert len(tool.signature.schema["properties"]) == 32
