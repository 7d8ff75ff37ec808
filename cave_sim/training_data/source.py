"""A run as a source of examples: whether it may be one, and what its sessions say of each reply. Read row by row."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from typing import Any

from cave_sim.determinism.canonical_json import from_json
from cave_sim.errors import CaveSimError
from cave_sim.experiment.partner import STOP
from cave_sim.experiment.talk_judge import KIND as RATING
from cave_sim.experiment.talk_judge import TalkRating, rating_of
from cave_sim.journal.reader import Run
from cave_sim.journal.redaction import REDACTED
from cave_sim.llm_agent.tool_listing import ToolListing, listing_of, offered
from cave_sim.models.disclosure import FORBIDDEN
from cave_sim.session.context_state import KIND, NO_UPDATE
from cave_sim.session.row import Row, storable
from cave_sim.session.tracking import READ
from cave_sim.training_data.ground_truth import ground_truth
from cave_sim.training_data.replies import JudgedReplies

SESSIONS = "SELECT about, plain(rows) FROM sessions ORDER BY entry"
FIRST_CALLS = "SELECT agent, min(step) FROM calls WHERE reply IS NOT NULL GROUP BY agent ORDER BY agent"
OWN_MODULE = re.compile(r"[a-z]\w*")


class Unusable(CaveSimError):
    """A run gives no examples; the message says why."""


@dataclass(frozen=True)
class TrackedTurn:
    """One turn as its tracker read it, and what it wrote.

    Attributes:
        agent, step: whose, and when.
        rows: of the turn, as far as trackers read them.
        lines: of the log before.
        written: the new lines, cleaned by the log's rules, or NO_UPDATE.
        by: ``rules`` or ``model``.
    """

    agent: str
    step: int
    rows: list[Row]
    lines: list[str]
    written: str
    by: str


@dataclass
class Source:
    """One finished run.

    Attributes:
        run: opened.
        name, seal: of its folder, and the hash of its last step.
        simulation, seed: what was run.
        scenario, category: by the ground truth; else the simulation with its seed, and the simulation.
        listings: agent -> the tools that it reads of, or is offered, of those who have any.
        right: (agent, step) -> digests of replies that are right, with what they do; in order.
        held_back: what a policy did not let out.
        logs: ids of the sessions whose context states are learned from.
        rating: how its judge rated it; None if none did, or in a way that cannot be read.
        judge: the model that judged.
    """

    run: Run
    name: str
    seal: str
    simulation: str
    seed: int | None
    scenario: str
    category: str
    listings: dict[str, ToolListing] = field(default_factory=dict)
    right: dict[tuple[str, int], list[tuple[bytes, str]]] = field(default_factory=lambda: defaultdict(list))
    held_back: set[str] = field(default_factory=set)
    logs: set[str] = field(default_factory=set)
    rating: TalkRating | None = None
    judge: str = ""

    def is_right(self, agent: str, step: int, reply: str) -> str:
        """Return what a reply does that is right, each of them once; "" for one that is not."""
        known = self.right.get((agent, step), [])
        mark = mark_of(reply)
        entry = next((each for each in known if each[0] == mark), None)
        if entry is None:
            return ""
        known.remove(entry)
        return entry[1]

    def tracked(self) -> Iterator[TrackedTurn]:
        """Yield the turns that trackers wrote of, in order."""
        logs: dict[str, _Log] = defaultdict(_Log)
        for about, rows in session_entries(self.run):
            if about["id"] in self.logs:
                for stored in rows:
                    turn = logs[about["id"]].take(about["agent"], stored)
                    if turn is not None:
                        yield turn


def opened(run: Run) -> Source:
    """Return a run as a source.

    Raises:
        Unusable: it did not end, hides its prompts, keeps no context state, or its dialogue failed.
        JournalError: its file is damaged.
    """
    with run.reading():
        return _opened(run)


def _opened(run: Run) -> Source:
    manifest = run.manifest
    if REDACTED in manifest:
        raise Unusable("its prompts were left out when it was handed on")
    if not manifest.get("finished"):
        raise Unusable("it did not come to its end: cave-sim resume goes on with it")
    seals = run.query("SELECT hash FROM steps ORDER BY step DESC LIMIT 1")
    if not seals:
        raise Unusable("it has no step")
    truth = ground_truth(manifest)
    simulation, seed = _name_of(manifest.get("simulation")), manifest.get("seed")
    scenario = f"{simulation}/{truth.id}" if truth else f"{simulation}/seed-{seed}"
    category = truth.category if truth else simulation
    source = Source(run, run.folder.name, seals[0][0], simulation, seed, scenario, category)
    listings = {agent: _listing(run, agent, step) for agent, step in run.query(FIRST_CALLS)}
    source.listings = {agent: listing for agent, listing in listings.items() if listing}
    _judge(source)
    return source


def session_entries(run: Run) -> Iterator[tuple[dict[str, Any], list[dict[str, Any]]]]:
    """Yield what each step added to each session, one by one; those that share rows with a parent are left out."""
    for about, rows in run.rows(SESSIONS):
        known = from_json(about)
        if not known["shared"]:
            yield known, from_json(rows)


def mark_of(reply: str) -> bytes:
    """Return a short digest of a reply, as its session keeps it."""
    return blake2b(storable(reply).encode(), digest_size=12).digest()


def _judge(source: Source) -> None:
    """Go through the sessions: which replies are right, and did the dialogue succeed?"""
    truth = ground_truth(source.run.manifest)
    sessions: dict[str, JudgedReplies] = {}
    agents: dict[str, str] = {}
    for about, rows in session_entries(source.run):
        name, agent = about["id"], about["agent"]
        agents[name] = agent
        read = sessions.setdefault(name, JudgedReplies(truth if agent in source.listings else None))
        for row in rows:
            _note(source, agent, read.take(row))
            if row["kind"] == RATING:
                source.rating, source.judge = rating_of(row["data"]), str(row["data"]["by"])
    for name, read in sessions.items():
        _note(source, agents[name], read.end())
        source.held_back |= set(read.held_back)
    if FORBIDDEN in source.held_back:
        raise Unusable(f"{FORBIDDEN}, as its policy said")
    source.logs = {
        name for name, read in sessions.items() if read.keeps_a_log and (not truth or agents[name] in source.listings)
    }
    trackers = {agents[name] for name in source.logs}
    source.right = defaultdict(list, {place: marks for place, marks in source.right.items() if place[0] in trackers})
    if not trackers:
        raise Unusable("no mind of it keeps a context state that is judged: run it with --context state")
    if truth:
        last_words = [read.last_words for name, read in sessions.items() if agents[name] not in trackers]
        trouble = next((sessions[name].trouble for name in sorted(source.logs) if sessions[name].trouble), "")
        if trouble or not any(STOP in words for words in last_words):
            raise Unusable(f"its dialogue failed: {trouble or 'nobody said that they have what they wanted'}")


def _note(source: Source, agent: str, right: list[tuple[str, int, str]]) -> None:
    for text, step, kind in right:
        source.right[agent, step].append((mark_of(text), kind))


class _Log:
    """Follows the log of one session."""

    def __init__(self) -> None:
        self._at = 0
        self._rows: list[tuple[int, Row]] = []
        self._lines: list[str] = []

    def take(self, agent: str, stored: dict[str, Any]) -> TrackedTurn | None:
        """Take the next row; returns the turn that ends with it, if a tracker wrote of one."""
        row = Row.from_data(stored)
        place, self._at = self._at, self._at + 1
        if row.kind in READ:
            self._rows.append((place, row))
        if row.kind != KIND:
            return None
        is_anew, by = bool(row.data.get("anew")), str(row.data.get("by"))
        before = [] if is_anew else self._lines
        covered = int(row.data.get("covers", 0))
        read = [each for place, each in self._rows if place < covered]
        self._rows = [(place, each) for place, each in self._rows if place >= covered]
        self._lines = [*before, *(line for line in row.text.splitlines() if line != NO_UPDATE)]
        if is_anew or by == "world" or not read:
            return None
        return TrackedTurn(agent, row.step, read, before, row.text, by)


def _listing(run: Run, agent: str, step: int) -> ToolListing | None:
    for call in run.calls(agent, step):
        if call["reply"] is not None:
            tools = call["request"]["tools"]
            return offered(tools) if tools else listing_of(call["request"]["messages"][0]["text"])
    return None


def _name_of(simulation: Any) -> str:
    """Return the name of a simulation without the folders of a file."""
    return Path(str(simulation)).stem
