"""What other packages offer is found beside what comes along; and the older names of our modules still lead there."""

import json
import pkgutil
import sys
import tomllib
from pathlib import Path

import pytest

import cave_sim.simulations
import cave_sim.simulations.studies
from cave_sim import WorldError, open_run
from cave_sim.cli.main import main
from cave_sim.loading.entry_points import DASHBOARDS, PAPERS, SIMULATIONS, STUDIES, installed, load, named, resolve
from cave_sim.replay.recipe import Recipe
from cave_sim.replay.simulation_names import find

ROOT = Path(__file__).parents[2]
TEAHOUSE = '''"""Tea is drunk, and nothing else.

More about it.
"""
from cave_sim import Entity, Simulation, World, field
from cave_sim.experiment.study import Study

STEPS = 3


class Pot(Entity):
    """A pot of tea."""

    cups: int = field(9, ge=0)


def create(*, seed, out=None, manifest=None, observers=(), **options):
    world = World(seed=seed)
    world.add("pot", Pot())
    return Simulation(world, [], out=out, manifest=manifest, observers=observers)


STUDY = Study("brewing", "Brewing tea", "A test.", lambda seed: [], ("cave",))
PARADIGMS = {}
'''
METADATA = "Metadata-Version: 2.1\nName: teahouse\nVersion: 2.5\n"
OFFERS = "[cave_sim.simulations]\ntea = teahouse\ntown_day = teahouse\n[cave_sim.studies]\nbrewing = teahouse\n"


@pytest.fixture
def teahouse(tmp_path, monkeypatch):
    """Somebody else's distribution, installed in a folder of its own."""
    folder = tmp_path / "site"
    about = folder / "teahouse-2.5.dist-info"
    about.mkdir(parents=True)
    (folder / "teahouse.py").write_text(TEAHOUSE)
    (about / "METADATA").write_text(METADATA)
    (about / "entry_points.txt").write_text(OFFERS)
    monkeypatch.syspath_prepend(folder)
    monkeypatch.delitem(sys.modules, "teahouse", raising=False)
    monkeypatch.chdir(tmp_path)
    yield folder
    sys.modules.pop("teahouse", None)


def test_list_shows_who_brings_what_and_what_it_is_about(teahouse, capsys):
    assert main(["list"]) == 0
    lines = [line.split(maxsplit=5) for line in capsys.readouterr().out.splitlines()]
    assert ["cave-sim", "run", "tea", "teahouse", "2.5", "Tea is drunk, and nothing else."] in lines
    assert ["cave-sim", "study", "brewing", "teahouse", "2.5", "Tea is drunk, and nothing else."] in lines
    assert all(purpose for *_, purpose in lines)


def test_list_reads_them_and_runs_none(teahouse, capsys):
    assert main(["list", "--json"]) == 0
    purpose = "Tea is drunk, and nothing else."
    tea = {"command": "run", "name": "tea", "target": "teahouse", "source": "teahouse 2.5", "purpose": purpose}
    assert tea in json.loads(capsys.readouterr().out)
    assert "teahouse" not in sys.modules


def test_a_simulation_of_another_package_runs_by_its_name_and_goes_on_without_naming_its_module(teahouse, capsys):
    assert main(["run", "tea", "--steps", "1", "--quiet", "--out", "run"]) == 0
    assert main(["resume", "run", "--quiet"]) == 0
    assert main(["verify", "run"]) == 0
    with open_run("run") as run:
        assert (run.manifest["module"], run.manifest["simulation"], len(run.steps())) == ("tea", "teahouse", 4)


def test_of_two_with_one_name_ours_counts(teahouse):
    assert find("town_day").__name__ == "cave_sim.simulations.town_day"


def test_a_study_is_no_simulation_whoever_brings_it(teahouse):
    with pytest.raises(WorldError, match="brewing is a study: cave-sim study brewing"):
        find("brewing")


def test_what_is_not_there_is_said_when_it_is_listed(teahouse, capsys):
    (teahouse / "teahouse.py").unlink()
    assert main(["list"]) == 0
    assert "(teahouse is not there)" in capsys.readouterr().out


def test_a_dashboard_that_nobody_offers_is_said():
    with pytest.raises(WorldError, match="nothing that is installed offers 'globe'"):
        named(DASHBOARDS, "globe")


def test_every_simulation_and_study_of_ours_is_an_entry_point():
    packages = {each.name for each in pkgutil.iter_modules(cave_sim.simulations.__path__) if each.ispkg}
    modules = {each.name for each in pkgutil.iter_modules(cave_sim.simulations.studies.__path__)}
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["entry-points"]
    assert declared[SIMULATIONS].keys() == packages - {"studies"}
    assert declared[STUDIES].keys() | declared[PAPERS].keys() == {name for name in modules if not name.startswith("_")}


@pytest.mark.parametrize("group", [SIMULATIONS, STUDIES, PAPERS, DASHBOARDS])
def test_what_we_offer_can_be_loaded(group):
    assert all(plugin.load() for plugin in installed(group).values())


@pytest.mark.long
@pytest.mark.parametrize("name", ["town_day", "simulations.town_day", "cave_sim.simulations.town_day"])
def test_a_run_whose_manifest_says_an_older_name_is_made_again_and_trusted(name, tmp_path, capsys):
    Recipe(name, {"seed": 7, "residents": 1}).make(tmp_path / "run").run(until=1).close()
    assert main(["verify", str(tmp_path / "run")]) == 0


def test_an_older_name_of_a_function_leads_to_it():
    assert load("simulations.city_day.district:make") is load("cave_sim.simulations.city_day.district:make")


def test_a_users_own_folder_of_such_a_name_is_the_users(tmp_path, monkeypatch):
    (tmp_path / "simulations" / "tea_day").mkdir(parents=True)
    (tmp_path / "simulations" / "tea_day" / "__init__.py").write_text(TEAHOUSE)
    monkeypatch.syspath_prepend(tmp_path)
    for name in ("simulations", "simulations.tea_day"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    assert resolve("simulations.tea_day") == "simulations.tea_day"
    assert resolve("simulations.town_day") == "cave_sim.simulations.town_day"
    assert resolve("simulations.nowhere") == "simulations.nowhere"
