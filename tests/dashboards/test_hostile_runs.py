"""Whatever stands in a stranger's file, every look-up of the page answers, and with one line where it cannot."""

import json
import sqlite3
from contextlib import closing
from urllib.parse import urlencode

import pytest

from cave_sim.dashboards.live import Dashboard
from cave_sim.dashboards.live.app import LOOKUPS
from tests.dashboards.asking import ask
from tests.dashboards.small_town import SmallTown
from tests.long_cases import cases

CALL = (
    "INSERT INTO calls VALUES (1, 'r', 1, 'mayor', 1, {retry}, 'h', {model}, '{{\"messages\": []}}', {reply}, NULL, 0)"
)
SESSION = "INSERT INTO sessions VALUES (1, 1, 's', 'mayor', {about}, '[]')"
WRONG = {
    "bytes for cells": ["UPDATE cells SET code = x'ff00'"],
    "bytes for agents": ["UPDATE turns SET agent = x'ff00'"],
    "no text in a text": ["UPDATE turns SET error = CAST(x'ff41ff' AS TEXT)"],
    "numbers for entities": ["UPDATE changes SET new = '5' WHERE op = 'create'"],
    "infinite turns": ["UPDATE steps SET last_turn = 9e999"],
    "a turn that is its own parent": ["UPDATE turns SET parent = turn"],
    "a huge step": ["UPDATE steps SET step = 9223372036854775807 WHERE step = 12"],
    "values too deep": [f"UPDATE measures SET value = '{'[' * 50_000}'", f"UPDATE changes SET new = '{'[' * 50_000}'"],
    "no steps": ["DELETE FROM steps"],
    "calls of other kinds": [CALL.format(retry="'{}'", model="'5'", reply="'[]'"), "UPDATE steps SET last_call = 1"],
    "sessions of nothing": [SESSION.format(about="'null'")],
    "sessions in a circle": [
        SESSION.format(about="""'{"id": "s", "agent": "mayor", "origin": "fork", "parents": ["s"]}'""")
    ],
}
ASKED = {
    "blame": {"target": "weather.kind", "step": 12},
    "entity": {"name": "mayor", "step": 12},
    "expression": {"text": "weather.temperature_c"},
    "mind": {"agent": "mayor", "step": 12},
    "news": {"text": "rain", "step": 12},
    "series": {"name": "mean_wind_ms"},
    "frames": {"from": 0, "count": 12},
    "life": {"name": "mayor", "step": 12},
}
ALL = [
    *(f"{name}?{urlencode(ASKED.get(name, {'step': 12}))}" for name in LOOKUPS),
    "overview",
    "turn/5",
    "why?target=a.b",
]
DOWNLOADS = [f"download/{name}" for name in ("report.html", "turns.csv", "measures.csv")]


@pytest.fixture(scope="module")
def strangers(tmp_path_factory):
    folder = tmp_path_factory.mktemp("strangers")
    for name, statements in WRONG.items():
        run = SmallTown(residents=2, steps=12).write(folder / name.replace(" ", "_"))
        with closing(sqlite3.connect(run / "run.sqlite")) as file, file:
            for statement in statements:
                file.execute(statement)
    with Dashboard([folder], port=0) as dashboard:
        yield dashboard


USUAL = [*WRONG][::2]


@pytest.mark.parametrize("name", cases(WRONG, lambda name: name not in USUAL))
def test_every_look_up_on_a_file_with_wrong_things_in_it_answers_in_one_line(strangers, name):
    run = name.replace(" ", "_")
    for path in (*ALL, *DOWNLOADS):
        status, body, _ = ask(strangers, f"/api/run/{run}/{path}")
        assert status in (200, 400, 404), (path, body)
        if status != 200:
            said = json.loads(body)["error"]
            assert "\n" not in said
            assert 5 < len(said) <= 1_000
    status, body, _ = ask(strangers, f"/api/compare?run={run}&run=no_steps&step=12")
    assert status in (200, 400, 404), body
