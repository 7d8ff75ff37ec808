"""Generators of networkx in a cell: bounded by how large a graph they make, and drawn from a seed."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import wraps
from typing import Any

import networkx as nx
import numpy as np

from cave_sim.errors import Blocked

GRAPHS = (nx.Graph, nx.DiGraph)
"""The kinds of graphs that cells have."""
MAX_NODES = 100_000
MAX_EDGES = 1_000_000
_ENDLESS = float("inf")


def kind_of(create_using: Any, title: str) -> type | None:
    """Return the kind of graph that somebody wants; None where no kind was named.

    Raises:
        Blocked: it is none that cells have, or a graph that holds something.
    """
    if create_using is None or create_using in GRAPHS:
        return create_using  # type: ignore[no-any-return]
    if type(create_using) in GRAPHS and not len(create_using):
        return type(create_using)
    raise Blocked(f"{title}(): create_using is nx.Graph or nx.DiGraph")


def _bounded(function: Callable[..., Any], size: Callable[..., tuple[float, float]]) -> Callable[..., Any]:
    """A generator of graphs, which asks how large they will be."""
    title = function.__name__
    signature = inspect.signature(function)
    several = next((name for name, each in signature.parameters.items() if each.kind is each.VAR_POSITIONAL), "")

    @wraps(function)
    def make(*args: Any, **options: Any) -> Any:
        named = signature.bind(*args, **options).arguments
        if named.keys() & {"backend", "backend_kwargs", "default"}:
            raise Blocked(f"{title}() makes a Graph, or what create_using says")
        kind, seed, sizes = (
            kind_of(named.pop("create_using", None), title),
            named.pop("seed", None),
            named.pop(several, ()),
        )
        given = (*named.items(), *((several, each) for each in sizes))
        nodes, edges = size(*(_count(name, each) for name, each in given))
        if not (nodes <= MAX_NODES and edges <= MAX_EDGES):
            raise Blocked(f"{title}(): a graph of more than {MAX_NODES:,} nodes or {MAX_EDGES:,} edges")
        if kind is not None:
            named["create_using"] = kind
        if "seed" in signature.parameters:
            named["seed"] = 0 if seed is None else seed
        return function(*sizes, **named)

    del make.__wrapped__
    return make


def _count(name: str, given: Any) -> Any:
    """Return a number that was given; of a list how many are in it, or how many all of its blocks have."""
    return given if np.ndim(given) == 0 else sum(given) if name == "sizes" else len(given)


def _regular_tree(r: float, h: float) -> tuple[float, float]:
    nodes = h + 1 if r <= 1 else (_ENDLESS if h > 64 else (r ** (h + 1) - 1) / (r - 1))
    return nodes, nodes


def _doubled(n: float) -> tuple[float, float]:
    return (_ENDLESS, _ENDLESS) if n > 64 else (2**n, n * 2**n)


def _of_sizes(*sizes: float) -> tuple[float, float]:
    return sum(sizes), sum(sizes) ** 2


_SMALL = (
    "karate_club_graph florentine_families_graph les_miserables_graph davis_southern_women_graph petersen_graph "
    "bull_graph chvatal_graph cubical_graph desargues_graph diamond_graph dodecahedral_graph frucht_graph "
    "heawood_graph hoffman_singleton_graph house_graph house_x_graph icosahedral_graph krackhardt_kite_graph "
    "moebius_kantor_graph octahedral_graph pappus_graph sedgewick_maze_graph tetrahedral_graph truncated_cube_graph "
    "truncated_tetrahedron_graph tutte_graph null_graph trivial_graph"
)
"""Graphs of one size."""
_SIZES: dict[str, Callable[..., tuple[float, float]]] = {
    **dict.fromkeys(_SMALL.split(), lambda *_: (77, 254)),
    **dict.fromkeys(("path_graph", "cycle_graph", "star_graph", "empty_graph", "wheel_graph"), lambda n=0: (n, n)),
    **dict.fromkeys(("ladder_graph", "circular_ladder_graph"), lambda n: (2 * n, 3 * n)),
    **dict.fromkeys(("complete_graph", "turan_graph"), lambda n, *_: (n, n * n)),
    **dict.fromkeys(("hypercube_graph", "binomial_tree"), _doubled),
    **dict.fromkeys(("lollipop_graph", "barbell_graph"), lambda m, n: (2 * m + n, m * m + n)),
    **dict.fromkeys(("grid_2d_graph", "triangular_lattice_graph"), lambda m, n, *_: (m * n, 3 * m * n)),
    "hexagonal_lattice_graph": lambda m, n, *_: (2 * (m + 1) * (n + 1), 3 * (m + 1) * (n + 1)),
    "tadpole_graph": lambda m, n: (m + n, m + n),
    "complete_bipartite_graph": lambda n, m: (n + m, n * m),
    "complete_multipartite_graph": _of_sizes,
    "circulant_graph": lambda n, offsets: (n, n * offsets),
    "balanced_tree": _regular_tree,
    "full_rary_tree": lambda _, n: (n, n),
    **dict.fromkeys(
        ("erdos_renyi_graph", "gnp_random_graph", "binomial_graph", "fast_gnp_random_graph"),
        lambda n, p, *_: (n, n * n / 2),
    ),
    **dict.fromkeys(("gnm_random_graph", "dense_gnm_random_graph"), lambda n, m, *_: (n, m)),
    **dict.fromkeys(("barabasi_albert_graph", "powerlaw_cluster_graph"), lambda n, m, *_: (n, n * m)),
    **dict.fromkeys(
        ("watts_strogatz_graph", "newman_watts_strogatz_graph", "connected_watts_strogatz_graph"),
        lambda n, k, *_: (n, n * k),
    ),
    "random_regular_graph": lambda d, n: (n, n * d),
    **dict.fromkeys(("random_labeled_tree", "gn_graph", "gnr_graph"), lambda n, *_: (n, n)),
    **dict.fromkeys(
        ("random_geometric_graph", "waxman_graph", "expected_degree_graph", "havel_hakimi_graph"),
        lambda n, *_: (n, n * n / 2),
    ),
    "stochastic_block_model": lambda n, *_: (n, n * n / 2),
    **dict.fromkeys(
        ("relaxed_caveman_graph", "connected_caveman_graph", "caveman_graph", "ring_of_cliques"),
        lambda count, size, *_: (count * size, count * size * size),
    ),
    "windmill_graph": lambda n, k: (n * k, n * k * k),
    "planted_partition_graph": lambda count, size, *_: (count * size, (count * size) ** 2 / 2),
}
GENERATORS: dict[str, Any] = {name: _bounded(getattr(nx, name), size) for name, size in _SIZES.items()}
"""What ``nx`` offers that makes graphs."""
