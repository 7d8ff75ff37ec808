"""The agents that a simulation is given: classes with names, functions by name, or what makes them all."""

from __future__ import annotations

import copy
import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from cave_sim.errors import WorldError
from cave_sim.simulation.agents import Agent
from cave_sim.simulation.arguments import accepts

Chooser = Callable[[dict[str, Any]], str]
"""Chooses a cell by what its agent observes; an empty text lets the moment pass."""
Maker = type[Agent] | Callable[..., Any] | Any
GivenAgents = Mapping[str, Maker] | Sequence[tuple[Maker, str]] | Callable[[Any], Iterable[Agent]]
"""What may be given as the agents of a simulation; see :func:`agents_of`."""

SHAPES = (
    'takes {"tom": act}, where act(observation) returns the text of a cell; or [(TomsAgent, "tom")], a class of agents'
    " and a name; or a function that makes the agents of a simulation"
)


class FunctionAgent(Agent):
    """An agent whose cells a function chooses, or the ``act`` of an object.

    Args:
        simulation: the model it belongs to.
        name: under which it acts.
        choose: takes what it observes, and returns a cell.
    """

    def __init__(self, simulation: Any, name: str, choose: Chooser) -> None:
        super().__init__(simulation, name)
        self._choose = choose

    def act(self, observation: dict[str, Any]) -> str:
        return self._choose(observation)


def agents_of(simulation: Any, given: GivenAgents) -> Iterator[Agent]:
    """Make the agents that a simulation is given.

    Args:
        simulation: to which they belong.
        given: by name, or in pairs with names: agent classes, functions of simulation and name that make agents,
            functions of an observation that choose cells, or objects with such a method ``act``. Or a function of the
            simulation that makes all of its agents.

    Raises:
        WorldError: it is something else.
    """
    if isinstance(given, type):
        raise WorldError(f"agents={given!r}: which name does it act under? A simulation {SHAPES}")
    if callable(given):
        yield from _all_made(given, simulation)
        return
    for maker, name in _pairs(given):
        if isinstance(maker, type) and issubclass(maker, Agent):
            if not accepts(maker, 2):
                raise WorldError(f"agents: {maker.__name__}.__init__ takes simulation and name, and hands them on")
            if not accepts(maker.act, 2):
                raise WorldError(f"agents: {maker.__name__}.act(self, observation) takes what {name!r} observes")
            yield maker(simulation, name)
        elif isinstance(maker, type) or not callable(choose := getattr(maker, "act", maker)):
            raise WorldError(f"agents: {maker!r} for {name!r} chooses no cells; a simulation {SHAPES}")
        elif accepts(choose, 1):
            yield FunctionAgent(simulation, name, choose)
        elif accepts(choose, 2):
            if not isinstance(agent := choose(simulation, name), Agent):
                raise WorldError(_one_argument(choose, name))
            yield agent
        else:
            raise WorldError(_one_argument(choose, name))


def _all_made(make: Callable[[Any], Iterable[Agent]], simulation: Any) -> list[Agent]:
    """Return what a function of the simulation makes, which may be meant as one of an observation."""
    called = f"agents={getattr(make, '__name__', make)}"
    if not accepts(make, 1):
        raise WorldError(f"{called}: takes the simulation, and returns its agents; a simulation {SHAPES}")
    made: Any = make(simulation)
    agents = list(made) if isinstance(made, Iterable) and not isinstance(made, str) else [made]
    if any(not isinstance(agent, Agent) for agent in agents):
        raise WorldError(f"{called} returned {made!r}, and is to return agents; a simulation {SHAPES}")
    return agents


def _one_argument(choose: Callable[..., Any], name: str) -> str:
    return (
        f"agents: {getattr(choose, '__name__', choose)}{inspect.signature(choose)} for {name!r} takes one argument, the"
        " observation of its agent, and returns the text of a cell; one of two, simulation and name, makes an Agent"
    )


def for_twin(given: GivenAgents) -> GivenAgents:
    """Return what makes the agents of a fork: objects that may keep something in themselves are copied."""
    if callable(given):
        return given
    return [(copy.deepcopy(maker) if _chooses_by_itself(maker) else maker, name) for maker, name in _pairs(given)]


def _chooses_by_itself(maker: Maker) -> bool:
    """Say whether it is an object that chooses cells, and no class or function."""
    return not isinstance(maker, type) and not inspect.isroutine(maker) and accepts(getattr(maker, "act", maker), 1)


def _pairs(given: Any) -> list[tuple[Any, str]]:
    if isinstance(given, Mapping):
        pairs = [(maker, name) for name, maker in given.items()]
    else:
        try:
            pairs = [(maker, name) for maker, name in given]
        except (TypeError, ValueError):
            raise WorldError(f"agents={given!r}: a simulation {SHAPES}") from None
    if wrong := next((name for _, name in pairs if not isinstance(name, str)), None):
        raise WorldError(f"agents: {wrong!r} is no name; a simulation {SHAPES}")
    return pairs
