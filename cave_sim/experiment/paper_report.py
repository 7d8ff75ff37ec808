"""A paper's tables as one report: what is there of them at this moment, with what is not, and why."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from cave_sim.experiment.paper import KeptPaper, PaperTable
from cave_sim.experiment.paper_bounds import bounds_in_words
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
        lists = {name: list(getattr(self, name)) for name in ("models", "notes", "missing")}
        return {"title": self.title, "tables": tables, **lists}


def paper_report(folder: KeptPaper, planned: Mapping[tuple[str, str], int], missing: Mapping[str, str]) -> PaperReport:
    """Return the report of what a folder keeps.

    Args:
        folder: what it keeps.
        planned: model and part -> how many trials there are to be, as far as that is known.
        missing: parts that cannot be measured here, with the reason.
    """
    by_name = {table.name: table_block(folder, table) for table in folder.paper.tables}
    blocks = [block for block in by_name.values() if block.rows]
    blocks += [failure_block(folder), construct_block(folder), cost_block(folder, dict(planned))]
    of_scripts = {RIGHT: SCRIPTED, WRONG: SLIPPING}
    notes = [READING, *(of_scripts[model] for model in folder.models if model in of_scripts), *bounds_in_words(folder)]
    gaps = [f"{_tables_of(folder, part)}{part}: {why}" for part, why in missing.items()]
    gaps += [
        f"{table.name}, {table.title}: {_why_empty(folder, table)}"
        for table in folder.paper.tables
        if not by_name[table.name].rows and not {*table.parts} <= missing.keys()
    ]
    return PaperReport(folder.paper.title, folder.paper.source, folder.models, notes, blocks, gaps)


def _why_empty(folder: KeptPaper, table: PaperTable) -> str:
    begun = any(folder.trials(model, part) for model in folder.models for part in table.parts)
    why = "no task of it was finished in all ways of acting" if begun else "no task of it was finished"
    return f"{why}; --groups {table.name} with the same --out runs it"


def _tables_of(folder: KeptPaper, part: str) -> str:
    """Return the tables that rest on a part, as what is said of it begins."""
    names = [table.name for table in folder.paper.tables if part in table.parts]
    return f"{', '.join(names)}, " if names else ""
