"""The pictures of the documentation, from runs that it makes itself: ``python -m tests.dashboards.make_pictures``."""

import sys
import tempfile
from pathlib import Path

from PIL import Image

from cave_sim import open_run
from cave_sim.dashboards.film import write_film
from cave_sim.dashboards.live import Dashboard
from cave_sim.replay.recipe import Recipe
from cave_sim.scenario import run_study
from cave_sim.scenario.schema import Scenario
from tests.dashboards.browser import Page, open_browser

PICTURES = Path(__file__).parents[2] / "docs" / "pictures"
RUNS = {
    "town": ("town_day", {"seed": 7}, 144),
    "village": ("village_day", {"seed": 7}, 120),
    "city": ("city_day", {"seed": 7}, 40),
    "commons": ("commons", {"seed": 7}, 12),
    "storm": ("storm_warning", {"seed": 7, "residents": 25}, 18),
    "party": ("valentine_party", {"seed": 7, "residents": 12, "start": "2013-02-14T14:00"}, 20),
    "newsroom": ("newsroom", {"seed": 7}, 7),
}
STUDY = {
    "name": "wishes",
    "question": "Do stronger wishes for neighbours alike separate more?",
    "simulation": "schelling",
    "steps": 40,
    "conditions": {"mild": {"options": {"wanted": 0.3}}, "strong": {"options": {"wanted": 0.6}}},
}
SHOTS = {
    "town": ("/run/town?step=34", "laptop", "light"),
    "town-night": ("/run/town?step=92", "desk", "dark"),
    "town-phone": ("/run/town?step=66", "phone", "light"),
    "village": ("/run/village?step=45", "laptop", "light"),
    "city": ("/run/city?step=36", "laptop", "light"),
    "measures": ("/run/commons", "laptop", "light"),
    "storm": ("/run/storm?step=14", "laptop", "light"),
    "party": ("/run/party?step=14", "laptop", "light"),
    "sessions": ("/run/newsroom?tab=minds", "laptop", "light"),
    "study": ("/study", "laptop", "light"),
    "start": ("/start?simulation=epidemic", "laptop", "light"),
}
DRAWN = """!cave.overview ? document.documentElement.dataset.ready
    : cave.map ? cave.map.host.dataset.step !== undefined && !cave.map.from : document.querySelector('.line-of')"""


def main() -> None:
    """Make the runs, and a picture of each moment; then the film of a day."""
    with tempfile.TemporaryDirectory() as place:
        runs = Path(place) / "runs"
        for name, (simulation, create, steps) in RUNS.items():
            played = Recipe(simulation, create).make(runs / name)
            played.run(until=steps)
            played.close()
        run_study(Scenario.model_validate(STUDY), runs / "wishes", seeds=5)
        with open_run(runs / "town") as run:
            write_film(run, PICTURES / "day.gif")
        driver = open_browser()
        try:
            with Dashboard([runs], port=0) as served:
                page = Page(driver, served)
                for name, (path, size, theme) in SHOTS.items():
                    page.size(size)
                    with page.finding("localStorage.setItem('hints', 'seen')"):
                        page.open(path, theme=theme)
                    page.until(DRAWN)
                    page.until("!cave.overview?.districts?.length || cave.map.density")
                    if name == "sessions":
                        page.click("#sessions summary")
                        page.until("document.querySelectorAll('#sessions rect').length")
                        page.js("document.querySelector('#sessions').scrollIntoView()")
                    page.driver.execute_async_script(
                        "setTimeout(arguments[0], 2000)"
                    )  # what is said comes after the map, and a storm begins with a flash
                    driver.save_screenshot(str(PICTURES / f"{name}.png"))
                driver.get("about:blank")
        finally:
            driver.quit()
    for name in SHOTS:
        path = PICTURES / f"{name}.png"
        with Image.open(path) as shot:
            few = shot.convert("RGB").quantize(256, Image.Quantize.MAXCOVERAGE, 2, dither=Image.Dither.NONE)
            few.save(path, optimize=True)  # signs are small: a median cut would give theirs the colours of the ground


if __name__ == "__main__":
    sys.exit(main())
