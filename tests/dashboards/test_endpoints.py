import asyncio
import gzip
import json
import re
import threading
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256

import pytest

from cave_sim import JournalError
from cave_sim.dashboards.live import Dashboard
from cave_sim.dashboards.lookups.portrayal import portray_as_told
from cave_sim.dashboards.page_files import LIVE, page_script
from tests.dashboards.asking import answer, ask

WISHES = ("control", "fork", "interview", "answer", "why")
ODD = {
    "nothing": b"",
    "half an object": b"{",
    "no text": b"\xff\xfe",
    "a list": b"[]",
    "a deep list": b"[" * 10_000,
    "a deep object": b'{"do":' * 10_000,
    "an endless number": b'{"step": %s}' % (b"1" * 5_000),
    "no number": b'{"step": NaN}',
    "too much": b'{"text": "%s"}' % (b"a" * 1_000_000),
}


@pytest.mark.parametrize("wish", ODD.values(), ids=ODD)
@pytest.mark.parametrize("name", WISHES)
def test_what_no_page_would_wish_is_refused_in_words(served, name, wish):
    status, body, _ = ask(served, f"/api/run/town/{name}", wish)
    assert status in (400, 404)
    assert len(json.loads(body)["error"]) > 10


@pytest.mark.parametrize("name", WISHES)
def test_who_sends_far_too_much_is_heard_out_and_told_why(served, name):
    status, body, _ = ask(served, f"/api/run/town/{name}", b"a" * 12_000_000)
    assert status in (400, 404)
    assert len(json.loads(body)["error"]) > 10


@pytest.mark.parametrize("path", ["turn/9%s", "entity?name=mayor&step=9%s", "feed?step=9%s", "mind?call=9%s"])
def test_a_number_that_no_page_can_mean_is_no_fault_of_the_run(served, path):
    status, body, _ = ask(served, f"/api/run/town/{path % ('0' * 20)}")
    assert (status, "give a whole number of at most 16 digits" in json.loads(body)["error"]) == (400, True)


def test_a_run_that_is_over_cannot_be_steered(served):
    status, body, _ = ask(served, "/api/run/town/control", {"do": "play"}, **{"X-Cave-Token": served.token})
    assert (status, b"fork it" in body) == (404, True)


def test_measures_come_by_step_and_then_only_what_is_new(served):
    assert answer(served, "series", name="mean_wind_ms")["lines"]["mean_wind_ms"]["steps"] == list(range(1, 37))
    assert answer(served, "series", name="mean_wind_ms", after=34)["lines"]["mean_wind_ms"]["steps"] == [35, 36]


def test_a_value_is_blamed_on_who_wrote_it(served):
    written = answer(served, "blame", target="weather.kind", step=36)["written"]
    assert [(each["agent"], each["new"]) for each in written] == [("world", '"rain"'), ("outside", '"sun"')]


def test_what_is_wrong_with_a_run_names_the_run_and_no_folder_of_this_machine(tmp_path):
    (tmp_path / "runs" / "worse").mkdir(parents=True)
    (tmp_path / "runs" / "worse" / "run.sqlite").write_bytes(b"no journal" * 500)
    with Dashboard([tmp_path / "runs"], port=0) as dashboard:
        status, body, _ = ask(dashboard, "/api/run/worse/overview")
        ((row,), *_) = json.loads(ask(dashboard, "/api/runs")[1]).values()
    said = json.loads(body)["error"]
    assert (row["status"], row["error"]) == ("unreadable", "file is not a database")  # the table of runs says why, too
    assert " cave-sim doctor worse --repair" in said
    assert (status, said.partition(": ")[0]) == (404, "the run worse/run.sqlite is no journal of a run")
    assert str(tmp_path) not in said


def test_the_page_s_files_come_packed_where_that_is_understood(served):
    _, body, headers = ask(served, "/web/page.css", **{"Accept-Encoding": "gzip"})
    assert headers["content-encoding"] == "gzip"
    assert gzip.decompress(body) == ask(served, "/web/page.css")[1]


def test_a_page_asks_for_its_modules_once_and_never_again_until_they_change(served):
    theme, script = re.findall(r'<script[^>]* src="([^"]+)"', ask(served, "/runs")[1].decode())
    assert theme == "/web/theme.js"
    _, body, headers = ask(served, script)
    assert (headers["content-type"], headers["cache-control"]) == (
        "text/javascript; charset=utf-8",
        "max-age=31536000, immutable",
    )
    assert body.decode() == page_script(LIVE)
    assert script == f"/web/page.js?{sha256(body).hexdigest()[:16]}"


def test_a_portrayal_that_is_none_is_refused_in_words():
    with pytest.raises(JournalError, match="portrayal is none of ours"):
        portray_as_told({"portrayal": {"Resident": ["mover"]}})


@pytest.mark.parametrize(
    "path", ["entity?name=resident_1", "life?name=resident_1", "relations?", "mind?agent=resident_1"]
)
def test_what_takes_longer_the_longer_a_run_is_keeps_nobody_from_its_live_edge(served, path):
    began, over = threading.Event(), threading.Event()

    def look(_reader):
        began.set()
        return over.wait(60)

    aside, threads = served.endpoints.index.reader("town").aside, ThreadPoolExecutor(2)
    held = threads.submit(asyncio.run, aside.read(look))
    began.wait(60)
    asked = threads.submit(ask, served, f"/api/run/town/{path}&step=9")
    assert ask(served, "/api/run/town/frames?from=0&count=4")[0] == 200
    assert not asked.done()
    over.set()
    assert (held.result(60), asked.result(60)[0]) == (True, 200)
