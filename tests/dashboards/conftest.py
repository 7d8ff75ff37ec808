import threading
from contextlib import suppress

import pytest
from selenium.common.exceptions import WebDriverException

from cave_sim.dashboards.live import Dashboard
from cave_sim.replay.recipe import Recipe
from cave_sim.simulation.control import Control
from tests.dashboards.browser import DRIVER, SHELL, Page, open_browser, shots_folder
from tests.dashboards.small_town import SmallTown


@pytest.fixture(scope="package")
def driver():
    if SHELL is None or DRIVER is None:
        pytest.skip("needs Chromium and its driver to open pages in")
    driver = open_browser(SHELL)
    yield driver
    with suppress(WebDriverException):  # the script around Debian's headless shell would go and leave the browser
        driver.execute_cdp_cmd("Browser.close", {})
    driver.quit()


@pytest.fixture(scope="package")
def finished_runs(tmp_path_factory):
    """Return a folder with two days of one town that differ in their seed, and one of the village."""
    folder = tmp_path_factory.mktemp("runs")
    for seed in (7, 8):
        play(Recipe("town_day", {"seed": seed, "residents": 8}).make(folder / f"town-{seed}"), 60)
    play(Recipe("village_day", {"seed": 7}).make(folder / "village"), 30)
    return folder


def play(simulation, steps):
    simulation.run(until=steps)
    simulation.close()


@pytest.fixture(scope="package")
def dashboard(finished_runs):
    with Dashboard([finished_runs], port=0) as served:
        yield served


@pytest.fixture(scope="package")
def served(tmp_path_factory):
    folder = tmp_path_factory.mktemp("served")
    SmallTown().write(folder / "town")
    with Dashboard([folder], port=0) as dashboard:
        yield dashboard


@pytest.fixture
def page(driver, dashboard):
    """Return a page over the finished runs; afterwards nothing may have gone wrong in it."""
    shown = Page(driver, dashboard, shots_folder())
    yield shown
    assert shown.trouble() == []


@pytest.fixture
def watching(driver):
    """Return what opens a dashboard over a folder; afterwards nothing may have gone wrong in the page."""
    opened = []

    def watch(folder):
        dashboard = Dashboard([folder], port=0).start()
        opened.append((dashboard, Page(driver, dashboard, shots_folder())))
        return opened[-1][1]

    yield watch
    for dashboard, page in opened:
        trouble = page.trouble()
        leave(driver)
        dashboard.stop()
        assert trouble == []


def leave(driver):
    """End the page and its line, so that it asks nothing of a server that is gone."""
    driver.get("about:blank")


class Live:
    """A town that is played in a thread of its own, with a dashboard beside it, as `cave-sim run --watch` does.

    It has steps enough to be at it still when a busy browser comes to pause it.
    """

    def __init__(self, folder, steps=10_000, **shape):
        self.control = Control(paused=True)
        self.made = threading.Event()
        recipe = Recipe("town_day", {"seed": 7, "residents": 6, **shape})
        self.thread = threading.Thread(target=self._play, args=(recipe, folder, steps), daemon=True)
        self.thread.start()
        assert self.made.wait(60), "the town was not built"

    def _play(self, recipe, folder, steps):
        simulation = recipe.make(folder)
        simulation.control = self.control
        self.dashboard = Dashboard([folder], port=0).start()
        simulation.observers.append(self.dashboard.controls(folder.name, self.control))
        self.made.set()
        simulation.run(until=steps)
        simulation.close()

    def end(self):
        self.control.stop()
        self.thread.join(20)
        self.dashboard.stop()


@pytest.fixture
def live(tmp_path, request):
    town = Live(tmp_path / "town", *getattr(request, "param", ()))
    yield town
    town.end()


@pytest.fixture
def live_page(driver, live):
    shown = Page(driver, live.dashboard, shots_folder())
    shown.open("/run/town")
    yield shown
    assert shown.trouble() == []
    leave(driver)
