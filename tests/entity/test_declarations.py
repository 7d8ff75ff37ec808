"""What fields are declared as, for whoever reads a run without its code."""

from typing import Any

from cave_sim import Entity, Simulation, World, field, open_run
from cave_sim.entity.declarations import declarations


class Kettle(Entity):
    """Boils."""

    temperature_c: float = field(15.0, unit="degC", ge=-60, le=110, about="of the water")
    cups: int = field(0, ge=0)
    owner: str = ""
    age_s: float = field(0.0, ge=0, le=float("inf"))
    code: int = field(0, le=10**400)


class Plain(Entity):
    """Says nothing of its fields."""

    anything: Any = None


def of_water(world):
    """Return how hot the water is, in degC."""
    return world["kettle"].temperature_c


SAID = {
    "Kettle": {
        "temperature_c": {"about": "of the water", "unit": "degC", "low": -60, "high": 110},
        "cups": {"low": 0, "whole": True},
        "age_s": {"low": 0},
    }
}


def test_declarations_are_told_as_plain_data():
    assert declarations([Kettle, Plain]) == SAID


def test_a_run_says_what_its_fields_and_measures_mean(tmp_path):
    world = World(seed=1)
    world.add("kettle", Kettle())
    measures = {"heat": of_water, "cups": lambda world: world["kettle"].cups}
    with Simulation(world, measures=measures, out=tmp_path / "run") as simulation:
        simulation.run(steps=1)
    with open_run(tmp_path / "run") as run:
        assert run.manifest["fields"]["Kettle"] == SAID["Kettle"]
        assert run.manifest["measured"] == {"heat": "how hot the water is, in degC"}
