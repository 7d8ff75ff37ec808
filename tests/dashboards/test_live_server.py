"""The dashboard's server without a browser: who may ask, what travels, and what is drawn where."""

import json
import sqlite3
import urllib.error
import urllib.request
from types import SimpleNamespace
from urllib.parse import urlencode

import numpy as np
import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from cave_sim import open_run
from cave_sim.dashboards.live import Dashboard, Portrayal
from cave_sim.dashboards.live.comparing import first_divergence
from cave_sim.dashboards.live.helm import Helm
from cave_sim.dashboards.live.portrayal import portray
from cave_sim.dashboards.live.track import Track
from cave_sim.dashboards.live.wire import NOWHERE, delta, packed
from cave_sim.models.budget import Budgets, Spent
from cave_sim.simulation.control import Control
from tests.dashboards.small_town import SmallTown


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    folder = tmp_path_factory.mktemp("served")
    SmallTown().write(folder / "town")
    with Dashboard([folder], port=0) as dashboard:
        yield dashboard


def ask(dashboard, path, wish=None, **headers):
    data = None if wish is None else json.dumps(wish).encode()
    request = urllib.request.Request(f"http://127.0.0.1:{dashboard.port}{path}", data, headers)
    try:
        with urllib.request.urlopen(request) as reply:
            return reply.status, reply.read(), reply.headers
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read(), error.headers


def told(dashboard, path, **query):
    status, body, _ = ask(dashboard, f"/api/run/town/{path}?{urlencode(query)}")
    assert status == 200, body
    return json.loads(body)


def track(run, draw=portray):
    return Track(run, draw)


def test_it_listens_to_this_machine_alone(served):
    assert served.host == "127.0.0.1"


def test_a_name_that_was_rebound_to_this_machine_is_refused(served):
    status, body, _ = ask(served, "/api/runs", Host="evil.example")
    assert (status, b"is not called" in body) == (403, True)


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1"])
def test_its_own_names_are_answered(served, host):
    assert ask(served, "/api/runs", Host=f"{host}:{served.port}")[0] == 200


def test_a_page_of_another_site_cannot_open_the_line(served):
    line = f"ws://127.0.0.1:{served.port}/ws?run=town"
    with pytest.raises(InvalidStatus, match="403"), connect(line, origin="http://evil.example"):
        pass


def test_a_form_of_another_site_cannot_steer(served):
    headers = {"Origin": "http://evil.example", "X-Cave-Token": served.token}
    assert ask(served, "/api/run/town/control", {"do": "stop"}, **headers)[0] == 403


@pytest.mark.parametrize("path", ["/api/run/town/control", "/api/run/town/fork", "/api/unfork"])
@pytest.mark.parametrize("token", ["", "guessed"])
def test_who_lacks_the_token_changes_nothing(served, path, token):
    status, body, _ = ask(served, path, {"do": "stop", "step": 1}, **{"X-Cave-Token": token})
    assert (status, b"may look and not steer" in body) == (403, True)


def test_browsers_are_told_to_load_nothing_from_elsewhere(served):
    _, _, headers = ask(served, "/run/town")
    assert "default-src 'none'" in headers["content-security-policy"]
    assert "unsafe-inline" not in headers["content-security-policy"].partition("script-src")[2].partition(";")[0]


def test_a_path_out_of_the_folder_leads_nowhere(served):
    assert ask(served, "/web/../live/app.py")[0] == 404
    assert ask(served, "/api/run/..%2F..%2Fetc/overview")[0] == 404


def test_a_run_that_is_over_cannot_be_steered(served):
    status, body, _ = ask(served, "/api/run/town/control", {"do": "play"}, **{"X-Cave-Token": served.token})
    assert (status, b"fork it" in body) == (404, True)


def test_the_feed_goes_back_from_the_shown_step(served):
    turns = told(served, "feed", step=5, kind="cell")["turns"]
    assert turns == sorted(turns, key=lambda turn: -turn["turn"])
    assert {turn["step"] for turn in turns} <= set(range(6))


def test_a_search_takes_signs_as_they_are(served):
    assert told(served, "feed", search="100%")["turns"] == []
    assert told(served, "feed", search="Rain!")["turns"][0]["agent"] == "mayor"


def test_a_turn_tells_what_it_changed(served):
    (mayor,) = told(served, "feed", search="Rain!")["turns"]
    turn = told(served, f"turn/{mayor['turn']}")
    assert [(change["entity"], change["op"]) for change in turn["changes"]] == [
        ("town", "splice"), ("place_2", "set"), ("shelter", "create"),
    ]  # fmt: skip
    assert "Rain!" in turn["html"]


def test_texts_of_a_world_do_not_become_markup_of_the_page(served):
    (mayor,) = told(served, "feed", search="Rain!")["turns"]
    assert "<script" not in told(served, f"turn/{mayor['turn']}")["html"]


def test_a_value_is_blamed_on_who_wrote_it(served):
    written = told(served, "blame", target="weather.kind", step=36)["written"]
    assert [(each["agent"], each["new"]) for each in written] == [("world", '"rain"'), ("outside", '"sun"')]


def test_measures_come_by_step_and_then_only_what_is_new(served):
    assert told(served, "series", name="mean_wind_ms")["lines"]["mean_wind_ms"]["steps"] == list(range(1, 37))
    assert told(served, "series", name="mean_wind_ms", after=34)["lines"]["mean_wind_ms"]["steps"] == [35, 36]


@pytest.mark.parametrize("key_every", [1, 50, 10**9])
def test_a_scene_is_the_same_from_any_key_frame(tmp_path, monkeypatch, key_every):
    monkeypatch.setattr("cave_sim.dashboards.live.track.KEY_EVERY_CHANGES", key_every)
    with open_run(SmallTown().write(tmp_path / "town")) as run:
        motion = track(run)
        scenes = motion.scenes(0, 36)
        one_by_one = {scene.step: (motion.positions(scene).copy(), motion.states(scene)) for scene in scenes}
        assert list(one_by_one) == list(range(37))
        for step in (0, 1, 17, 18, 35, 36):
            scene = motion.at(step)
            np.testing.assert_array_equal(motion.positions(scene), one_by_one[step][0])
            np.testing.assert_array_equal(motion.states(scene), one_by_one[step][1])


def test_what_came_and_what_closed_is_in_the_scene_from_then_on(tmp_path):
    with open_run(SmallTown().write(tmp_path / "town")) as run:
        motion = track(run)
        assert motion.places["shelter"].step == 18
        assert (motion.at(17).closed.get("place_2"), motion.at(18).closed.get("place_2")) == (None, True)
        assert (motion.at(11).weather["kind"], motion.at(12).weather["kind"]) == ("sun", "rain")


def test_positions_travel_to_within_a_metre_and_only_who_moved(tmp_path):
    with open_run(SmallTown(residents=200).write(tmp_path / "town")) as run:
        motion = track(run)
        before, after = packed(motion, motion.at(20)), packed(motion, motion.at(21))
        _, _, south, north = motion.bounds
        told = after[0][:, 1] / (NOWHERE - 1) * (north - south) + south
        assert np.abs(told - motion.positions(motion.at(21))[:, 1]).max() < 1e-5
        whole, patch = delta(None, after, {}), delta(before, after, {})
        assert len(delta(after, after, {})) < 100 < len(patch) <= len(whole)


@pytest.mark.parametrize("axes", [("x", "y"), ("lon", "lat")])
def test_worlds_with_coordinates_are_drawn_without_being_told_how(tmp_path, axes):
    with open_run(SmallTown(axes=axes).write(tmp_path / "town")) as run:
        motion = track(run)
        assert (len(motion.movers), len(motion.places)) == (6, 22)
        assert not np.isnan(motion.positions(motion.last)).any()


def test_a_world_without_coordinates_is_drawn_by_where_its_people_say_they_are(tmp_path):
    def by_place(name, type_name, fields, acts):
        if type_name == "Place":
            return Portrayal("place", kind=fields["kind"])
        return Portrayal("mover", node="location", state="activity") if acts else None

    with open_run(SmallTown(axes=()).write(tmp_path / "town")) as run:
        run.manifest["map"] = {"nodes": {f"place_{number}": [number, 2 * number] for number in range(21)}}
        motion = track(run, by_place)
        where = motion.positions(motion.at(35))
        assert {tuple(each) for each in where[~np.isnan(where).any(axis=1)].tolist()} <= {(n, 2 * n) for n in range(21)}
        assert motion.words


def test_somebody_who_left_is_nowhere(tmp_path):
    town = SmallTown(residents=2, steps=4)
    folder = town.write(tmp_path / "town")
    with sqlite3.connect(folder / "run.sqlite") as journal:
        (turn,) = journal.execute("SELECT max(last_turn) FROM steps").fetchone()
        journal.execute("INSERT INTO changes VALUES (?, 9999, 'resident_1', '[]', 'remove', NULL, NULL)", (turn,))
    journal.close()
    with open_run(folder) as run:
        motion = track(run)
        assert np.isnan(motion.positions(motion.last))[:, 0].tolist() == [False, True]
        assert not np.isnan(motion.positions(motion.at(3))).any()


def test_runs_part_at_the_first_differing_step_that_all_of_them_have():
    run, branch = {0: "a", 1: "b", 2: "c"}, {1: "b", 2: "d"}
    assert first_divergence([run, branch]) == 2
    assert first_divergence([run, {1: "b"}]) is None


def test_calls_of_models_are_in_flight_from_their_beginning_to_their_end():
    budgets = Budgets()
    helm = Helm(Control(), ring=list)
    helm.on_start(SimpleNamespace(calls=SimpleNamespace(budgets=budgets)), until=1)
    budgets.reserve("mayor", Spent(calls=1))
    assert helm.in_flight == 1
    budgets.settle("mayor", Spent(calls=1), Spent(tokens=5, calls=1))
    assert helm.in_flight == 0
