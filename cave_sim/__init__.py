"""cave_sim: a laboratory for societies of code-writing agents."""

from cave_sim.changes.change import Change
from cave_sim.changes.turn import Limits, Turn
from cave_sim.entity.codecs import register_codec
from cave_sim.entity.entity import Entity, own_agent_only
from cave_sim.entity.field import field
from cave_sim.errors import CaveSimError, JournalError, MissingExtra, Refused, SchemaError, WorldError
from cave_sim.hosts.ray.remote_world import connect
from cave_sim.journal.reader import Run, open_run
from cave_sim.simulation.agents import Agent
from cave_sim.simulation.simulation import Simulation
from cave_sim.version import __version__
from cave_sim.world.api_reference import json_schema
from cave_sim.world.world import World

__all__ = [
    "Agent",
    "CaveSimError",
    "Change",
    "Entity",
    "JournalError",
    "Limits",
    "MissingExtra",
    "Refused",
    "Run",
    "SchemaError",
    "Simulation",
    "Turn",
    "World",
    "WorldError",
    "__version__",
    "connect",
    "field",
    "json_schema",
    "open_run",
    "own_agent_only",
    "register_codec",
]
