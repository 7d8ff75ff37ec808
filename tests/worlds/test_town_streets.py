import json

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cave_sim import WorldError
from cave_sim.worlds.town.maps import TownMap, install, installed
from cave_sim.worlds.town.streets import StreetMap, helsinki

NODES = st.integers(0, 2265)
SQUARE = {
    "name": "Square",
    "licence": "none",
    "nodes": [[24.0, 60.0], [24.001, 60.0], [24.001, 60.001], [24.0, 60.001]],
    "edges": [[0, 1, 100.0, "South"], [1, 2, 100.0, "East"], [2, 3, 100.0, "North"], [3, 0, 100.0, ""]],
    "places": [{"name": "Cafe", "kind": "cafe", "lon": 24.0, "lat": 60.0, "node": 0}],
    "buildings": [],
}


@pytest.fixture
def square(tmp_path):
    def load(**changed):
        path = tmp_path / "square.json"
        path.write_text(json.dumps(SQUARE | changed))
        return StreetMap.load(path)

    return load


def test_the_centre_of_helsinki_has_its_streets_places_and_buildings():
    town = helsinki()
    assert (len(town.graph), town.graph.number_of_edges(), len(town.places), len(town.buildings)) == (
        2266,
        3106,
        1427,
        486,
    )
    assert isinstance(town, TownMap)
    assert "OpenStreetMap" in town.attribution


@given(NODES, NODES)
def test_a_route_is_as_short_as_networkx_finds_it(start, goal):
    town = helsinki()
    assert town.length_m(start, goal) == pytest.approx(
        nx.shortest_path_length(town.graph, start, goal, weight="length_m")
    )


@given(NODES, NODES)
def test_a_route_follows_edges_of_the_map(start, goal):
    route = helsinki().route(start, goal)
    assert (route.nodes[0], route.nodes[-1]) == (start, goal)
    assert all(helsinki().graph.has_edge(a, b) for a, b in zip(route.nodes, route.nodes[1:], strict=False))


def test_a_walker_is_at_the_start_then_between_corners_then_at_the_goal(square):
    route = square().route(0, 2)
    assert route.length_m == 200
    assert [route.at(metres) for metres in (-5, 0, 50, 200, 999)] == [
        (24.0, 60.0),
        (24.0, 60.0),
        (pytest.approx(24.0005), 60.0),
        (24.001, 60.001),
        (24.001, 60.001),
    ]
    assert [route.passed(metres) for metres in (0, 99, 100, 250)] == [0, 0, 1, 2]


def test_of_two_equal_ways_every_process_takes_the_same(square):
    assert square().route(0, 2).nodes == square().route(0, 2).nodes == (0, 1, 2)


def test_nobody_walks_far_to_where_they_are(square):
    assert square().route(1, 1).at(50) == (24.001, 60.0)


def test_straight_distances_are_in_metres(square):
    town = square()
    assert town.distance_m((24.0, 60.0), (24.0, 60.001)) == pytest.approx(111.3, abs=0.1)
    assert town.distance_m((24.0, 60.0), (24.001, 60.0)) == pytest.approx(55.7, abs=0.1)


def test_the_sketch_draws_every_street_once(square):
    sketch = square().sketch()
    assert (sketch["name"], sketch["axes"], len(sketch["lines"])) == ("Square", "lonlat", 4)


def test_a_corner_knows_the_name_of_its_street(square):
    assert [square().street(node) for node in range(4)] == ["South", "East", "East", "North"]


@pytest.mark.parametrize(
    ("changed", "where"),
    [
        ({"nodes": [[24.0]]}, "nodes[0]"),
        ({"nodes": []}, "nodes"),
        ({"nodes": "none"}, "nodes: must be a list"),
        ({"nodes": [[24.0, 95.0]]}, "nodes[0]"),
        ({"edges": [[0, 1, 100.0, "South"], [1, 9, 100.0, "East"]]}, "edges[1]"),
        ({"edges": [[0, 1, -1, "South"]]}, "edges[0]"),
        ({"edges": [[0, 1, float("nan"), "South"]]}, "edges[0]"),
        ({"edges": [[0, 1, 10**400, "South"]]}, "edges[0]"),
        ({"edges": [[0, 1, 1e308, "South"]]}, "edges[0]"),
        ({"edges": [[0, 1, 100.0, "South"]]}, "3 separate parts"),
        ({"places": [{"name": " ", "kind": "cafe", "lon": 24.0, "lat": 60.0, "node": 0}]}, "places[0].name"),
        ({"places": [{"name": "Cafe", "kind": "cafe", "lon": "east", "lat": 60.0, "node": 0}]}, "places[0].lon"),
        ({"buildings": [{"kind": "yes", "lon": 24.0, "lat": 60.0, "node": True}]}, "buildings[0].node"),
        ({"buildings": ["hut"]}, "buildings[0]"),
    ],
)
def test_a_bad_map_gets_one_line_with_file_place_rule_and_way_out(square, changed, where):
    with pytest.raises(WorldError) as refused:
        square(**changed)
    message = str(refused.value)
    assert message.startswith("square.json: ")
    assert where in message
    assert "README" in message
    assert "\n" not in message


def test_a_missing_file_and_a_broken_one_say_so(tmp_path):
    with pytest.raises(WorldError, match="cannot be read"):
        StreetMap.load(tmp_path / "nowhere.json")
    (tmp_path / "broken.json").write_text("{")
    with pytest.raises(WorldError, match=r"broken\.json: not JSON"):
        StreetMap.load(tmp_path / "broken.json")
    (tmp_path / "list.json").write_text("[]")
    with pytest.raises(WorldError, match="top level"):
        StreetMap.load(tmp_path / "list.json")


def test_a_map_is_found_by_its_name_once_installed(square):
    town = install(square(name="Square of the test"))
    assert installed("Square of the test") is town
    with pytest.raises(WorldError, match=r"No map named 'Atlantis'.*install"):
        installed("Atlantis")
