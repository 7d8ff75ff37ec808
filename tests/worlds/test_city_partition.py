"""Districts are parts of one network: all of it, each in one piece, always the same."""

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cave_sim.worlds.city import cut, helsinki_in


@pytest.mark.parametrize("districts", [2, 8])
def test_helsinki_falls_into_connected_districts_where_people_can_live(districts):
    atlas = helsinki_in(districts)
    for number in range(districts):
        nodes = [node for node, district in atlas.district_of.items() if district == number]
        assert nx.is_connected(atlas.streets.graph.subgraph(nodes))
        assert atlas.within(number, "home")
        assert atlas.workplaces(number)
        assert len(atlas.within(number, "meal", "coffee")) > 1


@pytest.mark.long
@given(st.integers(2, 60), st.integers(1, 6), st.randoms(use_true_random=False))
def test_any_network_is_cut_into_connected_parts_that_cover_it(size, parts, chance):
    graph = nx.random_labeled_tree(size, seed=chance.randrange(2**32))
    graph.add_edges_from((chance.randrange(size), chance.randrange(size)) for _ in range(size // 2))
    graph.remove_edges_from(list(nx.selfloop_edges(graph)))
    for edge in graph.edges.values():
        edge["length_m"] = float(chance.randint(1, 50))
    found = cut(graph, min(parts, size), {})
    assert sorted(found) == list(range(size))
    assert found == cut(graph, min(parts, size), {})
    for part in set(found.values()):
        assert nx.is_connected(graph.subgraph([node for node in found if found[node] == part]))


def test_more_parts_than_nodes_are_refused():
    with pytest.raises(ValueError, match="1 to 3 parts"):
        cut(nx.path_graph(3), 4, {})
