"""What every simulation takes, said once: a simulation's own options stand beside it, and are still told apart."""

import json
import sys
from datetime import timedelta
from enum import Enum
from types import ModuleType
from typing import Annotated, Literal, Unpack

import pytest

from cave_sim import ModelRunOptions, RunOptions, Simulation, World, WorldError
from cave_sim.models import ScriptedModel
from cave_sim.replay.recipe import Recipe
from cave_sim.replay.settings import fitted, kept, parameters, settings
from cave_sim.scenario import Scenario
from cave_sim.scenario.study import ScenarioStudy
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


class Brew(Enum):
    GREEN = "green"
    BLACK = "black"


def own_types(
    *,
    seed: int,
    brew: Brew = Brew.GREEN,
    rest: timedelta = timedelta(minutes=10),
    kinds: list[Literal["a", "b"]] = [],  # noqa: B006
    **run: Unpack[RunOptions],
) -> Simulation:
    return Simulation(World(seed=seed), **run)


def test_options_of_types_of_ones_own_are_kept_as_plain_data_that_is_read_again():
    given = {"seed": 7, "brew": "black", "rest": "00:05:00", "kinds": ["b"]}
    typed = {"seed": 7, "brew": Brew.BLACK, "rest": timedelta(minutes=5), "kinds": ["b"]}
    made = module(own_types)
    for each in (given, typed):
        plain_data = kept(made, each)
        assert json.loads(json.dumps(plain_data)) == plain_data == {**given, "rest": "PT5M"}
    assert fitted(made, kept(made, given)) == typed


@pytest.mark.parametrize(
    ("wrong", "way_out"),
    [
        ({"brew": "blue"}, "takes green or black"),
        ({"rest": "soon"}, "takes how long, as PT15M or 00:15:00"),
        ({"kinds": ["c"]}, "takes a JSON list, of which each takes a or b"),
    ],
)
def test_what_does_not_fit_a_type_of_ones_own_is_told_what_does(wrong, way_out):
    with pytest.raises(WorldError, match=way_out):
        kept(module(own_types), {"seed": 7, **wrong})


def test_what_a_simulation_takes_is_read_once_however_many_arms_a_study_has(monkeypatch):
    read = []

    class Counted:
        def __get_pydantic_core_schema__(self, source, handler):
            read.append(source)
            return handler(source)

    def create(*, seed: int, cups: Annotated[int, Counted()] = 3, **run: Unpack[RunOptions]) -> Simulation:
        return Simulation(World(seed=seed), **run)

    made = module(create)
    monkeypatch.setitem(sys.modules, "tea_of_many_arms.tea", made)
    study = ScenarioStudy(
        Scenario(name="many", simulation="tea_of_many_arms.tea", parameters={"cups": {"values": [*range(40)]}}),
        seeds=(7, 8, 9),
    )
    trials = [trial for block in study.blocks() for trial in block]
    assert [study.plan(trial).recipe.create for trial in trials[:4]] == [
        {"seed": 7, "cups": 0},
        {"seed": 8, "cups": 0},
        {"seed": 9, "cups": 0},
        {"seed": 7, "cups": 1},
    ]
    assert len(trials) == 120
    assert len(read) == 1


def test_a_simulation_whose_code_is_loaded_anew_takes_what_it_takes_now():
    made = module(plain)
    assert list(settings(made)) == ["cups"]
    made.create = lambda *, seed, plates: None
    assert list(settings(made)) == ["plates"]


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
