"""The dashboard's web application: every address, what answers it, and how errors are told."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import BaseRoute, Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp

from cave_sim import CaveSimError, JournalError
from cave_sim.dashboards.live.endpoints import Endpoints
from cave_sim.dashboards.live.guard import AccessGuard
from cave_sim.dashboards.live.wishes import hear_out
from cave_sim.dashboards.page_files import WEB, live_page
from cave_sim.journal.reader import UNREADABLE

PAGES = ("/", "/run/{run:path}", "/runs", "/study", "/compare", "/branches", "/start")
LOOKUPS = tuple(
    "frames timeline feed talk entity blame relations series spending highlights crowd expression".split()
    + "mind sessions life news".split()
)
RUN = "/api/run/{run:path}"
SMALLER = Middleware(GZipMiddleware, minimum_size=1_000, compresslevel=4)
"""What is asked for once a page, and large: on a slow line it comes in a third of the time."""


def build(endpoints: Endpoints, hosts: tuple[str, ...] = (), framed_by: tuple[str, ...] = ()) -> ASGIApp:
    """Return the guarded application.

    Args:
        endpoints: what pages ask for.
        hosts: names, besides this machine's own, under which it may be asked.
        framed_by: origins whose pages may show these in a frame.
    """

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        endpoints.sockets.begin()
        yield
        endpoints.processes.close()
        endpoints.interviews.close()
        endpoints.causes.close()
        endpoints.index.close()

    async def refused(request: Request, error: Exception) -> Response:
        await hear_out(request)
        return JSONResponse({"error": endpoints.index.wording(error)}, 404 if isinstance(error, JournalError) else 400)

    async def not_found(request: Request, _: Exception) -> Response:
        if request.url.path.startswith(("/api/", "/web/")):
            return JSONResponse({"error": "there is nothing at this address"}, 404)
        return HTMLResponse(live_page(), 404)  # which says what to do

    async def not_understood(request: Request, error: Exception) -> Response:
        await hear_out(request)
        text = endpoints.index.wording(JournalError(f"a run here was not understood: {type(error).__name__}: {error}"))
        return JSONResponse({"error": text}, 404)

    handlers: dict[Any, Any] = dict.fromkeys(UNREADABLE, not_understood)
    handlers |= {404: not_found, CaveSimError: refused, PermissionError: _forbidden, ValueError: refused}
    app = Starlette(routes=routes(endpoints), lifespan=lifespan, exception_handlers=handlers)
    return AccessGuard(app, hosts, token=endpoints.token, framed_by=framed_by)


def routes(endpoints: Endpoints) -> list[BaseRoute]:
    """Return every address."""
    return [
        *(Route(page, endpoints.page) for page in PAGES),
        Route("/favicon.ico", _nothing),
        Route("/api/runs", endpoints.runs),
        Route("/api/study", endpoints.study),
        Route("/api/study/{study}/report.html", endpoints.study_report),
        Route("/api/tree", endpoints.tree),
        Route("/api/compare", endpoints.compare),
        Route("/api/simulations", endpoints.simulations),
        Route("/api/start", endpoints.start, methods=["POST"]),
        Route("/api/end", endpoints.end, methods=["POST"]),
        *(Route(f"{RUN}/{name}", getattr(endpoints, name)) for name in LOOKUPS),
        Route(f"{RUN}/overview", endpoints.overview, middleware=[SMALLER]),
        Route(f"{RUN}/turn/{{turn:int}}", endpoints.turn),
        Route(f"{RUN}/download/{{what}}", endpoints.download),
        Route(f"{RUN}/control", endpoints.steer, methods=["POST"]),
        Route(f"{RUN}/note", endpoints.note, methods=["POST"]),
        Route(f"{RUN}/fork", endpoints.fork, methods=["POST"]),
        Route(f"{RUN}/why", endpoints.causes_of),
        Route(f"{RUN}/why", endpoints.why, methods=["POST"]),
        Route(f"{RUN}/interview", endpoints.interview, methods=["POST"]),
        Route(f"{RUN}/answer", endpoints.answer, methods=["POST"]),
        WebSocketRoute("/ws", endpoints.sockets.page),
        Route("/web/page.js", endpoints.script, middleware=[SMALLER]),
        Mount("/web", StaticFiles(directory=str(WEB)), name="web", middleware=[SMALLER]),
    ]


async def _forbidden(request: Request, error: Exception) -> Response:
    await hear_out(request)
    return JSONResponse({"error": str(error)}, 403)


async def _nothing(_: Request) -> Response:
    return Response(status_code=204)
