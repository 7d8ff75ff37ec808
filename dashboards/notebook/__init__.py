"""What a notebook shows of worlds, runs and what is in them: small tables, figures, and the report in a frame."""

from cave_sim.dashboards.notebook.figures import plot
from cave_sim.dashboards.notebook.html import html
from cave_sim.dashboards.notebook.page import page

__all__ = ["html", "page", "plot"]
