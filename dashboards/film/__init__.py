"""Films of runs: the map of every step as an animated picture, drawn without a browser."""

from cave_sim.dashboards.film.film import write_film

__all__ = ["write_film"]
