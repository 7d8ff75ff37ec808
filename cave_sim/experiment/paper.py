"""A paper's tables: which studies they rest on, and the folder in which models are put to all of them.

The folder has one for each model, and in it a folder of a usual study for each part, so that whatever reads a study
reads it, too, and a paper goes on after ``kill -9`` as its studies do. More models, repetitions and parts may come
later.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from cave_sim.errors import JournalError
from cave_sim.experiment.kept_trials import KeptTrial, kept_trial
from cave_sim.experiment.runner import ABOUT, TRIALS
from cave_sim.files.given_files import given_text
from cave_sim.loading.entry_points import PAPERS, named


@dataclass(frozen=True)
class PaperPart:
    """A study as a paper uses it.

    Attributes:
        name: of its folder.
        study: the name of the installed study.
        paradigms: the ways of acting that the paper compares on it.
        options: of the study.
    """

    name: str
    study: str
    paradigms: tuple[str, ...]
    options: Mapping[str, str] = field(default_factory=dict)


TableKind = Literal["success", "cost", "improvement"]


@dataclass(frozen=True)
class PaperTable:
    """A table of a paper.

    Attributes:
        name: as in the paper, such as ``T3``.
        title: one line.
        parts: names of the parts it rests on.
        kind: ``success`` of each group; ``cost`` has steps and tokens beside it; ``improvement`` compares paradigms.
        has_overall: whether a row sums up all groups.
        has_figures: whether its numbers are drawn, too.
        groups: in which order groups of tasks stand; others come after these.
    """

    name: str
    title: str
    parts: tuple[str, ...]
    kind: TableKind = "success"
    has_overall: bool = False
    has_figures: bool = False
    groups: tuple[str, ...] = ()


@dataclass(frozen=True)
class PaperStudy:
    """All tables of a paper that need a model and nothing else.

    Attributes:
        name: on the command line.
        title: one line for the head of the page.
        source: the publication.
        parts: in the order in which they are run.
        tables: in the order of the paper.
    """

    name: str
    title: str
    source: str
    parts: tuple[PaperPart, ...]
    tables: tuple[PaperTable, ...]


def find_paper(name: str) -> PaperStudy:
    """Return a paper by name; raises WorldError if there is none."""
    paper: PaperStudy = named(PAPERS, name).PAPER
    return paper


def folder_of(model: str) -> str:
    """Return the name of a model's folder."""
    return re.sub(r"[^\w.-]+", "_", model)


class KeptPaper:
    """What the folder of a paper keeps; each journal is read once, however often this is asked.

    Args:
        paper: which.
        out: its folder.
        models: in this order; names as studies write them down.
    """

    def __init__(self, paper: PaperStudy, out: Path, models: tuple[str, ...]) -> None:
        self.paper: PaperStudy = paper
        self.out: Path = out
        self.models: tuple[str, ...] = models
        self._read: dict[Path, KeptTrial] = {}

    @staticmethod
    def models_in(out: Path) -> list[str]:
        """Return the models that a folder keeps something of."""
        models = []
        for about in sorted(out.glob(f"*/*/{ABOUT}")):
            try:
                models.append(str(json.loads(given_text(about))["model"]))
            except (OSError, ValueError, KeyError, TypeError):  # nobody's study
                continue
        return list(dict.fromkeys(models))

    def trials(self, model: str, part: str) -> list[KeptTrial]:
        """Return the finished trials of a model in a part."""
        return list(self._trials_in(self.out / folder_of(model) / part))

    def _trials_in(self, study: Path) -> Iterator[KeptTrial]:
        for folder in sorted((study / TRIALS).glob("*")):
            if folder not in self._read:
                try:
                    trial = kept_trial(folder)
                except JournalError:  # damaged, or just begun
                    continue
                if trial is None:
                    continue
                self._read[folder] = trial
            yield self._read[folder]
