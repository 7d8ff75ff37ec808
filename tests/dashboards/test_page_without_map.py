"""A world of one's own on the page: nothing in it has a position, so nothing is said of a map."""

import pytest

from cave_sim import Entity, Simulation, World, field


class Shelf(Entity):
    """Where books are."""

    books: int = field(3, ge=0)


class Reader(Entity):
    """Somebody who reads."""

    read: int = field(0, ge=0)


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    """Return a folder of two runs."""
    folder = tmp_path_factory.mktemp("library")
    for name in ("library", "again"):
        world = World(seed=7)
        world.add("shelf", Shelf())
        world.add("ann", Reader())
        measures = {"books": lambda world: world["shelf"].books, "read": lambda world: world["ann"].read}
        with Simulation(world, {"ann": lambda seen: "me.read += 1"}, measures=measures, out=folder / name) as run:
            run.run(until=5)
    return folder


@pytest.fixture
def page(watching, library):
    return watching(library)


@pytest.mark.long
def test_charts_are_large_where_there_is_room_for_a_map_and_there_is_none(page):
    page.size("desk")
    page.open("/run/library")
    page.until("document.querySelectorAll('.chart svg').length === 2")
    assert page.js("return [...document.querySelectorAll('.chart svg')].map((each) => each.clientHeight)") == [240, 240]


@pytest.mark.long
def test_panels_speak_of_no_map_and_show_an_expression_that_can_be_worked_out_here(page):
    page.open("/run/library?tab=inspect")
    page.until("document.querySelector('#pick')")
    page.until("/Find somebody or something above/.test(document.body.textContent)")
    assert "on the map" not in page.js("return document.body.innerText")
    shown = page.js("return document.querySelector('#expression').placeholder")
    assert shown.removeprefix("any expression: ") in ("len(world.all('Reader'))", "len(world.all('Shelf'))")


@pytest.mark.long
def test_the_table_of_runs_breaks_no_word_on_a_phone(page):
    page.size("phone")
    page.open("/")
    page.until("document.querySelector('tbody td[data-key=hash]')?.textContent")
    heights = page.js(
        "return [...document.querySelectorAll('tbody td')].map((cell) => { const all = document.createRange();"
        " all.selectNodeContents(cell); return all.getBoundingClientRect().height; })"
    )
    assert max(heights) < 30  # one line
