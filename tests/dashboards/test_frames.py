import json

import numpy as np

from cave_sim import open_run
from cave_sim.dashboards.lookups.frames import NOWHERE, delta, packed
from cave_sim.dashboards.lookups.page_json import page_json
from cave_sim.dashboards.lookups.portrayal import portray, title
from cave_sim.dashboards.lookups.timeline_state import TimelineState
from tests.dashboards.small_town import SmallTown


def test_positions_travel_to_within_a_metre_and_only_who_moved(tmp_path):
    with open_run(SmallTown(residents=200).write(tmp_path / "town")) as run:
        motion = TimelineState(run, portray)
        before, after = packed(motion, motion.at(20)), packed(motion, motion.at(21))
        _, _, south, north = motion.bounds
        told = after[0][:, 1] / (NOWHERE - 1) * (north - south) + south
        assert np.abs(told - motion.positions(motion.at(21))[:, 1]).max() < 1e-5
        whole, patch = delta(None, after, {}), delta(before, after, {})
        assert len(delta(after, after, {})) < 100 < len(patch) <= len(whole)


def refused(number):
    raise ValueError(f"a browser reads no {number}")


def test_a_measure_without_an_end_and_words_that_turn_round_leave_a_page_readable():
    moment = {"measures": {"gain": float("inf"), "loss": [float("nan"), 1.5]}, "who": "Anna \u202eneve\u2066"}
    told = json.loads(page_json(moment), parse_constant=refused)
    assert told == {"measures": {"gain": None, "loss": [None, 1.5]}, "who": "Anna neve"}
    message = delta(None, (np.zeros((0, 2), np.uint16), np.zeros(0, np.uint8)), moment)
    json.loads(message[4 : 4 + int.from_bytes(message[:4], "little")], parse_constant=refused)


def test_whatever_somebody_is_called_it_is_one_line_that_fits():
    assert title("ann", {"title": "Ann\nof the  \u202ehill"}) == "Ann of the hill"
    assert len(title("ann", {"title": "x" * 10_000})) == 60
    assert title("ann_lee", {"title": ""}) == "Ann lee"
