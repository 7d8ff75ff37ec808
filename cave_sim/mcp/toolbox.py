"""Plain functions as a server of the Model Context Protocol: over stdio, or over HTTP on this machine with a token.

Their annotations are their schemas, and are checked before anything runs. What a function refuses is told to the client
as an error of the tool, in one line; the server goes on.
"""

from __future__ import annotations

import hmac
import os
import secrets
import socket
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cave_sim.determinism.canonical_json import to_json
from cave_sim.errors import CaveSimError, SchemaError, WorldError, reason
from cave_sim.loading.extras import extra
from cave_sim.mcp.unreadable import answered
from cave_sim.policy.text_cleaning import clean
from cave_sim.version import __version__
from cave_sim.world.tool_signature import signature_of

if TYPE_CHECKING:
    from mcp.server import Server
    from starlette.applications import Starlette
    from starlette.types import ASGIApp, Receive, Scope, Send

HOST = "127.0.0.1"
PURPOSE = "the Model Context Protocol"
ANSWER_CHARS = 100_000
"""How long an answer may be; the rest is cut, and the client told."""


@dataclass(frozen=True)
class Toolbox:
    """Functions that a server offers.

    Attributes:
        name: of the server.
        about: what a client is told of it as a whole.
        functions: each is a tool under its own name; its docstring says what it does. Returns a text or plain data.
    """

    name: str
    about: str
    functions: Sequence[Callable[..., Any]]

    def call(self, name: str, arguments: Mapping[str, Any]) -> str:
        """Return what a tool answers; raises CaveSimError for what it refuses, or what does not fit it."""
        tools = {each.__name__: each for each in self.functions}
        if name not in tools:
            raise SchemaError(f"there is no tool {name!r}; there are {', '.join(tools)}")
        signature = signature_of(tools[name])
        known, required = signature.schema["properties"], signature.schema["required"]
        for given in arguments:
            if given not in known:
                raise SchemaError(f"{name} takes no {given!r}; it takes {', '.join(known) or 'nothing'}")
        if missing := [each for each in required if each not in arguments]:
            raise SchemaError(f"{name} needs {', '.join(missing)}")
        fitted = signature.fitted_json(name, arguments, bytes_as="utf8")
        answer = tools[name](**fitted)
        text = answer if isinstance(answer, str) else to_json(answer).decode()
        return text if len(text) <= ANSWER_CHARS else f"{text[:ANSWER_CHARS]}… ({len(text):,} characters; ask for less)"


def server_of(toolbox: Toolbox) -> Server[Any]:
    """Return a server of the library that offers a toolbox; raises MissingExtra where the library is not installed."""
    with extra("mcp", PURPOSE):
        import mcp_types as types
        from mcp.server import Server

    async def list_tools(_context: Any, _parameters: Any) -> types.ListToolsResult:
        signatures = [(each.__name__, signature_of(each)) for each in toolbox.functions]
        return types.ListToolsResult(
            tools=[
                types.Tool(name=name, description=_document(each.function), input_schema=each.schema)
                for name, each in signatures
            ]
        )

    async def call_tool(_context: Any, parameters: types.CallToolRequestParams) -> types.CallToolResult:
        try:
            text, failed = toolbox.call(parameters.name, parameters.arguments or {}), False
        except CaveSimError as error:
            text, failed = clean(str(error)), True
        except Exception as error:  # one call that goes wrong ends no server
            text, failed = clean(f"{type(error).__name__}: {error}"), True
        return types.CallToolResult(content=[types.TextContent(text=text)], is_error=failed)

    return Server(
        toolbox.name,
        version=__version__,
        instructions=toolbox.about,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )


def serve_stdio(toolbox: Toolbox) -> None:
    """Serve one client over stdin and stdout, until it hangs up, be it in the middle of an answer."""
    server = server_of(toolbox)
    import anyio
    from mcp.server.stdio import stdio_server

    async def serve() -> None:
        async with stdio_server() as (received, sent), answered(received, sent) as readable:
            await server.run(readable, sent, server.create_initialization_options())

    try:
        anyio.run(serve)
    except* (BrokenPipeError, anyio.BrokenResourceError, anyio.ClosedResourceError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())  # or else Python complains at its end of what it could not write
        os.close(nowhere)


def serve_http(toolbox: Toolbox, port: int, token: str | None = None) -> None:
    """Serve clients of this machine that know a token, until Ctrl-C; the address and the token go to stderr."""
    app = app_of(toolbox, token := token or secrets.token_urlsafe(24))
    import uvicorn

    with socket.socket() as ear:
        ear.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            ear.bind((HOST, port))
        except OSError as error:
            raise WorldError(f"--http {port}: {reason(error)}; name another port, or 0 for any") from None
        ear.listen()  # whoever is told the address may call at once
        print(f"http://{HOST}:{ear.getsockname()[1]}/mcp\nAuthorization: Bearer {token}", file=sys.stderr, flush=True)
        uvicorn.Server(uvicorn.Config(app, log_level="warning")).run(sockets=[ear])


def app_of(toolbox: Toolbox, token: str) -> BearerGuard:
    """Return a toolbox as an ASGI app, for who knows the token; what asks under another host's name is refused."""
    inner: Starlette = server_of(toolbox).streamable_http_app(host=HOST)
    return BearerGuard(inner, token)


class BearerGuard:
    """Lets requests with a bearer token through to an app, and no others.

    Args:
        app: what is guarded.
        token: the token.
    """

    def __init__(self, app: ASGIApp, token: str) -> None:
        self._app, self._expected = app, f"Bearer {token}".encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        given = dict(scope.get("headers") or ()).get(b"authorization", b"")
        if scope["type"] == "lifespan" or hmac.compare_digest(given, self._expected):
            await self._app(scope, receive, send)
            return
        headers = [(b"content-type", b"text/plain"), (b"www-authenticate", b"Bearer")]
        await send({"type": "http.response.start", "status": 401, "headers": headers})
        await send(
            {"type": "http.response.body", "body": b"say Authorization: Bearer and the token that was printed\n"}
        )


def _document(function: Callable[..., Any]) -> str:
    return " ".join((function.__doc__ or "").split())
