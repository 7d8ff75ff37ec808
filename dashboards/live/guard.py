"""What the server lets in: pages of its own, asked for under its own name, by who knows its token.

A page of another site can send a browser here (a rebound name, a WebSocket, a form); Host and Origin give it away.
Another account of this machine can ask, too; it does not know the token, which the printed address holds. A browser
that opened that address keeps it as a cookie, so that links and new tabs go on working.
"""

from __future__ import annotations

import hmac
import re
from collections.abc import Iterable

from starlette.datastructures import Headers, MutableHeaders, QueryParams
from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocketClose

TOKEN = "x-cave-token"
TOLD_WITH_TOKEN = ("/api/", "/ws")
"""Where addresses begin that tell something of a run; pages and their scripts are the same for everybody."""
SAME_HOST = ("127.0.0.1", "localhost", "[::1]")
HOST = re.compile(r"([\w.-]+|\[[\da-f:.]+\])(:\d{1,5})?", re.ASCII | re.IGNORECASE)
"""What Host may say, and nothing around it: a name or an address, and a port."""
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; "
    "font-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors "
)
HEADERS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}


class AccessGuard:
    """Refuses foreign hosts and origins, and who lacks the token; tells browsers to load nothing from elsewhere.

    Args:
        app: what is guarded.
        hosts: names under which the server may be asked, besides those of this machine.
        token: what one must know to read anything of a run.
        framed_by: origins whose pages may show these in a frame; none unless given.
    """

    def __init__(self, app: ASGIApp, hosts: Iterable[str] = (), *, token: str, framed_by: Iterable[str] = ()) -> None:
        self.app = app
        self.hosts: set[str] = {*SAME_HOST, *hosts}
        self.token = token
        self.policy: str = POLICY + (" ".join(framed_by) or "'none'")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on what may come in."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        trouble = self.trouble(scope)
        if trouble and scope["type"] == "websocket":
            await WebSocketClose(1008, trouble)(scope, receive, send)
        elif trouble:
            await PlainTextResponse(trouble, 403)(scope, receive, send)
        else:
            await self.app(scope, receive, self._sealed(send, self._cookie(scope)))

    def trouble(self, scope: Scope) -> str:
        """Return why a request may not come in; "" if it may."""
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        match = HOST.fullmatch(host)
        if match is None or match[1].lower() not in self.hosts:
            return f"this dashboard is not called {host!r}; open it under the address that it printed"
        origin = headers.get("origin")
        changes = scope["type"] == "websocket" or scope.get("method") not in ("GET", "HEAD")
        if changes and origin is not None and origin not in (f"http://{host}", f"https://{host}"):
            return f"requests from pages of {origin} are refused"
        if scope["path"].startswith(TOLD_WITH_TOKEN) and not self._knows_token(scope):
            return "open the address with ?token= that cave-sim printed: without it nothing is shown"
        return ""

    def _knows_token(self, scope: Scope) -> bool:
        connection = HTTPConnection(scope)
        tokens = (connection.headers.get(TOKEN), connection.cookies.get(_cookie_name(scope)), _token_asked_with(scope))
        return any(same(token, self.token) for token in tokens)

    def _cookie(self, scope: Scope) -> str | None:
        """Return the cookie that a browser is to keep: one that asked with the token in the address."""
        if scope["type"] != "http" or not same(_token_asked_with(scope), self.token):
            return None
        return f"{_cookie_name(scope)}={self.token}; Path=/; HttpOnly; SameSite=Strict"

    def _sealed(self, send: Send, cookie: str | None) -> Send:
        async def sealed(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.setdefault("content-security-policy", self.policy)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
                if cookie is not None:
                    headers.append("set-cookie", cookie)
            await send(message)

        return sealed


def _token_asked_with(scope: Scope) -> str | None:
    return QueryParams(scope.get("query_string", b"")).get("token")


def _cookie_name(scope: Scope) -> str:
    """Return a name for each port: browsers keep one jar of cookies for all servers of a machine."""
    server = scope.get("server") or ("", 0)
    return f"cave-token-{server[1]}"


def same(sent: str | None, token: str) -> bool:
    """Say whether somebody knows the token, in the same time whether or not."""
    return hmac.compare_digest((sent or "").encode(), token.encode())
