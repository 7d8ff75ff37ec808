"""Every example that ships with the installed Mesa, as a world: the contract, and the command line."""

import mesa
import pytest
from packaging.version import Version

from cave_sim.cli.main import main
from cave_sim.mesa_models.catalog import examples, find_model
from cave_sim.mesa_models.simulation import simulation_of
from cave_sim.testing import MesaModelContract
from cave_sim.testing.mesa_models import take

REPEATS_ITSELF = Version(mesa.__version__) >= Version("3.5")
REPRODUCIBLE = [name for name in examples() if name != "alliance_formation" or REPEATS_ITSELF]
SMALL = {
    "conways_game_of_life": {"width": 20, "height": 20},
    "epstein_civil_violence": {"width": 15, "height": 15},
    "pd_grid": {"width": 15, "height": 15},
    "sugarscape_g1mt": {"initial_population": 60},
    "boid_flockers": {"population_size": 40},
}
"""Some are made smaller, which changes nothing of what is asked."""


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", REPRODUCIBLE)
@pytest.mark.long
class TestExamples(MesaModelContract):
    @pytest.fixture(autouse=True)
    def of(self, name, monkeypatch):
        monkeypatch.setattr(type(self), "model", find_model(name), raising=False)
        monkeypatch.setattr(type(self), "arguments", SMALL.get(name, {}))
        monkeypatch.setattr(type(self), "steps", 8 if name == "alliance_formation" else 50)


def test_all_examples_are_known_by_short_names():
    assert {"boltzmann_wealth", "schelling", "wolf_sheep", "virus_on_network", "boid_flockers"} <= set(examples())
    assert len(examples()) >= 10
    assert all(example.purpose() for example in examples().values())


def test_examples_are_listed_beside_what_is_installed(capsys):
    assert main(["list"]) == 0
    told = capsys.readouterr().out
    assert all(f"cave-sim run mesa:{name} " in told for name in examples())
    assert "cave-sim run town_day " in told


@pytest.mark.filterwarnings("ignore")
def test_agents_of_classes_that_come_during_the_run_are_entities():
    """Alliances are agents of classes that the model makes as it goes. Before 3.5 plain Mesa does not repeat itself
    there: it keeps their members in a set, whose order is that of addresses in memory."""
    simulation = simulation_of(find_model("alliance_formation"), seed=7)
    take(simulation, 2)
    assert {"AllianceAgent", "MetaAgentLevel1"} <= {type(simulation.world[name]).__name__ for name in simulation.world}
    assert simulation.world["agent_51"].level == 1
