"""The dashboard's budgets in a real browser: `python -m tests.bench.pages` prints each beside its target."""

import sqlite3
import statistics
import sys
import tempfile
import threading
import time
from pathlib import Path

from dashboards.live import Dashboard
from tests.dashboards.browser import Page, open_browser
from tests.dashboards.small_town import SmallTown

UPDATES_PER_S = 20
WATCHED_S = 8.0
PAINTED = """
window.painted = {};
const paint = cave.map.paint.bind(cave.map);
cave.map.paint = (now) => {
  paint(now);
  const step = cave.map.to?.head.step;
  if (step !== undefined) painted[step] ??= Date.now();
  frames += 1;
};
window.frames = 0;
"""


class Growing(SmallTown):
    """A town whose journal is written while a page watches; `committed` holds when each step was."""

    def __init__(self, residents):
        super().__init__(residents=residents, steps=100_000)
        self.committed = {}
        self.over = threading.Event()

    def begin(self, folder):
        self.steps, wished = 1, self.steps
        self.write(folder)
        self.steps = wished
        threading.Thread(target=self._grow, args=(folder,), daemon=True).start()

    def _grow(self, folder):
        self.db = sqlite3.connect(folder / "run.sqlite")
        self.db.execute("PRAGMA journal_mode = WAL")
        step = 1
        while not self.over.is_set():
            step, began = step + 1, time.perf_counter()
            self.step(step)
            self.db.commit()
            self.committed[step] = time.time() * 1000
            self.over.wait(max(0.0, 1 / UPDATES_PER_S - (time.perf_counter() - began)))
        self.db.close()


def watched(driver, residents):
    """Return median and 95 % of commit-to-paint in ms, updates/s, frames/s and kB an update of a town that grows."""
    with tempfile.TemporaryDirectory() as folder:
        town = Growing(residents)
        town.begin(Path(folder) / "town")
        with Dashboard([Path(folder) / "town"], port=0) as dashboard:
            page = Page(driver, dashboard)
            began = time.perf_counter()
            page.open("/run/town")
            ready_s = time.perf_counter() - began
            page.js(PAINTED)
            page.bytes_received()
            time.sleep(WATCHED_S)
            painted, frames = page.js("return [painted, frames]")
            sizes = [size for size in page.bytes_received() if size > 100]
            town.over.set()
            driver.get("about:blank")
        lags = sorted(at - town.committed[int(step)] for step, at in painted.items() if int(step) in town.committed)
        late = lags[int(0.95 * (len(lags) - 1))]
        kilobytes = statistics.mean(sizes) / 1000 if sizes else 0.0
        return statistics.median(lags), late, len(lags) / WATCHED_S, frames / WATCHED_S, kilobytes, ready_s


def scrubbed(driver, turns=100_000, residents=100):
    """Return the median ms from a wish for any step of a long run until it is painted."""
    with tempfile.TemporaryDirectory() as folder:
        run = SmallTown(residents=residents, steps=turns // residents).write(Path(folder) / "town")
        with Dashboard([run], port=0) as dashboard:
            page = Page(driver, dashboard)
            page.open("/run/town?step=5")
            page.shows(5)
            took = []
            for at in range(20):
                step = at * 389 % (turns // residents)
                look = """const [step, done] = arguments, began = performance.now();
                    const t = document.querySelector('#time');
                    t.value = step; t.dispatchEvent(new Event('input'));
                    (function look() { document.querySelector('.stage').dataset.step === String(step)
                        ? done(performance.now() - began) : requestAnimationFrame(look); })();"""
                took.append(driver.execute_async_script(look, step))
            driver.get("about:blank")
        return statistics.median(took)


def main(sizes):
    driver = open_browser()
    try:
        for residents in sizes:
            middle, late, updates, frames, kilobytes, ready_s = watched(driver, residents)
            target = 50 if residents <= 1_000 else 80
            print(
                f"{residents:>6} residents: commit to pixel {middle:.0f} ms, 95 % {late:.0f} (target {target}), "
                f"{updates:.1f} updates/s, {frames:.0f} frames/s, {kilobytes:.1f} kB each, ready in {ready_s:.1f} s"
            )
        print(f"scrub in 100,000 turns: {scrubbed(driver):.0f} ms (target 150)")
    finally:
        driver.quit()


if __name__ == "__main__":
    main([int(each) for each in sys.argv[1:]] or [25, 1_000, 10_000])
