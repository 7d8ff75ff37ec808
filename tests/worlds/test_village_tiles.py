import pytest

from cave_sim import WorldError
from cave_sim.worlds.town import TownMap
from cave_sim.worlds.village import TileMap

YARD = [
    "......",
    ".####.",
    ".#..#.",
    ".#.##.",
    "......",
]


def tile_map(rows: list[str] = YARD, tile_m: float = 2.0) -> TileMap:
    return TileMap("yard", "drawn for a test", [[sign != "#" for sign in row] for row in rows], tile_m)


def test_a_tile_map_is_a_town_map():
    assert isinstance(tile_map(), TownMap)


def test_tiles_and_nodes_name_each_other():
    yard = tile_map()
    assert [yard.tile(yard.node(tile)) for tile in ((0, 0), (5, 0), (3, 4))] == [(0, 0), (5, 0), (3, 4)]


def test_a_tile_off_the_map_is_refused_with_the_map_s_size():
    with pytest.raises(WorldError, match=r"tile \[6, 0\] lies off the map; columns go from 0 to 5, rows from 0 to 4"):
        tile_map().node((6, 0))


def test_nobody_can_stand_in_a_wall_or_off_the_map():
    yard = tile_map()
    assert [yard.is_open(tile) for tile in ((0, 0), (1, 1), (-1, 0), (0, 5))] == [True, False, False, False]


def test_a_route_walks_around_walls_and_counts_its_metres():
    yard = tile_map()
    route = yard.route(yard.node((0, 0)), yard.node((2, 2)))
    down, across, up = [(0, row) for row in range(5)], [(1, 4)], [(2, row) for row in (4, 3, 2)]
    assert [yard.tile(node) for node in route.nodes] == [*down, *across, *up]
    assert route.length_m == 16.0


def test_a_route_from_a_tile_to_itself_has_no_length():
    yard = tile_map()
    assert yard.route(0, 0).length_m == 0.0


def test_a_walker_is_between_two_tiles_on_the_way():
    yard = tile_map()
    route = yard.route(yard.node((0, 0)), yard.node((5, 0)))
    assert route.at(3.0) == (-1.0, 2.0)
    assert yard.tile(route.passed(3.0)) == (1, 0)


def test_a_drawing_has_north_up_and_its_middle_at_zero():
    yard = tile_map()
    assert yard.point(yard.node((0, 0))) == (-2.5, 2.0)
    assert yard.point(yard.node((5, 4))) == (2.5, -2.0)


def test_distances_are_straight_and_in_metres():
    yard = tile_map()
    assert yard.distance_m(yard.point(yard.node((0, 0))), yard.point(yard.node((3, 4)))) == 10.0


def test_a_closed_room_cannot_be_walked_to():
    closed = tile_map(["....", "###.", ".#.."])
    with pytest.raises(WorldError, match=r"no way leads from tile \[0, 0\] to tile \[0, 2\]; open a door"):
        closed.route(closed.node((0, 0)), closed.node((0, 2)))


def test_the_middle_of_a_room_is_one_of_its_own_tiles():
    corner = [(0, 0), (1, 0), (2, 0), (0, 1), (0, 2)]
    assert tile_map().middle_of(corner) == (1, 0)


def test_a_sketch_outlines_a_wall_by_its_four_sides():
    lines = tile_map(["...", ".#.", "..."]).sketch()["lines"]
    assert sorted(lines) == [
        [[-0.5, -0.5], [0.5, -0.5]],
        [[-0.5, 0.5], [-0.5, -0.5]],
        [[-0.5, 0.5], [0.5, 0.5]],
        [[0.5, 0.5], [0.5, -0.5]],
    ]
