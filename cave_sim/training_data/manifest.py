"""What a folder of training data says of itself: settings, files with their hashes, sources, and what was left out."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from cave_sim.training_data.example import Hex, Role, Split, Strict

MANIFEST, SOURCES, CARD = "training_data.json", "sources.jsonl", "README.md"


class Settings(Strict):
    """What a data set was asked to be.

    Attributes:
        seed: of every choice.
        mix, tracker_kinds: shares in percent, by category and by kind.
        tools: the fewest and the most tools of an example.
        validation: share of the scenarios, 0 to 1.
        most_tokens: of an example.
        examples: how many of the executor were wanted, in all; None for as many as the mix allows.
        least_rating: the least that a judge must have rated a run, 1 to 5; None to take those that nobody rated, too.
        private: patterns that were searched for beside those of the policy.
        license: under which it is given; None where nobody said.
    """

    seed: int = 7
    mix: dict[str, float]
    tracker_kinds: dict[str, float]
    tools: tuple[int, int] = (10, 14)
    validation: Annotated[float, Field(ge=0, le=0.5)] = 0.1
    most_tokens: Annotated[int, Field(ge=1)] = 4_096
    examples: Annotated[int, Field(ge=1)] | None = None
    least_rating: Annotated[int, Field(ge=1, le=5)] | None = None
    private: list[str] = Field(default_factory=list)
    license: str | None = None


class WrittenFile(Strict):
    """A file of examples."""

    role: Role
    split: Split
    sha256: Hex
    examples: Annotated[int, Field(ge=0)]

    @property
    def path(self) -> str:
        """Where it lies in the folder."""
        return place(self.role, self.split)


class SourceLine(Strict):
    """A run that gave examples: one line of ``sources.jsonl``.

    Attributes:
        run, seal, simulation, seed, scenario, category: as in the examples.
        models: who replied, as far as it was learned from.
        create: what the simulation was made with, where that is one of ours.
        rating, judge: 1 to 5, and the model that gave it, where one did.
    """

    run: str
    seal: Hex
    simulation: str
    seed: int | None = None
    scenario: str
    category: str
    models: list[str]
    create: dict[str, Any] | None = None
    rating: Annotated[int, Field(ge=1, le=5)] | None = None
    judge: str | None = None


class Manifest(Strict):
    """``training_data.json``.

    Attributes:
        format: of this file.
        cave_sim, code: version and revision that wrote it.
        counter: how tokens were counted.
        settings: what was asked for.
        files: those of examples.
        sources: how many runs gave any, and ``sources_sha256`` of their list.
        left_out: why -> how many runs, and how many examples, gave none or were none.
        short: what there was too little of.
    """

    format: Annotated[int, Field(ge=1, le=1)] = 1
    cave_sim: str
    code: str
    counter: str
    settings: Settings
    files: list[WrittenFile]
    sources: int
    sources_sha256: Hex
    runs_left_out: dict[str, int]
    examples_left_out: dict[str, int]
    short: list[str]


def place(role: Role, split: Split) -> str:
    """Return where the examples of a role and a split lie in a folder."""
    return f"{role}/{split}.jsonl"
