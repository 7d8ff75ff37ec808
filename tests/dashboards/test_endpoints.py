import json

import pytest

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
}


@pytest.mark.parametrize("wish", ODD.values(), ids=ODD)
@pytest.mark.parametrize("name", WISHES)
def test_what_no_page_would_wish_is_refused_in_words(served, name, wish):
    status, body, _ = ask(served, f"/api/run/town/{name}", wish)
    assert status in (400, 404)
    assert len(json.loads(body)["error"]) > 10


def test_a_run_that_is_over_cannot_be_steered(served):
    status, body, _ = ask(served, "/api/run/town/control", {"do": "play"}, **{"X-Cave-Token": served.token})
    assert (status, b"fork it" in body) == (404, True)


def test_measures_come_by_step_and_then_only_what_is_new(served):
    assert answer(served, "series", name="mean_wind_ms")["lines"]["mean_wind_ms"]["steps"] == list(range(1, 37))
    assert answer(served, "series", name="mean_wind_ms", after=34)["lines"]["mean_wind_ms"]["steps"] == [35, 36]


def test_a_value_is_blamed_on_who_wrote_it(served):
    written = answer(served, "blame", target="weather.kind", step=36)["written"]
    assert [(each["agent"], each["new"]) for each in written] == [("world", '"rain"'), ("outside", '"sun"')]
