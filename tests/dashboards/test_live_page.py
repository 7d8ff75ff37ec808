"""The live page in a frame of a notebook shows and steers what is run beside it; nobody else may frame a page."""

import asyncio
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import pytest

from cave_sim import Entity, Simulation, World, WorldError, field
from cave_sim.dashboards.live import Dashboard
from tests.dashboards.browser import Page


class Lamp(Entity):
    """A lamp."""

    watts: float = field(9.0, ge=0, le=40)


def lamp(**run):
    world = World(seed=7)
    world.add("lamp", Lamp())
    return Simulation(world, {"lamp": lambda seen: "me.watts += 1"}, **run)


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_):
        """Say nothing."""


@pytest.fixture
def notebook(tmp_path):
    """Return what serves a page of a text, as a notebook's server would, at a port of its own."""
    (tmp_path / "book").mkdir()
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=tmp_path / "book"))
    threading.Thread(target=server.serve_forever, daemon=True).start()

    def show(text, host="127.0.0.1"):
        (tmp_path / "book" / "index.html").write_text(f"<!doctype html><title>book</title>{text}")
        return f"http://{host}:{server.server_port}/index.html"

    yield show
    server.shutdown()
    server.server_close()


@pytest.mark.long(cases=0)
@pytest.mark.parametrize("host", ["localhost", "127.0.0.1"])
def test_the_page_in_a_frame_follows_and_steers_what_the_notebook_runs(driver, notebook, tmp_path, host):
    simulation = lamp(out=tmp_path / "lamp")
    with simulation, simulation.watch() as shown:
        simulation.control.pause()
        running = threading.Thread(target=lambda: asyncio.run(simulation.arun(steps=3)))
        page = Page(driver, None)
        driver.get(notebook(shown._repr_html_(), host))
        driver.switch_to.frame(driver.find_element("tag name", "iframe"))
        page.until("document.documentElement?.dataset.ready")
        running.start()
        page.until("document.documentElement.dataset.state === 'paused'")
        page.tab("control")
        page.click("#run-step")
        page.until("cave.last === 1")
        page.click("#run-play")
        running.join(30)
        page.until("cave.last === 3")
        assert simulation.world["lamp"].watts == 12
        driver.switch_to.default_content()
        driver.get("about:blank")
    assert simulation.observers == []


def test_a_dashboard_that_no_notebook_asked_for_is_shown_in_no_frame(driver, notebook, tmp_path):
    lamp(out=tmp_path / "lamp").run(steps=1).close()
    with Dashboard([tmp_path / "lamp"], port=0) as dashboard:
        page = Page(driver, None)
        driver.get(notebook(f'<iframe src="{dashboard.url}"></iframe>'))
        driver.switch_to.frame(driver.find_element("tag name", "iframe"))
        assert page.js("return document.documentElement.dataset.ready") is None
        assert any("frame-ancestors" in each["message"] for each in driver.get_log("browser"))
        driver.switch_to.default_content()
        driver.get("about:blank")


def test_what_keeps_no_journal_has_no_live_page():
    with pytest.raises(WorldError, match="make the simulation with out="):
        lamp().watch()
