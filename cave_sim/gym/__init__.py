"""A world as a PettingZoo environment: agents observe, write cells, and are paid by rewards that anybody can check.

Needs the extra ``gym``. Actions are cells; observations are the plain data that agents perceive.
"""

from cave_sim.gym.live import LiveEnv
from cave_sim.gym.recorded import RecordedEnv
from cave_sim.gym.spaces import CellSpace, DataSpace
from cave_sim.history.rewards import Reward, delta_reward, trajectories

__all__ = ["CellSpace", "DataSpace", "LiveEnv", "RecordedEnv", "Reward", "delta_reward", "trajectories"]
