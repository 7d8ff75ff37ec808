"""A thousand residents in a real browser: all of them drawn, and each of them to be found."""

import pytest

from tests.dashboards.small_town import SmallTown

RESIDENTS = 1_000
PAINTED = """
const canvas = document.querySelector(".stage canvas");
const pixels = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
let painted = 0;
for (let at = 3; at < pixels.length; at += 4) if (pixels[at]) painted += 1;
return painted;
"""


@pytest.fixture(scope="module")
def crowd(tmp_path_factory):
    return SmallTown(residents=RESIDENTS, steps=12).write(tmp_path_factory.mktemp("crowd") / "crowd")


@pytest.mark.long
def test_everybody_of_a_crowd_is_drawn(watching, crowd):
    page = watching(crowd)
    page.open("/run/crowd?step=12")
    page.shows(12)
    assert page.js(PAINTED) > 10 * RESIDENTS
    counted = page.js("return [...document.querySelectorAll('.states b')].map((each) => Number(each.textContent))")
    assert sum(counted) == RESIDENTS
    page.shot("crowd")


@pytest.mark.long
def test_one_of_a_crowd_is_named_under_the_pointer(watching, crowd):
    page = watching(crowd)
    page.open("/run/crowd?step=12")
    page.shows(12)
    x, y = page.js(
        "const m = cave.map, b = m.canvas.getBoundingClientRect(); return [b.left + m.spots[8], b.top + m.spots[9]]"
    )
    page.driver.execute_cdp_cmd("Input.dispatchMouseEvent", {"type": "mouseMoved", "x": x, "y": y})
    page.until_text("#tip:not([hidden])", "Resident ")
