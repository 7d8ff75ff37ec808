"""Runs the benchmarks and prints their figures beside their targets."""

import argparse
import platform
import sys
import time
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path

from rich.console import Console

from cave_sim import MissingExtra
from tests.bench import peer_minds, peer_models, peers, rath
from tests.bench.page import write_page
from tests.bench.peer_environments import NoPeer
from tests.bench.peers_page import write_peers
from tests.bench.sections import ON_REQUEST, SECTIONS, apart
from tests.bench.table import Row, read_json, show, show_changes, write_json

PEERS: dict[str, Callable[[str | None], Iterable[Row]]] = {
    "plain Python": peers.plain_python,
    peers.CAVE_AGENT: peers.cave_agent,
    peers.SMOLAGENTS: peers.smolagents,
    "Mesa": peer_models.rows,
    peer_minds.MESA_LLM: peer_minds.rows,
    peers.AGENT_SOCIETY: peers.agent_society,
    rath.RIVAL: rath.rows,
}
"""What is set beside ours, each at one release, and what measures it."""


def main() -> None:
    """Measure what was asked for, section by section; a table appears as soon as its section is done."""
    asked = arguments()
    console = Console(width=None if sys.stdout.isatty() else 120)
    console.print(
        f"Python {platform.python_version()}, CPU time of the thread, medians of {asked.repeats} "
        "repeats that take turns; x is a ratio within this run"
    )
    if asked.peers:
        beside_peers(asked, console)
        return
    rows: list[Row] = []
    began_s = time.monotonic()
    for name in SECTIONS:
        is_asked_for = any(_has(word)(name) for word in asked.only) if asked.only else name not in ON_REQUEST
        if is_asked_for:
            rows += shown(name, partial(apart, name, asked.repeats), console)
            if asked.json:
                write_json(rows, asked.json)  # what is stopped keeps what it had
    if rows:
        took_s = time.monotonic() - began_s
        console.print(f"{sum(row.met for row in rows)} of {len(rows)} targets met, measured in {took_s:.0f} s")
    before = read_json(asked.compare) if asked.compare else []
    if before:
        show_changes(rows, before, console)
    if asked.json:
        write_json(rows, asked.json)
    if asked.page:
        write_page(asked.page, rows, before, asked.repeats)


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description="What the engine costs, beside targets.")
    about = f"sections with one of these words, or peers: {', '.join(SECTIONS)}"
    parser.add_argument("--only", nargs="+", default=(), metavar="WORD", help=about)
    parser.add_argument("--repeats", type=int, default=9, metavar="N", help="medians are taken of so many (default 9)")
    parser.add_argument("--peers", action="store_true", help=f"side by side instead: {', '.join(PEERS)}")
    parser.add_argument("--peer-python", metavar="PATH", help="a Python >= 3.12 for the peer (default: looked for)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="keep the figures in FILE as well")
    parser.add_argument("--compare", type=Path, metavar="OLD", help="set the figures beside those that --json kept")
    parser.add_argument(
        "--page", type=Path, metavar="FILE", help="write the table and the facts of the machine as Markdown"
    )
    asked = parser.parse_args()
    among = PEERS if asked.peers else SECTIONS
    for word in asked.only:
        if not any(map(_has(word), among)):
            parser.error(f"--only: none has {word!r} in its name. There are: {', '.join(among)}")
    if asked.peers and asked.page and asked.only:
        parser.error("--page tells of all peers, and --only measures some: give one of them, or --json")
    return asked


def _has(word: str) -> Callable[[str], bool]:
    return lambda name: word.lower() in name.lower()


def shown(name: str, measure: Callable[[], Iterable[Row]], console: Console) -> list[Row]:
    """Measure a section, print its table and return its rows."""
    began_s = time.monotonic()
    with console.status(f"measuring {name} ..."):
        try:
            rows = list(measure())
        except MissingExtra as reason:
            console.print(f"skipped {name}: {reason}")
            return []
    show(f"{name} (took {time.monotonic() - began_s:.0f} s)", rows, console)
    return rows


def beside_peers(asked: argparse.Namespace, console: Console) -> None:
    """Measure the peers that can be run here; say why of those that cannot. What is stopped keeps what it had."""
    tables, missing = dict[str, list[Row]](), dict[str, str]()
    for peer, measure in PEERS.items():
        if asked.only and not any(_has(word)(peer) for word in asked.only):
            continue
        try:
            tables[peer] = shown(f"{peer}: times that ours is cheaper", partial(measure, asked.peer_python), console)
        except NoPeer as reason:
            missing[peer] = str(reason)
            console.print(f"skipped {peer}: {reason}")
        if asked.json:
            write_json([row for rows in tables.values() for row in rows], asked.json)
        if asked.page:
            write_peers(asked.page, tables, missing)


if __name__ == "__main__":
    main()
