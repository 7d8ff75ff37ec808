"""Trials: one agent at one task."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from cave_sim.changes.turn import Limits
from cave_sim.determinism.canonical_json import from_json
from cave_sim.entity.entity import encode_fields
from cave_sim.experiment.call_log import NAME, calls_of, next_turn
from cave_sim.experiment.comparison import (
    Form,
    class_name,
    difference,
    exact,
    missing,
    parts,
    plain,
    with_fractions,
)
from cave_sim.experiment.partner import Partner, PartnerBrief, PartnerDialogue, converse
from cave_sim.experiment.results import Outcome
from cave_sim.experiment.slips import Slips, call_slips, state_slips
from cave_sim.experiment.task import PARTNER, Query, Task, Variable
from cave_sim.experiment.variable_store import VariableStore, as_type_of, is_own
from cave_sim.llm_agent.llm_agent import LLMAgent
from cave_sim.models.base import Model, Usage
from cave_sim.models.budget import BudgetReached, Budgets
from cave_sim.models.cassette import Cassette, Recalled
from cave_sim.session.row import Row
from cave_sim.simulation.jail import HostName
from cave_sim.simulation.outages import ProviderOutage
from cave_sim.simulation.prompts import Prompts
from cave_sim.simulation.schedulers import Batch, Moment
from cave_sim.simulation.simulation import Simulation
from cave_sim.world.tools import Tool
from cave_sim.world.world import World

AGENT = "assistant"
LIMITS = Limits(deadline_s=20.0, output_chars=4_000_000)
"""Of one cell. Whole tables are printed where nothing but text comes out."""
FENCE = r"^[ \t\r]*```\w*[ \t\r]*$"
"""The line before, and behind, a block of code."""


@dataclass(frozen=True)
class Paradigm:
    """A way for a model to act.

    Attributes:
        name: ``cave``, ``codeact``, ``json``, or one of yours.
        mind: makes the agent that acts so, of a simulation and a name.
        takes_objects: whether native objects can be injected into it and retrieved from it.
        habits: which of its habits are others than those of such an agent.
    """

    name: str
    mind: Callable[[Simulation, str], LLMAgent]
    takes_objects: bool = False
    habits: Mapping[str, Any] = field(default_factory=dict)


class Undelivered(KeyError):
    """What a check asks for was not delivered."""


class Nobody:
    """A scheduler that activates no agent: queries come from outside."""

    def batches(self, moment: Moment) -> Iterator[Batch]:
        return iter(())

    def __repr__(self) -> str:
        return "Nobody()"


def prepared(
    task: Task, paradigm: Paradigm, seed: int, variables: Mapping[str, Variable]
) -> tuple[World, VariableStore | None, dict[str, Tool]]:
    """Return the world of a trial, what hands its variables over as text, and the functions to be told of later."""
    store = None if paradigm.takes_objects or not variables else VariableStore(variables)
    world = World(seed=seed, limits=LIMITS)
    task.build(world)
    if store is not None:
        store.offer_to(world)
    later = {name: world.tools.pop(name) for query in task.queries for name in query.reveals}
    return world, store, later


class Trial:
    """One agent at one task.

    Args:
        task: what to do.
        paradigm: how it acts.
        seed: of the world.
        llm: the model that it asks.
        out: folder of the run; None keeps no journal.
        budgets: what may be spent.
        known: calls that were paid before this trial was interrupted.
        prompts: what the agent says in place of its own texts; None for those.
        host: where cells run; None jails those that a language model writes.
        made_by: says how its world is built elsewhere; a jail is forked from this process where nothing does.

    Attributes:
        answer: what the agent said last.
        rows: what its session has of the query that was asked last.
    """

    def __init__(
        self,
        task: Task,
        paradigm: Paradigm,
        *,
        seed: int,
        llm: Model,
        out: Path | None = None,
        budgets: Budgets | None = None,
        known: Cassette | None = None,
        prompts: Prompts | None = None,
        host: HostName | None = None,
        made_by: Any = None,
    ) -> None:
        self.task = task
        self.paradigm = paradigm
        variables = task.variables()
        world, self._desk, self._unrevealed = prepared(task, paradigm, seed, variables)
        self.simulation: Simulation = Simulation(
            world,
            lambda simulation: [paradigm.mind(simulation, AGENT)],
            scheduler=Nobody(),
            out=out,
            llm=llm if known is None else Recalled(llm, known),  # so that its journal has them, too
            budgets=budgets,
            config={"task": task.name, "group": task.group, "paradigm": paradigm.name},
        )
        self.simulation.made_by = made_by
        if prompts is not None:
            self.simulation.prompts = prompts
        self.agent: LLMAgent = self.simulation.by_name[AGENT]
        self.agent.habits = replace(self.agent.habits, **paradigm.habits)
        if paradigm.takes_objects:
            for name, variable in variables.items():
                self.agent.inject(name, variable.value, variable.about)
        self.partner: Partner | None = None
        self.dialogue: PartnerDialogue | None = None
        if (brief := next((query.partner for query in task.queries if query.partner), None)) is not None:
            self.partner = Partner(self.simulation, PARTNER, brief)
            self.simulation.roster.add(self.partner)
        self.answer: str = ""
        self.rows: Sequence[Row] = ()
        self._delivered: dict[str, Any] = {}
        self._form: Form = exact if paradigm.takes_objects else plain
        self._names = set(variables)
        self._meant: dict[str, Any] = {}
        self._expected: dict[str, Any] = {}
        self._expected = self.state()
        self._before = self._expected_before = dict(self._expected)
        self.simulation.jail.host = host
        self.simulation.jail.begin()

    def run(self) -> list[Outcome]:
        """Ask everything and check the state after each query; stops where a budget of the run does.

        Raises:
            ProviderOutage: the model's provider answers nobody; what was answered is kept, and the trial can be redone.
        """
        outcomes: list[Outcome] = []
        for query in self.task.queries:
            try:
                outcomes.append(self._ask(query))
            except BudgetReached:
                break
            except ProviderOutage:
                self.simulation.close()
                raise
        if self.simulation.journal is not None and len(outcomes) == len(self.task.queries):
            self.simulation.journal.describe({"outcomes": [asdict(outcome) for outcome in outcomes]})
        self.simulation.close()
        return outcomes

    def state(self) -> dict[str, Any]:
        """Return everything that there is, as data by path: fields of entities, variables and their parts."""
        world = self.simulation.world
        values = {
            f"{name}.{field_name}": value
            for name in world
            for field_name, value in plain(encode_fields(world[name])).items()
        }
        for name in sorted(self._names):
            try:
                value = self._as_meant(name, self.variable(name))
            except KeyError:
                continue
            if is_own(value):
                values |= {f"{name}.{field_name}": part for field_name, part in parts(value, self._form).items()}
                values[f"{name}.__class__"] = class_name(value)
            else:
                values[name] = self._form(value)
        return values if self.paradigm.takes_objects else with_fractions(self._expected, values)

    def _as_meant(self, name: str, value: Any) -> Any:
        """Return a variable that came as text as what it is meant to be: a table may be written in several ways."""
        if self.paradigm.takes_objects or not isinstance(value, list | dict):
            return value
        try:
            return as_type_of(self._meant.get(name), value)
        except (ValueError, TypeError):
            return value

    def variable(self, name: str) -> Any:
        """Return the native object of a variable, or what was delivered under its name; KeyError if neither is."""
        if self.paradigm.takes_objects:
            return self.agent.retrieve(name)
        if self._desk is not None and name in self._desk.values:
            return self._desk.values[name]
        return self._delivered[name]

    def __getitem__(self, path: str) -> Any:
        """Return the native object at a path: a variable, something delivered, ``entity.field``."""
        root, *names = path.split(".")
        try:
            value = self.simulation.world[root] if root in self.simulation.world else self.variable(root)
        except KeyError:
            raise Undelivered(self._missing(root)) from None
        for name in names:
            value = getattr(value, name)
        return value

    def _ask(self, query: Query) -> Outcome:
        session, spent_before = self.agent.session, self.simulation.calls.budgets.spent
        rows, usage = len(session), session.usage
        for name in query.reveals:
            self.simulation.world.tools[name] = self._unrevealed[name]
        partner_calls, calls_before = 0, self._call_count()
        habits = self.agent.habits
        if query.most_rounds is not None:
            self.agent.habits = replace(habits, max_cells=min(habits.max_cells, query.most_rounds))
        if query.partner is None:
            self.agent.ask(query.text)
        else:
            partner_calls = self._talk(query, query.partner)
        self.agent.habits = habits
        new_rows = list(self.agent.session.rows.since(min(rows, len(self.agent.session))))
        self.rows = new_rows
        self.answer = next((row.text for row in reversed(new_rows) if row.kind == "assistant"), "")
        for row in new_rows:
            if row.kind in ("output", "assistant"):
                self._delivered |= delivered(row.text)
        self._expected |= {path: self._expected_form(path)(value) for path, value in query.expect.items()}
        self._meant |= {path: value for path, value in query.expect.items() if "." not in path}
        self._names |= self._meant.keys()
        actual = self.state()
        why = self._judge(query, actual)
        slips = self._slips(query, actual, calls_before) if why else {}
        if NAME in self.simulation.world.undo_log.entities:
            next_turn(self.simulation.world)
        self._let_time_pass()
        return _outcome(
            why,
            self.simulation.calls.budgets.spent.calls - spent_before.calls - partner_calls,
            usage,
            self.agent.session.usage,
            sum(row.kind == "model_error" and "window_tokens" not in row.data for row in new_rows),
            slips,
        )

    def _call_count(self) -> int:
        world = self.simulation.world
        return len(calls_of(world)) if NAME in world.undo_log.entities else 0

    def _slips(self, query: Query, actual: Mapping[str, Any], calls_before: int) -> Slips:
        """Return what is wrong after a query; of one that is about calls, by the calls of its reference."""
        slips = state_slips(self._expected, actual, self._before, self._expected_before)
        if slips or query.reference is None:
            return slips
        calls = calls_of(self.simulation.world)[calls_before:]
        return call_slips(query.reference, [call for call in calls if call.caller in ("", AGENT)])

    def _talk(self, query: Query, brief: PartnerBrief) -> int:
        """Let a partner talk with the agent; returns how often its model was asked."""
        assert self.partner is not None
        self.partner.brief = brief
        before, world = len(self.partner.session), self.simulation.world
        self.dialogue = converse(self.agent, self.partner, before=query.text, on_utterance=lambda _: next_turn(world))
        rows = self.partner.session.rows.since(before)
        return sum(row.kind in ("assistant", "model_error") for row in rows)

    def _expected_form(self, path: str) -> Form:
        """Return how what is at a path is compared: fields of entities as they are encoded, variables as they are."""
        return plain if path.partition(".")[0] in self.simulation.world else self._form

    def _let_time_pass(self) -> None:
        """Take a step; what the world does by itself in it is expected from now on."""
        before = self.state()
        self.simulation.step()
        self._before = self.state()
        self._expected |= {path: value for path, value in self._before.items() if before.get(path) != value}
        self._expected_before = dict(self._expected)

    def _judge(self, query: Query, actual: Mapping[str, Any]) -> str:
        """Return why the state after a query is wrong; "" if it is right."""
        mismatch = difference(self._expected, actual)
        if mismatch or query.check is None:
            name = next((name for name in self._names if mismatch == missing(name)), None)
            return mismatch if name is None else self._missing(name)
        try:
            return "" if query.check(self) else "the check of this query does not hold"
        except Undelivered as error:
            return str(error.args[0])
        except Exception as error:  # what a model delivered may be anything at all
            return f"the check of this query fails: {type(error).__name__}: {error}"

    def _missing(self, name: str) -> str:
        """Say that something was not delivered, and how it had to be."""
        by_text = f'neither a variable nor a line of JSON such as {{"{name}": …}} delivers it'
        return f"{missing(name)}: {'no cell left a variable of that name' if self.paradigm.takes_objects else by_text}"


def delivered(text: str) -> dict[str, Any]:
    """Return the values that a text delivers: JSON objects on lines of their own, or in a block of code each."""
    values: dict[str, Any] = {}
    for part in re.split(FENCE, text, flags=re.MULTILINE):
        whole = _json_object(part)
        for each in [_json_object(line) for line in part.split("\n")] if whole is None else [whole]:
            values |= each or {}
    return values


def _json_object(text: str) -> Mapping[str, Any] | None:
    bare = text.strip().strip("`'*.")
    if not (bare.startswith("{") and bare.endswith("}")):
        return None
    try:
        data = from_json(bare)
    except ValueError:
        return None
    return data if isinstance(data, Mapping) else None


def _outcome(why: str, steps: int, before: Usage, after: Usage, failed_calls: int, slips: Slips) -> Outcome:
    return Outcome(
        not why,
        why,
        steps,
        after.prompt_tokens - before.prompt_tokens,
        after.completion_tokens - before.completion_tokens,
        failed_calls,
        {str(kind): places for kind, places in slips.items()},
    )
