"""What the library logs about a server: one line that names the server, in the place of a traceback without a name."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from pydantic import ValidationError

from cave_sim.llm_agent.feedback import quote

LOGGERS = ("cave_sim.mcp.stdio_transport", "mcp.client.streamable_http", "client", "mcp.shared.jsonrpc_dispatcher")
"""Those that speak while a session lasts; the third one is what its sessions are called."""
LINE_CHARS = 120


@contextmanager
def named_log(server: str, thread: int) -> Iterator[None]:
    """While it lasts, have what is logged in the thread of a server's session told by one line for each kind of it.

    Args:
        server: how it is called.
        thread: the identifier of the thread; what others log stays as it is.
    """
    log = _OneLine(server, thread)
    loggers = [logging.getLogger(name) for name in LOGGERS]
    for logger in loggers:
        logger.addFilter(log)
    try:
        yield
    finally:
        for logger in loggers:
            logger.removeFilter(log)


class _OneLine(logging.Filter):
    def __init__(self, server: str, thread: int) -> None:
        super().__init__()
        self._server, self._thread = server, thread
        self._messages: set[str] = set()

    def filter(self, record: logging.LogRecord) -> bool:
        """Say whether a record is told, and make it one line; the second one of its kind is not."""
        if record.thread != self._thread:
            return True
        if record.msg in self._messages:
            return False
        self._messages.add(record.msg)
        what = quote(record.getMessage(), limit_chars=LINE_CHARS)[1:-1]
        error = record.exc_info[1] if record.exc_info else None
        why = f": {_reason(error)}" if error is not None else ""
        record.msg = f"the server of tools {self._server}: {what}{why}; more of this is passed over in silence"
        record.args, record.exc_info, record.exc_text = (), None, None
        return True


def _reason(error: BaseException) -> str:
    if not isinstance(error, ValidationError):
        return quote(str(error) or type(error).__name__, limit_chars=LINE_CHARS)
    first = error.errors(include_url=False)[0]
    return f"{quote(str(first['input']), limit_chars=LINE_CHARS)} is no message"
