"""Building a packet: what it names is run, and all that is to be kept of that lies in one folder."""

from __future__ import annotations

import ast
import datetime as dt
import hashlib
import json
import platform
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from cave_sim.diagnostics.plurals import counted
from cave_sim.errors import JournalError, WorldError
from cave_sim.evidence.commands import CommandResult, run_command, run_tests
from cave_sim.evidence.packet import Packet, read_packet
from cave_sim.files.given_files import given_text, sha256_of
from cave_sim.files.whole_files import clear_away
from cave_sim.journal.reader import open_run
from cave_sim.journal.tables import DATABASE
from cave_sim.session.graph import own_rows, sessions_of
from cave_sim.simulation.run_journal import DEPENDENCIES
from cave_sim.version import __version__, code_revision, machine, version_of

RESULT, SUMS = "packet.json", "SHA256SUMS"


def build(path: Path, packet: Packet, out: Path, say: Callable[[str], None]) -> dict[str, Any]:
    """Run what a packet names, and write its folder, ``out/NAME``: whole or not at all.

    Args:
        path: the packet's file.
        packet: what it says.
        out: folder of the evidence; a packet of this name in it is replaced.
        say: told what is being run, a line each.

    Returns:
        dict[str, Any]: what ``packet.json`` holds.

    Raises:
        WorldError: something else lies where the folder is to be.
    """
    source = source_of(path, packet)
    folder, begun = out / path.stem, out / f".{path.stem}-begun"
    if folder.exists() and not (folder / RESULT).is_file():
        raise WorldError(f"{folder} is there and is no evidence: move it, or name another folder with --out")
    clear_away(begun)
    begun.mkdir(parents=True)
    shutil.copyfile(path, begun / "packet.toml")
    outcomes = list(_outcomes(path, packet, begun, say))
    problems = [problem for outcome in outcomes for problem in outcome.problems] + list(_compared(packet, begun))
    result = {
        "title": packet.title,
        "claims": [_verdict(claim, outcomes, problems) for claim in packet.claims],
        "proves": packet.proves,
        "does_not_prove": packet.does_not_prove,
        "holds": not problems,
        "problems": problems,
        "commands": [outcome.to_data() for outcome in outcomes],
        "rows": _keep_rows(begun),
        "source": source,
        "built": f"{dt.datetime.now(dt.UTC):%Y-%m-%d %H:%M} UTC",
        "made_by": {
            "cave_sim": __version__,
            "code": code_revision(),
            "python": platform.python_version(),
            "versions": {name: version_of(name) for name in DEPENDENCIES},
            "machine": machine(),
        },
    }
    (begun / RESULT).write_text(json.dumps(result, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    (begun / SUMS).write_text("".join(_sums(begun)), encoding="utf-8")
    shutil.rmtree(folder, ignore_errors=True)
    begun.rename(folder)
    return result


def built(path: Path, out: Path) -> dict[str, Any] | None:
    """Return what came of a packet when it was last built; None if it was not, or by another text of it."""
    folder = out / path.stem
    try:
        if (folder / "packet.toml").read_bytes() != path.read_bytes():
            return None
        result: dict[str, Any] = json.loads(given_text(folder / RESULT))
    except (OSError, ValueError):
        return None
    return result


def still_holds(path: Path, out: Path) -> dict[str, Any] | None:
    """Return what came of a packet that need not be built again: it held, by this text, these tests and this code."""
    result = built(path, out)
    if not result or not result["holds"] or result["made_by"]["code"] != code_revision():
        return None
    return result if result.get("source") == source_of(path, read_packet(path)) else None


def source_of(path: Path, packet: Packet) -> str:
    """Return a digest of all that says how a packet is shown: its text, and the source of its tests, one by one.

    Args:
        path: the packet's file.
        packet: what it says.
    """
    digest = hashlib.sha256(path.read_bytes())
    for test in packet.tests:
        file, _, name = test.partition("::")
        try:
            text = (_checkout(path) / file).read_text(encoding="utf-8")
            statements = ast.parse(text).body
            functions = [each for each in statements if isinstance(each, ast.FunctionDef) and each.name == name]
        except (OSError, ValueError, SyntaxError):
            functions = []
        digest.update(f"\n{test}\n{''.join(ast.get_source_segment(text, each) or '' for each in functions)}".encode())
    return digest.hexdigest()[:16]


def _outcomes(path: Path, packet: Packet, folder: Path, say: Callable[[str], None]) -> Iterator[CommandResult]:
    logs = folder / "logs"
    logs.mkdir()
    for number, step in enumerate(packet.commands, 1):
        say(f"{path.stem}: cave-sim {step.run}")
        yield run_command(step, path.parent, folder, logs / f"{number}.txt")
    if packet.tests:
        say(f"{path.stem}: {counted(len(packet.tests), 'test')}")
        yield from run_tests(packet.tests, _checkout(path), logs)


def _checkout(path: Path) -> Path:
    """Return the folder in which a packet's tests are, the nearest one around its file."""
    for folder in path.resolve().parents:
        if (folder / "tests").is_dir():
            return folder
    raise WorldError(f"{path}: its tests are in no folder around it; such a packet is built in a checkout")


def _compared(packet: Packet, folder: Path) -> Iterator[str]:
    for names in packet.same:
        hashes = {name: _last_hash(folder / name) for name in names}
        if len({*hashes.values()}) > 1 or None in hashes.values():
            yield f"the last states are not the same: {_listed(hashes)}"
    for names in packet.different:
        hashes = {name: _last_hash(folder / name) for name in names}
        if len({*hashes.values()}) < len(hashes) or None in hashes.values():
            yield f"the last states do not all differ: {_listed(hashes)}"


def _listed(hashes: dict[str, str | None]) -> str:
    return ", ".join(f"{name} {'has none' if value is None else value[:16]}" for name, value in hashes.items())


def _last_hash(folder: Path) -> str | None:
    try:
        with open_run(folder) as run:
            steps = run.query("SELECT state_hash FROM steps ORDER BY step DESC LIMIT 1")
    except JournalError:
        return None
    return steps[0][0] if steps else None


def _verdict(claim: Any, outcomes: list[CommandResult], problems: list[str]) -> dict[str, Any]:
    """Return a claim with whether it holds: by its test, or else by all that was run."""
    by_test = [outcome for outcome in outcomes if claim.test and outcome.command == claim.test]
    holds = all(not outcome.problems for outcome in by_test) if by_test else not problems
    return {**claim.model_dump(), "holds": holds}


def _keep_rows(folder: Path) -> list[str]:
    """Write the rows of the sessions of each run as JSON lines; returns the names of the files."""
    written = []
    for database in sorted(folder.glob(f"*/{DATABASE}")):
        try:
            with open_run(database.parent) as run:
                rows = [row for session in sessions_of(run, None).values() for row in own_rows(session)]
        except JournalError:
            continue  # a step has said so, or was meant to break it
        if rows:
            name = f"rows-{database.parent.name}.jsonl"
            (folder / name).write_text("".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows))
            written.append(name)
    return written


def _sums(folder: Path) -> Iterator[str]:
    """Yield a line for each file, as ``sha256sum --check`` reads them."""
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        yield f"{sha256_of(path)}  {path.relative_to(folder).as_posix()}\n"
