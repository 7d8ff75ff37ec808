"""cave_sim: a laboratory for societies of code-writing agents."""

from cave_sim.agent import Agent
from cave_sim.changes import Change
from cave_sim.codecs import register_codec
from cave_sim.describe import json_schema
from cave_sim.entity import Entity, deed
from cave_sim.errors import CaveSimError, JournalError, MissingExtra, Refused, SchemaError, WorldError
from cave_sim.fields import field
from cave_sim.hosts.ray.remote import connect
from cave_sim.journal.reader import Run, open_run
from cave_sim.limits import Limits
from cave_sim.simulation import Simulation
from cave_sim.turn import Turn
from cave_sim.version import __version__
from cave_sim.world import World

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
    "deed",
    "field",
    "json_schema",
    "open_run",
    "register_codec",
]
