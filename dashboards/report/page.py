"""The report of a run: the page with its data in one file."""

from __future__ import annotations

import gzip
from base64 import b64encode
from pathlib import Path

from cave_sim import Run
from cave_sim.dashboards.lookups.journal_reader import JournalReader
from cave_sim.dashboards.lookups.overview import run_title
from cave_sim.dashboards.page_files import LIVE, page_body
from cave_sim.dashboards.report.answers import packed_answers
from cave_sim.dashboards.standalone import standalone
from cave_sim.files.whole_files import write_whole
from cave_sim.journal.suspicion import understood

GZIP_LEVEL = 6
"""A file 3 % larger than at 9, in a third of the time."""


def write_report(run: Run, path: Path | None = None) -> Path:
    """Write the report of a run and return where it is.

    Args:
        run: what `cave_sim.open_run` returns; it is only read.
        path: the HTML file to write; `report.html` in the run's folder if not given.
    """
    path = path or run.folder / "report.html"
    write_whole(path, report_html(JournalReader.over(run)))
    return path


def report_html(reader: JournalReader) -> str:
    """Return the page of a run with everything that it loads, and all that it asks a server for, in it.

    Raises:
        JournalError: the run's file is damaged, or holds what is not understood.
    """
    with understood(reader.folder):
        packed = b64encode(gzip.compress(packed_answers(reader), GZIP_LEVEL, mtime=0)).decode()
    data = f'<script type="application/octet-stream" id="saved-run">{packed}</script>'
    return standalone(f"{run_title(reader.run.manifest)} · {reader.name}", page_body(), data, LIVE)
