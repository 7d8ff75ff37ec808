"""Why a value is what it is, asked from a page: the run is lived again without one thing after the other, elsewhere.

Each question is a process of ``cave-sim why``: what it may import, and whether a model may be asked, is decided there,
as for anybody who types the command. The run is only read.
"""

from __future__ import annotations

import json
import shlex
import signal
import subprocess
import sys
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from cave_sim import WorldError
from cave_sim.causes.candidate import KINDS
from cave_sim.changes.plain_world import PlainEntity, PlainWorld
from cave_sim.dashboards.lookups.journal_reader import JournalReader
from cave_sim.dashboards.lookups.states import state
from cave_sim.history.condition import Condition

MOST_AT_ONCE = 2
MOST_FORKS = 500
MOST_KEPT = 20
LONGEST_TEXT = 80
Place = tuple[str, str, str, int]
"""Folder, question, among what, and the step."""


def question_of(reader: JournalReader, target: str, step: int) -> str:
    """Return what is asked of a value: a number or a truth as it is, of anything else whether it is what it is.

    Raises:
        WorldError: there is no such value at that step.
        JournalError: there is no such step.
    """
    world = PlainWorld(state(reader, step))
    value = Condition(target).value(world)
    if isinstance(value, bool | int | float):
        return target
    if isinstance(value, PlainEntity):
        return f"{target} == world[{next(name for name in world if world[name] == value)!r}]"
    if value is None or (isinstance(value, str) and len(value) <= LONGEST_TEXT):
        return f"{target} is None" if value is None else f"{target} == {value!r}"
    return f"len({target})"


@dataclass
class _UnderWay:
    """A search under way: its process, and what it has said."""

    process: subprocess.Popen[bytes]
    output: IO[bytes]
    log: IO[bytes]
    is_stopped: bool = False

    def state(self) -> dict[str, Any]:
        """Return how far it is: the effects that are known so far, and at last all that was found."""
        code = self.process.poll()
        self.output.seek(0)
        lines = []
        for line in self.output.read().split(b"\n")[:-1]:  # the last one may not be whole
            with suppress(ValueError):
                lines.append(json.loads(line))
        effects = [line["effect"] for line in lines if "effect" in line]
        ended = next((line for line in lines if "causes" in line), None)
        self.log.seek(0)
        trouble = self.log.read()[-2_000:].decode(errors="replace").strip().splitlines()
        status = "running" if code is None else "stopped" if self.is_stopped else "finished" if ended else "failed"
        latest: dict[str, Any] = next((line for line in reversed(lines) if "effect" in line), {})
        return {
            "status": status,
            "effects": effects,
            "found": ended,
            "tried": latest.get("tried", 0),
            "of": latest.get("of", 0),
            "trouble": trouble[-1].removeprefix("cave-sim: ") if status == "failed" and trouble else "",
        }


class CauseSearches:
    """Starts and stops questions; those still under way end with the server."""

    def __init__(self) -> None:
        self._searches: dict[Place, _UnderWay] = {}

    def state(self, folder: Path, question: str, among: str, step: int) -> dict[str, Any]:
        """Return how far a question is; ``none`` if it was not asked here."""
        search = self._searches.get((str(folder), question, among, step))
        data: dict[str, Any] = {"status": "none"} if search is None else search.state()
        command = ["cave-sim", "why", str(folder), question, "--among", among, "--at", str(step)]
        return {**data, "question": question, "among": among, "step": step, "command": shlex.join(command)}

    def start(self, folder: Path, question: str, wish: dict[str, Any]) -> dict[str, Any]:
        """Ask what a question would have come to without one thing after the other.

        Args:
            folder: of the run.
            question: as ``cave-sim why`` takes it.
            wish: `among` what; `step` at which it is asked; `forks`, how many may be run.

        Raises:
            WorldError: too many questions are asked at once, or the wish does not fit.
        """
        among, step, forks = wish_of(wish)
        key = (str(folder), question, among, step)
        running = [each for each in self._searches.values() if each.process.poll() is None]
        if key in self._searches and self._searches[key] in running:
            return self.state(folder, question, among, step)
        if len(running) >= MOST_AT_ONCE:
            raise WorldError(f"{MOST_AT_ONCE} questions are asked already; wait for one, or stop it")
        self._forget(key)
        over = [each for each, search in self._searches.items() if search not in running]
        for each in over[: max(0, len(over) - MOST_KEPT + 1)]:  # what they found is kept beside the run
            self._forget(each)
        words = ["--among", among, "--at", str(step), "--max-forks", str(forks), "--lines"]
        command = [sys.executable, "-m", "cave_sim", "why", *words, "--", str(folder), question]
        output, log = tempfile.TemporaryFile(), tempfile.TemporaryFile()  # noqa: SIM115 - they live as long as the search
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output, stderr=log)
        self._searches[key] = _UnderWay(process, output, log)
        return self.state(folder, question, among, step)

    def stop(self, folder: Path, question: str, among: str, step: int) -> None:
        """End a question after its present fork, with what is known."""
        search = self._searches.get((str(folder), question, among, step))
        if search is not None and search.process.poll() is None:
            search.is_stopped = True
            search.process.send_signal(signal.SIGINT)

    def close(self) -> None:
        """End every question."""
        for key in list(self._searches):
            self._forget(key)

    def _forget(self, key: Place) -> None:
        search = self._searches.pop(key, None)
        if search is not None:
            if search.process.poll() is None:
                search.process.kill()
                search.process.wait()
            search.output.close()
            search.log.close()


def wish_of(wish: dict[str, Any]) -> tuple[str, int, int]:
    """Return among what a page asks for causes, at which step, and how many forks it allows; raises WorldError."""
    among, step, forks = wish.get("among", "turns"), wish.get("step"), wish.get("forks", 20)
    if among not in KINDS:
        raise WorldError(f"among={among!r}: causes are looked for among {', '.join(KINDS)}")
    if not isinstance(step, int) or isinstance(step, bool) or step < 1:
        raise WorldError(f"step={step!r}: why is asked at a step of the run, 1 or later")
    if not isinstance(forks, int) or isinstance(forks, bool) or not 1 <= forks <= MOST_FORKS:
        raise WorldError(f"forks={forks!r}: allow 1 to {MOST_FORKS}")
    return among, step, forks
