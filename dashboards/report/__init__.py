"""The report of a run: the live page in one file with its data inside."""

from cave_sim.dashboards.report.page import report_html, write_report

__all__ = ["report_html", "write_report"]
