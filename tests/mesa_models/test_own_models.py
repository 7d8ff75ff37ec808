"""A Mesa model of one's own, as somebody writes it who has read Mesa's tutorial, by every name that it has."""

import re
import sys

import pytest
from mesa.examples import BoltzmannWealth

from cave_sim import WorldError, open_run
from cave_sim.cli.main import main
from cave_sim.mesa_models.simulation import simulation_of

pytestmark = pytest.mark.filterwarnings("ignore:The use of the `seed` keyword:FutureWarning")  # of a newer Mesa

WALK = '''"""Walkers who pass on a rumour."""
import mesa
from mesa.discrete_space import CellAgent, OrthogonalMooreGrid


class Walker(CellAgent):
    def __init__(self, model, cell, knows=False):
        super().__init__(model)
        self.cell = cell
        self.knows = knows

    def step(self):
        self.cell = self.cell.neighborhood.select_random_cell()
        self.knows = self.knows or any(other.knows for other in self.cell.agents)


class Rumour(mesa.Model):
    def __init__(self, n=12, width=4, height=4, seed=None):
        super().__init__(seed=seed)
        self.grid = OrthogonalMooreGrid((width, height), torus=True, random=self.random)
        for number in range(n):
            Walker(self, self.grid.all_cells.select_random_cell(), knows=number == 0)
        self.datacollector = mesa.DataCollector(model_reporters={"knowing": lambda m: sum(a.knows for a in m.agents)})

    def step(self):
        self.agents.shuffle_do("step")
        self.datacollector.collect(self)
'''


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    (tmp_path / "walk.py").write_text(WALK)
    yield
    sys.modules.pop("walk", None)


MADE_FROM_AN_EXAMPLE = '''"""Money that is taxed."""
from mesa.examples import BoltzmannWealth


class Taxed(BoltzmannWealth):
    def step(self):
        super().step()
        self.taxed = getattr(self, "taxed", 0) + 1
'''


@pytest.mark.long
def test_a_model_made_from_one_of_mesas_examples_runs_by_the_same_seed(tmp_path):
    (tmp_path / "taxed.py").write_text(MADE_FROM_AN_EXAMPLE)
    for name in ("one", "two"):
        assert main(["run", "mesa:taxed.py", "--steps", "3", "--seed", "4", "--quiet", "--out", name]) == 0
    with open_run("one") as one, open_run("two") as two:
        assert one.manifest["seed"] == 4
        assert [each.state_hash for each in one.steps()] == [each.state_hash for each in two.steps()]
    assert main(["verify", "one"]) == 0


def test_a_file_that_imports_from_its_folder_runs_by_its_path(tmp_path):
    folder = tmp_path / "strollers"
    folder.mkdir()
    head, _, model = WALK.partition("class Rumour")
    (folder / "agents.py").write_text(head)
    (folder / "model.py").write_text(
        "import mesa\nfrom mesa.discrete_space import OrthogonalMooreGrid\n\n"
        f"from .agents import Walker\n\n\nclass Rumour{model}"
    )
    assert main(["run", "mesa:strollers/model.py", "--steps", "3", "--quiet", "--out", "run", "--set", "n=8"]) == 0
    assert main(["resume", "run", "--steps", "5", "--quiet"]) == 0
    assert main(["verify", "run"]) == 0


@pytest.mark.long
@pytest.mark.parametrize("name", ["mesa:walk.py", "mesa:walk", "mesa:walk:Rumour", "mesa:walk.py:Rumour"])
def test_it_runs_by_its_file_its_module_and_its_class(name, capsys):
    assert main(["run", name, "--steps", "4", "--quiet", "--out", "run", "--set", "n=8"]) == 0
    with open_run("run") as run:
        knowing = run.measures()["knowing"].tolist()
        assert knowing == sorted(knowing)
        assert 1 <= knowing[0] <= knowing[-1] <= 8
    assert main(["verify", "run"]) == 0


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("walk.py", r"; its Mesa model is run as mesa:.*/walk\.py$"),
        ("mesa:walk.Rumour", "; a class is named behind a colon: mesa:walk:Rumour"),
        ("mesa:walk:Rumuor", r"Did you mean 'Rumour'\?$"),
        ("mesa:wlak.py", "wlak.py"),
    ],
)
def test_other_names_are_told_the_way(name, told, capsys):
    assert main(["run", name, "--steps", "4", "--quiet"]) == 1
    [line] = capsys.readouterr().err.strip().splitlines()
    assert re.search(told, line), line


def test_its_own_words_say_what_it_is(capsys):
    with pytest.raises(SystemExit):
        main(["run", "mesa:walk.py", "--help"])
    assert "mesa:walk.py: Walkers who pass on a rumour; 100 steps" in " ".join(capsys.readouterr().out.split())


@pytest.mark.long
@pytest.mark.parametrize(
    ("takes", "hands_on"), [("seed=None, rng=None", "seed=seed"), ("seed=None", ""), ("**kwargs", "")]
)
def test_a_model_that_hands_no_seed_on_follows_from_it_all_the_same(tmp_path, takes, hands_on):
    forgetful = WALK.replace("seed=None):", f"{takes}):").replace(
        "super().__init__(seed=seed)", f"super().__init__({hands_on})"
    )
    (tmp_path / "walk.py").write_text(forgetful)
    hashes = []
    for out in ("one", "other"):
        assert main(["run", "mesa:walk.py", "--steps", "2", "--quiet", "--out", out]) == 0
        with open_run(out) as run:
            hashes.append(run.steps()[-1].state_hash)
    assert hashes[0] == hashes[1]


def test_what_its_measures_count_stands_in_their_names_and_a_wrong_name_is_told():
    bare, told = (simulation_of(BoltzmannWealth, units=units).run(steps=1) for units in ({}, {"Gini": "share"}))
    assert told.latest_measures == {"Gini (share)": bare.latest_measures["Gini"]}
    assert told.datacollector.model_vars["Gini (share)"] == bare.datacollector.model_vars["Gini"]
    assert told.state_hash == bare.state_hash
    with pytest.raises(WorldError, match=r"the model reports no number 'gini'\. Did you mean 'Gini'\? It reports Gini"):
        simulation_of(BoltzmannWealth, arguments={"n": 4}, units={"gini": "share"})
