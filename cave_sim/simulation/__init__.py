"""The loop that takes a world from step to step, with its parts; a simulation is one of Mesa's models."""

from cave_sim import quick_mesa as quick_mesa
