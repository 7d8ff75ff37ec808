"""A branch goes the parent's way until something makes a difference, and says whose branch it is."""

import pytest

from cave_sim import WorldError, open_run
from cave_sim.cli.main import main
from cave_sim.journal.integrity import problems
from cave_sim.models.from_cli import ModelChoice
from cave_sim.replay.fork import assignment, fork, rehearse
from cave_sim.replay.recipe import Recipe
from cave_sim.replay.resume import resume
from cave_sim.replay.simulation_names import available
from cave_sim.replay.verify import verify
from cave_sim.simulation.treatment import Intervention
from tests.policy import square

UNTIL = 24
BRANCH_STEPS = 14
OF_ONE_WORLD = [name for name in available() if name != "city_day"]  # whose districts have journals of their own
SCHEDULERS = ["random", "events", "simultaneous", "staged"]


MINDS = ["village_day", "town_day"]  # who ask a model only if they are told to; those of the stories always do


def begin(name, folder, model=None, **options):
    few = {"residents": 5} if name in ("town_day", "village_day") else {}
    return Recipe(name, {"seed": 5, **few, **options}, model).make(folder)


def states(folder):
    with open_run(folder) as run:
        return {step.step: step.state_hash for step in run.steps()}


def calls(folder, since):
    """Return how many calls were asked from a step on, and how many were answered as before."""
    with open_run(folder) as run:
        counts = dict(run.query("SELECT reused, count(*) FROM calls WHERE step >= ? GROUP BY reused", since))
    return counts.get(0, 0), counts.get(1, 0)


@pytest.fixture(scope="module")
def town(tmp_path_factory):
    """Return the folder of a morning in a small town."""
    folder = tmp_path_factory.mktemp("runs") / "town"
    begin("town_day", folder).run(until=UNTIL).close()
    return folder


@pytest.mark.long
@pytest.mark.parametrize("name", OF_ONE_WORLD)
def test_a_branch_on_which_nothing_is_changed_ends_as_its_parent_did_and_asks_nobody(name, lived, tmp_path):
    last = max(states(lived(name)))  # some come to an end of their own
    goes_on_as_before(lived(name), max(last // 2, last - BRANCH_STEPS), tmp_path / "branch", last)


@pytest.mark.long
@pytest.mark.parametrize("name", MINDS)
def test_minds_are_not_asked_again_on_a_branch_on_which_nothing_is_changed(name, tmp_path):
    begin(name, tmp_path / "parent", ModelChoice()).run(until=UNTIL).close()
    goes_on_as_before(tmp_path / "parent", 10, tmp_path / "branch", UNTIL)


def goes_on_as_before(folder, at, branch, until):
    """Branch off a run and assert that the branch has its states and asks for none of its answers."""
    parent = states(folder)
    fork(folder, at, branch).run(until=until).close()
    assert states(branch) == {step: state for step, state in parent.items() if step >= at}
    assert calls(branch, since=at) == (0, sum(calls(folder, since=at)))


@pytest.mark.long
def test_a_city_of_districts_has_no_branches_and_says_so(tmp_path):
    begin("city_day", tmp_path / "city", residents=4, crowd=40, districts=2).run(until=2).close()
    with pytest.raises(WorldError, match=r"a world in shards has no branches.*run it anew"):
        fork(tmp_path / "city", 1, tmp_path / "branch")
    assert not (tmp_path / "branch").exists()


@pytest.mark.long
@pytest.mark.parametrize("scheduler", SCHEDULERS)
def test_whoever_acts_when_acts_so_on_a_branch(scheduler, tmp_path):
    begin("town_day", tmp_path / "parent", scheduler=scheduler).run(until=UNTIL).close()
    fork(tmp_path / "parent", 11, tmp_path / "branch").run(until=UNTIL).close()
    assert states(tmp_path / "branch")[UNTIL] == states(tmp_path / "parent")[UNTIL]


def test_a_branch_says_whose_it_is_and_copies_no_log(tmp_path, town):
    fork(town, 10, tmp_path / "branch").close()
    with open_run(tmp_path / "branch") as branch, open_run(town) as parent:
        [told] = branch.manifest["parents"]
        assert (told["run"], told["step"], told["hash"]) == ("town", 10, parent.steps()[10].hash)
        assert [step.step for step in branch.steps()] == [10]
        assert [turn.kind for turn in branch.turns()] == ["outside"]
        assert branch.manifest["seed"] == 5


def test_only_what_the_change_causes_differs(tmp_path, town):
    note = [Intervention("me.note('It is Friday.')", "mayor")]
    fork(town, 10, tmp_path / "branch", interventions=note).run(until=UNTIL).close()
    with open_run(tmp_path / "branch") as branch, open_run(town) as parent:
        one, other = ({(t.step, t.agent, t.code) for t in run.turns() if t.step >= 10} for run in (branch, parent))
        assert one - other >= {(10, "mayor", "me.note('It is Friday.')")}
        assert states(tmp_path / "branch")[10] == states(town)[10]
        assert states(tmp_path / "branch")[11] != states(town)[11]


def test_another_seed_changes_what_is_drawn_and_nothing_before(tmp_path, town):
    fork(town, 10, tmp_path / "branch", seed=6).run(until=UNTIL).close()
    with open_run(tmp_path / "branch") as branch:
        assert branch.manifest["seed"] == 6
    assert states(tmp_path / "branch")[10] == states(town)[10]
    assert states(tmp_path / "branch")[UNTIL] != states(town)[UNTIL]


@pytest.mark.long
def test_a_branch_is_verified_resumed_and_branched_like_any_run(tmp_path, town):
    change = [assignment("weather.temperature_c=30")]
    fork(town, 10, tmp_path / "whole", interventions=change, seed=6).run(until=UNTIL).close()
    fork(town, 10, tmp_path / "branch", interventions=change, seed=6).run(until=15).close()
    resume(tmp_path / "branch").run(until=UNTIL).close()
    assert states(tmp_path / "branch") == states(tmp_path / "whole")
    fork(tmp_path / "branch", 18, tmp_path / "leaf").run(until=UNTIL).close()
    assert states(tmp_path / "leaf")[UNTIL] == states(tmp_path / "whole")[UNTIL]
    for folder in ("whole", "branch", "leaf"):
        with open_run(tmp_path / folder) as run:
            assert verify(run, Recipe.of(run.manifest).make).holds


def test_a_simulation_forks_in_memory_with_the_same_future(tmp_path):
    simulation = begin("town_day", tmp_path / "run").run(until=10)
    twin = simulation.fork()
    other = simulation.fork()
    other.world.execute("me.note('Something else.')", agent="mayor")
    for each in (simulation, twin, other):
        each.run(until=UNTIL)
    assert twin.journal is None
    assert twin.world.state_hash() == simulation.world.state_hash() != other.world.state_hash()
    simulation.close()


def test_variables_of_agents_go_along(tmp_path):
    simulation = begin("town_day", tmp_path / "run").run(until=3)
    simulation.world.execute("seen = {'a': [1, 2]}\ndef twice(x):\n    return 2 * x", agent="mayor")
    simulation.run(until=5)
    simulation.close()
    for going_on in (resume(tmp_path / "run"), fork(tmp_path / "run", 5, tmp_path / "branch")):
        assert going_on.world.execute("twice(len(seen['a']))", agent="mayor").output.strip() == "4"
        going_on.run(until=6)
        going_on.close()
    with open_run(tmp_path / "run") as run:
        assert list(problems(run)) == []


@pytest.mark.parametrize(
    ("text", "cell"),
    [
        ("weather.kind=storm", "weather.kind = 'storm'"),
        ("weather.kind='storm'", "weather.kind = 'storm'"),
        ("town.treasury_cents = 0", "town.treasury_cents = 0"),
        ("ann.awake=True", "ann.awake = True"),
        ("ann.awake=true", "ann.awake = True"),
        ("ann.motto='true'", "ann.motto = 'true'"),
        ("ann.motto=to be or not", "ann.motto = 'to be or not'"),
        ("world['Café'].open=False", "world['Café'].open = False"),
    ],
)
def test_a_setting_is_an_assignment(text, cell):
    assert assignment(text).code == cell


@pytest.mark.long
def test_the_command_line_branches(tmp_path, town, capsys):
    command = ["fork", str(town), "--at", "10", "--steps", str(UNTIL), "--out", str(tmp_path / "branch"), "--quiet"]
    assert main(command) == 0
    assert capsys.readouterr().out == f"state hash: {states(town)[UNTIL]}\n"
    assert main(["fork", str(town), "--at", "10", "--set", "weather.kind", "--out", str(tmp_path / "none")]) == 1
    assert "write it as ENTITY.FIELD=VALUE" in capsys.readouterr().err


def test_a_setting_of_what_a_dict_holds_is_told_as_an_item():
    world = square.build()
    with pytest.raises(WorldError, match=r"attributes of a dict are .*, as in ann\.counts\['grain'\]=50$"):
        rehearse(world, [assignment("ann.counts.grain=50")])
    rehearse(world, [assignment("ann.counts['grain']=50")])
