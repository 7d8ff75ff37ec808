"""``cave-sim serve``: a local model behind HTTP, for any client that speaks OpenAI's protocol."""

from __future__ import annotations

import argparse
import subprocess
import threading

from cave_sim.cli.options.numbers import at_least, port
from cave_sim.errors import WorldError
from cave_sim.models.llama_cpp import WINDOW_TOKENS, open_server, weights

EPILOG = "With a COMMAND it serves while that runs, and ends with it; else until Ctrl-C."
PORT = 8080


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("--gguf", required=True, metavar="PATH", help="file of the weights")
    parser.add_argument("--port", type=port, default=PORT, metavar="N", help=f"0 for a free one (default: {PORT})")
    parser.add_argument(
        "--threads", type=at_least(1), metavar="N", help="how many compute (default: one for each processor)"
    )
    parser.add_argument(
        "--window-tokens",
        type=at_least(1),
        default=WINDOW_TOKENS,
        metavar="N",
        help=f"how long a request and its answer may be together (default: {WINDOW_TOKENS:,})",
    )
    parser.add_argument("command", nargs=argparse.REMAINDER, metavar="COMMAND", help="what to run meanwhile")


def call(options: argparse.Namespace) -> int:
    """Serve; returns the exit code of the command, or 0."""
    gguf = weights(options.gguf)
    server = open_server(gguf, window_tokens=options.window_tokens, threads=options.threads, port=options.port)
    print(f"{gguf.stem} answers at {server.listening_address}/v1", flush=True)
    if command := options.command[options.command[:1] == ["--"] :]:
        return _run(command)
    try:
        threading.Event().wait()
    except KeyboardInterrupt:
        print("stopped")
    return 0


def _run(command: list[str]) -> int:
    try:
        return subprocess.call(command)
    except OSError as error:
        raise WorldError(f"serve: {command[0]} cannot be run: {error.strerror}") from None
