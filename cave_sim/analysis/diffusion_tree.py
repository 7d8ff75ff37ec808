"""Diffusion trees: from whom each can first have had a piece of news, with the turn in which word passed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import networkx as nx

from cave_sim.entity.graph_types import DiGraph
from cave_sim.history.diffusion import Contact, reached


@dataclass(frozen=True, slots=True)
class Reach:
    """How far news went.

    Attributes:
        reached: how many others word can have come to.
        depth: over how many others at most.
        breadth: how many it came to over the same number of others, at most.
        mean_passed_on: to how many one passed it on, of those who did.
        last_step: when it came to somebody new for the last time; None if it never did.
    """

    reached: int
    depth: int
    breadth: int
    mean_passed_on: float
    last_step: int | None


def diffusion_tree(contacts: Iterable[Contact], sources: Iterable[str], *, after: int = 0) -> DiGraph:
    """Return the tree of whom word can have reached, and from whom first.

    Args:
        contacts: in order; see :func:`cave_sim.history.diffusion.contacts`.
        sources: who knew from the start; each is a root.
        after: the turn from which on they did.

    Returns:
        An edge to each who was reached, from whom they can first have had it, with ``turn``, ``step`` and ``text``.
    """
    tree, roots = nx.DiGraph(), list(sources)
    tree.add_nodes_from(roots)
    for name, contact in reached(contacts, roots, after=after).items():
        tree.add_edge(contact.source, name, turn=contact.turn, step=contact.step, text=contact.text)
    return tree


def spread(tree: DiGraph) -> Reach:
    """Return how far a tree goes."""
    roots = [node for node, into in tree.in_degree() if not into]
    layers = list(nx.bfs_layers(tree, roots)) if roots else [[]]
    passed = [many for _, many in tree.out_degree() if many]
    steps = [step for _, _, step in tree.edges(data="step")]
    return Reach(
        reached=tree.number_of_edges(),
        depth=len(layers) - 1,
        breadth=max((len(layer) for layer in layers[1:]), default=0),
        mean_passed_on=sum(passed) / len(passed) if passed else 0.0,
        last_step=max(steps, default=None),
    )
