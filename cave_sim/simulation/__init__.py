"""The loop that takes a world from step to step, with its parts; a simulation is one of Mesa's models."""
