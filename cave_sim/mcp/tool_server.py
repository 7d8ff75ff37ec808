"""Tools of anybody's server of the Model Context Protocol for our agents, as tools with effects, by one session.

A server's words are a stranger's. Names are made Python's, and none that cells have already, descriptions are one
quoted line, and results reach a mind as quoted data, as those of any tool with effects do.
"""

from __future__ import annotations

import builtins
import inspect
import keyword
import re
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from typing import Any, Self

import msgspec

from cave_sim.errors import CaveSimError, WorldError
from cave_sim.llm_agent.feedback import quote
from cave_sim.loading.extras import extra
from cave_sim.mcp.library_log import named_log
from cave_sim.mcp.stdio_transport import stdio_transport
from cave_sim.mcp.toolbox import PURPOSE
from cave_sim.policy.scope import BOUND_MODULES
from cave_sim.policy.text_cleaning import clean
from cave_sim.world.effects import EffectTool

ABOUT_CHARS = 90
ERROR_CHARS = 300
NAME_CHARS = 60
MOST_TOOLS = 200
MOST_PARAMETERS = 32
"""Of a tool, those that it needs first: a stranger's schema must not fill the prompts."""
PATIENCE_S = 60.0
TYPES: dict[str, Any] = {"string": str, "integer": int, "number": float, "boolean": bool, "array": list, "object": dict}
"""What a parameter takes, by the type in its JSON schema; anything where it says nothing simple."""

_TAKEN = frozenset([*dir(builtins), *BOUND_MODULES, "me", "world", "clock", "rng", "help"])
"""What cells have by themselves, and no stranger's tool takes the name of."""

Listing = Sequence[Mapping[str, Any]]
"""What a server offers, as plain data: ``name``, ``description``, ``input_schema``."""


class ToolServer:
    """One server, started and asked when it is first needed, and ended by :meth:`close`; a context manager.

    Args:
        command: that starts it, to be spoken to over stdio; or else
        url: of one that runs.
        listing: what it offers, as :attr:`listing` was before. With it, a world can be made where no server is, as the
            processes that run cells make it.

    Raises:
        WorldError: neither or both of command and URL are given.
    """

    def __init__(self, command: Sequence[str] = (), url: str = "", *, listing: Listing | None = None) -> None:
        if bool(command) == bool(url):
            raise WorldError("a server of tools has either a command that starts it or a URL")
        self._command, self._url, self._listing = list(command), url, listing
        self._stack = ExitStack()
        self._session: tuple[Any, Any] | None = None
        self._lock = threading.Lock()

    @property
    def listing(self) -> Listing:
        """What it offers, as plain data; raises WorldError if it cannot be started, or does not answer as a server."""
        if self._listing is None:
            with self._told():
                portal, client = self._connected()
                tools = portal.call(_all_tools, client)[:MOST_TOOLS]
            self._listing = [
                {"name": each.name, "description": each.description or "", "input_schema": each.input_schema}
                for each in tools
            ]
        return self._listing

    def tools(self) -> dict[str, EffectTool]:
        """Return its tools by names that cells can say, ready for ``World.inject``."""
        by_name: dict[str, EffectTool] = {}
        for offered in self.listing:
            name = _identifier(str(offered["name"]))
            while name in by_name:
                name += "_"
            by_name[name] = EffectTool(_function(name, offered, self.call))
        return by_name

    def call(self, name: str, arguments: Mapping[str, Any]) -> Any:
        """Have it do something now; returns plain data, or a text.

        Raises:
            WorldError: it says that it failed, or does not answer.
        """
        with self._told():
            portal, client = self._connected()
            answer = portal.call(client.call_tool, name, dict(arguments), PATIENCE_S)
        texts = [each.text if each.type == "text" else f"({each.type})" for each in answer.content]
        if answer.is_error:
            raise WorldError(clean("\n".join(texts)) or f"{name} failed and does not say why")
        if answer.structured_content is not None:
            return msgspec.json.decode(msgspec.json.encode(answer.structured_content))
        return clean("\n".join(texts))

    def close(self) -> None:
        """End the session, and the server if it was started here."""
        with self._lock:
            self._session = None
            with suppress(Exception):  # of one that ended already, there is nothing left to end
                self._stack.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    @contextmanager
    def _told(self) -> Iterator[None]:
        """Tell in one line whatever goes wrong with a stranger's server, and in the libraries between."""
        try:
            yield
        except CaveSimError:
            raise
        except Exception as error:
            first: BaseException = error
            while isinstance(first, BaseExceptionGroup):
                first = first.exceptions[0]
            what = quote(str(first) or type(first).__name__, limit_chars=ERROR_CHARS)
            if self._session is not None and _is_end(first):
                self.close()
                what += " (it ended; what it was doing is not known, and the next request begins a new session)"
            raise WorldError(f"the server of tools {self._name}: {what}") from None

    @property
    def _name(self) -> str:
        return self._url or self._command[0]

    def _connected(self) -> tuple[Any, Any]:
        with extra("mcp", PURPOSE):
            from anyio.from_thread import start_blocking_portal
            from mcp import Client
        with self._lock:
            if self._session is None:
                target: Any = stdio_transport(self._command) if self._command else self._url
                portal = self._stack.enter_context(start_blocking_portal())
                self._stack.enter_context(named_log(self._name, portal.call(threading.get_ident)))
                client = Client(target, read_timeout_seconds=PATIENCE_S)
                self._session = portal, self._stack.enter_context(portal.wrap_async_context_manager(client))
            return self._session


async def _all_tools(client: Any) -> list[Any]:
    """Return the tools of a server, page by page, as far as they are wanted."""
    page = await client.list_tools()
    tools = list(page.tools)
    while page.next_cursor is not None and page.tools and len(tools) < MOST_TOOLS:
        page = await client.list_tools(cursor=page.next_cursor)
        tools += page.tools
    return tools


def _is_end(error: BaseException) -> bool:
    """Say whether it was the session that ended, and no request that was refused within it."""
    with extra("mcp", PURPOSE):
        from anyio import BrokenResourceError, ClosedResourceError
        from mcp_types import CONNECTION_CLOSED
    is_closed = isinstance(error, OSError | EOFError | BrokenResourceError | ClosedResourceError)
    return is_closed or getattr(error, "code", None) == CONNECTION_CLOSED or "Session terminated" in str(error)


def _function(
    name: str, offered: Mapping[str, Any], call: Callable[[str, Mapping[str, Any]], Any]
) -> Callable[..., Any]:
    """Return a function with the parameters of a tool, which has it called."""
    schema = offered["input_schema"] if isinstance(offered["input_schema"], Mapping) else {}
    required, properties = schema.get("required"), schema.get("properties")
    required = {str(key) for key in required} if isinstance(required, list) else set()
    properties = properties if isinstance(properties, Mapping) else {}
    first = sorted(properties.items(), key=lambda each: str(each[0]) not in required)[:MOST_PARAMETERS]
    theirs = {_identifier(str(key)): (str(key), of) for key, of in first}

    def function(**arguments: Any) -> Any:
        given = {theirs[key][0]: value for key, value in arguments.items() if value is not None}
        return call(str(offered["name"]), given)

    parameters, hints = [], dict[str, Any]()
    for key, (their_name, of) in theirs.items():
        kind = TYPES.get(str(of.get("type")) if isinstance(of, Mapping) else "", Any)
        optional = their_name not in required
        hints[key] = kind | None if optional and kind is not Any else kind
        default = None if optional else inspect.Parameter.empty
        parameters.append(
            inspect.Parameter(key, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=hints[key])
        )
    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"Of itself it says: {quote(str(offered['description']), limit_chars=ABOUT_CHARS)}"
    function.__annotations__ = hints
    function.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    return function


def _identifier(text: str) -> str:
    """Return a name that cells can say for one that they may not."""
    name = re.sub(r"[^0-9A-Za-z_]", "_", text)[:NAME_CHARS].lstrip("_") or "tool"
    return f"tool_{name}" if name[0].isdecimal() or keyword.iskeyword(name) or name in _TAKEN else name
