"""Measures that are written down as text: a figure of the safe condition language, or a function of a module."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

from cave_sim.errors import WorldError, did_you_mean
from cave_sim.history.measures_by_name import named, names_in
from cave_sim.loading.entry_points import load
from cave_sim.simulation.measure_by_text import MeasureByName, MeasureByText, MeasureInPlace
from cave_sim.simulation.runnable import Measure

_FUNCTION = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_]\w*")


def is_function(text: str) -> bool:
    """Say whether a measure is a function of a module, ``package.module:function``, and no expression."""
    return _FUNCTION.fullmatch(text.strip()) is not None


def module_of(text: str) -> str:
    """Return the module that a measure has imported; "" for an expression."""
    return text.strip().partition(":")[0] if is_function(text) else ""


def measure_of(text: str) -> Measure:
    """Return the measure that a text stands for.

    Args:
        text: such as ``world["town"].treasury_cents / 100``, or ``studies.tea:cups``, a function of the world.

    Raises:
        WorldError: it is no expression; or there is no such module or function.
    """
    if not is_function(text):
        return MeasureByText(text)
    return function_of(text)


def measures_of(texts: Mapping[str, str], own: Mapping[str, Measure]) -> dict[str, Measure]:
    """Return the measures that texts stand for beside those of a simulation; what these are already is left out.

    Args:
        texts: name -> expression, function, or the name of one of the simulation's.
        own: the simulation's.

    Raises:
        WorldError: as :func:`measure_of`.
    """
    measures: dict[str, Measure] = {}
    for name, text in texts.items():
        written = measure_of(text)
        meant = named(text) if isinstance(written, MeasureByText) else None
        if meant is not None and meant in own:
            measures |= {} if meant == name else {name: MeasureByName(meant, own[meant])}
        elif name in own and isinstance(written, MeasureByText) and name in names_in(text):
            measures[name] = MeasureInPlace(text, name, own[name])
        else:
            measures[name] = written
    return measures


def function_of(text: str, *, what: str = "measure") -> Callable[..., Any]:
    """Return the function that a text names.

    Args:
        text: such as ``studies.tea:cups``.
        what: it is there for, as messages call it.

    Raises:
        WorldError: there is no such module or function.
    """
    try:
        function = load(text.strip())
    except ModuleNotFoundError as error:
        top = module_of(text).partition(".")[0]
        is_it = (error.name or "").partition(".")[0] == top
        way = f"; a module of your own is found from the folder that holds {top}" if is_it else ""
        raise WorldError(f"{what} {text!r} cannot be imported: {error}{way}") from None
    except ImportError as error:
        raise WorldError(f"{what} {text!r} cannot be imported: {error}") from None
    except AttributeError:
        module, _, name = text.strip().partition(":")
        near = did_you_mean(name, vars(import_module(module)))
        raise WorldError(f"{what} {text!r}: module {module} has no {name!r}.{near}") from None
    if not callable(function):
        raise WorldError(f"{what} {text!r} is no function")
    return function  # type: ignore[no-any-return]
