"""The map, kept as a picture."""

import json
import sqlite3

from tests.dashboards.small_town import SmallTown

KEPT = """
HTMLAnchorElement.prototype.click = async function () {
  const image = await createImageBitmap(window.blobKept);
  window.kept = [this.download, image.width, image.height];
};
const make = URL.createObjectURL;
URL.createObjectURL = (blob) => { window.blobKept = blob; return make.call(URL, blob); };
"""


def test_the_map_is_kept_as_it_is_seen_with_its_moment_and_its_credit(page):
    page.open("/run/town-7?step=30")
    page.shows(30)
    page.js(KEPT)
    page.press("m")
    name, wide, high = page.until("window.kept")
    box = page.js("return [cave.map.base.width, cave.map.base.height]")
    assert name == "town-7-30.png"
    assert (wide, high) == (box[0], box[1] + 68)  # a line above it and one below


def test_names_of_places_keep_clear_of_the_faces_of_those_who_are_there(page):
    page.open("/run/town-7?step=40")
    page.shows(40)
    page.until("cave.map.namedFor === cave.map.to && cave.map.named.length > 12")
    covered = """
    const { named, covers } = cave.map, faces = cave.map.faceBoxes();
    const apart = (a, b) => a[0] >= b[2] || a[2] <= b[0] || a[1] >= b[3] || a[3] <= b[1];
    return [faces.length, named.slice(covers.length).filter((name) => faces.some((face) => !apart(name, face))).length];
    """
    page.until(f"(() => {{ {covered} }})()[1] === 0")
    assert page.js(covered)[0] > 5


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
