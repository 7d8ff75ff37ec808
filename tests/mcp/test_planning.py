"""Planning and rendering for any client of the Model Context Protocol, by the library's own."""

import asyncio
import json
import sys
from contextlib import asynccontextmanager

import anyio
import httpx
import pytest

from cave_sim import WorldError
from cave_sim.capacity.degradation import PAPER_FITS
from cave_sim.capacity.output_capacity import OutputLimits
from cave_sim.capacity.strategies import MOST_REPLANS
from cave_sim.mcp.planning import planning_toolbox
from cave_sim.mcp.toolbox import app_of, server_of
from cave_sim.mcp.unreadable import answered
from tests.late_imports import LateImport

mcp = LateImport("mcp")
mcp_types = LateImport("mcp_types")
streamable_http = LateImport("mcp.client.streamable_http")

SEVEN = {"estimate", "budget", "plan", "replan", "register_template", "render", "list_templates"}
TASK = {"task": "evaluate nine papers", "content_tokens": 4_000, "limit_tokens": 200_000, "used_tokens": 90_000}
CARD = {
    "name": "card",
    "source": "{{ heading(data.name) }}",
    "schema": {"type": "object", "properties": {"name": {"type": "string"}}},
}
RENDERED = ("render", {"template": "newspaper", "data": {"title": "x", "date": "", "articles": []}, "name": "first"})
OUTSIDE = {"template": "newspaper", "data": {"title": "x", "date": "", "articles": []}, "name": "../x"}


async def answers(client, calls):
    """Return what a client is told of some calls, as data, or as an error's text."""
    found = []
    for name, arguments in calls:
        answer = await client.call_tool(name, arguments)
        text = answer.content[0].text
        found.append(text if answer.is_error else json.loads(text))
    return found


@asynccontextmanager
async def alive(app):
    """Begin and end an ASGI app as a server does."""
    told, begun = asyncio.Queue(), asyncio.Event()

    async def send(_message):
        begun.set()

    told.put_nowait({"type": "lifespan.startup"})
    life = asyncio.create_task(app({"type": "lifespan", "asgi": {"version": "3.0"}, "state": {}}, told.get, send))
    await begun.wait()
    yield
    told.put_nowait({"type": "lifespan.shutdown"})
    await life


def asked(folder, *calls, limits=None):
    async def ask():
        async with mcp.Client(server_of(planning_toolbox(folder, limits))) as client:
            names = {tool.name for tool in (await client.list_tools()).tools}
            return names, await answers(client, calls)

    return asyncio.run(ask())


def test_a_client_has_the_seven_tools_and_what_they_say_fits_together(tmp_path):
    limits = OutputLimits(PAPER_FITS["claude"], longest_tokens=8_192)
    names, (estimate, budget, plan, listed, card, made, outside, script) = asked(
        tmp_path / "documents",
        ("estimate", {"content_tokens": 4_000, "format": "python_docx"}),
        ("budget", {"limit_tokens": 200_000, "used_tokens": 90_000}),
        ("plan", {**TASK, "format": "python_docx"}),
        ("list_templates", {}),
        ("register_template", CARD),
        ("render", {"template": "card", "data": {"name": "<b>"}, "name": "first"}),
        ("render", OUTSIDE),
        ("register_template", {**CARD, "source": "{{ ''.__class__ }}"}),
        limits=limits,
    )
    assert names == SEVEN
    assert estimate["tokens"] == plan["tokens"]["direct"] > 4_000
    assert (budget["capacity_tokens"], budget["safe_tokens"]) == (8_192, 5_488)
    assert plan["strategy"] == "chunked"
    assert max(plan["turns"]) <= budget["safe_tokens"]
    assert {each["name"] for each in listed} >= {"newspaper", "minutes"}
    assert card["variables"] == ["name"]
    assert "&lt;b&gt;" in (tmp_path / "documents" / "first.html").read_text()
    assert made["path"].endswith("first.html")
    assert "a document's name" in outside
    assert "__class__" in script
    assert [path.name for path in tmp_path.rglob("*") if path.is_file()] == ["first.html"]


def test_replanning_ends_and_a_new_plan_for_the_task_does_not_forget_it(tmp_path):
    tools = planning_toolbox(tmp_path)
    first = json.loads(tools.call("plan", TASK))
    for _ in range(MOST_REPLANS):
        told = json.loads(tools.call("replan", {"plan_id": first["plan_id"], "failure": "empty"}))
    assert told["replans_left"] == 0
    over = json.loads(tools.call("replan", {"plan_id": first["plan_id"], "failure": "empty"}))
    assert over["strategy"] == "none"
    with pytest.raises(Exception, match="replans failed"):
        tools.call("replan", {"plan_id": first["plan_id"], "failure": "empty"})
    anew = json.loads(tools.call("plan", TASK))
    assert anew["replans_left"] == 0
    assert max(anew["turns"]) <= anew["margin"] * 0.75 * max(first["turns"])  # nor what it taught
    with pytest.raises(Exception, match="there is no plan"):
        tools.call("replan", {"plan_id": "../x", "failure": "empty"})
    with pytest.raises(Exception, match="no such document"):
        tools.call("plan", {**TASK, "content_tokens": -5})


def test_a_margin_beyond_what_can_be_written_is_refused_by_every_tool(tmp_path):
    tools = planning_toolbox(tmp_path)
    with pytest.raises(WorldError, match="margin=5"):
        tools.call("budget", {"limit_tokens": 1_000, "used_tokens": 0, "margin": 5.0})
    with pytest.raises(WorldError, match="margin=5"):
        tools.call("plan", {**TASK, "margin": 5.0})


def test_a_client_over_http_has_the_same_tools_and_needs_the_token(tmp_path):
    app = app_of(planning_toolbox(tmp_path / "documents", OutputLimits(longest_tokens=5_000)), "secret")

    async def ask():
        there = httpx.AsyncClient(transport=httpx.ASGITransport(app), headers={"Authorization": "Bearer secret"})
        url = "http://127.0.0.1:8000/mcp"
        async with there, mcp.Client(streamable_http.streamable_http_client(url, http_client=there)) as client:
            names = {tool.name for tool in (await client.list_tools()).tools}
            return names, await answers(client, [("budget", {"limit_tokens": 100_000, "used_tokens": 0}), RENDERED])

    async def served():
        async with alive(app):
            return await ask()

    names, (budget, made) = asyncio.run(served())
    assert names == SEVEN
    assert (budget["capacity_tokens"], made["title"]) == (5_000, "x")
    assert (tmp_path / "documents" / "first.html").is_file()


DEEP = '{"a":' * 250 + "1" + "}" * 250


@pytest.mark.long
@pytest.mark.parametrize(
    ("line", "id_", "code"),
    [
        (f'{{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{{"arguments":{DEEP}}}}}', 7, -32700),
        (
            f'{{"method":"tools/call","params":{{"id":1,"arguments":{DEEP}}},"jsonrpc":"2.0","id":"seven"}}',
            "seven",
            -32700,
        ),
        ('{"jsonrpc":"2.0","id":7,"method":"x","params":{"text":"\\ud800"}}', 7, -32700),
        ('{"jsonrpc":"2.0","id":7,"method":"x","params":{"n":1' + "0" * 5_000 + "}}", 7, -32700),
        ('{"jsonrpc":"2.0","id":true}', None, -32600),
        ("no JSON", None, -32700),
        ("[]", None, -32600),
    ],
)
def test_a_message_that_cannot_be_read_is_answered_so_that_no_client_waits(line, id_, code):
    async def answer():
        client, received = anyio.create_memory_object_stream(9)
        sent, answers = anyio.create_memory_object_stream(9)
        async with client:
            for text in (line, "\n", '{"jsonrpc":"2.0","id":8,"method":"ping"}'):
                try:
                    await client.send(mcp_types.jsonrpc_message_adapter.validate_json(text, by_name=False))
                except ValueError as error:
                    await client.send(error)
        async with received, sent, answered(received, sent) as readable:
            passed = [message async for message in readable]
        async with answers:
            return [each.message async for each in answers], passed

    told, passed = asyncio.run(answer())
    assert [(each.id, each.error.code) for each in told] == [(id_, code)]
    assert "cannot be read" in told[0].error.message
    assert [each.method for each in passed] == ["ping"]


@pytest.mark.long
def test_a_client_over_stdio_is_served_by_the_command(tmp_path):
    command = ["-m", "cave_sim", "capacity", "serve", "--out", str(tmp_path / "documents"), "--longest", "5000"]

    async def ask():
        server = mcp.StdioServerParameters(command=sys.executable, args=command)
        async with mcp.Client(mcp.stdio_client(server, errlog=sys.__stderr__)) as client:
            with pytest.raises(mcp.MCPError, match="cannot be read"):
                await client.call_tool("render", json.loads(DEEP))
            return await answers(client, [("budget", {"limit_tokens": 100_000, "used_tokens": 0})])

    (budget,) = asyncio.run(ask())
    assert budget["capacity_tokens"] == 5_000
