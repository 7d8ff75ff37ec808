"""Who writes: each by one method at one occupancy, with a scripted model that stalls by a known curve."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from cave_sim import Agent, Entity, field, narrates, own_agent_only
from cave_sim.capacity.output_capacity import Occupancy, OutputLimits
from cave_sim.capacity.stalls import outcome_of
from cave_sim.capacity.strategies import Failure, Strategy, WritingPlan, plan, replan
from cave_sim.models import Key, Message, Reply, Request
from cave_sim.models.tokens import ESTIMATE, TokenCounter
from cave_sim.simulation.deliberation import Cell, Deliberation, Question
from cave_sim.simulations.report_writing.documents import FORMATS, KINDS, WritingTask, task

METHODS = ("direct", "chunked", "deferred", "capacity", "full")
"""Three strategies by themselves, and the two of the ablation that are none of them: what is planned without rendering,
and with it. `direct` is the ablation without anything, `deferred` the one that always renders."""
TRIES, CHUNKS = 5, 4
FILLED = re.compile(r"\[(\d+) tokens of earlier work\]")
ASKED = re.compile(r"Write document (\w+) as (\w+): part (\d+) of (\d+)\.")


def count(text: str) -> int:
    """Count tokens; a line that stands for earlier work counts as what it says."""
    return ESTIMATE(FILLED.sub("", text)) + sum(map(int, FILLED.findall(text)))


COUNTER = TokenCounter("estimate, and what a line says it stands for", count, is_estimate=True)


class ReportWriter(Entity):
    """Writes the four documents by one method, in a window that is filled so far."""

    method: str = field("direct", guarded=True)
    occupancy: float = field(0.45, ge=0, le=1, guarded=True)
    results: dict[str, dict[str, Any]] = field({}, guarded=True, about="by document: whether it came out, and tokens")

    @own_agent_only
    @narrates("is done with {kind}")
    def note(self, kind: str, done: bool, written: int, wasted: int, turns: int, strategy: str) -> str:
        """Note what became of a document."""
        self.results[kind] = {"done": done, "written": written, "wasted": wasted, "turns": turns, "strategy": strategy}
        return "done" if done else "given up"


class Author(Agent):
    """Goes through a plan turn by turn, and through further ones where turns fail."""

    limits: OutputLimits

    def deliberate(self, observation: dict[str, Any]) -> Deliberation:
        """Write the document of this step."""
        me: ReportWriter = self.model.world[self.name]
        step = self.model.world.clock.step
        if step >= len(KINDS):
            return
        wanted = task(KINDS[step], self.model.world.seed)
        window = self.limits.window_tokens
        used = round(me.occupancy * window)
        now: WritingPlan | None = None
        written = wasted = turns = 0
        tries = TRIES if me.method in ("direct", "chunked") else 4
        for attempt in range(tries):
            if me.method in ("direct", "chunked"):
                parts, way = (1 if me.method == "direct" else CHUNKS), me.method
            else:
                now = self._planned(me, wanted, used) if now is None else now
                if not now.turns:
                    break
                parts, way = now.chunks, now.strategy
            pieces, outcome = [], "complete"
            for part in range(parts):
                reply = yield Question(self.model.llm, self._request(wanted, way, part, parts, used, (step, attempt)))
                outcome = outcome_of(reply) if isinstance(reply, Reply) else "empty"
                turns += 1
                if outcome != "complete":
                    break
                pieces.append(reply.text)
            tokens = sum(map(ESTIMATE, pieces))
            written += tokens
            if outcome == "complete":
                noted = (wanted.kind, True, written, wasted, turns, way)
                for cell in self._cells(wanted, way, "".join(pieces), noted):
                    yield Cell(cell)
                return
            wasted += tokens + used
            if now is not None:
                failure: Failure = "truncated" if outcome == "truncated" else "empty"
                now = replan(now, failure, can_render=me.method != "capacity")
        yield Cell(f"me.note{(wanted.kind, False, written, wasted, turns, me.method)!r}")

    def _planned(self, me: ReportWriter, wanted: WritingTask, used: int) -> WritingPlan:
        occupancy = Occupancy(self.limits.window_tokens, used)
        simplest: Strategy = "deferred" if me.method == "deferred" else "direct"
        can_render = me.method != "capacity"
        return plan(wanted.sizes, occupancy, self.limits, simplest=simplest, can_render=can_render)

    def _request(self, wanted: WritingTask, way: str, part: int, parts: int, used: int, at: tuple[int, int]) -> Request:
        form = "json" if way == "deferred" else FORMATS[wanted.kind]
        text = f"Write document {wanted.kind} as {form}: part {part + 1} of {parts}."
        messages = (Message("system", f"[{used} tokens of earlier work]"), Message("user", text))
        step, attempt = at
        return Request(messages, key=Key("", self.name, step, 100 * attempt + part))

    def _cells(self, wanted: WritingTask, way: str, text: str, noted: tuple[Any, ...]) -> Iterator[str]:
        """Yield the cells that end a document: data is kept piece by piece, completed with live objects, rendered."""
        if way == "deferred":
            yield "draft = ''"
            for place in range(0, len(text), PIECE_CHARS):
                yield f"draft += {text[place : place + PIECE_CHARS]!r}"
            name = f"{wanted.kind}_{self.name}"
            render_call = f"render({wanted.template!r}, data, name={name!r}, format='markdown')"
            yield f"data = json.loads(draft)\n{LIVE.get(wanted.kind, '')}{render_call}\nme.note{noted!r}"
        else:
            yield f"me.note{noted!r}"


PIECE_CHARS = 12_000
LIVE = {
    "data": """data["tables"] = [each for name, each in measured.items() if name.startswith("table")]
data["charts"] = [each for name, each in measured.items() if name.startswith("chart")]
""",
    "api": """data["endpoints"] = [{**each, "about": data["about"][each["name"]]} for each in interface]
data["about"] = ""
""",
}
"""How live objects come into the data, by the document; no token of theirs is written."""


def script(seed: int) -> Any:
    """Return the script of the model: it writes the part of the document that it is asked for."""

    def reply(request: Request) -> str:
        match = ASKED.search(request.messages[-1].text)
        if not match:
            return ""
        kind, form, part, parts = match[1], match[2], int(match[3]), int(match[4])
        wanted = task(kind, seed)
        whole = wanted.as_json if form == "json" else wanted.outright
        length = -(-len(whole) // parts)
        return whole[(part - 1) * length : part * length]

    return reply
