"""Handles to other agents: how a meta-agent runs them, and reads and sets their variables (CaveAgent App. E.1, E.2).

``await team["baker"].run("...")`` in a cell is a child turn: it runs at once, under the baker's own rights, and is
undone with its parent. Nothing is locked meanwhile, so nothing can deadlock. What goes from one namespace into another
goes by hand-over: a native object, equal and independent.
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from typing import Any

from cave_sim import injection
from cave_sim.errors import Blocked, SchemaError, WorldError
from cave_sim.execute import take_turn
from cave_sim.handover import handed
from cave_sim.policy.guards import facade_type
from cave_sim.policy.permissions import Rights
from cave_sim.runtime.deadline import DEADLINE
from cave_sim.state import WorldState
from cave_sim.turn import Turn

facade_type(Turn)


@facade_type
class Handle:
    """One other agent, in a meta-agent's hands."""

    __slots__ = ("_agent", "_team")

    def __init__(self, team: Team, agent: str) -> None:
        self._team, self._agent = team, agent

    async def run(self, code: str) -> Turn:
        """Run a cell as this agent and return its turn: ``status``, ``output``, ``error``, ``changes``."""
        if type(code) is not str:
            raise TypeError(f"run: a cell is a text, not a {type(code).__name__}")
        turn = take_turn(self._team._check(self._agent), code, self._agent)
        DEADLINE.check()
        turn = deepcopy(turn)  # the journal's own turn stays out of a cell's hands,
        turn.duration_s = 0.0  # and the wall clock too
        return turn

    def inject(self, name: str, value: Any, about: str = "") -> None:
        """Hand this agent a native object, as its own variable of that name."""
        world = self._team._check(self._agent)
        way_out = f"; to give {self._agent} a function, let it define one: await team[{self._agent!r}].run('def ...')"
        injection.inject(world, name, _handed(world, name, value, way_out), about, self._agent)

    def retrieve(self, name: str) -> Any:
        """Take over one of this agent's variables as the native object it is; KeyError if there is none."""
        world = self._team._check(self._agent)
        found = injection.retrieve(world, name, self._agent)
        return _handed(world, f"{name} of {self._agent}", found, ", which would run with your rights")

    def variables(self) -> list[str]:
        """Return the names of this agent's variables."""
        return sorted(self._team._check(self._agent)._namespace(self._agent).variables())

    @property
    def state(self) -> dict[str, Any]:
        """What this agent perceives now, ``sees``, and the types of its ``variables`` by name."""
        world = self._team._check(self._agent)
        types = world.variable_types(self._agent)
        return {"name": self._agent, "sees": world.observe(self._agent), "variables": types}

    def __repr__(self) -> str:
        return f"<agent {self._agent}>"


@facade_type
class Team:
    """``team`` in a cell: every agent by name, for those who were granted ``"*"``."""

    __slots__ = ("_world",)

    def __init__(self, world: WorldState) -> None:
        self._world = world

    def __getitem__(self, agent: str) -> Handle:
        if agent not in self:
            raise WorldError(f"there is no agent {agent!r}.{self._world._register.hint(agent)}")
        return Handle(self, agent)

    def __contains__(self, agent: object) -> bool:
        return agent in self._world or agent in self._world._namespaces

    def __iter__(self) -> Iterator[str]:
        return iter(sorted({*self._world, *self._world._namespaces}))

    def _check(self, agent: str) -> Any:
        """Return the world if the acting agent may operate others; a denial dooms its turn."""
        rights = self._world._ledger.guard
        if isinstance(rights, Rights) and not rights.may_change_population() and rights.agent != agent:
            rights.refuse(f"{rights.agent} may not operate {agent}; an agent granted '*' may")
        return self._world

    def __repr__(self) -> str:
        return "<team>"


def _handed(world: WorldState, what: str, value: Any, way_out: str) -> Any:
    try:
        return handed(value, world._open_types)
    except SchemaError as error:
        raise Blocked(f"{what} cannot be handed over: {error}{way_out}") from None
