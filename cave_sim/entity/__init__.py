"""What may live in a world: entities, their fields, and the containers that note their own writes."""

from cave_sim.entity.entity import Entity, encode_fields, own_agent_only
from cave_sim.entity.field import field

__all__ = ["Entity", "encode_fields", "field", "own_agent_only"]
