"""The live dashboard: a page that watches runs, served from their journals."""

from dashboards.live.portrayal import Portrayal
from dashboards.live.server import Dashboard, serve

__all__ = ["Dashboard", "Portrayal", "serve"]
