"""What is wrong with a folder of training data, one fault a line: file, line, key, rule. Reads line by line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from cave_sim.diagnostics.plurals import counted
from cave_sim.files.given_files import sha256_of, why_unread
from cave_sim.models.tokens import offline_counter
from cave_sim.training_data.card import card
from cave_sim.training_data.example import ROLES, SPLITS, Role, Split, TrainingExample
from cave_sim.training_data.example_rules import ExampleRules
from cave_sim.training_data.manifest import CARD, MANIFEST, SOURCES, Manifest, SourceLine, place

MIX_TOLERANCE = 0.02
"""By how much a category's share may differ from the mix, beside one example of rounding for each category."""


@dataclass(frozen=True)
class Fault:
    """Something that is wrong.

    Attributes:
        file, line: where; 0 for a file as a whole.
        key: in that line; "" for all of it.
        rule: what is wrong, in words.
    """

    file: str
    line: int
    key: str
    rule: str

    def __str__(self) -> str:
        where = f"{self.file}:{self.line}" if self.line else self.file
        return f"{where}: {self.key}: {self.rule}" if self.key else f"{where}: {self.rule}"


def faults(folder: Path) -> Iterator[Fault]:
    """Yield what is wrong with a folder of training data; nothing is raised for what lies in it."""
    try:
        manifest = Manifest.model_validate_json((folder / MANIFEST).read_bytes())
    except OSError as error:
        yield Fault(MANIFEST, 0, "", f"cannot be read: {why_unread(error)}")
        return
    except ValidationError as error:
        yield from (Fault(MANIFEST, 0, key, rule) for key, rule in _told(error))
        return
    sources: dict[str, SourceLine] = {}
    yield from _sources(folder, manifest, sources)
    checker = _Checker(folder, manifest, sources)
    for role in ROLES:
        for split in SPLITS:
            yield from checker.file(role, split)
    try:
        is_card = (folder / CARD).read_text("utf-8") == card(folder, manifest)
    except (OSError, ValueError) as error:
        yield Fault(CARD, 0, "", f"cannot be compared with the files: {type(error).__name__}")
    else:
        if not is_card:
            yield Fault(CARD, 0, "", "is not the card of these files")


def _sources(folder: Path, manifest: Manifest, sources: dict[str, SourceLine]) -> Iterator[Fault]:
    """Read the sources by their seals."""
    try:
        if sha256_of(folder / SOURCES) != manifest.sources_sha256:
            yield Fault(SOURCES, 0, "", f"is not as it was written: its SHA-256 is not that of {MANIFEST}")
        with (folder / SOURCES).open("rb") as file:
            for number, line in enumerate(file, 1):
                try:
                    source = SourceLine.model_validate_json(line)
                    sources[source.seal] = source
                except ValidationError as error:
                    yield from (Fault(SOURCES, number, key, rule) for key, rule in _told(error))
    except OSError as error:
        yield Fault(SOURCES, 0, "", f"cannot be read: {why_unread(error)}")
    if len(sources) != manifest.sources:
        yield Fault(SOURCES, 0, "", f"has {counted(len(sources), 'source')}; {MANIFEST} says {manifest.sources}")


class _Checker:
    """Checks file after file, and remembers what must not come twice."""

    def __init__(self, folder: Path, manifest: Manifest, sources: dict[str, SourceLine]) -> None:
        self._folder, self._manifest, self._sources = folder, manifest, sources
        self._settings = manifest.settings
        count = offline_counter()
        self._rules = ExampleRules(self._settings, count if count.name == manifest.counter else None)
        self._seen: dict[tuple[Role, bytes], tuple[Split, int]] = {}
        self._splits: dict[str, Split] = {}

    def file(self, role: Role, split: Split) -> Iterator[Fault]:
        """Yield what is wrong with one file."""
        name = place(role, split)
        entry = next((each for each in self._manifest.files if each.path == name), None)
        path = self._folder / name
        if entry is None or not path.is_file():
            yield Fault(name, 0, "", f"is not {'named by ' + MANIFEST if entry is None else 'there'}")
            return
        if sha256_of(path) != entry.sha256:
            yield Fault(name, 0, "", f"is not as it was written: its SHA-256 is not that of {MANIFEST}")
        categories: Counter[str] = Counter()
        kinds: Counter[str] = Counter()
        number = 0
        with path.open("rb") as file:
            for number, line in enumerate(file, 1):
                try:
                    example = TrainingExample.model_validate_json(line)
                except ValidationError as error:
                    yield from (Fault(name, number, key, rule) for key, rule in _told(error))
                    continue
                categories[example.category] += 1
                kinds[example.kind] += 1
                if example.role != role:
                    yield Fault(name, number, "role", f"is {example.role} in a file of the {role}")
                yield from (Fault(name, number, key, rule) for key, rule in self._rules.faults(example))
                yield from (Fault(name, number, key, rule) for key, rule in self._origin(example))
                yield from (Fault(name, number, key, rule) for key, rule in self._twice(example, split, number))
        if number != entry.examples:
            yield Fault(name, 0, "", f"has {counted(number, 'line')}; {MANIFEST} says {entry.examples}")
        yield from (Fault(name, 0, key, rule) for key, rule in self._mix(name, role, categories, kinds))

    def _origin(self, example: TrainingExample) -> Iterator[tuple[str, str]]:
        source = self._sources.get(example.origin.seal)
        if source is None:
            yield "origin.seal", f"is of no run in {SOURCES}"
            return
        for name in ("run", "simulation", "seed", "scenario"):
            if getattr(example.origin, name) != getattr(source, name):
                yield f"origin.{name}", f"is not that of its run in {SOURCES}"
        if example.category != source.category:
            yield "category", f"is {example.category}; its run is of {source.category}"

    def _twice(self, example: TrainingExample, split: Split, number: int) -> Iterator[tuple[str, str]]:
        key, here = (example.role, bytes.fromhex(example.said_id)[:16]), (split, number)
        if (before := self._seen.setdefault(key, here)) != here:
            where = "is there twice" if before[0] == split else "is on the other side of the split too"
            yield "", f"{where}: {place(example.role, before[0])}:{before[1]} says the same"
        if (other := self._splits.setdefault(example.origin.scenario, split)) != split:
            yield "origin.scenario", f"{example.origin.scenario} is in {other} as well"

    def _mix(self, file: str, role: Role, categories: Counter[str], kinds: Counter[str]) -> Iterator[tuple[str, str]]:
        total, wanted = sum(categories.values()), self._settings.mix
        if not total:
            return
        short = [each.removeprefix(f"{file}: ") for each in self._manifest.short if each.startswith(f"{file}: ")]
        lacking = {name for name in wanted for each in short if each.startswith((f"{name}:", f"{name},"))}
        mix = {name: share for name, share in wanted.items() if name not in lacking}  # of the others the card tells
        whole = sum(mix.values()) or 1.0
        among = sum(number for name, number in categories.items() if name not in lacking)
        for name in sorted({*mix, *categories} - lacking) if among else ():
            share, aim = categories[name] / among, mix.get(name, 0.0) / whole
            if abs(share - aim) > MIX_TOLERANCE + 1 / among:
                yield "category", f"{name} has {share:.1%} of {among}; the mix wants {aim:.1%}"
        if role == "tracker":
            for kind, most in self._settings.tracker_kinds.items():
                number = kinds[kind]
                if number > total * (most / 100 + MIX_TOLERANCE) + len(wanted) / 2:  # each category rounds
                    yield "kind", f"{kind} has {number} of {total}; at most {most:g} % are wanted"


def _told(error: ValidationError) -> Iterator[tuple[str, str]]:
    for each in error.errors(include_url=False, include_context=False, include_input=False):
        parts = (f"[{part}]" if isinstance(part, int) else f".{part}" for part in each["loc"])
        yield "".join(parts).lstrip("."), each["msg"]
