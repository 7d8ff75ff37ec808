"""What every simulation takes, said once: a simulation's own options stand beside it, and are still told apart."""

from types import ModuleType
from typing import Unpack

import pytest

from cave_sim import ModelRunOptions, RunOptions, Simulation, World, WorldError
from cave_sim.models import ScriptedModel
from cave_sim.replay.recipe import Recipe
from cave_sim.replay.settings import fitted, parameters, settings
from cave_sim.simulation.observers import Observer
from cave_sim.simulation.run_options import extended


def plain(*, seed: int, cups: int = 3, **run: Unpack[RunOptions]) -> Simulation:
    return Simulation(World(seed=seed), config={"cups": cups}, **run)


def thinking(*, seed: int, **run: Unpack[ModelRunOptions]) -> Simulation:
    return Simulation(World(seed=seed), **run)


def module(create):
    made = ModuleType("tea")
    vars(made).update(create=create, STEPS=1)
    return made


def test_what_every_simulation_takes_is_not_among_its_own_options():
    assert list(settings(module(plain))) == ["cups"]


def test_only_who_asks_a_model_takes_one():
    assert "llm" not in parameters(module(plain))
    assert {"llm", "budgets", "out", "control"} <= parameters(module(thinking)).keys()


def test_a_misspelt_option_is_refused_with_the_nearest_one():
    with pytest.raises(WorldError, match=r"no option 'cubs'. Did you mean 'cups'"):
        fitted(module(plain), {"seed": 1, "cubs": 2})


def test_what_was_given_comes_before_what_a_simulation_adds():
    given, own = Observer(), Observer()
    model, usual = ScriptedModel(lambda _: "a"), ScriptedModel(lambda _: "b")
    run = extended(
        ModelRunOptions(manifest={"map": "mine", "by": "me"}, observers=[given], llm=model),
        manifest={"map": "usual", "year": 2012},
        observers=[own],
        llm=usual,
    )
    assert run == {
        "manifest": {"map": "mine", "by": "me", "year": 2012},
        "observers": [given, own],
        "scheduler": None,
        "llm": model,
    }


def test_what_was_not_given_is_as_the_simulation_has_it():
    usual = ScriptedModel(lambda _: "b")
    assert extended(ModelRunOptions(llm=None), llm=usual)["llm"] is usual
    assert "llm" not in extended(RunOptions())


def test_a_simulation_is_made_from_its_recipe(tmp_path):
    simulation = Recipe("schelling", {"seed": 3, "width": 4}).make(tmp_path / "run")
    assert simulation.about["config"] is not None
