"""What draws in ``scipy.stats``: ``rvs`` and ``resample``, from the agent's own stream where no seed is given.

A distribution stands for all turns, and is asked for draws in one, so whoever reads ``rvs`` says whose stream it is.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from cave_sim.errors import Blocked
from cave_sim.policy.libraries.late import load
from cave_sim.policy.libraries.module_proxy import ModuleProxy, title_of
from cave_sim.policy.libraries.scipy_densities import Density, whole_density
from cave_sim.policy.libraries.scipy_stats import (
    DISTRIBUTIONS,
    FrozenDistribution,
    as_kept,
    parameters_of,
    read_numbers,
)

Draw = Callable[[], int]
"""Draws a seed from the acting agent's stream."""
MOST_DRAWN = 100_000
"""Numbers at once."""


def _stream(title: str, seed: Any, draw: Draw) -> Any:
    """Return a stream of numpy's that begins with a seed: the one that was given, or one of the agent's stream."""
    if seed is None or type(seed) is ModuleProxy:  # np.random.default_rng() is the agent's own stream
        return np.random.RandomState(draw())
    if type(seed) is not int or not 0 <= seed < 2**32:
        raise Blocked(f"{title}: random_state= is a whole number from 0 on; without it the agent's own stream draws")
    return np.random.RandomState(seed)


def _count(title: str, size: Any) -> Any:
    """Return how many draws are asked for, as numpy takes it; raises Blocked for too many."""
    sizes = tuple(size) if isinstance(size, (tuple, list)) else (size,)
    if any(isinstance(each, bool) or not isinstance(each, (int, np.integer)) for each in sizes):
        raise TypeError(f"{title}: size= is a whole number, or a tuple of such")
    if len(sizes) > 8 or any(each < 0 for each in sizes) or math.prod(sizes) > MOST_DRAWN:
        raise Blocked(f"{title}: draws {MOST_DRAWN:,} numbers at the most")
    return tuple(map(int, sizes)) if isinstance(size, (tuple, list)) else int(size)


def _drawing(name: str, own: tuple[Any, ...], named: dict[str, Any], draw: Draw) -> Callable[..., Any]:
    title = f"scipy.stats.{name}.rvs"

    def rvs(*given: Any, size: Any = 1, random_state: Any = None, **more: Any) -> Any:
        if name not in DISTRIBUTIONS:
            raise Blocked("this is no distribution of scipy.stats")
        args = list(given)
        if own or named:  # whose parameters are known: what comes by place is how many
            if len(args) > 1 or more:
                raise TypeError(f"{title} of a distribution with its parameters takes size and random_state")
            size = args[0] if args else size
            args, more = list(own), named
        whole = getattr(load("scipy.stats"), name)
        if len(args) == whole.numargs + 3:  # behind its own parameters, loc and scale
            *args, size = args
        wanted = _count(title, size)
        plain, options = read_numbers(title, args, more)
        if any(np.size(each) > MOST_DRAWN for each in (*plain, *options.values())):
            raise Blocked(f"{title}: parameters of at most {MOST_DRAWN:,} values")
        return as_kept(whole.rvs(*plain, **options, size=wanted, random_state=_stream(title, random_state, draw)))

    rvs.__qualname__ = "rvs"
    return rvs


def _of_distribution(distribution: ModuleProxy, draw: Draw) -> Callable[..., Any] | None:
    module, _, name = title_of(distribution).rpartition(".")
    return _drawing(name, (), {}, draw) if module == "scipy.stats" and name in DISTRIBUTIONS else None


def _of_frozen(distribution: FrozenDistribution, draw: Draw) -> Callable[..., Any]:
    name, args, named = parameters_of(distribution)
    return _drawing(name, tuple(args), {"loc": 0} | named if not args else named, draw)


def _of_density(density: Density, draw: Draw) -> Callable[..., Any]:
    title = "scipy.stats.gaussian_kde.resample"

    def resample(size: Any = None, seed: Any = None) -> Any:
        wanted = _count(title, density.n if size is None else size)
        if not isinstance(wanted, int) or wanted * density.d > MOST_DRAWN:
            raise Blocked(f"{title}: draws {MOST_DRAWN:,} numbers at the most")
        return as_kept(whole_density(density).resample(wanted, _stream(title, seed, draw)))

    resample.__qualname__ = "resample"
    return resample


_OF_KEPT: dict[tuple[type, str], Callable[[Any, Draw], Callable[..., Any]]] = {
    (FrozenDistribution, "rvs"): _of_frozen,
    (Density, "resample"): _of_density,
}
DRAWN_BY = frozenset(name for _, name in _OF_KEPT)
"""Names of methods that draw."""


def drawing(holder: Any, name: str, draw: Draw) -> Callable[..., Any] | None:
    """Return a method that draws from an agent's stream; None of what has none of that name."""
    if isinstance(holder, ModuleProxy):
        return _of_distribution(holder, draw) if name == "rvs" else None
    make = _OF_KEPT.get((type(holder), name))
    return make(holder, draw) if make is not None else None
