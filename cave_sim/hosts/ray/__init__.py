"""The world as a Ray actor: named, detached, shared by as many drivers, agents and dashboards as like to.

    remote = launch(Recipe("town_day", {"seed": 7}), out="runs/town_day-7")     # starts an actor of that name
    remote = connect("town_day-7")                                               # from a notebook, or another machine

It has the calls of a :class:`~cave_sim.World`, gives the same turns, and keeps the same journal. Nothing outside of
this package imports ray.
"""

from cave_sim.hosts.ray.cluster import Cluster, start
from cave_sim.hosts.ray.executor import RayExecutor
from cave_sim.hosts.ray.model_workers import pool_of
from cave_sim.hosts.ray.remote_world import RemoteWorld, connect, launch

__all__ = ["Cluster", "RayExecutor", "RemoteWorld", "connect", "launch", "pool_of", "start"]
