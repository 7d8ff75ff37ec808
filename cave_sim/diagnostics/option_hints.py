"""What a constructor or a function that newcomers call says of options and arguments that it does not take."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from inspect import signature
from typing import Any, ParamSpec, TypeVar

from cave_sim.errors import did_you_mean

P = ParamSpec("P")
R = TypeVar("R")


def naming_options(
    name: str, meant: Mapping[str, str] | None = None, example: str = ""
) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Return a decorator: an option that there is not, or a wrong number of arguments, raises TypeError with a way out.

    Args:
        name: of what is called, as people write it.
        meant: option that others would expect -> what is meant by it here.
        example: how it is called; without one Python's own words tell of wrong arguments.
    """

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        known = [each for each in signature(function).parameters if each != "self"]

        @functools.wraps(function)
        def call(*args: P.args, **options: P.kwargs) -> R:
            for option in (each for each in options if each not in known):
                raise TypeError(f"{name}({option}=...): {no_option(option, known, meant or {})}")
            try:
                return function(*args, **options)
            except TypeError as problem:
                within = problem.__traceback__ and problem.__traceback__.tb_next
                if within or not example:
                    raise
                wrong = str(problem).partition("() ")[2]
                raise TypeError(f"{name} {wrong}. Write {example}") from None

        return call

    return decorate


def no_option(option: str, known: list[Any], meant: Mapping[str, str]) -> str:
    """Return that there is no such option, and the way out."""
    way = f" Write {meant[option]}." if option in meant else did_you_mean(option, known)
    return f"there is no such option.{way} It takes {', '.join(known)}"
