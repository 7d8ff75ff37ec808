"""cave_sim: a laboratory for societies of code-writing agents."""

from cave_sim.changes import Change
from cave_sim.codecs import register_codec
from cave_sim.describe import json_schema
from cave_sim.entity import Entity
from cave_sim.errors import CaveSimError, JournalError, MissingExtra, Refused, SchemaError, WorldError
from cave_sim.fields import field
from cave_sim.limits import Limits
from cave_sim.turn import Turn
from cave_sim.world import World

__version__ = "0.1.0"

__all__ = [
    "CaveSimError",
    "Change",
    "Entity",
    "JournalError",
    "Limits",
    "MissingExtra",
    "Refused",
    "SchemaError",
    "Turn",
    "World",
    "WorldError",
    "__version__",
    "field",
    "json_schema",
    "register_codec",
]
