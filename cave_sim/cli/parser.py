"""The commands, and the parser of their words, each of whose modules is imported once it is asked for."""

from __future__ import annotations

import argparse
from functools import cache, partial
from importlib import import_module
from itertools import chain
from pathlib import Path
from shutil import get_terminal_size
from textwrap import wrap
from typing import Any, NoReturn

from cave_sim.cli.options.together import alone
from cave_sim.errors import did_you_mean
from cave_sim.loading.unsearched import unsearched
from cave_sim.version import __version__

GROUPS = {
    "play": {
        "run": "run a simulation and keep its journal",
        "resume": "go on with a run, however it ended",
        "fork": "branch a run at a step: what if something had been different?",
        "check": "say what is wrong with a scenario, and what its study will take, before anything is spent",
        "study": "run the trials of a scenario, or put a model to tasks, and print what came of it",
        "search": "find the least change of a scenario that flips a condition",
        "scenario": "print a run, with all that was done to it, as a scenario",
        "answer": "approve, edit or reject what agents asked for and people are to decide, or respond in its place",
        "mcp": "let a client of the Model Context Protocol live in a simulation, or look at a run",
        "capacity": "measure how much a model can write in one turn, and say which way a document is best written",
        "survey": "put a questionnaire to the minds of a run, at any step; or show what they answered",
    },
    "look": {
        "list": "say which simulations, studies and runs there are",
        "dash": "look at runs in a browser",
        "film": "write a run as an animated picture",
        "log": "print the turns of a run",
        "sessions": "draw what agents said, saw and ran, as a graph of sessions; or print it row by row",
        "story": "tell what stands out in a run, or the life of an entity",
        "prompts": "say which part of a run's prompts costs what, and how stable it is",
        "blame": "tell who wrote a field: its values, turn by turn",
        "bisect": "find the turn that broke a condition",
        "why": "find causes: what would have been without a turn, an agent, a sentence or an intervention?",
        "cohort": "treat the same people and leave them untreated: who gains by an intervention, and who loses?",
        "rules": "find rules that held although nothing demanded them, and the runs that break them",
        "diff": "compare two runs: where they part, and what differs",
        "compare": "compare runs by what they measured, with intervals over seeds",
        "distil": "find the habits of minds, and prove by a replay which calls they spare",
        "compare-models": "ask another model at every decision point of a run, and compare what it does to the state",
        "branches": "draw the tree of runs that were forked from each other",
        "tag": "give a run words to find it by",
        "note": "write down what you think of a run",
        "export": "write a run as jsonl, csv, parquet or graphml",
        "training-data": "write what runs teach a small model, and its log's tracker, as files for fine-tuning",
    },
    "trust": {
        "evidence": "run what shows a claim, and keep commands, rows, logs, hashes and the verdict",
        "verify": "check that a run is what it says: its hashes and seals, then its cells once more",
        "bundle": "write a run as one file, to hand on",
        "open": "check somebody's bundle: its file, then its cells once more, here",
        "replay": "run a run's recorded cells again, and compare turn by turn",
        "doctor": "say what is installed here; or how large and how whole a run is, and repair or shrink it",
    },
    "set up": {
        "new": "write a small simulation, world, agent or scenario of your own, with its test",
        "map": "make a town's map of any place, from a file of OpenStreetMap",
        "serve": "serve a model from a GGUF file, on this machine alone",
        "completion": "print what a shell needs to complete command lines: bash, zsh or fish",
    },
}
"""What each command does, in the order of the help. Their modules are imported when they are chosen."""
COMMANDS = {name: purpose for group in GROUPS.values() for name, purpose in group.items()}


EPILOG = """
Begin with: cave-sim run town_day. Then: cave-sim log runs/town_day-7.
cave-sim help COMMAND says what a command takes, with an example.
"""


class _Lines(argparse.HelpFormatter):
    """Says defaults; breaks no word, such as an option, and no line of an example, which is copied as it stands."""

    def _get_help_string(self, action: argparse.Action) -> str:
        text, default = action.help or "", action.default
        is_said = "default" in text or isinstance(default, bool) or default in ("", argparse.SUPPRESS)
        return text if is_said or not isinstance(default, (str, int, float)) else f"{text} (default: %(default)s)"

    def _split_lines(self, text: str, width: int) -> list[str]:
        return wrap(text, width, break_on_hyphens=False)

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        lines = text.splitlines()
        return "\n".join(line if "cave-sim " in line else "\n".join(self._split_lines(line, width)) for line in lines)


class _Parser(argparse.ArgumentParser):
    """Says what is wrong in one line, and what comes nearest to a wrong word; ``--help`` says the rest."""

    def error(self, message: str) -> NoReturn:
        end = "" if message.endswith(("?", ".")) else "."
        self.exit(2, f"{self.prog}: {message}{end} See {self.prog} --help\n")

    def _get_values(self, action: argparse.Action, arg_strings: list[str]) -> Any:
        """Refuse ``--out=--``, of which argparse up to Python 3.12 makes an empty list."""
        if action.nargs is None and action.option_strings and arg_strings == ["--"]:
            raise argparse.ArgumentError(action, "-- is no value; for a file of this name say ./--")
        if action.type is Path and "" in arg_strings:  # Path would make the current folder of it
            raise argparse.ArgumentError(action, "an empty text names no file and no folder; the current one is .")
        return super()._get_values(action, arg_strings)

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        """Refuse what is not among an action's choices; all of them are listed only if none comes near."""
        if action.choices is not None and value not in action.choices:
            choices = list(map(str, action.choices))
            hint = did_you_mean(str(value), choices) or f" There are: {', '.join(choices)}"
            raise argparse.ArgumentError(action, f"there is no {value!r}.{hint}")


class Command(_Parser):
    """The parser of one command. Its options are declared by the command's module once they are needed."""

    def load(self) -> Command:
        """Import the command's module, and declare its options; once. Returns the parser itself."""
        if self.get_default("call") is None:
            name = self.prog.rpartition(" ")[2].replace("-", "_")
            module = import_module(f"cave_sim.cli.commands.{name}")
            self.epilog: str | None = getattr(module, "EPILOG", None)
            module.add_arguments(self)
            self.set_defaults(call=getattr(module, "call", partial(_act, name)))
        return self

    def declared(self) -> list[argparse.Action]:
        """Return what the command takes."""
        self.load()
        return self._actions

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        given, unknown = super(Command, self.load()).parse_known_args(args, namespace)
        unknown = self._placed(given, unknown)
        if unknown:
            options = [option for action in self._actions for option in action.option_strings]
            word = next((each for each in unknown if each.startswith("-")), unknown[0])
            option = word.partition("=")[0]
            what = "option" if word.startswith("-") else "place for"
            self.error(f"there is no {what} {option!r}.{did_you_mean(option, options)}")
        if (what_is_missing := alone(self, self.declared(), given)) is not None:
            self.error(what_is_missing)
        return given, unknown

    def _placed(self, namespace: argparse.Namespace, words: list[str]) -> list[str]:
        """Put words behind an option where they belong, and return those that belong nowhere.

        argparse fills a place that may stay empty, or takes several, once: with what stands at the first word.
        """
        if any(word.startswith("-") for word in words):
            return words
        words = list(words)
        for action in (each for each in self._actions if not each.option_strings):
            value = getattr(namespace, action.dest, None)
            taken = len(words) if action.nargs in ("*", "+") else int(action.nargs == "?" and value is action.default)
            try:
                values = [self._get_values(action, [word]) for word in words[:taken]]
            except argparse.ArgumentError as error:
                self.error(str(error))
            if values:
                is_one = action.nargs == "?"
                setattr(namespace, action.dest, values[0] if is_one else [*(value or []), *chain.from_iterable(values)])
                words = words[taken:]
        return words


def _act(name: str, options: argparse.Namespace) -> int:
    """Do what a command does that has more to import than its options have."""
    with unsearched():
        module = import_module(f"cave_sim.cli.actions.{name}")
    return int(module.call(options))


@cache
def parser() -> argparse.ArgumentParser:
    """Return the parser of the whole command line, made once: in a notebook or a test many lines are run."""
    top = _Parser(
        prog="cave-sim",
        usage="cave-sim COMMAND ...",
        description="A laboratory for societies of code-writing agents.",
        epilog=f"{_listed()}\n{EPILOG}",
        formatter_class=_Lines,
    )
    top.add_argument("--version", action="version", version=f"cave-sim {__version__}")
    commands = top.add_subparsers(metavar="COMMAND", required=True, parser_class=Command, help=argparse.SUPPRESS)
    for name, purpose in COMMANDS.items():
        commands.add_parser(
            name,
            prog=f"cave-sim {name}",
            description=purpose,
            formatter_class=_Lines,
            conflict_handler="resolve",
            allow_abbrev=False,  # or --step 8 would be read as --steps 8
        )
    top.set_defaults(parsers=commands.choices)
    return top


def _listed() -> str:
    """Return the commands by what they are for, as wide as a terminal."""
    column = max(map(len, COMMANDS)) + len("    ")
    width = get_terminal_size().columns - len("  ")
    lines = []
    for group, commands in GROUPS.items():
        lines.append(f"{group}:")
        for name, purpose in commands.items():
            entry = f"  {name}".ljust(column) + purpose
            lines += wrap(entry, width, subsequent_indent=" " * column, break_on_hyphens=False)
        lines.append("")
    return "\n".join(lines)
