"""A home that is run by word: lamps, blinds, heating, music, a camera, a door, and the weather outside."""

from cave_sim.worlds.smart_home.build import build_home
from cave_sim.worlds.smart_home.devices import Blinds, Camera, Door, Heating, Lamp, Outdoors, Speaker

__all__ = ["Blinds", "Camera", "Door", "Heating", "Lamp", "Outdoors", "Speaker", "build_home"]
