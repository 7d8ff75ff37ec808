"""Views of a run, made from its journal: they read, and never touch a live world."""

from cave_sim.dashboards.report import write_report

__all__ = ["write_report"]
