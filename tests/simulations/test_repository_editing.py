"""Three edit a repository: tests really run in jailed folders, and the journal says what each effect came to."""

import pytest

from cave_sim import WorldError, open_run
from cave_sim.history.prompts import prompt_costs
from cave_sim.models import ScriptedModel
from cave_sim.replay.verify import verify
from cave_sim.simulations import repository_editing
from cave_sim.simulations.repository_editing.repository import RIGHT
from cave_sim.simulations.repository_editing.summary import summary
from cave_sim.workspace.workspace import Workspace


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    with Workspace(require="guarded") as probed:
        if probed.level.name == "guarded":
            pytest.skip(f"nothing can be jailed here: {probed.level}")
    folder = tmp_path_factory.mktemp("runs") / "edited"
    simulation = repository_editing.create(seed=7, out=folder, require="contained")
    simulation.run(until=repository_editing.STEPS).close()
    assert simulation.world["board"].stage == "done"
    return folder


@pytest.mark.long
def test_what_was_wrong_is_found_mended_and_merged_by_tests_that_ran(folder):
    with open_run(folder) as run:
        done = [row for row in run.effects() if row["status"] == "done"]
        ran = [(row["agent"], row["result"]["exit"]) for row in done if row["tool"].endswith("run_command")]
        assert ran == [("planner", 1), ("engineer", 0), ("qa", 1), ("engineer", 0), ("qa", 0), ("planner", 0)]
        failed = next(row["result"]["output"] for row in done if row["agent"] == "qa" and "run_command" in row["tool"])
        assert "900 != 950" in failed or "1000 != 950" in failed
        assert "step 4, qa: write_file: added test_edges.py" in summary(run)
    assert (folder / "workspaces" / "planner" / "basket.py").read_text() == RIGHT


@pytest.mark.long
def test_running_its_cells_again_runs_no_command_and_asks_nobody(folder):
    before = (folder / "workspaces" / "qa" / "test_edges.py").stat().st_mtime_ns
    with open_run(folder) as run:
        assert verify(run, lambda: repository_editing.create(seed=7, llm=ScriptedModel(nobody))).holds
    assert (folder / "workspaces" / "qa" / "test_edges.py").stat().st_mtime_ns == before


def nobody(request):
    raise AssertionError(f"{request.key} was asked")


@pytest.mark.long
def test_files_that_are_gone_are_said_and_not_begun_anew(folder, tmp_path):
    simulation = repository_editing.create(seed=7, out=tmp_path / "run", require="contained")
    simulation.run(until=2)
    (tmp_path / "run" / "workspaces" / "planner").rename(tmp_path / "elsewhere")
    (workspaces,) = (each for each in simulation.observers if type(each).__name__ == "Workspaces")
    with pytest.raises(WorldError, match="has worked in a folder that is not here"):
        workspaces.of("planner")
    simulation.close()


def test_without_a_run_nothing_is_done_outside():
    simulation = repository_editing.create(seed=7)
    simulation.run(until=2)
    (outcome,) = simulation.world.execute("print(run_command.outcome('planner-1')['status'])", "planner").output.split()
    assert outcome == "withheld"


@pytest.mark.long
def test_its_prompts_stay_short_and_tell_each_once_what_came_of_a_command(folder):
    with open_run(folder) as run:
        assert max(costs.tokens for costs in prompt_costs(run)) < 500
        asked = ["\n".join(message["text"] for message in call["request"]["messages"]) for call in run.calls("planner")]
    told = [text for text in asked if "planner.run_command (planner-1): done" in text]
    assert told
    assert all('"exit":1' in text for text in told)
