"""What caused something in one history is asked again where other seeds draw."""

import pytest

from cave_sim.cli.main import main as cave_sim
from cave_sim.replay.recipe import Recipe
from tests.bench.other_futures import main


@pytest.mark.long
def test_a_cause_that_hangs_on_no_draw_is_one_in_each_of_other_futures(tmp_path, capsys):
    town = tmp_path / "town"
    Recipe("town_day", {"seed": 7, "residents": 3}).make(town).run(until=12).close()
    question = ["len(town.announcements)", "--at", "12", "--among", "agents"]
    assert cave_sim(["why", str(town), *question]) == 0
    capsys.readouterr()
    main([str(town), *question, "--seeds", "8-9"])
    told = capsys.readouterr().out.splitlines()
    assert told[0].startswith("mayor, the whole run")
    assert told[0].endswith("+1 of 1")
    assert told[1:] == [
        "   then +1 of 1, +1 of 1",
        "   more because of it in 2, fewer in 0, the same in 0 of 2",
        "4 forks were run, 0 calls asked",
    ]
