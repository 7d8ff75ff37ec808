"""The map, kept as a picture."""

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
