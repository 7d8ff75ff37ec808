"""The dashboard's server beside a run in the same process."""

import json
import logging
import random
import sqlite3
from contextlib import closing, suppress
from functools import partial
from threading import Event, Thread

import uvicorn
from websockets.sync.client import connect

from cave_sim.dashboards.live import Dashboard
from cave_sim.dashboards.lookups import news
from tests.dashboards.asking import answer
from tests.dashboards.small_town import SmallTown


def test_a_page_that_watches_draws_nothing_from_the_generator_that_a_run_may_draw_from(tmp_path, monkeypatch):
    """A server's WebSocket may ask now and then whether its page is still there, with a random number: here often."""
    monkeypatch.setattr(uvicorn, "Config", partial(uvicorn.Config, ws_ping_interval=0.001))
    SmallTown().write(tmp_path / "town")
    with Dashboard([tmp_path], port=0) as served:
        line = f"ws://127.0.0.1:{served.port}/ws?run=town&token={served.token}"
        with connect(line, origin=f"http://127.0.0.1:{served.port}", ping_interval=None) as page:
            before = random.getstate()
            for number in range(100):
                assert page.ping(str(number)).wait(30)
            assert random.getstate() == before


def test_a_page_is_told_nothing_of_a_run_before_its_file_was_looked_at(tmp_path):
    """It was told that every run is running, and waited with the story of one that is over."""
    folder = SmallTown(steps=2).write(tmp_path / "town")
    with closing(sqlite3.connect(folder / "run.sqlite")) as file, file:
        file.execute("INSERT INTO manifest VALUES ('finished', 'true')")
    with Dashboard([tmp_path], port=0) as served:
        line = f"ws://127.0.0.1:{served.port}/ws?run=town&token={served.token}"
        with connect(line, origin=f"http://127.0.0.1:{served.port}") as page:
            assert json.loads(page.recv(30))["status"] == "finished"


def test_a_look_up_that_reads_a_long_run_whole_holds_up_no_page_that_follows_it(tmp_path, monkeypatch):
    SmallTown(steps=2).write(tmp_path / "town")
    asked, over = Event(), Event()
    monkeypatch.setattr(news, "news", lambda *_: {"held_up": (asked.set(), over.wait(60))})
    with Dashboard([tmp_path], port=0) as served:
        waits = Thread(target=answer, args=(served, "news"))
        waits.start()
        assert asked.wait(30)
        assert answer(served, "timeline")
        over.set()
        waits.join(30)


def test_a_page_is_told_when_whoever_follows_its_run_falls_over_something(tmp_path, monkeypatch):
    SmallTown(steps=2).write(tmp_path / "town")
    monkeypatch.setattr("cave_sim.dashboards.live.change_poller.head", lambda *_: {}["lost"])
    with Dashboard([tmp_path], port=0) as served:
        line = f"ws://127.0.0.1:{served.port}/ws?run=town&token={served.token}"
        with connect(line, origin=f"http://127.0.0.1:{served.port}") as page:
            told = json.loads(page.recv(30))
    assert told["status"] == "gone"
    assert told["trouble"].startswith("the run town is damaged, or holds what is not understood: KeyError: 'lost' (")
    assert told["trouble"].endswith("; cave-sim doctor town says which")


def test_a_page_hears_now_and_then_that_the_server_is_there_though_a_step_takes_its_time(tmp_path, monkeypatch):
    monkeypatch.setattr("cave_sim.dashboards.live.websocket.BEAT_EVERY_S", 0.01)
    SmallTown(steps=2).write(tmp_path / "town")
    with Dashboard([tmp_path], port=0) as served:
        line = f"ws://127.0.0.1:{served.port}/ws?run=town&token={served.token}"
        with connect(line, origin=f"http://127.0.0.1:{served.port}") as page:
            while page.recv(30) != "{}":
                pass


def test_a_server_that_ends_while_it_looks_something_up_prints_no_traceback(tmp_path, monkeypatch):
    SmallTown(steps=2).write(tmp_path / "town")
    asked, over, heard = Event(), Event(), []

    class Listener(logging.Handler):
        def emit(self, record):
            heard.append(record)
            over.set()

    log, listener = logging.getLogger("uvicorn.error"), Listener()
    monkeypatch.setattr(news, "news", lambda *_: {"held_up": (asked.set(), over.wait(60))})
    with Dashboard([tmp_path], port=0) as served:
        log.addHandler(listener)
        waits = Thread(target=lambda: suppress_all(answer, served, "news"))
        waits.start()
        assert asked.wait(30)
    waits.join(30)
    log.removeHandler(listener)
    assert heard, "it was not ended in the middle of a look-up"
    assert [record.getMessage() for record in heard if record.exc_info] == []


def suppress_all(act, *given):
    with suppress(Exception):
        act(*given)
