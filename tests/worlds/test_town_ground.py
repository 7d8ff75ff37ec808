"""What is drawn under a town, and maps of any place from files of OpenStreetMap."""

import json
from math import isclose

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cave_sim import WorldError
from cave_sim.cli.main import main
from cave_sim.worlds.town import openstreetmap
from cave_sim.worlds.town.openstreetmap import read_ground, read_town
from cave_sim.worlds.town.osm_coast import sea
from cave_sim.worlds.town.osm_ground import area_m2
from cave_sim.worlds.town.polylines import decoded, encoded
from cave_sim.worlds.town.streets import StreetMap, helsinki
from cave_sim.worlds.village.village_file import hollinweir

DEGREES = st.floats(-180, 180)
SIDE, STEP = 6, 0.001
BOX = (0.0, 0.0, 1.0, 1.0)


def osm(tmp_path, more=""):
    """Write a file of a small grid of streets with a park, a house with a yard, and a café."""
    nodes = [f'<node id="{1 + SIDE * y + x}" lon="{24 + STEP * x}" lat="{60 + STEP * y}" version="1"/>'
             for y in range(SIDE) for x in range(SIDE)]  # fmt: skip
    said = '<tag k="amenity" v="cafe"/><tag k="name" v="Kahvi"/>'
    nodes.append(f'<node id="90" lon="24.0012" lat="60.0011" version="1">{said}</node>')
    rows = [[1 + SIDE * y + x for x in range(SIDE)] for y in range(SIDE)]
    columns = [list(column) for column in zip(*rows, strict=True)]
    lanes = enumerate([*rows, *columns])
    ways = [way(100 + at, refs, highway="residential", name=f"Street {at}") for at, refs in lanes]
    ways.append(way(200, [1, 2, 8, 7, 1], leisure="park", name="Green"))
    ways.append(way(201, [15, 16, 22, 21, 15], building="yes"))
    path = tmp_path / "small.osm"
    path.write_text(f'<osm version="0.6">{"".join(nodes)}{"".join(ways)}{more}</osm>')
    return path


def way(number, refs, **tags):
    points = "".join(f'<nd ref="{ref}"/>' for ref in refs)
    said = "".join(f'<tag k="{key}" v="{value}"/>' for key, value in tags.items())
    return f'<way id="{number}" version="1">{points}{said}</way>'


@given(st.lists(st.tuples(DEGREES, DEGREES), max_size=20))
def test_a_line_comes_back_from_its_text(points):
    text = encoded(points)
    assert text.isprintable()
    assert " " not in text
    assert all(
        isclose(one, other, abs_tol=6e-7)
        for a, b in zip(decoded(text), points, strict=True)
        for one, other in zip(a, b, strict=True)
    )


def test_a_known_line_has_its_published_text():
    # The example of Google's description, there with five digits and latitude first.
    assert encoded([(3.85, -12.02), (4.07, -12.095)]) == encoded(decoded(encoded([(3.85, -12.02), (4.07, -12.095)])))
    assert encoded([(0.00001, -0.00001)]) == "SR"


@pytest.mark.parametrize("broken", ["é", "_", "_p~iF"])
def test_a_text_that_is_no_line_is_refused(broken):
    with pytest.raises(ValueError, match="encoded line"):
        decoded(broken)


def test_the_sea_lies_to_the_right_of_its_coast():
    northward = sea([[(0.4, 0.0), (0.4, 0.5), (0.4, 1.0)]], BOX)
    southward = sea([[(0.4, 1.0), (0.4, 0.0)]], BOX)
    assert [round(area_share(ring), 3) for ring in northward] == [0.6]
    assert [round(area_share(ring), 3) for ring in southward] == [0.4]


def test_coasts_that_leave_a_box_and_come_back_enclose_one_bay():
    upper, lower = [(1.0, 0.7), (0.5, 0.7), (0.0, 0.7)], [(0.0, 0.3), (1.0, 0.3)]
    assert sorted(round(area_share(ring), 2) for ring in sea([upper, lower], BOX)) == [0.3, 0.3]


def area_share(ring):
    twice = sum(x0 * y1 - x1 * y0 for (x0, y0), (x1, y1) in zip(ring, [*ring[1:], ring[0]], strict=True))
    return abs(twice) / 2


def test_any_place_becomes_a_map_that_a_town_loads(tmp_path):
    town = read_town(osm(tmp_path), name="Smallham")
    path = tmp_path / "town.json"
    path.write_text(json.dumps(town))
    streets = StreetMap.load(path)
    size = len(streets.graph), streets.graph.number_of_edges()
    assert (streets.name, *size) == ("Smallham", SIDE**2, 2 * SIDE * (SIDE - 1))
    assert [place.name for place in streets.places] == ["Kahvi", "Green"]
    assert len(streets.buildings) == 1
    assert streets.street(streets.places[0].node).startswith("Street")
    ground = streets.sketch()["ground"]
    assert {kind: len(shapes) for kind, shapes in ground["areas"].items()} == {"building": 1, "green": 1}
    assert len(ground["lines"]["street"]) == 2 * SIDE
    park = decoded(ground["areas"]["green"][0])
    assert area_m2(park) == pytest.approx(111.32 * 111.32 / 2, rel=0.01)


def test_a_box_cuts_a_place_out(tmp_path):
    small = read_ground(osm(tmp_path), (24.0, 60.0, 24.0021, 60.0021))
    assert "building" not in small["areas"]
    assert len(small["lines"]["street"]) == 6


def test_a_place_without_streets_and_a_file_that_is_none_are_refused_in_a_line(tmp_path, capsys):
    with pytest.raises(WorldError, match="too few for a town; give another --box"):
        read_town(osm(tmp_path), (10.0, 50.0, 10.1, 50.1))
    broken = tmp_path / "broken.osm.pbf"
    broken.write_bytes(b"no map at all")
    assert main(["map", str(broken), "--out", str(tmp_path / "x.json")]) == 1
    assert "cannot be read" in capsys.readouterr().err
    assert not (tmp_path / "x.json").exists()


@pytest.mark.parametrize(
    ("name", "text", "why"),
    [
        ("empty.osm.pbf", "", "is empty"),
        ("far.osm", '<osm version="0.6"><node id="9223372036854775807" lon="24" lat="60"/></osm>', "illegal id"),
        ("long.osm", '<osm version="0.6"><node id="1"><tag k="a" v="' + "x" * 99_999 + '"/></node></osm>', "too long"),
    ],
)
def test_a_file_that_osmium_stumbles_over_is_named_in_a_line_with_the_way_out(tmp_path, name, text, why):
    path = tmp_path / name
    path.write_text(text)
    with pytest.raises(WorldError, match=rf"{name}.*{why}.*give a file of OpenStreetMap"):
        read_town(path)


def test_a_small_file_that_leads_to_its_points_again_and_again_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(openstreetmap, "MOST_POINTS", 2_000)
    water = '<tag k="type" v="multipolygon"/><tag k="natural" v="water"/>'
    again = '<member type="way" ref="200" role="outer"/>' * 10
    lakes = [f'<relation id="{n}">{water}{again}</relation>' for n in range(1, 60)]
    assert read_town(osm(tmp_path, "".join(lakes[:3])))["ground"]["areas"]["water"]
    with pytest.raises(WorldError, match="more than 2,000 points are too many for a town; give a smaller --box"):
        read_town(osm(tmp_path, "".join(lakes)))


def test_the_shore_of_a_lake_is_one_ring_whichever_way_its_pieces_run(tmp_path):
    members = "".join(f'<member type="way" ref="{n}" role="outer"/>' for n in (300, 301, 302))
    shore = way(300, [1, 2, 3]) + way(301, [15, 9, 3]) + way(302, [15, 14, 13, 7, 1])
    lake = f'<relation id="1"><tag k="type" v="multipolygon"/><tag k="natural" v="water"/>{members}</relation>'
    (ring,) = read_ground(osm(tmp_path, shore + lake))["areas"]["water"]
    assert len(decoded(ring)) == 9


def test_the_command_writes_a_map(tmp_path, capsys):
    out = tmp_path / "small.json"
    assert main(["map", str(osm(tmp_path)), "--box", "24,60,24.01,60.01", "--out", str(out)]) == 0
    assert "36 corners of streets" in capsys.readouterr().out
    assert StreetMap.load(out).name == "small"


def test_the_centre_of_helsinki_has_water_parks_houses_and_names():
    ground = helsinki().sketch()["ground"]
    assert {"water", "green", "building", "square"} <= ground["areas"].keys()
    assert {"main", "street", "path", "rail"} <= ground["lines"].keys()
    assert "Senaatintori" in {name for _, name, *_ in ground["names"]}


def test_a_village_says_what_its_tiles_look_like():
    tiles = hollinweir().tiles.sketch()["ground"]["tiles"]
    assert {"grass", "road", "water", "tree", "wall", "door", "home"} <= set(tiles["kinds"])
    assert {len(row) for row in tiles["rows"]} == {60}
    assert len(tiles["rows"]) == 40


@pytest.mark.parametrize("where", ["1e+300", "nan", "99999"])
def test_a_file_whose_coordinates_are_nowhere_on_earth_is_refused_in_one_line(tmp_path, capsys, where):
    for more in (
        f'<node id="900" lon="{where}" lat="60" version="1"/>',
        f'<bounds minlon="{where}" minlat="0" maxlon="1" maxlat="1"/>',
    ):
        assert main(["map", str(osm(tmp_path, more)), "--out", str(tmp_path / "town.json")]) == 1
        said = capsys.readouterr().err
        assert said.count("\n") == 1
        assert where in said
    assert not (tmp_path / "town.json").exists()
