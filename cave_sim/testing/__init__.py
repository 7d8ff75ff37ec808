"""Contract suites: tests that users run over their own worlds, agents, schedulers and more.

Subclass one in a test module of yours and say how to make the thing; pytest does the rest:

    class TestMyWorld(WorldContract):
        def make(self, seed):
            return build_my_world(seed)
        agent = "ann"
"""

from cave_sim.testing.agents import AgentContract
from cave_sim.testing.hosts import HostContract
from cave_sim.testing.mesa_models import MesaModelContract
from cave_sim.testing.minds import EmbeddingsContract, ImportanceContract
from cave_sim.testing.schedulers import SchedulerContract
from cave_sim.testing.worlds import WorldContract

__all__ = [
    "AgentContract",
    "EmbeddingsContract",
    "HostContract",
    "ImportanceContract",
    "MesaModelContract",
    "SchedulerContract",
    "WorldContract",
]
