"""A simulation is studied by its name, or its file, without a scenario."""

import json

import pytest

from cave_sim.cli.main import main
from cave_sim.scenario import open_study
from tests.scenario.test_newcomers import TEA

MEASURED = TEA.replace(
    "return Simulation(world,",
    'return Simulation(world, measures={"cups": lambda world: world["pot"].cups + world.seed},',
).replace("own_tea", "my_tea")


@pytest.fixture
def at_home(tmp_path, monkeypatch):
    """Work in a folder of one's own."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.long
def test_a_file_of_ones_own_is_run_over_five_seeds_and_the_table_has_an_interval(at_home, capsys):
    (at_home / "my_tea.py").write_text(MEASURED)
    assert main(["study", "my_tea.py", "--out", "out", "--residents", "4", "--steps", "2", "--quiet"]) == 0
    assert "cups     baseline   13.00 [11.04, 14.96]" in capsys.readouterr().out  # 4 cups, and seeds from 7 to 11
    frame = open_study("out").frame()
    assert frame["seed"].tolist() == [7, 8, 9, 10, 11]
    assert set(frame["steps"]) == {2}


@pytest.mark.long
def test_the_same_command_goes_on_with_more_seeds(at_home, capsys):
    (at_home / "my_tea.py").write_text(MEASURED)
    line = ["study", "my_tea.py", "--out", "out", "--json"]
    assert main([*line, "--seeds", "2"]) == 0
    capsys.readouterr()
    assert main([*line, "--seeds", "3"]) == 0
    assert json.loads(capsys.readouterr().out)["rows"][0]["mean"].startswith("10")
    assert open_study("out").about["command"] == "cave-sim study my_tea.py --seeds 3"


@pytest.mark.long
def test_an_installed_one_takes_its_options(at_home, capsys):
    line = ["study", "schelling", "--steps", "2", "--seeds", "2", "--out", "out", "--set", "wanted=0.5", "--quiet"]
    assert main(line) == 0
    made = json.loads((at_home / "out" / "study.json").read_text())
    assert made["scenario"]["options"] == {"wanted": 0.5}
    assert "2 runs, 2 seeds" in capsys.readouterr().out


@pytest.mark.long(cases=0)
def test_a_model_of_mesas_is_checked_and_studied_by_its_name(at_home, capsys):
    line = ["mesa:virus_on_network", "--steps", "2", "--seeds", "2"]
    assert main(["check", *line]) == 0
    assert 'it measures Infected, Susceptible, Resistant, measures["R over S"]' in capsys.readouterr().out
    assert main(["study", *line, "--out", "out", "--quiet"]) == 0
    assert capsys.readouterr().out.startswith("virus_on_network\n")
    assert open_study("out").about["command"] == "cave-sim study mesa:virus_on_network --steps 2 --seeds 2"


def test_runs_that_measure_nothing_say_so(at_home, capsys):
    (at_home / "my_tea.py").write_text(TEA)
    assert main(["study", "my_tea.py", "--out", "out", "--seeds", "1"]) == 0
    assert "nothing was measured: name measures in a scenario" in capsys.readouterr().out
    assert open_study("out").series().columns.tolist() == ["condition", "seed", "step"]


@pytest.mark.parametrize(
    ("line", "told"),
    [
        (["schelling", "--set", "wantd=1"], "schelling has no option 'wantd'. Did you mean 'wanted'?"),
        (["schelling", "--set", "wanted"], "--set wanted: write it as KEY=VALUE"),
        (["schelling", "--limit", "2"], "--limit is for studies of tasks: schelling is none"),
        (["shelling"], "there is no study 'shelling'. Did you mean 'schelling'?"),
        (["nowhere.py"], "there is no file nowhere.py"),
        (["smart_home", "--steps", "2"], "--steps is for the study of a simulation"),
        (
            ["tea.yaml", "--steps", "2"],
            "--steps is for a simulation that is named; a scenario says such things in its file",
        ),
        (["tea.yaml", "--set", "a=2"], "--set is for a simulation that is named"),
    ],
)
def test_what_does_not_fit_is_told_with_the_way_out_and_leaves_nothing(at_home, line, told, capsys):
    (at_home / "tea.yaml").write_text("name: tea\nsimulation: schelling\n")
    assert main(["study", *line, "--out", "out"]) == 1
    assert told in capsys.readouterr().err
    assert not (at_home / "out").exists()


def test_check_takes_the_same_options_and_refuses_them_beside_a_file(at_home, capsys):
    (at_home / "tea.yaml").write_text("name: tea\nsimulation: schelling\n")
    assert main(["check", "schelling", "--steps", "2", "--seeds", "3", "--set", "wanted=0.5"]) == 0
    assert "trials: 3, with 6 steps at most" in capsys.readouterr().out
    assert main(["check", "tea.yaml", "--set", "wanted=0.5"]) == 1
    assert "--set is for a simulation that is named" in capsys.readouterr().err
