"""What Python asks of trusted objects by itself is handed to sandboxed cells as to others."""

import pytest

from cave_sim.hosts.process.host import ProcessHost
from tests.hosts.process.conftest import attached
from tests.world.laboratory import ASKED, lab_world


@pytest.mark.long
def test_sandboxed_cells_are_handed_what_others_are():
    with ProcessHost("tests.world.laboratory:lab_world") as host:
        world = attached(host, lab_world())
        for cell, output in ASKED.items():
            turn = world.execute(cell, agent="ann")
            assert (turn.output, turn.error) == (output, None), cell
