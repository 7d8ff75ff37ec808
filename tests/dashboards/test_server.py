"""The dashboard's server beside a run in the same process."""

import random
from functools import partial

import uvicorn
from websockets.sync.client import connect

from cave_sim.dashboards.live import Dashboard
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
