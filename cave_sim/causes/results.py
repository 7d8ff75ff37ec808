"""Results that are kept: what each counterfactual came to, a line each, so that a question goes on where it was."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class ForkResult:
    """What a question comes to on one fork.

    Attributes:
        value: a number, or whether a condition holds; None where it is not known.
        asked, reused: calls to models that were paid for, and that were answered as in the run.
        why: why it is not known; "" where it is.
        may_ask: how many calls it was allowed, where that is why; with more it is worked out again.
    """

    value: float | bool | None
    asked: int = 0
    reused: int = 0
    why: str = ""
    may_ask: int | None = None


class Results:
    """Outcomes by key, in a file.

    Args:
        file: where they are kept; nowhere unless given. A line that was cut off while it was written is passed over.
    """

    def __init__(self, file: Path | None = None) -> None:
        self._file = file
        self._known: dict[str, ForkResult] = {}
        text = file.read_text(encoding="utf-8") if file is not None and file.is_file() else ""
        self._before = "\n" if text and not text.endswith("\n") else ""
        for line in text.splitlines():
            try:
                data = json.loads(line)
            except ValueError:
                continue
            key = data.pop("key")
            self._known[key] = ForkResult(**data)

    def get(self, key: str, may_ask: int | None) -> ForkResult | None:
        """Return a known outcome; None for one that more calls to models may come to know."""
        known = self._known.get(key)
        if known is not None and known.may_ask is not None and (may_ask is None or may_ask > known.may_ask):
            return None
        return known

    def put(self, key: str, outcome: ForkResult) -> None:
        """Keep an outcome."""
        self._known[key] = outcome
        if self._file is not None:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            line = json.dumps({"key": key, **asdict(outcome)}, ensure_ascii=False)
            with self._file.open("a", encoding="utf-8") as file:
                file.write(f"{self._before}{line}\n")
            self._before = ""
