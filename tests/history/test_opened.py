"""What asks an opened run says so to whoever hands it the folder, which other functions take."""

import pytest

from cave_sim import JournalError, open_run
from cave_sim.history.bisect import bisect
from cave_sim.history.blame import blame
from cave_sim.history.branches import branches
from cave_sim.history.dialogues import talk
from cave_sim.history.diff import diff
from cave_sim.history.diffusion import contacts
from cave_sim.history.export import export
from cave_sim.history.lineage import lineage
from cave_sim.history.networks import networks
from cave_sim.history.panel import panel
from cave_sim.history.prompts import prompt_costs
from cave_sim.history.relations import relations
from cave_sim.history.rewards import trajectories
from cave_sim.history.story import story
from cave_sim.journal.rebuild import entities_at, state_at
from tests.journal.test_writer import make_run

ASKED = {
    blame: ("ann.mood",),
    bisect: ("True",),
    diff: ("runs/other",),
    export: ("csv",),
    story: ("ann",),
    entities_at: (1,),
    state_at: (1,),
    networks: ("board.seats",),
    trajectories: ("mood",),
    **dict.fromkeys((talk, contacts, lineage, panel, prompt_costs, relations), ()),
}


@pytest.mark.parametrize("function", ASKED, ids=lambda function: function.__name__)
def test_a_folder_is_told_how_it_is_opened(function):
    with pytest.raises(JournalError, match=f"{function.__name__}.*'runs/town'.*takes an opened run: with open_run"):
        function("runs/town", *ASKED[function])


def test_a_folder_is_given_as_a_text_or_a_path(tmp_path):
    make_run(tmp_path / "run").close()
    assert [tree.name for tree in branches(str(tmp_path / "run"))] == ["run"]
    with open_run(str(tmp_path / "run")) as run:
        assert export(run, "csv", str(tmp_path / "out"), ["measures"]) == [tmp_path / "out" / "measures.csv"]


@pytest.mark.parametrize("step", ["0", 0.0, True, None, -1, 99])
def test_a_step_is_a_whole_number_that_the_run_has(step, tmp_path):
    make_run(tmp_path / "run").close()
    with open_run(tmp_path / "run") as run:
        for ask in (entities_at, state_at):
            with pytest.raises(JournalError, match=f"has no step {step!r}; it has"):
                ask(run, step)
