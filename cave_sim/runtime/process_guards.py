"""What a running cell changes in its process: guards in pandas, and silence about warnings. Nothing of it stays.

Both are there from the moment the first cell starts to run until the last one has ended, in whichever threads; nested
turns and batches only count.
"""

from __future__ import annotations

import re
import threading
import warnings
from types import TracebackType
from typing import Any

from cave_sim.entity.asking import CELL_FILE, RUNNING
from cave_sim.policy.libraries.array_texts import TextGuards
from cave_sim.policy.libraries.arrow_values import ArrowGuards
from cave_sim.policy.libraries.pandas_clock import ClockGuards

# What libraries think of an agent's code is not for whoever runs the world, nor may `python -W error` change a turn.
# A cell's globals hold no __name__, and Python calls such code "<string>"; what the compiler warns of is in CELL_FILE.
# What is warned of past a cell's own lines counts for ours, which called the library for it, or for the library's.
_CELL = rf"(<string>|{re.escape(CELL_FILE)})\Z"
_LIBRARIES = r"(cave_sim\.policy|numpy|pandas|scipy|networkx|plotly|sklearn)(\.|\Z)"
_SILENCE = ("ignore", None, Warning, re.compile(f"{_CELL}|{_LIBRARIES}"), 0)


class ProcessGuards:
    """A context manager around the running of cells; it may be entered again from within, and from other threads."""

    def __init__(self) -> None:
        self._clock = ClockGuards()
        self._texts = TextGuards()
        self._arrow = ArrowGuards()
        self._lock = threading.Lock()
        self._entered = 0

    def __enter__(self) -> None:
        with self._lock:
            if not self._entered:
                warnings.filters.insert(0, _SILENCE)  # type: ignore[attr-defined]
                self._clock.enter()
                self._texts.enter()
                self._arrow.enter()
                RUNNING.any = True
            self._entered += 1

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with self._lock:
            self._entered -= 1
            if not self._entered:
                RUNNING.any = False
                self._clock.leave()
                self._texts.leave()
                self._arrow.leave()
                filters: list[Any] = warnings.filters  # type: ignore[assignment]
                if filters and filters[0] is _SILENCE:
                    del filters[0]
                elif _SILENCE in filters:  # trusted code that a cell called put others before it
                    filters.remove(_SILENCE)


PROCESS_GUARDS = ProcessGuards()
