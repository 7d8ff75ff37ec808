"""The map, kept as a picture."""

import json
import re
import sqlite3
from xml.etree import ElementTree

import pytest

from tests.dashboards.small_town import SmallTown

KEPT = """
HTMLAnchorElement.prototype.click = async function () {
  if (this.download.endsWith(".svg")) { window.drawn = [this.download, await window.blobKept.text()]; return; }
  const image = await createImageBitmap(window.blobKept);
  window.kept = [this.download, image.width, image.height];
};
const make = URL.createObjectURL;
URL.createObjectURL = (blob) => { window.blobKept = blob; return make.call(URL, blob); };
"""


@pytest.mark.long
def test_the_map_is_kept_as_it_is_seen_with_its_moment_and_its_credit(page):
    page.open("/run/town-7?step=30")
    page.shows(30)
    page.js(KEPT)
    page.press("m")
    name, wide, high = page.until("window.kept")
    box = page.js("return [cave.map.base.width, cave.map.base.height]")
    assert name == "town-7-30.png"
    assert (wide, high) == (box[0], box[1] + 68)  # a line above it and one below


@pytest.mark.long
def test_who_is_ill_has_a_sign_on_the_map_and_is_counted(watching, tmp_path):
    folder = SmallTown(steps=4).write(tmp_path / "runs" / "town")
    with sqlite3.connect(folder / "run.sqlite") as journal:
        (turn,) = journal.execute("SELECT last_turn FROM steps WHERE step = 2").fetchone()
        born = json.dumps({"type": "Health", "fields": {"ill_until_s": {"resident_1": 9e5}}})
        journal.execute("INSERT INTO changes VALUES (?, 9990, 'health', '[]', 'create', NULL, ?)", (turn, born))
    journal.close()
    page = watching(tmp_path / "runs")
    page.open("/run/town?step=1")
    page.shows(1)
    assert "ill" not in page.text(".states")
    page.press("\ue014")
    page.until_text(".states", "ill 1")
    assert page.js("return cave.map.has('resident_1')") == ["ill"]
    assert page.js("return cave.map.has('resident_2')") == []


def test_the_map_is_kept_as_lines_with_all_that_is_seen_and_nothing_from_elsewhere(page):
    page.open("/run/town-7?step=30")
    page.shows(30)
    page.until("cave.map.namedFor === cave.map.to")
    hostile = "</text><script>alert(1)</script>\\u0007 url(#d1)"
    page.js(f"""cave.overview.places[0].title = "{hostile}"; cave.map.picked = cave.overview.places[0].name;""")
    page.js(KEPT)
    page.choose(".zoom .save", "svg")
    name, text = page.until("window.drawn")
    assert name == "town-7-30.svg"
    picture = ElementTree.fromstring(text)
    drawn = [each.tag.rpartition("}")[2] for each in picture.iter()]
    assert set(drawn) <= {"svg", "title", "defs", "clipPath", "radialGradient", "stop", "g", "path", "rect", "text"}
    assert not re.search(r"href|url\((?!#)|src=|@import|<script", text)
    said = {each.text for each in picture.iter() if each.tag.endswith("text")}
    assert {"Town day, Fri 1 11:00 (north is to the right)", page.js("return cave.overview.map.attribution")} <= said
    assert "</text><script>alert(1)</script> url(#d1)" in said
    assert {f"{word} {many}" for word, _, many in page.js("return cave.map.counted()")} <= said
    asked = {each for each in re.findall(r"url\(#([^)]+)\)", text) if f'id="{each}"' not in text}
    assert asked <= {"d1"}  # the words of the place; what is drawn refers to what is there
    box = page.js("return [cave.map.box.width, cave.map.box.height]")
    assert [float(picture.get(side)) for side in ("width", "height")] == [box[0], box[1] + 68]
    faces = page.js("return cave.map.faceBoxes().length")
    assert len(re.findall(r'<g clip-path="[^"]*"><rect', text)) == 1 + faces  # the map, and each face


TOUCHED = """const high = 13;
const touch = ([l, t, r, b], [left, top, right, bottom]) => l < right && r > left && t < bottom && b > top;
return cave.map.named.filter(([, top,, bottom]) => Math.round(bottom - top) === high).map((name) =>
  cave.map.marks.filter((mark) => touch(name, mark)).length)"""


@pytest.mark.long(cases=0)
@pytest.mark.parametrize("path", ["/run/village?step=20", "/run/town-7?step=30"])
def test_no_name_on_the_map_lies_on_the_mark_of_a_place(page, path):
    page.open(path)
    page.until("cave.map?.named?.length > 4")
    touched = page.js(TOUCHED)
    assert len(touched) > 5
    assert set(touched) == {0}


@pytest.mark.long
def test_no_name_of_a_place_lies_under_the_name_of_who_is_chosen(page):
    page.open("/run/town-7?step=40")
    page.until("cave.map?.named?.length > 12")
    apart = f"(() => {{ {TOUCHED.replace('cave.map.marks', 'cave.map.over')} }})().every((many) => many === 0)"
    for name in page.js("return cave.overview.movers.slice(0, 8).map(({ name }) => name)"):
        page.js("cave.map.pick(arguments[0])", name)
        page.until(f"cave.map.picked === '{name}' && cave.map.over.length === cave.map.said.length + 1 && {apart}")
