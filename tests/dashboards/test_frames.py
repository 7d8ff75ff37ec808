import numpy as np

from cave_sim import open_run
from cave_sim.dashboards.lookups.frames import NOWHERE, delta, packed
from cave_sim.dashboards.lookups.portrayal import portray
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
