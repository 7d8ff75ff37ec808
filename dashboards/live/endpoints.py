"""What the dashboard's addresses answer: look-ups over journals, downloads, and what changes something."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from cave_sim import JournalError
from cave_sim.causes.candidate import KINDS
from cave_sim.dashboards.live import new_runs
from cave_sim.dashboards.live.causes import CauseSearches, question_of, wish_of
from cave_sim.dashboards.live.control_lines import RemoteControls
from cave_sim.dashboards.live.forks import branches, start_fork
from cave_sim.dashboards.live.guard import TOKEN, same
from cave_sim.dashboards.live.interviews import Interviews
from cave_sim.dashboards.live.processes import Processes
from cave_sim.dashboards.live.run_controls import RunControls, decided
from cave_sim.dashboards.live.run_index import RunIndex, run_row
from cave_sim.dashboards.live.study_answers import studies
from cave_sim.dashboards.live.study_progress import named
from cave_sim.dashboards.live.websocket import LiveSockets
from cave_sim.dashboards.live.wishes import body, integer
from cave_sim.dashboards.lookups import (
    comparing,
    crowd,
    differing,
    entities,
    expressions,
    frames,
    life,
    minds,
    news,
    overview,
    relations,
    series,
    sessions,
    spending,
    time_strip,
    turns,
)
from cave_sim.dashboards.lookups.journal_reader import JournalReader
from cave_sim.dashboards.lookups.page_json import page_json
from cave_sim.dashboards.page_files import LIVE, live_page, page_script
from cave_sim.dashboards.report import report_html
from cave_sim.experiment.runner import ABOUT
from cave_sim.journal import effect_answers
from cave_sim.journal.annotations import annotate

SHORTEST_CACHE = {"cache-control": "no-cache"}
KEPT_FOR_GOOD = {"cache-control": "max-age=31536000, immutable"}


class Endpoints:
    """Everything that the pages ask for.

    Args:
        index: the runs.
        token: what a page must know to steer, or to fork.
    """

    def __init__(self, index: RunIndex, token: str) -> None:
        self.index = index
        self.token = token
        self.boot: str = secrets.token_hex(4)
        self.sockets: LiveSockets = LiveSockets(index, self.boot, lambda run: self.processes.trouble(run))
        self.processes: Processes = Processes(index, self.controls.__setitem__, self.sockets.ring)
        self.interviews: Interviews = Interviews()
        self.causes: CauseSearches = CauseSearches()

    @property
    def controls(self) -> dict[str, RunControls | RemoteControls]:
        """Name -> controls of the runs that this process plays, or has started."""
        return self.sockets.controls

    def reader(self, request: Request) -> JournalReader:
        """Return the run that a request is about."""
        return self.index.reader(request.path_params["run"])

    # pages

    async def page(self, request: Request) -> Response:
        """Return the one page; its address says what it shows."""
        return HTMLResponse(live_page(), headers=SHORTEST_CACHE)

    async def script(self, request: Request) -> Response:
        """Return the page's script; the page names it by what is in it, so a browser need not ask a second time."""
        return Response(page_script(LIVE), media_type="text/javascript", headers=KEPT_FOR_GOOD)

    # look-ups

    async def runs(self, request: Request) -> Response:
        """Return every run in a few facts."""
        playing = {name for name, controls in self.controls.items() if not controls.over}
        rows = [run_row(run) | {"live": run["run"] in playing} for run in await asyncio.to_thread(self.index.listed)]
        study = any((place / ABOUT).is_file() for place in self.index.places)
        return as_json({"runs": rows, "boot": self.boot, "token_fits": self._may(request), "study": study})

    async def study(self, request: Request) -> Response:
        """Return how far studies have come."""
        return as_json(await asyncio.to_thread(studies, self.index))

    async def study_report(self, request: Request) -> Response:
        """Return the report of a study with what is done of it so far, as a file."""
        name, there = request.path_params["study"], named(self.index.places)
        if name not in there:
            raise JournalError(f"there is no study {name!r} here; there are {', '.join(there) or 'none yet'}")
        text = await asyncio.to_thread(_paper_of, there[name])
        return _file(text, "text/html", f"{name}-report.html")

    async def tree(self, request: Request) -> Response:
        """Return which runs were forked from which."""
        listed = await asyncio.to_thread(self.index.listed)
        return as_json({"branches": branches(listed), "forks": self.processes.states()})

    async def overview(self, request: Request) -> Response:
        """Return what a run is and who is in it."""
        reader = self.reader(request)
        answer = await reader.read(overview.overview)
        controls = self.controls.get(reader.name)
        steering = {"live": controls.state() if controls else None, "may_steer": self._may(request)}
        return as_json(answer | steering | {"boot": self.boot})

    async def frames(self, request: Request) -> Response:
        """Return packed frames of some steps."""
        first, count = integer(request, "from", 0), integer(request, "count", 1)
        packed = await self.reader(request).read(lambda reader: frames.chunk(reader.timeline, first, count))
        return Response(packed, media_type="application/octet-stream", headers=SHORTEST_CACHE)

    async def timeline(self, request: Request) -> Response:
        """Return the strip of time."""
        return as_json(await self.reader(request).read(time_strip.timeline))

    async def feed(self, request: Request) -> Response:
        """Return turns that fit."""
        wanted = {key: request.query_params.get(key, "") for key in (*turns.FILTERS, "search")}
        step = integer(request, "step", -1)
        most = min(500, integer(request, "most", turns.PAGE))
        return as_json(await self.reader(request).read(turns.feed, wanted, None if step < 0 else step, most))

    async def talk(self, request: Request) -> Response:
        """Return what is said at a step."""
        return as_json(await self.reader(request).read(turns.talk, integer(request, "step", 0)))

    async def turn(self, request: Request) -> Response:
        """Return one turn in full."""
        return as_json(await self.reader(request).read(turns.turn, integer(request, "turn", 0)))

    async def entity(self, request: Request) -> Response:
        """Return an entity at a step."""
        name, step = request.query_params.get("name", ""), integer(request, "step", 0)
        return as_json(await self.reader(request).aside.read(entities.entity, name, step))

    async def blame(self, request: Request) -> Response:
        """Return who wrote a value."""
        target, step = request.query_params.get("target", ""), integer(request, "step", 0)
        return as_json(await self.reader(request).aside.read(entities.writers, target, step))

    async def highlights(self, request: Request) -> Response:
        """Return the run in ten lines."""
        return as_json(await self.reader(request).aside.read(turns.outstanding))

    async def relations(self, request: Request) -> Response:
        """Return the graphs at a step."""
        return as_json(await self.reader(request).aside.read(relations.relations, integer(request, "step", 0)))

    async def crowd(self, request: Request) -> Response:
        """Return where the crowd of a city is at a step."""
        return as_json(await self.reader(request).read(crowd.crowd, integer(request, "step", 0)))

    async def series(self, request: Request) -> Response:
        """Return measures over time."""
        names, after = request.query_params.getlist("name"), integer(request, "after", -1)
        return as_json(await self.reader(request).read(series.series, names, after))

    async def expression(self, request: Request) -> Response:
        """Return what any expression comes to over a run."""
        folder, text = self.reader(request).folder, request.query_params.get("text", "")
        return as_json(await asyncio.to_thread(expressions.worked_out, folder, text))

    async def spending(self, request: Request) -> Response:
        """Return what models cost and how they fare."""
        reader = self.reader(request)
        controls = self.controls.get(reader.name)
        in_flight = controls.in_flight if controls and not controls.over else None
        return as_json(await reader.read(spending.spending) | {"in_flight": in_flight})

    async def mind(self, request: Request) -> Response:
        """Return what a mind was asked and answered."""
        agent, step, number = request.query_params.get("agent", ""), integer(request, "step", 0), None
        if request.query_params.get("call"):
            number = integer(request, "call", 0)
        return as_json(await self.reader(request).aside.read(minds.mind, agent, step, number))

    async def sessions(self, request: Request) -> Response:
        """Return the sessions of minds, and which came of which."""
        return as_json(await self.reader(request).aside.read(sessions.sessions, integer(request, "step", 0)))

    async def life(self, request: Request) -> Response:
        """Return the course of somebody's life."""
        name, step = request.query_params.get("name", ""), integer(request, "step", 0)
        return as_json(await self.reader(request).aside.read(life.life, name, step))

    async def news(self, request: Request) -> Response:
        """Return who knows of a piece of news, and from whom."""
        text, source = (request.query_params.get(name, "")[:200] for name in ("text", "source"))
        return as_json(await self.reader(request).aside.read(news.news, text, source, integer(request, "step", 0)))

    async def compare(self, request: Request) -> Response:
        """Return where runs part, what differs at a step, and by how much their measures do."""
        readers = [self.index.reader(name) for name in request.query_params.getlist("run")]
        if len(readers) < 2:
            raise JournalError("compare takes two runs or more")
        step = integer(request, "step", 0)
        chains = [await reader.read(comparing.hashes) for reader in readers]
        states = [await reader.aside.read(comparing.snapshot, step) for reader in readers]
        measures = [await reader.read(comparing.measured) for reader in readers]
        answer = {"runs": [reader.name for reader in readers], "step": step}
        divergence = comparing.first_divergence(chains)
        others = [reader.folder for reader in readers[1:]]
        parted = None if divergence is None else await readers[0].aside.read(comparing.parted, others)
        unlike = differing.differences(states, comparing.DIFFERENCES_SHOWN)
        answer |= {"divergence": divergence, "parted": parted, "differences": unlike}
        replicates = [await reader.read(comparing.replicate) for reader in readers]
        return as_json(answer | {"compared": comparing.compared(replicates), "measures": measures})

    async def download(self, request: Request) -> Response:
        """Return a run's report, turns or measures as a file."""
        reader, what = self.reader(request), request.path_params["what"]
        make = DOWNLOADS.get(what)
        if make is None:
            raise JournalError(f"there is no {what!r} to download; there are {', '.join(DOWNLOADS)}")
        text = await reader.aside.read(make)
        kind = "text/html" if what.endswith(".html") else "text/csv"
        return _file(text, kind, f"{reader.name.replace('/', '-')}-{what}")

    # what changes something

    async def steer(self, request: Request) -> Response:
        """Do what a page asks of a live run; a cell comes back as pages read it, to know its turn by."""
        self._must(request)
        controls = self.controls.get(request.path_params["run"])
        if controls is None:
            raise JournalError("this run is not played by this dashboard; fork it to go on from any step")
        wish = await body(request)
        await asyncio.to_thread(controls.obey, wish)
        self.sockets.ring(request.path_params["run"])
        return as_json({**controls.state(), "code": wish.get("code")})

    async def note(self, request: Request) -> Response:
        """Keep a note on a moment of a run."""
        self._must(request)
        reader, wish = self.reader(request), await body(request)
        controls = self.controls.get(reader.name)
        if controls is not None and not controls.over:
            await asyncio.to_thread(controls.obey, wish | {"do": "note"})
        else:
            await asyncio.to_thread(annotate, reader.folder, note=str(wish.get("text") or ""), step=wish.get("step"))
        return as_json({"done": True})

    async def fork(self, request: Request) -> Response:
        """Fork a run at a step, with a cell, and let it go on."""
        self._must(request)
        reader = self.reader(request)
        return as_json(start_fork(self.processes, reader, await body(request)))

    async def causes_of(self, request: Request) -> Response:
        """Return how far the question is why a value is what it is."""
        reader, query = self.reader(request), request.query_params
        wish = {"among": query.get("among") or KINDS[0], "step": integer(request, "step", 0)}
        among, step, _ = wish_of(wish)
        question = await reader.read(question_of, query.get("target", ""), step)
        return as_json(await asyncio.to_thread(self.causes.state, reader.folder, question, among, step))

    async def why(self, request: Request) -> Response:
        """Ask why a value is what it is, or stop asking."""
        self._must(request)
        reader, wish = self.reader(request), await body(request)
        among, step, _ = wish_of(wish)
        question = await reader.read(question_of, str(wish.get("target", "")), step)
        if wish.get("do") == "stop":
            self.causes.stop(reader.folder, question, among, step)
            return as_json(self.causes.state(reader.folder, question, among, step))
        return as_json(await asyncio.to_thread(self.causes.start, reader.folder, question, wish))

    async def interview(self, request: Request) -> Response:
        """Ask a resident a question at a past moment, on a copy."""
        self._must(request)
        return as_json(await self.interviews.ask(self.reader(request).folder, await body(request)))

    async def answer(self, request: Request) -> Response:
        """Decide about a request that waits for people."""
        self._must(request)
        reader, wish = self.reader(request), await body(request)
        decision = decided(wish)
        words = decision.ticket, decision.decision
        data: dict[str, Any] = {"arguments": decision.arguments, "text": decision.text}
        await reader.read(lambda reader: effect_answers.decide(reader.run, *words, **data))
        controls = self.controls.get(reader.name)
        if controls is not None and not controls.over:
            await asyncio.to_thread(controls.obey, wish | {"do": "decide"})
            return as_json({"done": "when the next step begins"})
        await asyncio.to_thread(partial(effect_answers.answer, reader.folder, *words, **data))
        return as_json({"done": f"when the run goes on: cave-sim resume {reader.folder}"})

    async def simulations(self, request: Request) -> Response:
        """Return what can be started; of one that is named, what it takes."""
        name = request.query_params.get("name")
        if name:
            return as_json(await asyncio.to_thread(new_runs.options_of, name))
        return as_json({"simulations": new_runs.simulations(), "may_steer": self._may(request)})

    async def start(self, request: Request) -> Response:
        """Start a run, or a study of a simulation."""
        self._must(request)
        wish = await body(request)
        begin = new_runs.start_study if wish.get("seeds") is not None else new_runs.start_run
        return as_json(await asyncio.to_thread(begin, self.processes, wish))

    async def end(self, request: Request) -> Response:
        """Stop what this dashboard started."""
        self._must(request)
        self.processes.stop(str((await body(request)).get("run")))
        return as_json(self.processes.states())

    def _may(self, request: Request) -> bool:
        return same(request.headers.get(TOKEN), self.token)

    def _must(self, request: Request) -> None:
        if not self._may(request):
            raise PermissionError("this page may look and not steer: open the address with ?token= that was printed")


DOWNLOADS: dict[str, Callable[[JournalReader], str]] = {
    "report.html": report_html,
    "turns.csv": series.turns_csv,
    "measures.csv": series.measures_csv,
}


def _paper_of(study: Path) -> str:
    """Return the report of a study's folder."""
    from cave_sim.analysis.paper import paper  # takes a moment, for which who asks for none need not wait
    from cave_sim.analysis.trials import Trials
    from cave_sim.dashboards.paper.page import paper_html

    return paper_html(paper(Trials.read(study)))


def _file(text: str, kind: str, name: str) -> Response:
    """Return a text as a file that a browser saves."""
    plain = name.encode("ascii", "replace").decode().replace('"', "")
    return Response(text, media_type=kind, headers={"content-disposition": f'attachment; filename="{plain}"'})


def as_json(answer: Any, status: int = 200) -> Response:
    """Return an answer as JSON."""
    return Response(page_json(answer), status, media_type="application/json", headers=SHORTEST_CACHE)
