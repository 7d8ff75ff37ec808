"""A recorded run as a PettingZoo environment."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cave_sim.gym.spaces import HARMLESS, PerAgent, StepResult, WorldEnv
from cave_sim.history.rewards import Reward, RewardTracker, turns_between
from cave_sim.journal.queries import acting_agents, last_turns
from cave_sim.journal.reader import Run
from cave_sim.journal.rebuild import fold_at


class RecordedEnv(WorldEnv):
    """A run, played again step by step: what was done, and what it was worth. Actions are taken and left unused.

    What agents perceived is not in a journal, so an observation is the agent's own entity as it was, and the time;
    ``infos[agent]["turns"]`` tells what it did in the step.

    Args:
        run: what :func:`cave_sim.open_run` returns; it stays open as long as the environment is used.
        reward: what each turn is worth, see :mod:`cave_sim.history.rewards`.
    """

    metadata: Mapping[str, Any] = {"name": "cave_sim_recorded_v0", "render_modes": []}

    def __init__(self, run: Run, reward: Reward | str) -> None:
        super().__init__(acting_agents(run), HARMLESS)
        self._run, self._reward = run, reward
        self._steps = list(last_turns(run).items())

    def reset(
        self, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[PerAgent, dict[str, PerAgent]]:
        """Go back to the first step, whatever the seed: a recording has one. Returns observations and empty infos."""
        self._at = 0
        with self._run.reading():
            self._credit = RewardTracker(self._reward, fold_at(self._run, self._steps[0][0]), self._run)
        self.agents: list[str] = list(self.possible_agents)
        return self._observe_agents(), {agent: {} for agent in self.agents}

    def step(self, actions: Mapping[str, str]) -> StepResult:
        """Go on to the next step that was recorded; everybody is truncated at the last one.

        Raises:
            WorldError: everybody is done, or nothing was begun.
        """
        self.expect_begun()
        self._at += 1
        rewards, infos = self._rewards_and_infos()
        observations = self._observe_agents()
        truncations = dict.fromkeys(self.agents, self._at == len(self._steps) - 1)
        terminations = dict.fromkeys(self.agents, False)
        self.agents = [agent for agent in self.agents if not truncations[agent]]
        return observations, rewards, terminations, truncations, infos

    def _rewards_and_infos(self) -> tuple[dict[str, float], dict[str, PerAgent]]:
        rewards = dict.fromkeys(self.agents, 0.0)
        infos: dict[str, PerAgent] = {agent: {"turns": []} for agent in self.agents}
        for turn, changes in turns_between(self._run, self._steps[self._at - 1][1], self._steps[self._at][1]):
            worth = self._credit.of(changes)
            if turn.agent in rewards:
                rewards[turn.agent] += worth
                record = {"turn": turn.turn, "cell": turn.code, "status": turn.status, "output": turn.output}
                infos[turn.agent]["turns"].append({**record, "error": turn.error, "reward": worth})
        return rewards, infos

    def _observe_agents(self) -> PerAgent:
        state, step = self._credit.state, self._steps[self._at][0]
        time = self._run.time_at(step)
        fields = {agent: state.entities[agent]["fields"] if agent in state else {} for agent in self.agents}
        return {agent: {"time": time, "step": step, "me": dict(fields[agent])} for agent in self.agents}
