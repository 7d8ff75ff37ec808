"""Options that do nothing without another one: refused by themselves, so that nobody believes that they did something.

A command declares them beside its options; whoever reads its line asks what is missing.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from weakref import WeakKeyDictionary


@dataclass(frozen=True)
class _Need:
    options: tuple[str, ...]
    others: tuple[str, ...]
    values: tuple[Any, ...]


_NEEDS: WeakKeyDictionary[argparse.ArgumentParser, list[_Need]] = WeakKeyDictionary()


def needs(parser: argparse.ArgumentParser, options: Sequence[str], *others: str, values: tuple[Any, ...] = ()) -> None:
    """Declare that options do nothing unless one of others is given.

    Args:
        parser: of the command.
        options: such as ``["--loose"]``.
        others: such as ``"--replay-model"``.
        values: which values of the others count; any that is not the default, if there are none.
    """
    _NEEDS.setdefault(parser, []).append(_Need(tuple(options), others, values))


def alone(parser: argparse.ArgumentParser, actions: Sequence[argparse.Action], given: argparse.Namespace) -> str | None:
    """Return what to say of an option that was given without what it needs; None if there is none.

    Args:
        parser: of the command.
        actions: what it takes.
        given: what it was given.
    """
    by_name = {option: action for action in actions for option in action.option_strings}
    for need in _NEEDS.get(parser, []):
        if any(_is_given(by_name.get(other), given, need.values) for other in need.others):
            continue
        for option in need.options:
            if _is_given(by_name.get(option), given, ()):
                wanted = [f"{other}{f' {need.values[0]}' if need.values else ''}" for other in need.others]
                return f"{option} does nothing without {' or '.join(wanted)}"
    return None


def _is_given(action: argparse.Action | None, given: argparse.Namespace, values: tuple[Any, ...]) -> bool:
    if action is None:
        return False
    value = getattr(given, action.dest, action.default)
    return value in values if values else value != action.default
