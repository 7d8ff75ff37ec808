"""The data card: what the files are, counted from the files themselves, in the form that data hubs read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from shlex import quote

from cave_sim.diagnostics.plurals import counted
from cave_sim.training_data.example import KINDS, ROLES, SPLITS
from cave_sim.training_data.manifest import SOURCES, Manifest, Settings, SourceLine, place
from cave_sim.training_data.statistics import BUCKETS, Statistics, statistics

SOURCES_NAMED = 30
SCRIPTED = ("scripted", "rules")
WHAT = """\
Lines of JSON, each with a `prompt` and the `completion` that is learned from it, as messages of a chat: what an
assistant with a small context was sent in a run of cave_sim, and what it answered. After "Efficient on-device
agents", the **executor** acts: it reads what never changes, a log of what lasts, and this turn. The **tracker**
writes the log: it reads its rules, the log so far and the new messages, and writes the lines to append, or
`# NO_UPDATE`.

Read it with `load_dataset(FOLDER, "executor")`, and train on the completion alone. For what takes one list of
`messages`, `cave-sim training-data --chats FOLDER --out CHATS` writes that, with `weight` 1 for the message that is
learned and 0 for what was said before. Tools stand in the system message, as a device sends them; where they
are offered beside the messages they are in `tools`, as JSON."""
TAKEN = """\
Only runs that came to their end, whose file is as it was written. Where a run's manifest says what is right
(its scenario), its dialogue must have made every required call, in order and with the right arguments, each
must have ended as the scenario says, no model may have failed to answer, and the owner must have said that they
have what they wanted. A reply is then learned if what it calls is among the required calls, if it selects the
tool of such a call, or if it answers in words and the calls of its turn, if any, were right. Where no run says
what is right, a reply is learned if the cell or the calls that it made landed in the world, and words only
behind such calls. A tracker's lines are learned from the same dialogues, cleaned by the rules of the log,
whoever wrote them."""
NOT = """\
- Tools are those of the runs. The paper has 5,000 variants of 100 tools, which a model made; here an example
  differs from the next in which other tools it shows.
- What looks like a telephone number, a password, a key, or a mark of a chat template is left out, by patterns;
  that is no proof that nothing private is left."""
OF_SCRIPTS = """\
- **Scripted roles wrote {share} of it.** They know the right answers, and speak in a handful of fixed
  sentences: it teaches form (when to select, how to call, what to log), and next to nothing of language."""


def card(folder: Path, manifest: Manifest) -> str:
    """Return the card of a folder, from what lies in it."""
    counts = statistics(folder)
    sources = [SourceLine.model_validate_json(line) for line in (folder / SOURCES).read_bytes().splitlines()]
    return "\n".join([*_front(manifest), "", *_body(manifest, counts, sources)]) + "\n"


def _front(manifest: Manifest) -> Iterator[str]:
    """Yield the head that data hubs read: the license, and which file is which split of which role."""
    yield from ("---", f"license: {manifest.settings.license or 'unknown'}", "task_categories:", "- text-generation")
    yield "configs:"
    for role in ROLES:
        yield from (f"- config_name: {role}", "  data_files:")
        for file in manifest.files:
            if file.role == role and file.examples:
                yield from (f"  - split: {file.split}", f"    path: {file.path}")
    yield "---"


def _body(manifest: Manifest, counts: Statistics, sources: list[SourceLine]) -> Iterator[str]:
    settings = manifest.settings
    yield from ("# Executor and tracker examples", "", WHAT, "", "## How many", "")
    yield from _table(["file", "examples", "scenarios", "SHA-256"],
        [[f"`{each.path}`", each.examples, counts.scenarios[each.role, each.split], f"`{each.sha256}`"]
         for each in manifest.files])  # fmt: skip
    yield from ("", "No scenario, and no text, is on both sides of the split. By category, and what the mix wants:", "")
    places = [(role, split) for role in ROLES for split in SPLITS]
    heads = [place(role, split).removesuffix(".jsonl") for role, split in places]
    yield from _table(["category", "wanted", *heads],
        [[name, f"{share:g} %", *(_part(counts.of(*each, counts.categories), name) for each in places)]
         for name, share in settings.mix.items()])  # fmt: skip
    yield from ("", "By what the reply does:", "")
    yield from _table(["role", "kind", *SPLITS],
        [[role, kind, *(_part(counts.of(role, split, counts.kinds), kind) for split in SPLITS)]
         for role in ROLES for kind in KINDS[role]])  # fmt: skip
    limits = ", ".join(f"{share:g} % {kind}" for kind, share in settings.tracker_kinds.items())
    yield from ("", f"Of the tracker's, at most {limits}. `trouble` is errors, limits and refusals.")
    if manifest.short:
        yield from ("", "There was too little of this, and nothing was repeated to fill it:", "")
        yield from (f"- {each}" for each in manifest.short)
    yield from ("", f"## How long, in tokens of {manifest.counter}", "")
    ends = [f"to {end:,}" for end in BUCKETS] + [f"over {BUCKETS[-1]:,}"]
    buckets = range(len(ends))
    lengths = [[role, *(counts.tokens[role, at] for at in buckets), counts.most.get(role, 0)] for role in ROLES]
    yield from _table(["role", *ends, "longest"], lengths)
    yield from ("", "## What was taken", "", TAKEN, "", "Left out:", "")
    yield from _left_out(manifest)
    yield from ("", "## Who wrote the replies", "")
    yield from _table(["role", "written by", "examples"],
        [[role, f"`{who}`", number] for (role, who), number in sorted(counts.writers.items())])  # fmt: skip
    yield from ("", "## What it is not", "")
    scripted = sum(number for (_, who), number in counts.writers.items() if who in SCRIPTED)
    if scripted:
        yield OF_SCRIPTS.format(share=f"{scripted / sum(counts.writers.values()):.0%}")
    yield _judged(manifest.settings, sources)
    yield from (NOT, "", "## License", "", settings.license or "Nobody has said under which license it is given.")
    yield from ("", "## Where it comes from, and how it is made again", "")
    yield from _sources(manifest, sources)


def _judged(settings: Settings, sources: list[SourceLine]) -> str:
    """Return who judged the language of it, and what follows from that."""
    judges = sorted({each.judge for each in sources if each.rating is not None and each.judge})
    if not judges:
        return "- No judge has read it: there is no filter for natural language beyond the rules above."
    rated = sum(each.rating is not None for each in sources)
    names = ", ".join(f"`{name}`{' (scripts, which count calls)' if name in SCRIPTED else ''}" for name in judges)
    least = f", and the least of these is {settings.least_rating}" if settings.least_rating else ""
    return f"- {names} judged {rated:,} of its {len(sources):,} runs, from 1 to 5{least}; that is one model's opinion."


def _left_out(manifest: Manifest) -> Iterator[str]:
    rows = [("runs", *item) for item in manifest.runs_left_out.items()]
    rows += [("examples", *item) for item in manifest.examples_left_out.items()]
    yield from [f"- {number:,} {what}: {why}" for what, why, number in rows] or ["- nothing"]


def _sources(manifest: Manifest, sources: list[SourceLine]) -> Iterator[str]:
    sources_told = counted(manifest.sources, "run")
    sentence = f"{sources_told} gave examples; `{SOURCES}` (SHA-256 `{manifest.sources_sha256}`) has them"
    yield f"{sentence}{', of which these are the first' if len(sources) > SOURCES_NAMED else ''}:"
    yield ""
    yield from _table(["run", "simulation", "seed", "scenario", "hash of its last step"],
        [[f"`{each.run}`", each.simulation, each.seed, each.scenario, f"`{each.seal[:16]}`"]
         for each in sources[:SOURCES_NAMED]])  # fmt: skip
    yield from ("", "```console")
    runs: dict[str, list[int | None]] = {}
    for each in sources:
        if each.create is not None:
            runs.setdefault(_run_command(each), []).append(each.seed)
    for command, seeds in sorted(runs.items()):
        yield f"$ {command}  # seeds {_ranges(sorted({seed for seed in seeds if seed is not None}))}"
    yield from (f"$ {_command(manifest.settings)}", "```", "")
    yield "Runs of scripted models come out the same again; those of others do not. Whether card and files agree says"
    yield f"`cave-sim training-data --check FOLDER`. Written by cave_sim {manifest.cave_sim} (`{manifest.code}`)."


def _run_command(source: SourceLine) -> str:
    words = ["cave-sim run", source.simulation, "--seed SEED"]
    for name, value in sorted((source.create or {}).items()):
        if name == "residents":
            words.append(f"--residents {quote(str(value))}")
        elif name != "seed":
            words.append(f"--set {quote(f'{name}={value}')}")
    return " ".join(words)


def _ranges(numbers: list[int]) -> str:
    """Return numbers in order in words, such as ``1-3, 7``."""
    ends = [at for at, number in enumerate(numbers) if at + 1 == len(numbers) or numbers[at + 1] != number + 1]
    begins = [0, *(end + 1 for end in ends)]
    pairs = [(numbers[begin], numbers[end]) for begin, end in zip(begins, ends, strict=False)]
    return ", ".join(f"{first}-{last}" if last > first else str(first) for first, last in pairs)


def _command(settings: Settings) -> str:
    usual = Settings(mix=settings.mix, tracker_kinds=settings.tracker_kinds)
    words = ["cave-sim training-data RUNS --out FOLDER", f"--seed {settings.seed}", f"--mix {shares(settings.mix)}"]
    words.append(f"--tracker-kinds {shares(settings.tracker_kinds)}")
    words.append(f"--tools {settings.tools[0]}-{settings.tools[1]} --validation {settings.validation * 100:g}")
    words.append(f"--most-tokens {settings.most_tokens}")
    if settings.examples != usual.examples:
        words.append(f"--examples {settings.examples}")
    if settings.least_rating is not None:
        words.append(f"--least-rating {settings.least_rating}")
    words += [f"--private {quote(pattern)}" for pattern in settings.private]
    if settings.license:
        words.append(f"--license {quote(settings.license)}")
    return " ".join(words)


def shares(of: Mapping[str, float]) -> str:
    """Return shares as an option takes them."""
    return ",".join(f"{name}={share:g}" for name, share in of.items())


def _part(counts: Mapping[str, int], name: str) -> str:
    number, all_ = counts.get(name, 0), sum(counts.values())
    return f"{number:,} ({number / all_:.0%})" if all_ else "0"


def _table(heads: Iterable[str], rows: Iterable[Iterable[object]]) -> Iterator[str]:
    columns = list(heads)
    yield f"| {' | '.join(columns)} |"
    yield f"| {' | '.join('---' for _ in columns)} |"
    for row in rows:
        yield f"| {' | '.join(_cell(each) for each in row)} |"


def _cell(value: object) -> str:
    text = f"{value:,}" if isinstance(value, int) else str(value)
    return text.replace("|", "\\|").replace("\n", " ")
