"""The report of a run or a study inside a notebook: the page in a frame of its own, which may do nothing but draw."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cave_sim import Run, Simulation
from cave_sim.dashboards.lookups.journal_reader import JournalReader
from cave_sim.dashboards.notebook.html import frame
from cave_sim.dashboards.report import report_html
from cave_sim.loading.extras import extra
from cave_sim.loading.views import Viewed

if TYPE_CHECKING:
    from cave_sim.scenario.folder import StudyFolder


class Page(Viewed):
    """A page that a notebook shows in a frame. Its scripts run there, apart from the notebook and from any network.

    Args:
        text: the whole page, in HTML.
        height_px: how high the frame is.
    """

    def __init__(self, text: str, height_px: int) -> None:
        self.text = text
        self.height_px = height_px

    def _repr_html_(self) -> str:
        return frame("a report", "allow-scripts", self.height_px, page=self.text)

    def __repr__(self) -> str:
        return f"<Page of {len(self.text):,} characters>"


def page(shown: Run | Simulation | StudyFolder, height_px: int) -> Viewed:
    """Return a page for a notebook: the report of a run or of a study, or the live page of a simulation."""
    if isinstance(shown, Simulation):
        with extra("dash", "the live page"):
            from cave_sim.dashboards.notebook.live_page import LivePage

        return LivePage(shown, height_px)
    if isinstance(shown, Run):
        return Page(report_html(JournalReader.over(shown)), height_px)
    from cave_sim.analysis.paper import paper  # a room that takes long to import, and that a run has no need of
    from cave_sim.analysis.trials import Trials
    from cave_sim.dashboards.paper.page import paper_html

    return Page(paper_html(paper(Trials.read(shown.folder))), height_px)
