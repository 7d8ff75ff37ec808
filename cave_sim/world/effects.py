"""Tools with effects: what a cell asks of the world outside, a file, a message, money; done once the turn stands.

A call in a cell is a request. It is state like any other: undone with the turn, journaled, hashed, the same wherever
cells run. Whoever keeps the journal does what was asked after the step was committed, once, and what came of it is
written into the world as the next step begins. So running a run's cells again does nothing outside a second time.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, overload

import msgspec

from cave_sim.determinism.canonical_json import to_json
from cave_sim.entity.builtin_entities import EFFECTS, Effects
from cave_sim.errors import SchemaError, WorldError
from cave_sim.policy.guards import facade_type
from cave_sim.policy.permissions import Rights, carries_code
from cave_sim.world.state import WorldState
from cave_sim.world.tool_signature import ToolSignature, signature_of
from cave_sim.world.tools import InjectedFunction

MAX_PENDING = 100
"""How many requests of one agent may wait at once."""
MAX_BYTES = 65_536
"""How long the arguments of a request, and the result of one, may be as JSON."""
OUTCOMES_KEPT = 20
"""Of each agent, the latest; all of them are in the journal."""
BY_THE_WORLD = "world"
"""Who asks where no agent does: dynamics and events."""


@dataclass(frozen=True)
class EffectTool:
    """A tool with effects, to be injected like any function.

    Attributes:
        function: does it, in the process of the script; takes and returns plain data. It runs outside of every turn.
        parallel_safe: whether it may run beside other effects of its step; results come in call order all the same.
        resource: what a request uses, by its arguments; requests that use the same run one after another.
        repeatable: whether doing it twice is doing it once, as writing the same file is. What was begun and cut off
            is begun again then; otherwise nobody knows whether it happened, and it stays undone.
        approval: whether it waits for people, who approve it, edit it, reject it, or respond in its place.
    """

    function: Callable[..., Any]
    parallel_safe: bool = False
    resource: Callable[[Mapping[str, Any]], str] | None = None
    repeatable: bool = False
    approval: bool = False

    def __post_init__(self) -> None:
        if not inspect.isroutine(self.function):
            raise WorldError(f"effect({self.function!r}): takes a function")
        if inspect.iscoroutinefunction(self.function) or inspect.isgeneratorfunction(self.function):
            raise WorldError(f"effect({self.function.__name__}): is async, or yields; a call of it has to do it whole")
        named = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
        for name, parameter in inspect.signature(self.function).parameters.items():
            if parameter.kind not in named:
                raise WorldError(f"effect({self.function.__name__}): *{name}: each argument needs a name of its own")
        if self.signature.references:
            which = ", ".join(sorted(self.signature.references))
            raise WorldError(f"effect({self.function.__name__}): {which}: takes plain data; pass an entity by its name")

    @property
    def signature(self) -> ToolSignature:
        """What it takes."""
        return signature_of(self.function)


@overload
def effect(function: Callable[..., Any]) -> EffectTool: ...
@overload
def effect(
    *,
    parallel_safe: bool = False,
    resource: Callable[[Mapping[str, Any]], str] | None = None,
    repeatable: bool = False,
    approval: bool = False,
) -> Callable[[Callable[..., Any]], EffectTool]: ...
def effect(
    function: Callable[..., Any] | None = None,
    *,
    parallel_safe: bool = False,
    resource: Callable[[Mapping[str, Any]], str] | None = None,
    repeatable: bool = False,
    approval: bool = False,
) -> EffectTool | Callable[[Callable[..., Any]], EffectTool]:
    """Make a tool with effects of a function; see :class:`EffectTool` for what can be said of it.

    >>> @effect
    ... def send(to: str, text: str) -> str:
    ...     '''Send a message.'''
    ...     return f"sent to {to}"
    >>> send.signature.schema["required"]
    ['to', 'text']
    """

    def tool_of(function: Callable[..., Any]) -> EffectTool:
        return EffectTool(function, parallel_safe, resource, repeatable, approval)

    return tool_of if function is None else tool_of(function)


@facade_type
class EffectFunction(InjectedFunction):
    """A tool with effects in a cell's hands: a call returns a ticket, by which the outcome is had in a later step."""

    __slots__ = ("_effect",)

    def __init__(self, key: str, tool: EffectTool, world: WorldState) -> None:
        super().__init__(key, tool.function, world.undo_log)
        self._effect = tool

    def __call__(self, *args: Any, **kwargs: Any) -> str:
        name = self._effect.function.__name__
        undo_log = self._undo_log
        if carries_code((*args, *kwargs.values())):
            raise SchemaError(f"{name}(): takes data, not code")
        undo_log.write_through()
        recorder = undo_log.world.recorder
        if recorder is not None:
            recorder.call(None, self._key, args, kwargs)
        mark = undo_log.border()
        with undo_log.as_world():
            try:
                return _request(undo_log.world, self._key, self._effect, args, kwargs)
            except BaseException:
                undo_log.revert(mark)
                raise
            finally:
                if recorder is not None:
                    recorder.returned()

    def outcome(self, ticket: str) -> dict[str, Any] | None:
        """Return what came of an own request: ``status``, and ``result`` or ``error``; None while it waits."""
        effects, rights = effects_of(self._undo_log.world), self._undo_log.guard
        owner = str(ticket).rpartition("-")[0]
        if isinstance(rights, Rights) and owner != rights.agent and not rights.may_change_population():
            raise WorldError(f"{ticket!r} is no ticket of {rights.agent}")
        outcome = effects.outcomes.get(ticket)
        if outcome is None and ticket not in effects.pending:
            raise WorldError(f"there is no ticket {ticket!r}, or its outcome is long past; the latest are kept")
        return None if outcome is None else as_plain(outcome)

    def __repr__(self) -> str:
        return f"<tool {self._effect.function.__name__}, with effects>"


def effects_of(world: WorldState) -> Effects:
    """Return what was asked of tools with effects in a world."""
    effects: Effects | None = world.undo_log.entities.get(EFFECTS)
    return _NONE if effects is None else effects


def as_plain(entry: Mapping[str, Any]) -> dict[str, Any]:
    """Return an entry of the world's as plain containers that are nobody's."""
    data: dict[str, Any] = msgspec.json.decode(to_json(entry))
    return data


def provide(world: WorldState) -> None:
    """Let a world keep what is asked of tools with effects."""
    if EFFECTS not in world.undo_log.entities:
        world.registry.enter(EFFECTS, Effects())


def deliver(world: WorldState, outcomes: Mapping[str, Mapping[str, Any]]) -> None:
    """Write into a world what came of requests, by ticket, as one turn of the operator; older outcomes give way."""
    world.turns.record_script_writes()
    effects = effects_of(world)
    for ticket, outcome in outcomes.items():
        request = effects.pending.pop(ticket)
        effects.outcomes[ticket] = {"agent": request["agent"], "tool": request["tool"], **outcome}
        own = [each for each, old in effects.outcomes.items() if old["agent"] == request["agent"]]
        for old in own[:-OUTCOMES_KEPT]:
            del effects.outcomes[old]
    world.turns.record_script_writes()


def plain(value: Any) -> Any:
    """Return a value as the plain data that JSON makes of it; raises SchemaError if it makes none, or too much."""
    if isinstance(value, (str, bytes, list, tuple, dict, set, frozenset)) and len(value) > MAX_BYTES:
        raise SchemaError(f"a {type(value).__name__} of {len(value):,}; at most {MAX_BYTES:,} bytes as JSON")
    if carries_code((value,)):
        raise SchemaError(f"a {type(value).__name__} is no plain data")
    try:
        data = msgspec.json.encode(value)
    except (TypeError, ValueError, RecursionError) as error:
        raise SchemaError(f"a {type(value).__name__} is no plain data: {error}") from None
    if len(data) > MAX_BYTES:
        raise SchemaError(f"{len(data):,} bytes as JSON; at most {MAX_BYTES:,}")
    return msgspec.json.decode(data)


def _request(world: WorldState, key: str, tool: EffectTool, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> str:
    """Note a request for the acting agent; returns its ticket."""
    name, agent = tool.function.__name__, world.actor or BY_THE_WORLD
    try:
        inspect.signature(tool.function).bind(*args, **kwargs)
    except TypeError as error:
        raise TypeError(f"{name}(): {error}") from None
    args, kwargs = tool.signature.fitted(name, args, kwargs)
    bound = inspect.signature(tool.function).bind(*args, **kwargs)
    try:
        arguments = plain(dict(bound.arguments))
    except SchemaError as error:
        raise SchemaError(f"{name}(): {error}") from None
    effects = effects_of(world)
    waiting = sum(1 for each in effects.pending.values() if each["agent"] == agent)
    if waiting >= MAX_PENDING:
        raise WorldError(f"{name}(): {waiting} requests of {agent} wait already; the next step will have done them")
    number = effects.made.get(agent, 0) + 1
    effects.made[agent] = number
    ticket = f"{agent}-{number}"
    effects.pending[ticket] = {"tool": key, "arguments": arguments, "agent": agent, "step": world.clock.step}
    return ticket


_NONE = Effects()


FUNCTION_TYPES = frozenset({InjectedFunction.__name__, EffectFunction.__name__})
"""The names of the types of injected functions, as cells hold them."""
