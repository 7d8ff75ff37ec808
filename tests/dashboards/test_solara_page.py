"""Mesa's own page, SolaraViz, over a simulation of ours and over a Mesa model in one of our worlds."""

import inspect
import subprocess
import sys

import pytest

from cave_sim.replay.recipe import Recipe
from tests.late_imports import LateImport

solara, vuetify, widgets = LateImport("solara"), LateImport("ipyvuetify"), LateImport("ipywidgets")

RECIPES = {
    "ours": Recipe("town_day", {"seed": 7, "residents": 5}),
    "a Mesa model": Recipe("mesa:schelling", {"seed": 7, "density": 0.9}),
    "a network": Recipe("mesa:virus_on_network", {"seed": 7}),
}
APP = """
from cave_sim.dashboards.solara_page import solara_page
from cave_sim.replay.recipe import Recipe

page = solara_page(Recipe("mesa:schelling", {"density": 0.9}))
"""
ASK = """
import sys
from starlette.testclient import TestClient
import solara.server.starlette as server

with TestClient(server.app) as client:
    answer = client.get("/")
    print(answer.status_code, "solara" in answer.text.lower())
"""

pytestmark = pytest.mark.filterwarnings("ignore:Failed to validate hooks")  # Mesa's own components


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", RECIPES)
def test_the_map_is_drawn_and_follows_the_steps(name):
    from cave_sim.dashboards.solara_page import Map, PageModel, draw

    model = type("PageModel", (PageModel,), {"recipe": RECIPES[name]})()
    _, rendered = solara.render(Map(model), handle_error=False)
    picture = bytes(rendered.find(widgets.Image).widget.value)
    assert picture.startswith(b"\x89PNG")
    rendered.close()
    drawn = sum(len(dots.get_offsets()) for dots in draw(model.simulation).axes[0].collections[1:])
    world = model.simulation.world
    assert drawn >= sum(1 for each in world if hasattr(world[each], "x") or hasattr(world[each], "node"))
    model.step()
    assert (model.steps, world.clock.step) == (1, 1)
    if model.simulation.measures:
        assert len(model.datacollector.get_model_vars_dataframe()) == 2


@pytest.mark.long(cases=0)
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", RECIPES)
def test_the_whole_page_is_rendered(name):
    from mesa.visualization import solara_viz

    from cave_sim.dashboards.solara_page import solara_page

    if "TabsItems" in inspect.getsource(solara_viz) and not hasattr(vuetify, "TabsItems"):
        pytest.skip("this Mesa's SolaraViz is written for ipyvuetify below 2, and a newer one is installed")
    _, rendered = solara.render(solara_page(RECIPES[name], {"seed": 3}), handle_error=False)
    assert len(rendered.find(widgets.Image).widgets) >= 1
    rendered.close()


@pytest.mark.long(cases=0)
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("params", [{}, {"seed": 3}, {"density": 0.5}])
def test_mesas_page_takes_what_may_be_set_on_it(params):
    """A page asks this in an effect of its own, in a browser; rendered here, it does not."""
    from mesa.visualization import solara_viz

    from cave_sim.dashboards.solara_page import PageModel

    vars(solara_viz)["_check_model_params"](PageModel.__init__, params)


@pytest.mark.long
def test_a_new_start_is_made_with_what_is_set_on_the_page():
    from cave_sim.dashboards.solara_page import PageModel

    kind = type("PageModel", (PageModel,), {"recipe": RECIPES["a Mesa model"]})
    assert kind(seed=7).simulation.state_hash == kind().simulation.state_hash != kind(seed=8).simulation.state_hash
    assert kind(density=0.5).simulation.world["model"].density == 0.5


@pytest.mark.long
def test_solaras_server_serves_it(tmp_path, monkeypatch):
    pytest.importorskip("httpx", reason="starlette's test client needs it")
    app = tmp_path / "app.py"
    app.write_text(APP)
    monkeypatch.setenv("SOLARA_APP", str(app))
    served = subprocess.run([sys.executable, "-c", ASK], capture_output=True, text=True, timeout=300, check=False)
    assert served.stdout.split()[-2:] == ["200", "True"], served.stderr[-2000:]
