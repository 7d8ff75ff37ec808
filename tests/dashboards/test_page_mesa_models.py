"""Mesa models on the page: the space is drawn, and agents on it, whatever kind of space it is."""

import pytest

from cave_sim.dashboards.live import Dashboard
from cave_sim.replay.recipe import Recipe
from tests.dashboards.browser import Page, shots_folder

MODELS = {
    "schelling": {},
    "boltzmann_wealth": {},
    "virus_on_network": {"num_nodes": 30},
    "boid_flockers": {},
    "wolf_sheep": {},
    "conways_game_of_life": {"width": 30, "height": 30},
}
STEPS = 12


@pytest.fixture(scope="module")
def models(tmp_path_factory):
    folder = tmp_path_factory.mktemp("models")
    for name, create in MODELS.items():
        simulation = Recipe(f"mesa:{name}", {"seed": 7, **create}).make(folder / name)
        for _ in range(STEPS):
            simulation.step()
        simulation.close()
    with Dashboard([folder], port=0) as served:
        yield served


@pytest.fixture
def page(driver, models):
    shown = Page(driver, models, shots_folder())
    yield shown
    assert shown.trouble() == []


@pytest.mark.long(cases=0)
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", MODELS)
def test_a_model_is_drawn_on_its_space(page, name):
    page.open(f"/run/{name}?step={STEPS}")
    page.shows(STEPS)
    page.shot(f"mesa-{name}")
    lines, movers, places = page.js(
        "const it = cave.overview; return [it.map.lines.length, it.movers.length, it.places.length]"
    )
    assert lines > 0
    assert movers > 0
    assert places == 0
    spots = page.js("return [...cave.map.spots].filter(Number.isFinite).length")
    assert spots > 0
    assert len(page.js("return [...document.querySelectorAll('.states span')].map((each) => each.textContent)")) >= (
        0 if name in ("boltzmann_wealth", "boid_flockers") else 2
    )


CORNERS = """
const map = cave.map, pen = map.canvas.getContext("2d"), part = 0.4 * map.view.scale;
const row = map.overview.movers.findIndex(({ tile }) => tile), [x, y] = map.spots.slice(2 * row, 2 * row + 2);
return [[-part, -part], [part, part]].map(([dx, dy]) => pen.getImageData(x + dx, y + dy, 1, 1).data[3]);
"""


@pytest.mark.long
@pytest.mark.filterwarnings("ignore")
def test_patches_of_grass_are_squares_below_whoever_stands_there(page):
    page.open(f"/run/wolf_sheep?step={STEPS}")
    page.shows(STEPS)
    page.until("cave.map.spots.length && cave.map.asked === 0")
    assert all(alpha > 0 for alpha in page.js(CORNERS))
    page.open("/run/boltzmann_wealth")
    assert not page.js("return cave.overview.movers.some(({ tile }) => tile)")
