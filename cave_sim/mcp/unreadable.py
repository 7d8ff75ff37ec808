"""Messages that a server cannot read: they are answered with an error, so that no client waits for ever.

The library reads a line of stdin as JSON with limits of its own (200 levels, no halves of surrogate pairs), and drops
what it cannot read. JSON-RPC 2.0 (§5) has an answer for that; over HTTP the library gives it itself.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from cave_sim.policy.text_cleaning import clean

if TYPE_CHECKING:
    from mcp_types import JSONRPCError

PARSE_ERROR, INVALID_REQUEST = -32700, -32600
REASON_CHARS = 200
_ID = r'"id"\s*:\s*(\d{1,15}|"[^"\\]{0,80}")\s*'
_ID_FIRST = re.compile(rf"\s*\{{[^{{\[]*?{_ID}[,}}]")
_ID_LAST = re.compile(rf'[,{{]\s*{_ID}(?:,\s*"(?:jsonrpc|method)"\s*:\s*"[^"\\]*"\s*)*\}}\s*\Z')


def answer_to(error: Exception) -> JSONRPCError:
    """Return the answer to a message that could not be read.

    Args:
        error: what the library says of it.
    """
    from mcp_types import ErrorData, JSONRPCError

    first: Any = error.errors(include_url=False)[0] if isinstance(error, ValidationError) else {}
    is_json = first.get("type") != "json_invalid"
    why = clean(str(first.get("msg") or error))[:REASON_CHARS]
    text = f"this message cannot be read: {why}; it takes one line of JSON-RPC 2.0, nested fewer than 200 deep"
    code = INVALID_REQUEST if is_json else PARSE_ERROR
    return JSONRPCError(jsonrpc="2.0", id=id_in(first.get("input")), error=ErrorData(code=code, message=text))


@asynccontextmanager
async def answered(received: Any, sent: Any) -> AsyncIterator[Any]:
    """Yield a stream of the messages that can be read; what cannot be is answered.

    Args:
        received: a stream of messages and of errors in their place.
        sent: where answers go.
    """
    import anyio
    from mcp.shared.message import SessionMessage

    readable, taken = anyio.create_memory_object_stream[Any](0)

    async def sort() -> None:
        async with readable:
            async for item in received:
                if _is_blank(item):
                    continue
                if isinstance(item, Exception):
                    await sent.send(SessionMessage(answer_to(item)))
                else:
                    await readable.send(item)

    async with taken, anyio.create_task_group() as tasks:
        tasks.start_soon(sort)
        yield taken


def _is_blank(item: Any) -> bool:
    line = item.errors(include_url=False)[0].get("input") if isinstance(item, ValidationError) else None
    return isinstance(line, str) and not line.strip()


def id_in(line: Any) -> int | str | None:
    """Return the id of a message as it stands first or last in a line or an object; None if it does not."""
    id_: Any = line.get("id") if isinstance(line, dict) else None
    if isinstance(line, str) and (match := _ID_FIRST.match(line) or _ID_LAST.search(line[-400:])):
        id_ = match[1].strip('"') if match[1].startswith('"') else int(match[1])
    return id_ if isinstance(id_, int | str) and not isinstance(id_, bool) else None
