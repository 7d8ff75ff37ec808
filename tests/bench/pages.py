"""The dashboard's budgets in a real browser; `python -m tests.bench --only pages` measures them."""

import multiprocessing
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from cave_sim import MissingExtra
from cave_sim.dashboards.live import Dashboard
from cave_sim.journal.lock import lock
from cave_sim.replay.recipe import Recipe
from tests.bench.table import Row
from tests.dashboards.browser import CHROMIUM, DRIVER, Page, open_browser
from tests.dashboards.small_town import SmallTown

EIGHT = 12  # steps of ten minutes after six
UPDATES_PER_S, USUAL_PER_S = 20, 6  # the hardest that is promised, and what a run that is watched does unless told
WATCHED_S = 8.0
USUALLY_WATCHED_S = 5.0  # at the usual pace, of which one figure is told
HALF_HOUR = 30 * 60 * USUAL_PER_S
MORNING, ROUNDS = 24, 20  # steps of ten minutes: from ten o'clock on everybody is out
MOST_ACTING = 1_000  # residents a step: nobody's engine lets ten thousand act twenty times a second
SIZES = (25, 1_000, 10_000)
PAINTED = """
window.painted = {};
window.frames = 0;
const paint = cave.map.paint.bind(cave.map);
cave.map.paint = (now) => {
  paint(now);
  const step = cave.map.to?.head.step;
  if (step !== undefined) painted[step] ??= Date.now();
  frames += 1;
};
"""
BEGAN = "return ['first-paint', 'ready'].map((name) => performance.getEntriesByName(name)[0].startTime / 1000)"
TIMED = """
const [act, is, at, done] = arguments, began = performance.now(), want = new Function("at", act)(at);
const there = new Function("want", `return ${is}`);
(function look() { if (there(want)) done(performance.now() - began); else requestAnimationFrame(look); })();
"""
PLAYED = """
const done = arguments[0], began = performance.now(), first = frames;
setTimeout(() => done([frames - first, (performance.now() - began) / 1000]), 3500);
"""
ACTS = {
    "a scrub": (
        "const t = document.querySelector('#time'); t.value = at; t.dispatchEvent(new Event('input')); return at",
        "document.querySelector('.stage').dataset.step === String(want)",
        100,
    ),
    "a turn opened": (
        "const row = document.querySelectorAll('.turn')[at % 50]; row.click(); return `turn ${row.dataset.turn},`",
        "document.querySelector('#panel-turn .note')?.textContent.startsWith(want)",
        100,
    ),
    "a value blamed": (
        "cave.blame(`resident_${at % 100}`, 'mood'); return `resident_${at % 100}.mood`",
        "document.querySelector('#panel-blame h2')?.textContent === want",
        100,
    ),
}
TIMES = 15


class Shifts(SmallTown):
    """A town in which at most so many act in a step. It writes as the engine does: what changed, and what was there."""

    def __init__(self, *shape, **named):
        super().__init__(*shape, **named)
        self.values = {}

    def change(self, entity, new, *path, op="set", old=None):
        if op == "create":
            self.values |= {(entity, field): value for field, value in new["fields"].items()}
        elif op == "set":
            old, self.values[entity, *path] = self.values.get((entity, *path)), new
            if old == new:
                return
        super().change(entity, new, *path, op=op, old=old)

    def resident(self, step, hour, number):
        if number % -(-self.residents // MOST_ACTING) == step % -(-self.residents // MOST_ACTING):
            super().resident(step, hour, number)


def begin(folder, residents):
    """Write a town's first step, and beside it the steps that :func:`grow` writes over and over."""
    town = Shifts(residents, steps=1)
    town.write(folder)
    with sqlite3.connect(folder / "run.sqlite") as file:
        file.execute("PRAGMA journal_mode = WAL")
        script = "\n".join(file.iterdump())
    town.db = sqlite3.connect(folder.parent / "rounds.sqlite")
    town.db.executescript(script)
    before, town.steps = town.turns, 100_000
    for step in range(MORNING, MORNING + ROUNDS):
        town.step(step)
    town.db.execute("DELETE FROM turns WHERE turn <= ?", (before,))
    town.db.execute("DELETE FROM changes WHERE turn <= ?", (before,))
    town.db.execute("DELETE FROM steps WHERE step < ?", (MORNING,))
    town.db.commit()
    town.db.close()


def grow(folder, pace, begun, over, told):
    """Commit a step as many times a second as is asked for until it is over; then tell when, in ms since 1970."""
    held = lock(folder)  # as whoever writes a run does: pages follow no other
    file = sqlite3.connect(folder / "run.sqlite", isolation_level=None)
    file.execute("ATTACH ? AS rounds", (str(folder.parent / "rounds.sqlite"),))
    first, turns = file.execute("SELECT min(turn) - 1, max(turn) - min(turn) + 1 FROM rounds.turns").fetchone()
    ends = dict(file.execute("SELECT step, last_turn FROM rounds.steps"))
    committed, step, due = {}, 1, time.time()
    while not over.is_set():
        again, at = divmod(step - 1, ROUNDS)
        turn, until = ends.get(MORNING + at - 1, first), ends[MORNING + at]
        step += 1
        later = {"turn": turn, "until": until, "turns": again * turns, "step": step}
        file.execute("BEGIN")
        for sql in COPIES:
            file.execute(sql, later)
        file.execute("COMMIT")
        committed[step] = time.time() * 1000
        begun.set()
        due = max(due + 1 / pace.value, time.time())
        over.wait(due - time.time())
    file.close()
    held.close()
    told.put(committed)


COPIES = (
    """INSERT INTO turns SELECT turn + :turns, :step, agent, parent, kind, cell, status, output, error, duration_s,
       usage FROM rounds.turns WHERE turn > :turn AND turn <= :until""",
    """INSERT INTO changes SELECT turn + :turns, position, entity, path, op, old, new FROM rounds.changes
       WHERE turn > :turn AND turn <= :until""",
    "INSERT INTO steps VALUES (:step, :step * 600.0, :until + :turns, 'state', '', '', 0, '')",
    "INSERT INTO measures VALUES (:step, 'mean_wind_ms', 0.5)",
)

COUNTS_MESSAGES = """
window.received = [];
window.WebSocket = class extends WebSocket {
  constructor(...given) {
    super(...given);
    this.addEventListener("message", ({ data }) => received.push(data.size ?? data.byteLength ?? data.length));
  }
};
"""


def watched(driver, residents, watched_s=WATCHED_S):
    """Return what it is like to watch a town that grows: figures by name."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "town"
        begin(folder, residents)
        fresh = multiprocessing.get_context("spawn")
        pace, begun, over, told = fresh.Value("d", UPDATES_PER_S), fresh.Event(), fresh.Event(), fresh.Queue()
        writer = fresh.Process(target=grow, args=(folder, pace, begun, over, told), daemon=True)
        with Dashboard([folder], port=0) as dashboard:
            writer.start()
            begun.wait(60)
            page = Page(driver, dashboard)
            driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": COUNTS_MESSAGES})
            page.open("/run/town")
            paint_s, ready_s = page.js(BEGAN)
            page.js(PAINTED)
            page.until(f"cave.last > {2 * UPDATES_PER_S}")  # the feed and the story have been told once
            page.js("painted = {}; frames = 0; received.length = 0")
            heap_mb, began_s = held_mb(driver), time.time()
            server_s, page_s = time.process_time(), busy_s(driver)
            time.sleep(watched_s)
            server_s, page_s = time.process_time() - server_s, busy_s(driver) - page_s
            painted, frames = page.js("return [painted, frames]")
            ended_s = time.time()
            sizes = [size for size in page.js("return received") if size > 100]
            heap_mb = held_mb(driver) - heap_mb
            pace.value = USUAL_PER_S
            page.until(f"cave.last > {page.js('return cave.last') + USUAL_PER_S}")
            usual_server_s = time.process_time()
            time.sleep(USUALLY_WATCHED_S)
            usual_server_s = time.process_time() - usual_server_s
            over.set()
            committed = told.get(timeout=30)
            writer.join(30)
            driver.get("about:blank")
    lags = sorted(at - committed[int(step)] for step, at in painted.items() if int(step) in committed)
    meanwhile_s = [at / 1000 for at in committed.values() if began_s <= at / 1000 <= ended_s]
    return {
        "lag_ms": statistics.median(lags), "late_ms": lags[int(0.95 * (len(lags) - 1))],
        "updates_per_s": len(lags) / watched_s, "frames_per_s": frames / watched_s,
        "update_kb": statistics.mean(sizes) / 1000 if sizes else 0.0, "heap_mb": heap_mb,
        "paint_s": paint_s, "ready_s": ready_s,
        "server_cpu": server_s / watched_s, "page_cpu": page_s / watched_s,
        "usual_server_cpu": usual_server_s / USUALLY_WATCHED_S,
        "commits_per_s": (len(meanwhile_s) - 1) / (max(meanwhile_s) - min(meanwhile_s)),
    }  # fmt: skip


def held_mb(driver):
    """Return how much the page's scripts hold, after what they let go of is gone."""
    driver.execute_cdp_cmd("HeapProfiler.collectGarbage", {})
    return driver.execute_cdp_cmd("Runtime.getHeapUsage", {})["usedSize"] / 1e6


def busy_s(driver):
    """Return how long the page's main thread was busy so far."""
    driver.execute_cdp_cmd("Performance.enable", {})
    metrics = driver.execute_cdp_cmd("Performance.getMetrics", {})["metrics"]
    return next(each["value"] for each in metrics if each["name"] == "TaskDuration")


def looked_up(driver, turns=100_000, residents=100) -> Iterator[Row]:
    """Measure what a person does in a long run: each act many times, in ms until the page shows what was asked for."""
    with tempfile.TemporaryDirectory() as folder:
        SmallTown(residents, steps=turns // residents).write(Path(folder) / "town")
        with Dashboard([Path(folder) / "town"], port=0) as dashboard:
            page = Page(driver, dashboard)
            for what, (act, shown, target_ms) in ACTS.items():
                page.open("/run/town?step=500")
                page.until("document.querySelectorAll('.turn').length >= 50")
                steps = [at * 389 % (turns // residents) for at in range(1, TIMES + 1)]
                took_ms = statistics.median(driver.execute_async_script(TIMED, act, shown, at) for at in steps)
                yield Row(f"{what} in {turns:,} turns", "", "", took_ms, target_ms, "ms")
            driver.get("about:blank")


def town_played(driver, residents=25, steps=34, ready_within_s=2) -> Iterator[Row]:
    """Measure a real town on its ground: how soon it stands there, and how smoothly its history plays."""
    with tempfile.TemporaryDirectory() as folder:
        town = Recipe("town_day", {"seed": 7, "residents": residents}).make(Path(folder) / "town")
        town.run(until=steps)
        town.close()
        with Dashboard([Path(folder) / "town"], port=0) as dashboard:
            page = Page(driver, dashboard)
            page.open(f"/run/town?step={EIGHT}")
            _, ready_s = page.js(BEGAN)
            page.js(PAINTED)
            page.press(" ")
            page.until(f"cave.timeline.at > {EIGHT}")  # from then on they are on their way to work
            frames, seconds = driver.execute_async_script(PLAYED)
            driver.get("about:blank")
    yield Row(f"a town of {residents} on its ground: page ready", "", "", ready_s, ready_within_s, "s")
    yield Row(f"a town of {residents} on its ground: frames", "", "", frames / seconds, 50, "/s", at_least=True)


def half_hour(_repeats: int, residents=1_000) -> Iterator[Row]:
    """Measure what a page holds after as many updates as half an hour has at the usual pace; takes nine minutes."""
    driver = open_browser()
    try:
        found = watched(driver, residents, watched_s=HALF_HOUR / UPDATES_PER_S)
    finally:
        driver.quit()
    who = f"{residents:,} residents, {HALF_HOUR:,} updates"
    yield Row(f"{who}: page memory grown", "", "", found["heap_mb"], 4, "MB")


def pages(_repeats: int, sizes=SIZES) -> Iterator[Row]:
    """Measure the live page at each size, then look-ups in a long run.

    A machine that does other things moves all but the bytes and the memory.
    """
    if CHROMIUM is None or DRIVER is None:
        raise MissingExtra("the pages are measured in Chromium, with chromedriver: neither comes with pip")
    driver = open_browser()
    try:
        for residents in sizes:
            yield from _rows(residents, watched(driver, residents))
        yield from town_played(driver)
        yield from town_played(driver, 1_000, ready_within_s=3)
        yield from looked_up(driver)
    finally:
        driver.quit()


def _rows(residents, found):
    who = f"{residents:,} residents"
    lag, sent = f"95 %: {found['late_ms']:.0f} ms", f"{found['commits_per_s']:.1f} committed"
    yield Row(f"{who}: commit to pixel", lag, "", found["lag_ms"], 50 if residents <= 1_000 else 80, "ms")
    yield Row(f"{who}: updates", sent, "", found["updates_per_s"], 0.9 * found["commits_per_s"], "/s", at_least=True)
    yield Row(f"{who}: frames", "", "", found["frames_per_s"], 50, "/s", at_least=True)
    if residents <= MOST_ACTING:
        yield Row(f"{who}: an update", "all of them move", "", found["update_kb"], 3, "kB")
        yield Row(f"{who}: page memory grown", f"{WATCHED_S:g} s", "", found["heap_mb"], 4, "MB")
    yield Row(f"{who}: first paint", "", "", found["paint_s"], 0.4, "s")
    yield Row(f"{who}: page ready", "", "", found["ready_s"], 2, "s")
    yield Row(f"{who}: server, of a core", "", "", 100 * found["server_cpu"], 10, "%")
    yield Row(f"{who}: page, of a core", "", "", 100 * found["page_cpu"], 100, "%")
    usually = f"{who} at {USUAL_PER_S} steps/s: server, of a core"
    yield Row(usually, "", "", 100 * found["usual_server_cpu"], 10, "%")
