"""What a cell gets of networkx: algorithms and generators, bounded, and free of the order that salted hashes give.

Many algorithms go through sets of nodes, whose order follows the salt of a process. So an algorithm runs on a graph
of numbers in the nodes' place, whose sets have one order everywhere, and what it returns is put into the nodes' names.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, ValuesView
from functools import wraps
from typing import Any

import networkx as nx
import numpy as np
import pandas as pd

from cave_sim.entity.values import StableSet
from cave_sim.errors import Blocked
from cave_sim.policy.libraries.late import load
from cave_sim.policy.libraries.networkx_generators import GENERATORS, GRAPHS, MAX_EDGES, kind_of
from cave_sim.policy.libraries.numpy_bounds import MAX_MATRIX_ITEMS, check_items
from cave_sim.policy.libraries.one_thread import one_thread

_BY_SCIPY = {
    **dict.fromkeys("pagerank constraint adjacency_matrix laplacian_matrix spring_layout".split(), "scipy.sparse"),
    "kamada_kawai_layout": "scipy.optimize",
}
"""What computes with which part of SciPy, and loads it itself, in the middle of a turn."""


class _NumberedNode:
    """Stands for a node while an algorithm runs: its hash is its place among the nodes."""

    __slots__ = ("label", "place")

    def __init__(self, place: int, label: Any) -> None:
        self.place, self.label = place, label

    def __hash__(self) -> int:
        return self.place

    def __eq__(self, other: object) -> bool:
        return self is other

    def __lt__(self, other: _NumberedNode) -> bool:
        return bool(self.label < other.label)

    def __repr__(self) -> str:
        return repr(self.label)

    def __str__(self) -> str:
        return str(self.label)


def _numbered(graph: Any, nodes: dict[Any, _NumberedNode]) -> Any:
    """Return a copy of a graph whose nodes are numbered; data of nodes and edges are shared."""
    for label in graph:
        nodes.setdefault(label, _NumberedNode(len(nodes), label))
    twin = (nx.DiGraph if graph.is_directed() else nx.Graph)(**dict(graph.graph))
    inside = vars(twin)  # by its own methods neighbours would come in another order
    inside["_node"].update({nodes[label]: data for label, data in graph.nodes.items()})
    inside["_adj"].update(
        {nodes[label]: {nodes[to]: data for to, data in row.items()} for label, row in graph.adj.items()}
    )
    if graph.is_directed():
        inside["_pred"].update(
            {nodes[at]: {nodes[by]: data for by, data in row.items()} for at, row in graph.pred.items()}
        )
    return twin


def _given(value: Any, nodes: dict[Any, _NumberedNode], depth: int = 0) -> Any:
    """Return an argument with nodes in the place of their names: a name, or lists, sets and dicts of names."""
    if isinstance(value, GRAPHS):
        return _numbered(value, nodes)
    if depth < 3 and type(value) in (list, tuple):
        return type(value)(_given(each, nodes, depth + 1) for each in value)
    if depth < 3 and isinstance(value, (set, frozenset)):
        return {_given(each, nodes, depth + 1) for each in value}
    if depth < 3 and type(value) is dict:
        return {_given(key, nodes, depth + 1): item for key, item in value.items()}
    try:
        return nodes.get(value, value)
    except TypeError:  # no hash, so it is no node
        return value


def _named(result: Any) -> Any:
    """Return what an algorithm found with the names of nodes; sets are read in sorted order."""
    if type(result) is _NumberedNode:
        return result.label
    if isinstance(result, GRAPHS):
        return _named_graph(result)
    if isinstance(result, (set, frozenset)):
        return StableSet(map(_named, result))
    if isinstance(result, tuple):
        return tuple(map(_named, result))
    if isinstance(result, (list, ValuesView)):
        return list(map(_named, result))
    if isinstance(result, dict):
        return {_named(key): _named(item) for key, item in result.items()}
    if isinstance(result, Iterator):
        found = (_named(each) for each in result)
        found.__qualname__ = getattr(result, "__qualname__", type(result).__name__)  # type: ignore[attr-defined]
        return found
    return result


def _named_data(data: dict[Any, Any]) -> dict[Any, Any]:
    """Return attributes with the names of nodes in those under which networkx itself keeps nodes (``condensation``)."""
    return {
        key: _named(value)
        if key in ("members", "mapping") and any(type(each) is _NumberedNode for each in value)
        else value
        for key, value in data.items()
    }


def _named_graph(graph: Any) -> Any:
    twin = (nx.DiGraph if graph.is_directed() else nx.Graph)(**_named_data(graph.graph))
    twin.add_nodes_from((_named(node), _named_data(data)) for node, data in graph.nodes(data=True))
    twin.add_edges_from((_named(u), _named(v), dict(data)) for u, v, data in graph.edges(data=True))
    return twin


_NODES = frozenset(
    "source target u v s t n node nbunch sources nodes root start start_node G H graph communities partition ebunch _s "
    "_t group B T top_nodes personalization dangling center G1 G2 pos node1 node2 path flowG S nbunch1 nbunch2 targets "
    "center_nodes cover matching edge edges graphs topo_order states core_number cliques start_with pairs "
    "nodelist".split()
)
"""Parameters that take nodes, or graphs; all others take numbers, and names of attributes."""
_CALLED = ("weight", "heuristic", "function", "key", "capacity", "demand")


def algorithm(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return an algorithm of networkx in the form that cells get it in."""
    parameters = [*inspect.signature(function).parameters]

    @wraps(function)
    def call(*args: Any, **options: Any) -> Any:
        named = dict(zip(parameters, args, strict=False)) | options
        if len(args) > len(parameters) or "backend" in named or "backend_kwargs" in named:
            raise Blocked(
                f"{function.__name__}() takes {', '.join(name for name in parameters if name[:7] != 'backend')}"
            )
        if "seed" in parameters and named.get("seed") is None:
            named["seed"] = 0
        nodes: dict[Any, _NumberedNode] = {}
        for name in sorted(named, key=lambda name: not isinstance(named[name], nx.Graph)):  # graphs say what nodes are
            if isinstance(named[name], nx.Graph) or name in _NODES:
                named[name] = _given(named[name], nodes)
            elif callable(named[name]):
                if name not in _CALLED:
                    raise Blocked(f"{function.__name__}(): {name} is no function here")
                named[name] = _calling(named[name])
        _with_scipy(function)
        return _named(function(**named))

    del call.__wrapped__
    return call


def _with_scipy(function: Callable[..., Any]) -> None:
    """Have what an algorithm computes with, if it is SciPy, loaded before it: at no cost of its cell."""
    if function.__name__ in _BY_SCIPY:
        load(_BY_SCIPY[function.__name__])


def _calling(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function of the cell, which gets names of nodes."""
    return lambda *args: function(*(each.label if type(each) is _NumberedNode else each for each in args))


_ALGORITHMS = (
    "shortest_path shortest_path_length has_path all_shortest_paths all_simple_paths all_pairs_shortest_path "
    "all_pairs_shortest_path_length all_pairs_dijkstra_path_length single_source_shortest_path "
    "single_source_shortest_path_length single_source_dijkstra single_source_dijkstra_path "
    "single_source_dijkstra_path_length dijkstra_path dijkstra_path_length bellman_ford_path bellman_ford_path_length "
    "astar_path astar_path_length floyd_warshall average_shortest_path_length number_connected_components is_connected "
    "connected_components node_connected_component strongly_connected_components is_strongly_connected "
    "weakly_connected_components is_weakly_connected number_strongly_connected_components "
    "number_weakly_connected_components condensation degree_centrality in_degree_centrality out_degree_centrality "
    "closeness_centrality betweenness_centrality edge_betweenness_centrality eigenvector_centrality katz_centrality "
    "harmonic_centrality load_centrality voterank pagerank clustering average_clustering transitivity triangles "
    "square_clustering density neighbors non_neighbors common_neighbors topological_sort topological_generations "
    "lexicographical_topological_sort is_directed_acyclic_graph dag_longest_path dag_longest_path_length "
    "transitive_closure transitive_reduction ancestors descendants simple_cycles find_cycle cycle_basis "
    "minimum_spanning_tree maximum_spanning_tree minimum_spanning_edges diameter radius center periphery eccentricity "
    "bfs_edges bfs_tree bfs_layers bfs_successors bfs_predecessors dfs_edges dfs_tree dfs_preorder_nodes "
    "dfs_postorder_nodes dfs_successors dfs_predecessors descendants_at_distance maximum_flow maximum_flow_value "
    "minimum_cut minimum_cut_value min_cost_flow find_cliques core_number k_core bridges has_bridges "
    "articulation_points isolates is_isolate number_of_isolates is_tree is_forest is_bipartite is_eulerian is_planar "
    "is_isomorphic degree_histogram degree_assortativity_coefficient attribute_assortativity_coefficient "
    "max_weight_matching maximal_matching greedy_color maximal_independent_set jaccard_coefficient adamic_adar_index "
    "preferential_attachment resource_allocation_index ego_graph is_weighted is_negatively_weighted is_empty is_path "
    "path_weight number_of_nodes number_of_edges nodes_with_selfloops number_of_selfloops selfloop_edges "
    "compose union disjoint_union intersection difference complement reverse to_directed to_undirected "
    "edge_connectivity node_connectivity minimum_edge_cut minimum_node_cut local_efficiency global_efficiency "
    "onion_layers rich_club_coefficient reciprocity overall_reciprocity shortest_simple_paths "
    "average_neighbor_degree lowest_common_ancestor is_simple_path constraint effective_size "
    "average_degree_connectivity numeric_assortativity_coefficient attribute_mixing_dict degree_mixing_dict "
    "edge_boundary node_boundary local_bridges betweenness_centrality_subset dispersion group_closeness_centrality "
    "group_degree_centrality edge_load_centrality percolation_centrality global_reaching_centrality "
    "local_reaching_centrality closeness_vitality chain_decomposition is_chordal chordal_graph_cliques "
    "enumerate_all_cliques max_weight_clique node_clique_number generalized_degree equitable_color "
    "attracting_components number_attracting_components biconnected_components biconnected_component_edges "
    "is_biconnected is_semiconnected average_node_connectivity edge_disjoint_paths node_disjoint_paths "
    "is_k_edge_connected k_edge_components k_components stoer_wagner k_shell k_crust k_corona k_truss is_edge_cover "
    "min_edge_cover conductance cut_size edge_expansion node_expansion normalized_cut_size volume chordless_cycles "
    "girth minimum_cycle_basis all_topological_sorts antichains is_aperiodic barycenter dominance_frontiers "
    "immediate_dominators dominating_set is_dominating_set efficiency eulerian_circuit eulerian_path "
    "has_eulerian_path is_semieulerian gomory_hu_tree max_flow_min_cost min_cost_flow_cost network_simplex "
    "weisfeiler_lehman_graph_hash is_graphical flow_hierarchy could_be_isomorphic fast_could_be_isomorphic "
    "vf2pp_is_isomorphic vf2pp_isomorphism common_neighbor_centrality within_inter_cluster cn_soundarajan_hopcroft "
    "all_pairs_lowest_common_ancestor is_matching is_maximal_matching is_perfect_matching min_weight_matching "
    "moral_graph compose_all union_all intersection_all disjoint_union_all full_join symmetric_difference "
    "cartesian_product tensor_product strong_product lexicographic_product power is_k_regular is_regular "
    "bidirectional_shortest_path predecessor single_target_shortest_path all_pairs_dijkstra all_pairs_dijkstra_path "
    "bidirectional_dijkstra dijkstra_predecessor_and_distance find_negative_cycle negative_edge_cycle johnson "
    "multi_source_dijkstra multi_source_dijkstra_path multi_source_dijkstra_path_length single_source_bellman_ford "
    "single_source_bellman_ford_path single_source_bellman_ford_path_length all_pairs_bellman_ford_path "
    "all_pairs_bellman_ford_path_length bellman_ford_predecessor_and_distance all_simple_edge_paths s_metric "
    "bfs_labeled_edges dfs_labeled_edges edge_bfs edge_dfs maximum_branching minimum_branching "
    "maximum_spanning_arborescence minimum_spanning_arborescence maximum_spanning_edges "
    "is_arborescence is_branching triadic_census is_triad triad_type wiener_index voronoi_cells all_neighbors "
    "non_edges is_directed subgraph edge_subgraph line_graph is_tournament sigma omega"
)
_COMMUNITIES = (
    "greedy_modularity_communities louvain_communities label_propagation_communities asyn_lpa_communities "
    "girvan_newman modularity k_clique_communities kernighan_lin_bisection asyn_fluidc louvain_partitions is_partition "
    "partition_quality naive_greedy_modularity_communities fast_label_propagation_communities"
)
_BIPARTITE = "sets is_bipartite color density"
_LAYOUTS = (
    "spring_layout circular_layout kamada_kawai_layout shell_layout random_layout bipartite_layout multipartite_layout "
    "spiral_layout planar_layout"
)


def _layout(name: str) -> Callable[..., Any]:
    function = getattr(nx, name)
    place = algorithm(function)

    @wraps(function)
    def layout(graph: Any, *args: Any, **options: Any) -> Any:
        check_items(len(graph) ** 2, name, 4_000_000)
        if options.pop("store_pos_as", None) is not None:
            raise Blocked(f"{name}() returns where nodes are")
        with one_thread(np.zeros(len(graph) ** 2)):
            return place(graph, *args, **options)

    del layout.__wrapped__
    return layout


def _matrix(function: Callable[..., Any]) -> Callable[..., Any]:
    """A matrix of a graph, as an array."""

    @wraps(function)
    def make(graph: Any, nodelist: Any = None, weight: Any = "weight") -> Any:
        check_items(len(graph) ** 2, function.__name__, MAX_EDGES)
        _with_scipy(function)
        matrix = function(graph, nodelist=nodelist, weight=weight)
        return matrix.toarray() if hasattr(matrix, "toarray") else np.asarray(matrix)

    del make.__wrapped__
    return make


class Matrix:
    """A matrix of a graph: ``toarray()`` and ``todense()`` give it as an array."""

    __slots__ = ("_array",)

    def __init__(self, array: Any) -> None:
        self._array = array

    def toarray(self) -> Any:
        """Return it as an array."""
        return self._array.copy()

    todense = toarray

    @property
    def shape(self) -> tuple[int, ...]:
        """How many rows and columns it has."""
        return tuple(self._array.shape)


def _sparse(function: Callable[..., Any]) -> Callable[..., Any]:
    make = _matrix(function)
    return lambda graph, nodelist=None, weight="weight": Matrix(make(graph, nodelist, weight))


def _of_array(array: Any) -> Any:
    """``nx.from_numpy_array``."""
    adjacency = np.asarray(array)
    check_items(adjacency.size, "from_numpy_array", MAX_EDGES)
    if adjacency.dtype.kind not in "biuf":
        raise Blocked("from_numpy_array takes an array of numbers")
    return nx.from_numpy_array(adjacency)


def _of_edges(df: Any, source: Any = "source", target: Any = "target", edge_attr: Any = None, **options: Any) -> Any:
    """``nx.from_pandas_edgelist``."""
    kind = kind_of(options.pop("create_using", None), "from_pandas_edgelist") or nx.Graph
    if options or not isinstance(df, pd.DataFrame):
        raise Blocked("from_pandas_edgelist takes a table, source, target, edge_attr, and create_using")
    return nx.from_pandas_edgelist(df, source, target, edge_attr, create_using=kind())


def _relabel(graph: Any, mapping: Any) -> Any:
    """``nx.relabel_nodes``, which makes a copy."""
    return nx.relabel_nodes(graph, mapping, copy=True)


def _floyd(graph: Any, nodelist: Any = None, weight: Any = "weight") -> Any:
    """``nx.floyd_warshall_numpy``."""
    check_items(len(graph) ** 2, "floyd_warshall_numpy", MAX_MATRIX_ITEMS)
    return nx.floyd_warshall_numpy(graph, nodelist, weight)


def _plain_lists(graph: Any) -> dict[str, Any]:
    return dict(nx.node_link_data(graph, edges="edges"))


_CONVERTING = (
    "degree get_edge_attributes get_node_attributes set_node_attributes set_edge_attributes to_dict_of_lists "
    "to_dict_of_dicts from_dict_of_lists from_dict_of_dicts from_edgelist to_edgelist convert_node_labels_to_integers "
    "add_path add_cycle add_star path_weight generate_edgelist generate_adjlist"
)
_ERRORS = (
    "NetworkXNoPath NodeNotFound NetworkXError NetworkXException NetworkXUnfeasible NetworkXNoCycle "
    "NetworkXPointlessConcept NetworkXNotImplemented PowerIterationFailedConvergence HasACycle"
)


def _plain(function: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(function)
    def call(*args: Any, **options: Any) -> Any:
        if {"backend", "backend_kwargs", "create_using", "path"} & set(options):
            raise Blocked(f"{function.__name__}() makes plain graphs")
        return function(*args, **options)

    if hasattr(call, "__wrapped__"):
        del call.__wrapped__
    return call


NETWORKS: dict[str, Any] = {
    **{name: algorithm(getattr(nx, name)) for name in _ALGORITHMS.split()},
    **GENERATORS,
    **{name: _layout(name) for name in _LAYOUTS.split()},
    **{name: _plain(getattr(nx, name)) for name in _CONVERTING.split()},
    **{name: getattr(nx, name) for name in f"Graph DiGraph {_ERRORS} __version__".split()},
    "to_numpy_array": _matrix(nx.to_numpy_array),
    "adjacency_matrix": _sparse(nx.adjacency_matrix),
    "laplacian_matrix": _sparse(nx.laplacian_matrix),
    "floyd_warshall_numpy": _floyd,
    "from_numpy_array": _of_array,
    "from_pandas_edgelist": _of_edges,
    "to_pandas_edgelist": lambda graph, source="source", target="target": nx.to_pandas_edgelist(graph, source, target),
    "to_pandas_adjacency": lambda graph, weight="weight": pd.DataFrame(
        NETWORKS["to_numpy_array"](graph, weight=weight), index=list(graph), columns=list(graph)
    ),
    "relabel_nodes": _relabel,
    "node_link_data": _plain_lists,
    "node_link_graph": lambda data: nx.node_link_graph(data, edges="edges", multigraph=False),
}
"""What ``nx`` offers beside its parts."""
COMMUNITIES = {name: algorithm(getattr(nx.community, name)) for name in _COMMUNITIES.split()}
BIPARTITE = {name: algorithm(getattr(nx.bipartite, name)) for name in _BIPARTITE.split()}
