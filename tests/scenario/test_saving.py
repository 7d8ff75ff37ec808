"""What was done to a run comes back as a scenario, which comes to the same state."""

import pytest

from cave_sim import WorldError, open_run
from cave_sim.causes import Asked, Counterfactuals, Removal
from cave_sim.cli.main import main
from cave_sim.history.diff import diff
from cave_sim.replay.fork import fork
from cave_sim.replay.recipe import Recipe
from cave_sim.scenario import parse_scenario, run_study
from cave_sim.scenario.saving import scenario_of_run
from cave_sim.simulation.control import Control
from cave_sim.simulation.silence import Silence
from cave_sim.simulation.treatment import Intervention


@pytest.fixture
def lived(tmp_path):
    """Return a run to which things were done live, and a branch of it with more."""
    planned = Intervention("town.announcements.append('planned')", when="len(town.announcements) > 1")
    live = Recipe("town_day", {"seed": 5, "residents": 3}, interventions=(planned,)).make(tmp_path / "live")
    live.control = Control()
    for step in range(8):
        if step == 2:
            live.control.submit("me.note('It is hot.')\nme.note('Very hot.')", "mayor")
            live.control.submit("town.nothing = 3")
        if step == 4:
            live.control.submit("town.announcements.append('one')\ntown.announcements.append('two')")
        live.step()
    live.close()
    fork(tmp_path / "live", 6, tmp_path / "branch", interventions=[Intervention("town.title = 'Hki'")]).run(
        until=10
    ).close()
    return tmp_path


def state_hash(folder):
    with open_run(folder) as run:
        return run.steps()[-1].state_hash


@pytest.mark.long(cases=0)
@pytest.mark.parametrize("name", ["live", "branch"])
def test_a_run_saved_as_a_scenario_and_run_comes_to_the_same_state(lived, name, capsys):
    assert main(["scenario", str(lived / name)]) == 0
    scenario = parse_scenario(capsys.readouterr().out)
    assert len(scenario.interventions) == (4 if name == "branch" else 3)
    _, report = run_study(scenario, lived / "again")
    assert report.failures == []
    assert report.results[0].state_hash == state_hash(lived / name)


@pytest.mark.long
@pytest.mark.parametrize(
    "silence",
    [
        Silence(agents=frozenset({"mayor"})),
        Silence(moments=frozenset({("mayor", 5), ("mayor", 6)})),
        Silence(only=frozenset({("mayor", 6)})),
    ],
    ids=["an agent", "two turns", "all but one turn"],
)
def test_who_was_silent_on_a_fork_is_paused_in_its_scenario_and_on_no_branch_of_it(silence, tmp_path):
    town, out = tmp_path / "town", tmp_path / "without"
    recipe = Recipe("town_day", {"seed": 7, "residents": 2})
    recipe.make(town).run(until=9).close()
    Counterfactuals(town, Asked("len(town.announcements)"), recipe).outcome(Removal(silence), 0, out=out)
    fork(out, 8, tmp_path / "branch").run(until=9).close()
    for name in ("without", "branch"):
        _, report = run_study(scenario_of_run(tmp_path / name), tmp_path / "again" / name)
        trial = tmp_path / "again" / name / "trials" / report.results[0].trial
        with open_run(tmp_path / name) as run, open_run(trial) as again:
            assert diff(run, again).fields.keys() == {"$wiring"}  # who was paused


def test_what_a_scenario_cannot_say_is_refused(lived):
    fork(lived / "live", 6, lived / "other", seed=9).run(until=8).close()
    assert main(["scenario", str(lived / "other")]) == 1
    with pytest.raises(WorldError, match="another seed"):
        scenario_of_run(lived / "other")
