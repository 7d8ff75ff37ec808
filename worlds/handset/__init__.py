"""A handset: a telephone with more than twenty tools, whose state they share and whose radios and battery can fail."""

from cave_sim.worlds.handset.handset import Handset
from cave_sim.worlds.handset.owner import build_handset

__all__ = ["Handset", "build_handset"]
