"""Interviews from a page: a resident is asked at a past moment, on a copy of the run in a process of its own.

The run is only read. The process is ``cave-sim survey``: what it may import, and which server it may ask, is decided
there, as for anybody who types the command.
"""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any

from cave_sim import WorldError

MOST_AT_ONCE = 2
LONGEST_S = 300.0
LONGEST_QUESTION = 2_000
ITEM = "question"


class Interviews:
    """Asks, a few at once; those still under way end with the server."""

    def __init__(self) -> None:
        self._asking: set[asyncio.subprocess.Process] = set()

    async def ask(self, folder: Path, wish: dict[str, Any]) -> dict[str, Any]:
        """Return what a resident answers.

        Args:
            folder: of the run.
            wish: `agent`, whom; `question`, in words; `step`, after which it is asked.

        Raises:
            WorldError: the wish does not fit, too many are asked at once, or the question could not be put.
        """
        question, agent, step = wish.get("question"), wish.get("agent"), wish.get("step")
        if not isinstance(question, str) or not 0 < len(question.strip()) <= LONGEST_QUESTION:
            raise WorldError(f"question: give one of at most {LONGEST_QUESTION:,} letters")
        if not isinstance(agent, str) or not agent or agent.startswith("-") or "," in agent:
            raise WorldError(f"agent={agent!r}: name one who is to be asked")
        if not isinstance(step, int) or isinstance(step, bool) or step < 0:
            raise WorldError(f"step={step!r}: an interview is held after a step of the run")
        if len(self._asking) >= MOST_AT_ONCE:
            raise WorldError(f"{MOST_AT_ONCE} interviews are being held already; wait for one")
        with tempfile.TemporaryDirectory() as place:
            path = Path(place) / "interview.json"
            item = {"kind": "text", "name": ITEM, "question": question.strip()}
            path.write_text(json.dumps({"name": "interview", "items": [item]}), encoding="utf-8")
            words = ["survey", str(folder), str(path), "--at", str(step), f"--whom={agent}", "--json"]
            return await self._answer(words)

    async def _answer(self, words: list[str]) -> dict[str, Any]:
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "cave_sim", *words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )  # fmt: skip
        self._asking.add(process)
        try:
            out, err = await asyncio.wait_for(process.communicate(), LONGEST_S)
        except TimeoutError:
            raise WorldError(f"there was no answer within {LONGEST_S:g} s") from None
        finally:
            self._asking.discard(process)
            _end(process)
        if process.returncode != 0:
            lines = err.decode(errors="replace").strip().splitlines()
            raise WorldError(lines[-1].removeprefix("cave-sim: ") if lines else "the question could not be put")
        reply: dict[str, Any] = json.loads(out)
        return {key: reply[key] for key in ("agent", "step", "question", "text", "tries")}

    def close(self) -> None:
        """End what is being asked."""
        for process in self._asking:
            _end(process)


def _end(process: asyncio.subprocess.Process) -> None:
    if process.returncode is None:
        with suppress(ProcessLookupError):
            process.kill()
