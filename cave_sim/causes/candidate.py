"""Candidates: what may have been a cause and can be taken out: turns, agents, what was said, interventions, prompts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Literal, get_args

from cave_sim.causes.announcement import Span, announcements
from cave_sim.causes.provenance import Provenance
from cave_sim.changes.turn import OPERATOR
from cave_sim.diagnostics.plurals import counted
from cave_sim.diagnostics.short_texts import shortened
from cave_sim.errors import WorldError
from cave_sim.history.narrator import Narrator
from cave_sim.history.sentences import text_of
from cave_sim.history.written_texts import Written
from cave_sim.journal.queries import changes_of_turn
from cave_sim.journal.reader import Run
from cave_sim.journal.rows import TurnRow
from cave_sim.scenario.trial import interventions

Kind = Literal["turns", "agents", "announcements", "interventions", "prompt-parts"]
KINDS: tuple[Kind, ...] = get_args(Kind)
LONGEST_TOLD = 160
WHOLE_TALK = frozenset({"transcript", "tools"})
"""What a request has besides the parts of its prompt, and is no request without."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """Something that was done.

    Attributes:
        kind: ``turns``: what one agent did in one step, one cell or several; ``agents``: all that one did;
            ``announcements``: a statement of a cell that said something; ``interventions``: a cell that no agent chose;
            ``prompt-parts``: a part of what every mind is asked with.
        agent: who.
        step: what the clock showed when it was done, or done first: the counterfactual parts from the run there.
        turns: the turns that landed.
        description: what was done, in words.
        relevance: how much of it is known to have come near what is asked about; it only says what is tried first.
        plan: key of an intervention that was planned.
        code: the cell that an announcement stands in.
        span: where it stands in it; None for other kinds.
        part: the name of a part of prompts.
    """

    kind: Kind
    agent: str
    step: int
    turns: tuple[int, ...]
    description: str
    relevance: tuple[float, float] = (0.0, 0.0)
    plan: str = ""
    code: str = ""
    span: Span | None = None
    part: str = ""

    @property
    def name(self) -> str:
        """What it is called where there is little room."""
        if self.kind == "agents":
            return f"{self.agent}, the whole run"
        if self.kind == "prompt-parts":
            return f"the part {self.part!r} of every prompt"
        return f"step {self.step}, {self.agent}"


def candidates(
    run: Run, among: Kind, until: int, relevance: Provenance, names: Collection[str] = ()
) -> list[Candidate]:
    """Return what was done before a step, the most promising first.

    Of two that promise the same the later one is tried first: its fork lives fewer steps, and asks less.

    Args:
        run: what :func:`cave_sim.open_run` returns.
        among: of which kind.
        until: the step at which the question is asked; what was done from then on can have no effect on it.
        relevance: how promising turns are.
        names: what the question names: announcements that speak of it are tried first.
    """
    plans = {about["turn"]: str(about.get("plan", "")) for _, about in interventions(run)}
    begun = min((row.step for row in run.steps()), default=0)
    landed = [
        turn
        for turn in run.turns(status="committed")
        if turn.kind == "cell" and turn.parent is None and begun <= turn.step < until
    ]
    if among == "interventions":
        those = _interventions([turn for turn in landed if turn.turn in plans], plans, _Teller(run), relevance)
    else:
        chosen = [turn for turn in landed if turn.turn not in plans and turn.agent != OPERATOR]
        if among == "announcements":
            those = _announcements(run, chosen, relevance, names)
        elif among == "prompt-parts":
            those = _prompt_parts(run, until)
        else:
            those = _of_agents(chosen, among, _Teller(run), relevance)
    return sorted(
        those,
        key=lambda each: ([-part for part in each.relevance], -each.step, each.agent, each.turns, each.span or ()),
    )


class _Teller:
    """Says in words what turns did."""

    def __init__(self, run: Run) -> None:
        sql = "SELECT entity, new FROM changes WHERE op = 'create' AND path = '[]'"
        types = {entity: run.data(text)["type"] for entity, text in run.query(sql)}
        self._run, self._narrator = run, Narrator.of(types, [run.manifest])

    def tell(self, turns: Iterable[TurnRow]) -> str:
        return shortened("; ".join(map(self._one, turns)), LONGEST_TOLD)

    def _one(self, turn: TurnRow) -> str:
        done = self._narrator.tell(turn.agent, turn.code, Written(self._run, turn.turn))
        return "; ".join(map(text_of, done)) or " ".join(turn.code.split())


def _of_agents(turns: list[TurnRow], among: Kind, teller: _Teller, relevance: Provenance) -> Iterator[Candidate]:
    groups: dict[tuple[str, int], list[TurnRow]] = {}
    for turn in turns:
        groups.setdefault((turn.agent, turn.step if among == "turns" else 0), []).append(turn)
    for (agent, _), own in groups.items():
        description = teller.tell(own) if among == "turns" else f"{counted(len(own), 'turn')} landed"
        numbers = tuple(turn.turn for turn in own)
        yield Candidate(among, agent, min(turn.step for turn in own), numbers, description, relevance.of(numbers))


def _announcements(
    run: Run, turns: list[TurnRow], relevance: Provenance, names: Collection[str]
) -> Iterator[Candidate]:
    for turn in turns:
        for span, text in announcements(turn.code, changes_of_turn(run, turn.turn)):
            best, total = relevance.of([turn.turn])
            weight = best + any(name in text for name in names), total
            description = shortened(text, LONGEST_TOLD)
            yield Candidate(
                "announcements",
                turn.agent,
                turn.step,
                (turn.turn,),
                f"“{description}”",
                weight,
                code=turn.code,
                span=span,
            )


def _prompt_parts(run: Run, until: int) -> Iterator[Candidate]:
    """Yield the parts of prompts that can be left out, with the tokens of them that were sent; those of most first."""
    tokens, first = Counter[str](), dict[str, int]()
    for call in run.calls():
        if call["step"] < until:
            for name, count in (call.get("parts") or {}).items():
                tokens[name] += count
                first[name] = min(call["step"], first.get(name, call["step"]))
    for name in sorted(tokens.keys() - WHOLE_TALK):
        description = f"{tokens[name]:,} tokens of it were sent, by estimate"
        yield Candidate("prompt-parts", "", first[name], (), description, (float(tokens[name]), 0.0), part=name)


def _interventions(
    turns: list[TurnRow], plans: dict[int, str], teller: _Teller, relevance: Provenance
) -> Iterator[Candidate]:
    """Yield each that was submitted by itself, and each planned one with all the times that it was done."""
    groups: dict[str, list[TurnRow]] = {}
    for turn in turns:
        groups.setdefault(plans[turn.turn] or f"turn {turn.turn}", []).append(turn)
    for own in groups.values():
        numbers, plan = tuple(turn.turn for turn in own), plans[own[0].turn]
        description = teller.tell(own[:1])
        yield Candidate("interventions", own[0].agent, own[0].step, numbers, description, relevance.of(numbers), plan)


def expect_some(those: list[Candidate], among: Kind, until: int) -> None:
    """Refuse to look for causes where nothing was done; raises WorldError."""
    if not those:
        what = "prompt-parts were sent" if among == "prompt-parts" else f"{among} landed"
        raise WorldError(f"no {what} before step {until}, so there is nothing to take out")
