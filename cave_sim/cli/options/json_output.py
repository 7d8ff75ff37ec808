"""``--json``: what a command found as one JSON object, for scripts; nothing else is on stdout then."""

from __future__ import annotations

import argparse
import json
import math
from typing import Any


def add_argument(parser: argparse.ArgumentParser, what: str = "what came of it") -> None:
    """Declare the option."""
    parser.add_argument("--json", action="store_true", help=f"print {what} as one JSON object")


def add_arguments_of_a_run(parser: argparse.ArgumentParser) -> None:
    """Declare how a run is told while it goes on and at its end: in words, in few, or as JSON."""
    ways = parser.add_mutually_exclusive_group()
    ways.add_argument(
        "--print", action="store_true", dest="printing", help="print a line for each turn instead of a progress bar"
    )
    ways.add_argument("--quiet", action="store_true", help="print the state hash alone, and write no report")
    add_argument(parser)


def show(data: Any) -> None:
    """Print data as one JSON document; numbers that JSON has not are null."""
    print(json.dumps(_finite(data), ensure_ascii=False))


def _finite(data: Any) -> Any:
    if isinstance(data, dict):
        return {str(key): _finite(value) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [_finite(each) for each in data]
    return None if isinstance(data, float) and not math.isfinite(data) else data
