"""What is in the files of training data, counted line by line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import ValidationError

from cave_sim.training_data.example import ROLES, SPLITS, TrainingExample
from cave_sim.training_data.manifest import place

BUCKETS = (64, 128, 256, 512, 1_024, 2_048, 4_096)
"""Upper ends of the histogram of tokens; one more holds what is longer."""


@dataclass
class Statistics:
    """Counts over all files.

    Attributes:
        categories, kinds: (role, split, word) -> examples.
        writers: (role, who wrote the reply) -> examples.
        tokens: (role, bucket) -> examples, by their whole length; a bucket is a place in BUCKETS, or one behind it.
        most: role -> tokens of the longest.
        scenarios: (role, split) -> how many there are.
    """

    categories: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    kinds: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    writers: Counter[tuple[str, str]] = field(default_factory=Counter)
    tokens: Counter[tuple[str, int]] = field(default_factory=Counter)
    most: dict[str, int] = field(default_factory=dict)
    scenarios: Counter[tuple[str, str]] = field(default_factory=Counter)

    def of(self, role: str, split: str, what: Counter[tuple[str, str, str]]) -> dict[str, int]:
        """Return word -> examples of one file, sorted."""
        return {word: number for (r, s, word), number in sorted(what.items()) if (r, s) == (role, split)}


def statistics(folder: Path) -> Statistics:
    """Return the counts of a folder; lines that are no examples are passed over, for the validator names them."""
    counts = Statistics()
    for role in ROLES:
        for split in SPLITS:
            scenarios = set()
            for example in examples_in(folder / place(role, split)):
                length = example.tokens.prompt + example.tokens.completion
                counts.categories[role, split, example.category] += 1
                counts.kinds[role, split, example.kind] += 1
                counts.writers[role, example.origin.written_by] += 1
                counts.tokens[role, next((at for at, end in enumerate(BUCKETS) if length <= end), len(BUCKETS))] += 1
                counts.most[role] = max(counts.most.get(role, 0), length)
                scenarios.add(example.origin.scenario)
            counts.scenarios[role, split] = len(scenarios)
    return counts


def examples_in(path: Path) -> Iterator[TrainingExample]:
    """Yield the examples of a file that can be read."""
    with path.open("rb") as file:
        for line in file:
            try:
                yield TrainingExample.model_validate_json(line)
            except ValidationError:
                continue
