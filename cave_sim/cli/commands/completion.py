"""``cave-sim completion``: what a shell needs to complete command lines."""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Iterator

from cave_sim.loading.entry_points import PAPERS, SIMULATIONS, STUDIES, installed
from cave_sim.mesa_models.catalog import examples

EPILOG = """\
Examples:
  eval "$(cave-sim completion bash)"  # in ~/.bashrc; for zsh the same in ~/.zshrc
  cave-sim completion fish > ~/.config/fish/completions/cave-sim.fish"""
SHELLS = ("bash", "zsh", "fish")
NAMED = {
    "run": (SIMULATIONS,),
    "check": (SIMULATIONS,),
    "list": (SIMULATIONS, STUDIES, PAPERS),
    "study": (SIMULATIONS, STUDIES, PAPERS),
}
"""Commands whose first word may be one of a list, beside a file; Mesa's examples are simulations, too."""

BASH = """\
_cave_sim() {{
    local at="$COMP_CWORD" word="${{COMP_WORDS[COMP_CWORD]}}" words="" head=""
    if [ "$word" = : ]; then  # bash takes mesa:schelling for three words
        at=$((at-1)) word="" head="${{COMP_WORDS[at]}}:"
    elif [ "$at" -gt 2 ] && [ "${{COMP_WORDS[at-1]}}" = : ]; then
        at=$((at-2)) head="${{COMP_WORDS[at]}}:"
    fi
    local before="${{COMP_WORDS[at-1]}}"
    if [ "$at" -eq 1 ]; then
        COMPREPLY=($(compgen -W {commands} -- "$word"))
        return
    fi
    case "${{COMP_WORDS[1]}} $before" in
{choices}
    esac
    case "$word" in
        -*) case "${{COMP_WORDS[1]}}" in
{options}
            esac ;;
        *) [ "$at" -eq 2 ] && case "${{COMP_WORDS[1]}}" in
{names}
            esac ;;
    esac
    COMPREPLY=($(compgen -W "$words" -- "$head$word"))
    COMPREPLY=("${{COMPREPLY[@]#"$head"}}")
}}
complete -o default -F _cave_sim cave-sim
"""
ZSH = "autoload -U +X bashcompinit && bashcompinit\n"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("shell", choices=SHELLS, help="which shell")


def call(options: argparse.Namespace) -> int:
    """Print the script; files are completed where nothing else fits."""
    parsers: dict[str, argparse.ArgumentParser] = options.parsers
    if options.shell == "fish":
        print(*fish(parsers), sep="\n")
    else:
        print((ZSH if options.shell == "zsh" else "") + bash(parsers), end="")
    return 0


def bash(parsers: dict[str, argparse.ArgumentParser]) -> str:
    """Return a function of bash that completes commands, options, and what options take."""
    options = {name: " ".join(word for action in _options(each) for word in action.option_strings)
               for name, each in parsers.items()}  # fmt: skip
    choices = [
        f"        {'|'.join(shlex.quote(f'{name} {word}') for word in action.option_strings)}) "
        f'COMPREPLY=($(compgen -W {_words(action)} -- "$word")); return ;;'
        for name, each in parsers.items()
        for action in _options(each)
        if action.choices
    ]
    names = {name: " ".join(_first_words(name, each)) for name, each in parsers.items()}
    names = {name: words for name, words in names.items() if words} | {"help": " ".join(parsers)}
    return BASH.format(
        commands=shlex.quote(" ".join([*parsers, "help"])),
        choices="\n".join(choices),
        options="\n".join(f"            {name}) words={shlex.quote(words)} ;;" for name, words in options.items()),
        names="\n".join(f"            {name}) words={shlex.quote(words)} ;;" for name, words in names.items()),
    )


def fish(parsers: dict[str, argparse.ArgumentParser]) -> Iterator[str]:
    """Yield lines of fish that complete the same, with what each is for."""
    yield "complete -c cave-sim -n __fish_use_subcommand -a help -d 'show the help of a command'"
    for name, each in parsers.items():
        seen = shlex.quote(f"__fish_seen_subcommand_from {name}")
        yield f"complete -c cave-sim -n __fish_use_subcommand -a {name} -d {_quoted(each.description)}"
        if first := _first_words(name, each):
            yield f"complete -c cave-sim -n {seen} -a {shlex.quote(' '.join(first))}"
        for action in _options(each):
            words = " ".join(
                f"-{'l' if word.startswith('--') else 's'} {word.lstrip('-')}" for word in action.option_strings
            )
            takes = f" -x -a {_words(action)}" if action.choices else " -r" if action.nargs != 0 else ""
            yield f"complete -c cave-sim -n {seen} {words}{takes} -d {_quoted(action.help)}"


def _options(parser: argparse.ArgumentParser) -> list[argparse.Action]:
    """Return the options of a command, each once; they are declared when they are needed."""
    return [action for action in parser.declared() if action.option_strings]  # type: ignore[attr-defined]


def _first_words(name: str, parser: argparse.ArgumentParser) -> list[str]:
    """Return what the first word behind a command may be, beside a file."""
    first = next((each for each in parser.declared() if not each.option_strings), None)  # type: ignore[attr-defined]
    if first is not None and first.choices:
        return [*map(str, first.choices)]
    groups = NAMED.get(name, ())
    mesa = [each.name for each in examples().values()] if SIMULATIONS in groups else []
    return [*(word for group in groups for word in installed(group)), *mesa]


def _words(action: argparse.Action) -> str:
    return shlex.quote(" ".join(map(str, action.choices or ())))


def _quoted(text: str | None) -> str:
    """Return a text as fish quotes it: only the backslash and the quote itself are special there."""
    escaped = (text or "").replace("\\", "\\\\").replace("'", "\\'").replace("\n", " ")
    return f"'{escaped}'"
