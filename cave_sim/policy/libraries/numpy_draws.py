"""``np.random`` in a cell: what draws, from the acting agent's own stream, whatever seed a cell names."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from cave_sim.diagnostics.plurals import article
from cave_sim.errors import Blocked
from cave_sim.policy.libraries.numpy_arguments import in_order
from cave_sim.policy.libraries.numpy_bounds import check_items, product, together
from cave_sim.policy.libraries.one_thread import one_thread

DRAWN: dict[str, int | None] = {
    **dict.fromkeys(("random", "permutation", "standard_normal", "standard_exponential", "random_sample"), 0),
    **dict.fromkeys(
        (
            "choice poisson exponential geometric chisquare pareto weibull rayleigh standard_t standard_gamma dirichlet"
        ).split(),
        1,
    ),
    **dict.fromkeys(
        "randint integers uniform normal binomial beta gamma lognormal laplace logistic gumbel multinomial "
        "multivariate_normal negative_binomial f".split(),
        2,
    ),
    "triangular": 3,
    **dict.fromkeys(("rand", "randn")),
}
"""What ``np.random`` offers, and the place of the argument that says how much; None where all of them do."""
_RENAMED = {"rand": "random", "randn": "standard_normal", "randint": "integers", "random_sample": "random"}
_NO_NUMBERS = frozenset({"axis", "check_valid", "dtype", "endpoint", "method", "replace", "shuffle", "size"})
"""Options that are no parameters of a distribution, item by item."""
_PER_DRAW = {"dirichlet": 0, "multinomial": 1, "multivariate_normal": 0}
"""The place of the argument that has as many items as come of each draw."""


def drawn_by(rng: Any, name: str) -> Callable[..., Any]:
    """Return a function of ``np.random`` that draws from an agent's own stream.

    Args:
        rng: the stream of the acting agent.
        name: one of DRAWN.
    """
    place, title = DRAWN[name], f"np.random.{name}"

    def draw(*args: Any, **options: Any) -> Any:
        args, options = in_order((), args, options)
        if place is None:
            args = (args,) if args else ()
        asked = args[place or 0] if len(args) > (place or 0) else options.get("size")
        if asked is not None and (name != "permutation" or np.ndim(asked) == 0):
            each = np.size(args[_PER_DRAW[name]]) if name in _PER_DRAW and len(args) > _PER_DRAW[name] else 1
            check_items(product(asked) * each, title)
        if name == "choice" and args and np.ndim(args[0]) == 0:
            check_items(args[0], title)
        elif place:
            given = (value for option, value in options.items() if option not in _NO_NUMBERS)
            check_items(together(*args[:place], *given), title)
        if name == "multivariate_normal":
            check_items(np.size(args[0]) ** 2 if args else 0, title, 250_000)
        generator = np.random.default_rng(rng.getrandbits(64))
        with one_thread(*(each for each in args if isinstance(each, (list, np.ndarray)))):
            return getattr(generator, _RENAMED.get(name, name))(*args, **options)

    return draw


def shuffling(rng: Any) -> Callable[[Any], None]:
    """Return ``shuffle``, which goes through what it is given as a cell would."""

    def shuffle(items: Any) -> None:
        order = np.random.default_rng(rng.getrandbits(64)).permutation(len(items))
        if isinstance(items, np.ndarray):
            items[...] = items[order]
        elif isinstance(items, list):
            items[:] = [items[at] for at in order]
        else:
            raise Blocked(
                f"shuffle() takes an array or a list, not {article(type(items).__name__)}; draw a permutation of it"
            )

    return shuffle


def generator_of(rng: Any) -> dict[str, Callable[..., Any]]:
    """Return what ``np.random`` and its generators offer for an agent's own stream."""
    return {**{name: drawn_by(rng, name) for name in DRAWN}, "shuffle": shuffling(rng)}
