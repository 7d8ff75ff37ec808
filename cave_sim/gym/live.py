"""A live simulation as a PettingZoo environment."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from cave_sim.changes.turn import Turn
from cave_sim.errors import WorldError, did_you_mean
from cave_sim.gym.spaces import HARMLESS, PerAgent, StepResult, WorldEnv
from cave_sim.history.rewards import Reward, RewardTracker, fold_of
from cave_sim.simulation.agents import Agent
from cave_sim.simulation.observers import Observer, Watched
from cave_sim.simulation.simulation import Simulation


class LiveEnv(WorldEnv):
    """A live simulation in which the caller chooses the cells of some agents; the others act by themselves.

    Args:
        make: seed -> simulation, new each time; ``lambda seed: town_day.create(seed=seed)``.
        reward: what each turn is worth, see :mod:`cave_sim.history.rewards`; an agent is paid for its own turns of a
            step.
        agents: whose cells are chosen; everybody's if not given. Then ``possible_agents`` are those of the last
            seed, where a seed decides who there is.
        steps: after so many, everybody is truncated.
        seed: of the first reset.
        samples: cells that the action spaces draw from.
    """

    metadata: Mapping[str, Any] = {"name": "cave_sim_live_v0", "render_modes": []}

    def __init__(
        self, make: Callable[[int], Simulation], reward: Reward | str, *, agents: Sequence[str] | None = None,
        steps: int = 144, seed: int = 0, samples: Sequence[str] = HARMLESS,
    ) -> None:  # fmt: skip
        self._make, self._reward, self._steps, self._seed, self._chosen = make, reward, steps, seed, agents
        self.simulation: Simulation = make(seed)
        super().__init__(self._agent_names(), samples)

    def reset(
        self, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[PerAgent, dict[str, PerAgent]]:
        """Start a new simulation, by default with the last seed. Returns observations and empty infos."""
        self._seed = self._seed if seed is None else seed
        self.simulation.close()
        self.simulation = simulation = self._make(self._seed)
        self.possible_agents: list[str] = self._agent_names()
        self._turns = Turns()
        simulation.observers.append(self._turns)
        self._puppets = {name: taken_over(simulation, name) for name in self.possible_agents}
        self._credit = RewardTracker(self._reward, fold_of(simulation.world))
        self._embodied = {agent for agent in self.possible_agents if agent in simulation.world}
        self._end = simulation.world.clock.step + self._steps
        self.agents = list(self.possible_agents)
        return self._observe_agents(), {agent: {} for agent in self.agents}

    def step(self, actions: Mapping[str, str]) -> StepResult:
        """Take one step of the simulation; an agent without an action, or with an empty one, lets it pass.

        Raises:
            WorldError: an action is of nobody whose cells are chosen here, or everybody is done; no step was taken.
        """
        self.expect_begun()
        _expect_there(actions, self.possible_agents)
        for agent in self.agents:
            self._puppets[agent].cell = actions.get(agent, "")
        self.simulation.step()
        rewards, infos = self._rewards_and_infos(self._turns.take())
        observations, world = self._observe_agents(), self.simulation.world
        terminations = {agent: agent in self._embodied and agent not in world for agent in self.agents}
        truncations = dict.fromkeys(self.agents, world.clock.step >= self._end)
        self.agents: list[str] = [agent for agent in self.agents if not (terminations[agent] or truncations[agent])]
        return observations, rewards, terminations, truncations, infos

    def close(self) -> None:
        """End the simulation."""
        self.simulation.close()

    def _agent_names(self) -> list[str]:
        everybody = sorted(self.simulation.by_name)
        _expect_there(self._chosen or (), everybody)
        if self._chosen is not None and not self._chosen:
            raise WorldError(f"LiveEnv(agents=[]): nobody's cells are chosen; there are {', '.join(everybody)}")
        return everybody if self._chosen is None else list(self._chosen)

    def _observe_agents(self) -> PerAgent:
        return {agent: self.simulation.world.observe(agent) for agent in self.agents}

    def _rewards_and_infos(self, turns: list[Turn]) -> tuple[dict[str, float], dict[str, PerAgent]]:
        """Return what each agent earned, and its turns with what each was worth."""
        rewards = dict.fromkeys(self.agents, 0.0)
        infos: dict[str, PerAgent] = {agent: {"turns": []} for agent in self.agents}
        for turn in turns:
            if turn.parent is not None:
                continue
            worth = self._credit.of(turn.changes)
            if turn.agent in rewards:
                rewards[turn.agent] += worth
                record = {"turn": turn.id, "cell": turn.code, "status": turn.status, "output": turn.output}
                infos[turn.agent]["turns"].append({**record, "error": turn.error, "reward": worth})
        return rewards, infos


def _expect_there(names: Iterable[str], there: Sequence[str]) -> None:
    if strange := sorted(set(names) - set(there)):
        hint = did_you_mean(strange[0], there)
        raise WorldError(f"LiveEnv: there is no agent {strange[0]!r}.{hint} There are {', '.join(there)}")


class Puppet(Agent):
    """An agent whose cells the caller of the environment chooses."""

    cell = ""

    def act(self, observation: dict[str, Any]) -> str:
        """Return the cell that was chosen."""
        return self.cell


class Turns(Observer):
    """Collects turns until they are taken."""

    def __init__(self) -> None:
        self._turns: list[Turn] = []

    def on_turn(self, simulation: Watched, turn: Turn) -> None:
        """Keep a turn."""
        self._turns.append(turn)

    def take(self) -> list[Turn]:
        """Return the turns since the last time."""
        turns, self._turns = self._turns, []
        return turns


def taken_over(simulation: Simulation, name: str) -> Puppet:
    """Put a puppet in an agent's place."""
    simulation.by_name[name].remove()
    puppet = Puppet(simulation, name)
    simulation.roster.add(puppet)
    return puppet
