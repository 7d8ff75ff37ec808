"""The dashboard's web application: look-ups over journals, one WebSocket a page for the live edge, and the helm."""

from __future__ import annotations

import json
import secrets
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from importlib.resources import files
from typing import Any

from plotly.offline import get_plotlyjs
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import BaseRoute, Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp

from cave_sim import CaveSimError, JournalError
from cave_sim.dashboards.live import comparing, entities, overview, series, spending, turns, wire
from cave_sim.dashboards.live.branches import Forks, branches
from cave_sim.dashboards.live.edge import Wire
from cave_sim.dashboards.live.guard import TOKEN, Guard, same
from cave_sim.dashboards.live.helm import Helm
from cave_sim.dashboards.live.library import Library
from cave_sim.dashboards.live.source import Source
from cave_sim.dashboards.record import Record
from cave_sim.dashboards.report import report_html
from cave_sim.experiment.study import ABOUT

WEB = files("cave_sim.dashboards") / "web"
SHORTEST_CACHE = {"cache-control": "no-cache"}
A_DAY = {"cache-control": "max-age=86400"}


class Site:
    """Everything that the pages ask for.

    Args:
        library: the runs.
        token: what a page must know to steer, or to fork.
    """

    def __init__(self, library: Library, token: str) -> None:
        self.library, self.token = library, token
        self.boot = secrets.token_hex(4)
        self.wire = Wire(library, self.boot)
        self.forks = Forks(library)

    @property
    def helms(self) -> dict[str, Helm]:
        """Name -> helm of the runs that this process plays."""
        return self.wire.helms

    def source(self, request: Request) -> Source:
        """Return the run that a request is about."""
        return self.library.source(request.path_params["run"])

    # pages

    async def page(self, request: Request) -> Response:
        """Return the one page; its address says what it shows."""
        return HTMLResponse(_index(), headers=SHORTEST_CACHE)

    async def plotly(self, request: Request) -> Response:
        """Return plotly.js as the installed package brings it."""
        return Response(_plotly(), media_type="text/javascript", headers=A_DAY)

    # look-ups

    async def runs(self, request: Request) -> Response:
        """Return every run in a few facts."""
        listed = self.library.listed()
        for each in listed:
            if each["run"] in self.helms and not self.helms[each["run"]].over:
                each["live"] = True
        return JSONResponse({"runs": listed, "boot": self.boot, "token_fits": self._may(request),
                             "study": any((place / ABOUT).is_file() for place in self.library.places)})  # fmt: skip

    async def tree(self, request: Request) -> Response:
        """Return which runs were forked from which."""
        return JSONResponse({"branches": branches(self.library.listed()), "forks": self.forks.told()})

    async def overview(self, request: Request) -> Response:
        """Return what a run is and who is in it."""
        source = self.source(request)
        told = await source.read(overview.overview)
        helm = self.helms.get(source.name)
        steered = {"live": helm.told() if helm else None, "may_steer": self._may(request)}
        return _plain(told | steered | {"boot": self.boot})

    async def frames(self, request: Request) -> Response:
        """Return packed frames of some steps."""
        first, count = _integer(request, "from", 0), _integer(request, "count", 1)
        found = await self.source(request).read(lambda source: wire.chunk(source.track, first, count))
        return Response(found, media_type="application/octet-stream", headers=SHORTEST_CACHE)

    async def timeline(self, request: Request) -> Response:
        """Return the strip of time."""
        return _plain(await self.source(request).read(overview.timeline))

    async def feed(self, request: Request) -> Response:
        """Return turns that fit."""
        wanted = {key: request.query_params.get(key, "") for key in (*turns.FILTERS, "search")}
        step = _integer(request, "step", -1)
        most = min(500, _integer(request, "most", turns.PAGE))
        return _plain(await self.source(request).read(turns.feed, wanted, None if step < 0 else step, most))

    async def turn(self, request: Request) -> Response:
        """Return one turn in full."""
        return _plain(await self.source(request).read(turns.turn, request.path_params["turn"]))

    async def entity(self, request: Request) -> Response:
        """Return an entity at a step."""
        name, step = request.query_params.get("name", ""), _integer(request, "step", 0)
        return _plain(await self.source(request).read(entities.entity, name, step))

    async def blame(self, request: Request) -> Response:
        """Return who wrote a value."""
        target, step = request.query_params.get("target", ""), _integer(request, "step", 0)
        return _plain(await self.source(request).read(entities.writers, target, step))

    async def relations(self, request: Request) -> Response:
        """Return the graphs at a step."""
        return _plain(await self.source(request).read(entities.relations, _integer(request, "step", 0)))

    async def series(self, request: Request) -> Response:
        """Return measures over time."""
        names, after = request.query_params.getlist("name"), _integer(request, "after", -1)
        return _plain(await self.source(request).read(series.series, names, after))

    async def spending(self, request: Request) -> Response:
        """Return what models cost and how they fare."""
        source = self.source(request)
        helm = self.helms.get(source.name)
        flying = {"in_flight": helm.in_flight if helm and not helm.over else None}
        return _plain(await source.read(spending.spending) | flying)

    async def compare(self, request: Request) -> Response:
        """Return where runs part, what differs at a step, and by how much their measures do."""
        sources = [self.library.source(name) for name in request.query_params.getlist("run")]
        if len(sources) < 2:
            raise JournalError("compare takes two runs or more")
        step = _integer(request, "step", 0)
        chains = [await source.read(comparing.hashes) for source in sources]
        states = [await source.read(comparing.snapshot, step) for source in sources]
        measured = [await source.read(comparing.measured) for source in sources]
        told = {"runs": [source.name for source in sources], "step": step}
        told |= {"divergence": comparing.first_divergence(chains), "differences": comparing.differences(states)}
        return _plain(told | {"deltas": comparing.deltas(measured), "measures": measured})

    async def download(self, request: Request) -> Response:
        """Return a run's report, turns or measures as a file."""
        source, what = self.source(request), request.path_params["what"]
        make = DOWNLOADS.get(what)
        if make is None:
            raise JournalError(f"there is no {what!r} to download; there are {', '.join(DOWNLOADS)}")
        text = await source.read(make)
        kind = "text/html" if what.endswith(".html") else "text/csv"
        name = f"{source.name.replace('/', '-')}-{what}".encode("ascii", "replace").decode().replace('"', "")
        return Response(text, media_type=kind, headers={"content-disposition": f'attachment; filename="{name}"'})

    # what changes something

    async def steer(self, request: Request) -> Response:
        """Do what a page asks of a live run."""
        self._must(request)
        helm = self.helms.get(request.path_params["run"])
        if helm is None:
            raise JournalError("this run is not played by this dashboard; fork it to go on from any step")
        helm.obey(await _body(request))
        self.wire.ring(request.path_params["run"])
        return JSONResponse(helm.told())

    async def fork(self, request: Request) -> Response:
        """Fork a run at a step, with a cell, and let it go on."""
        self._must(request)
        source = self.source(request)
        return JSONResponse(self.forks.start(source, await _body(request)))

    async def unfork(self, request: Request) -> Response:
        """Stop a fork that this dashboard started."""
        self._must(request)
        self.forks.stop(str((await _body(request)).get("run")))
        return JSONResponse(self.forks.told())

    def _may(self, request: Request) -> bool:
        return same(request.headers.get(TOKEN), self.token)

    def _must(self, request: Request) -> None:
        if not self._may(request):
            raise PermissionError("this page may look and not steer: open the address with ?token= that was printed")

    def routes(self) -> list[BaseRoute]:
        """Return every address."""
        run = "/api/run/{run:path}"
        looks = {name: getattr(self, name) for name in
                 ("frames", "timeline", "feed", "entity", "blame", "relations", "series", "spending")}  # fmt: skip
        return [
            Route("/", self.page),
            Route("/run/{run:path}", self.page),
            Route("/compare", self.page),
            Route("/branches", self.page),
            Route("/favicon.ico", _nothing),
            Route("/plotly.js", self.plotly),
            Route("/api/runs", self.runs),
            Route("/api/tree", self.tree),
            Route("/api/compare", self.compare),
            *(Route(f"{run}/{name}", look) for name, look in looks.items()),
            Route(f"{run}/turn/{{turn:int}}", self.turn),
            Route(f"{run}/download/{{what}}", self.download),
            Route(f"{run}/control", self.steer, methods=["POST"]),
            Route(f"{run}/fork", self.fork, methods=["POST"]),
            Route("/api/unfork", self.unfork, methods=["POST"]),
            Route(f"{run}/overview", self.overview),
            WebSocketRoute("/ws", self.wire.page),
            Mount("/web", StaticFiles(directory=str(WEB)), name="web"),
        ]


def _report(source: Source) -> str:
    return report_html(Record(source.run))


DOWNLOADS: dict[str, Callable[[Source], str]] = {
    "report.html": _report,
    "turns.csv": series.turns_csv,
    "measures.csv": series.measures_csv,
}


def build(site: Site, hosts: tuple[str, ...] = (), pages: tuple[str, ASGIApp] | None = None) -> ASGIApp:
    """Return the guarded application.

    Args:
        site: what pages ask for.
        hosts: names, besides this machine's own, under which it may be asked.
        pages: where another application with pages of its own is mounted, and that application.
    """

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        site.wire.begin()
        yield
        site.forks.close()
        site.library.close()

    mounted = [Mount(pages[0], app=pages[1])] if pages else []
    handlers: dict[Any, Any] = {CaveSimError: _refused, PermissionError: _forbidden, ValueError: _refused}
    app = Starlette(routes=[*site.routes(), *mounted], lifespan=lifespan, exception_handlers=handlers)
    return Guard(app, hosts, getattr(pages[1], "script_hashes", ()) if pages else ())


async def _refused(_: Request, error: Exception) -> Response:
    return JSONResponse({"error": str(error)}, 404 if isinstance(error, JournalError) else 400)


async def _forbidden(_: Request, error: Exception) -> Response:
    return JSONResponse({"error": str(error)}, 403)


async def _nothing(_: Request) -> Response:
    return Response(status_code=204)


def _plain(told: Any) -> Response:
    text = json.dumps(told, ensure_ascii=False, separators=(",", ":"), allow_nan=False, default=str)
    return Response(text, media_type="application/json", headers=SHORTEST_CACHE)


def _integer(request: Request, name: str, default: int) -> int:
    text = request.query_params.get(name)
    return default if text in (None, "") else int(str(text))


async def _body(request: Request) -> dict[str, Any]:
    found = json.loads(await request.body() or b"{}")
    if not isinstance(found, dict):
        raise ValueError("a wish is a JSON object")
    return found


def _index() -> str:
    """Return the page with its symbols in it and its modules named ahead, which a browser would find one by one."""
    text, symbols = ((WEB / name).read_text(encoding="utf-8") for name in ("index.html", "symbols.svg"))
    text = text.replace("<!-- symbols.svg -->\n", symbols)
    modules = [f"/web/{path.name}" for path in WEB.iterdir() if path.name.endswith(".js") and path.name != "theme.js"]
    modules += [f"/web/panels/{path.name}" for path in (WEB / "panels").iterdir() if path.name.endswith(".js")]
    links = "".join(f'<link rel="modulepreload" href="{module}">\n' for module in sorted(modules))
    return text.replace("</head>", f"{links}</head>")


_kept: list[str] = []


def _plotly() -> str:
    if not _kept:
        _kept.append(get_plotlyjs())
    return _kept[0]
