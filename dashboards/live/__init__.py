"""The live dashboard: a page that watches runs, served from their journals."""

from cave_sim.dashboards.live.server import Dashboard, serve
from cave_sim.dashboards.lookups.portrayal import Portrayal

__all__ = ["Dashboard", "Portrayal", "serve"]
