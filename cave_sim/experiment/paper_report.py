"""A paper's tables as one report: what is there of them at this moment, with what is not, and why."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from cave_sim.experiment.paper import KeptPaper
from cave_sim.experiment.paper_tables import PaperBlock, construct_block, cost_block, failure_block, table_block
from cave_sim.experiment.scripted import RIGHT, WRONG

READING = (
    "Success is the share of queries after which the state is as it must be; nobody reads what a model says. Brackets"
    " are 95 % intervals: Student's over repetitions. A single repetition, or several that came out alike, as at"
    " temperature 0, has Wilson's over its queries, which hang together, so that it is somewhat too narrow."
)
SCRIPTED = (
    f"{RIGHT} is no language model: its scripts know the right answers, so that its success says that the tasks can be"
    " done; what it measures is what a way of acting itself costs. It has no intervals."
)
SLIPPING = f"{WRONG} is no language model: its scripts slip in every query, so that the judges have something to find."


@dataclass(frozen=True)
class PaperReport:
    """What there is of a paper.

    Attributes:
        title: of the paper.
        source: the publication.
        models: names.
        notes: sentences on how to read it.
        blocks: its tables.
        missing: a sentence for each part that was not measured.
    """

    title: str
    source: str
    models: Sequence[str]
    notes: Sequence[str]
    blocks: Sequence[PaperBlock]
    missing: Sequence[str] = field(default=())

    def to_data(self) -> dict[str, Any]:
        """Return it as plain data, without its figures, which show what tables say."""
        tables = [
            {"name": block.name, "title": block.title, "heads": list(block.heads), "rows": [*map(list, block.rows)]}
            for block in self.blocks
        ]
        return {"title": self.title, "models": list(self.models), "tables": tables, "missing": list(self.missing)}


def paper_report(kept: KeptPaper, planned: Mapping[tuple[str, str], int], missing: Mapping[str, str]) -> PaperReport:
    """Return the report of what a folder keeps.

    Args:
        kept: the folder.
        planned: model and part -> how many trials there are to be, as far as that is known.
        missing: parts that cannot be measured here, with the reason.
    """
    blocks = [table_block(kept, table) for table in kept.paper.tables]
    blocks = [block for block in blocks if any(set(row[3:]) - {"–"} for row in block.rows)]
    blocks += [failure_block(kept), construct_block(kept), cost_block(kept, dict(planned))]
    told = {RIGHT: SCRIPTED, WRONG: SLIPPING}
    notes = [READING, *(told[model] for model in kept.models if model in told)]
    gaps = [f"{_tables_of(kept, part)}{part}: {why}" for part, why in missing.items()]
    return PaperReport(kept.paper.title, kept.paper.source, kept.models, notes, blocks, gaps)


def _tables_of(kept: KeptPaper, part: str) -> str:
    """Return the tables that rest on a part, as what is said of it begins."""
    names = [table.name for table in kept.paper.tables if part in table.parts]
    return f"{', '.join(names)}, " if names else ""
