"""The live dashboard: a page that watches runs, served from their journals."""

from cave_sim.dashboards.live.portrayal import Portrayal
from cave_sim.dashboards.live.server import Dashboard, serve

__all__ = ["Dashboard", "Portrayal", "serve"]
