"""Contract suites: tests that users run over their own worlds, agents and schedulers.

Subclass one in a test module of yours and say how to make the thing; pytest does the rest:

    class TestMyWorld(WorldContract):
        def make(self, seed):
            return build_my_world(seed)
        agent = "ann"
"""

from cave_sim.testing.agents import AgentContract
from cave_sim.testing.hosts import HostContract
from cave_sim.testing.schedulers import SchedulerContract
from cave_sim.testing.worlds import WorldContract

__all__ = ["AgentContract", "HostContract", "SchedulerContract", "WorldContract"]
