"""Conditions that look back: was() and earlier(), over live worlds, over recorded steps, and over a stop."""

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cave_sim import Entity, Simulation, World, WorldError, field, open_run
from cave_sim.changes.plain_world import PlainWorld
from cave_sim.cli.main import main
from cave_sim.history.condition import Condition
from cave_sim.history.condition_over_steps import ConditionOverSteps
from cave_sim.models.budget import Budgets
from cave_sim.scenario import open_study
from cave_sim.scenario.plans import plan_of, trials_of
from cave_sim.scenario.reading import parse_scenario
from cave_sim.scenario.trial import run_trial
from cave_sim.simulation.control import Control


class Pot(Entity):
    """A pot, which may stand on another one."""

    cups: int = 0
    closed: bool = False
    under: "Pot | None" = None
    marks: list[int] = field([])


def seen(text, steps):
    """Return what a condition says after each of some steps; a step is what there is, name -> cups."""
    condition = ConditionOverSteps(Condition(text))
    states = (
        {name: {"type": "Pot", "fields": {"cups": cups}} for name, cups in step.items()}
        | {"$system": {"type": "System", "fields": {"step": number}}}
        for number, step in enumerate(steps)
    )
    return [condition.holds(PlainWorld(state)) for state in states]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("pot.cups < was(pot.cups)", [0, 0, 1, 0, 0, 1]),
        ("pot.cups == was(pot.cups)", [1, 0, 0, 1, 0, 0]),
        ("pot.cups > was(pot.cups, 2)", [0, 1, 0, 0, 1, 0]),
        ("was(pot.cups, 3) == 4", [1, 1, 1, 1, 0, 0]),
        ("earlier(pot.cups == 2)", [0, 0, 0, 1, 1, 1]),
        ("earlier(pot.cups < was(pot.cups)) and pot.cups > was(pot.cups)", [0, 0, 0, 0, 1, 0]),
        ("world.step >= 4 and pot.cups != was(pot.cups)", [0, 0, 0, 0, 1, 1]),
        ("was(len(world.all(Pot))) == 1", [1, 1, 1, 1, 1, 1]),
        ("was(pot.cups + 1) - 1 == was(pot.cups)", [1, 1, 1, 1, 1, 1]),
    ],
)
def test_a_condition_sees_the_steps_before(text, found):
    steps = [{"pot": cups} for cups in (4, 5, 2, 2, 6, 1)]
    assert seen(text, steps) == [bool(each) for each in found]


def test_who_comes_later_was_what_it_is_since_it_came_and_who_left_is_not_asked():
    steps = [{"a": 1}, {"a": 1, "b": 5}, {"a": 1, "b": 7}, {"b": 6}, {"a": 9, "b": 6}]
    assert seen("any(p.cups > was(p.cups) for p in world.all(Pot))", steps) == [False, False, True, False, False]
    assert seen("any(p.cups > was(p.cups, 3) for p in world.all(Pot))", steps) == [False, False, True, True, True]
    assert seen("all(earlier(p.cups == 5) for p in world.all(Pot) if p.cups > 5)", steps) == [
        True,
        True,
        True,
        True,
        False,
    ]


def test_a_memory_is_of_each_pair_that_a_comprehension_binds():
    steps = [{"a": 1, "b": 1}, {"a": 2, "b": 1}, {"a": 2, "b": 2}]
    pairs = "[earlier(p.cups > q.cups) for p in world.all(Pot) for q in world.all(Pot)]"
    assert seen(f"{pairs} == [False, True, False, False]", steps) == [False, False, True]


@given(st.lists(st.integers(0, 3), min_size=1, max_size=12), st.integers(1, 4))
def test_was_and_earlier_are_what_their_definitions_say(cups, back):
    steps = [{"pot": each} for each in cups]
    was = [cups[max(0, at - back)] for at in range(len(cups))]
    assert seen(f"pot.cups >= was(pot.cups, {back})", steps) == [
        now >= then for now, then in zip(cups, was, strict=True)
    ]
    assert seen("earlier(pot.cups == 2)", steps) == [2 in cups[:at] for at in range(len(cups))]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("was(was(pot.cups)) > 1", "was() stands within was(); was(x, 2) is x two steps before"),
        ("was(earlier(pot.closed))", "earlier() stands within was()"),
        ("earlier(earlier(pot.closed))", "earlier() stands within earlier()"),
        ("was() > 1", "was() takes a value and how many steps back, from 1 to 1,000"),
        ("was(pot.cups, 0) > 1", "from 1 to 1,000"),
        ("was(pot.cups, 5000) > 1", "from 1 to 1,000"),
        ("was(pot.cups, n) > 1", "from 1 to 1,000"),
        ("was(pot.cups, True) > 1", "from 1 to 1,000"),
        ("earlier()", "earlier() takes what was so after some step before"),
        ("earlier(pot.closed, 3)", "earlier() takes what was so"),
    ],
)
def test_what_means_nothing_is_refused_where_it_is_written(text, told):
    with pytest.raises(WorldError) as refused:
        Condition(text)
    assert told in str(refused.value)


@pytest.mark.parametrize("text", ["pot.cups < was(pot.cups)", "earlier(pot.closed)"])
def test_who_sees_one_state_says_that_it_cannot_look_back(text):
    with pytest.raises(WorldError, match="look back, which only a watch point, --stop-when and stop in a scenario can"):
        Condition(text).holds(pots().world)


def test_a_name_that_is_not_there_is_told_as_ever():
    for text in ("was(pto.cups) > 1", "earlier(pot.cpus > 1)", "was(pot.cpus) > 1"):
        with pytest.raises(WorldError, match=r"there is no entity 'pto'|has no field 'cpus'. Did you mean 'cups'"):
            ConditionOverSteps(Condition(text)).holds(pots().world)


def pots(**options):
    """Return a simulation in which cups come and go, 3 4 5 0 1 2 ..., and a lid that moves from pot to pot."""
    world = World(seed=1)
    for name in ("pot", "jug"):
        world.add(name, Pot(cups=2))

    def live(world):
        pot, step = world["pot"], world.clock.step
        pot.cups = (pot.cups + 1) % 6
        if step % 4 == 0:
            pot.marks.append(step)
        pot.under = [None, world["jug"], world["pot"]][step % 3]

    world.dynamics(live)
    return Simulation(world, lambda made: [], **options)


@pytest.mark.parametrize(
    "text",
    [
        "pot.cups < was(pot.cups)",
        "pot.under != was(pot.under)",
        "pot.under == jug and was(pot.under is None)",
        "len(pot.marks) > was(len(pot.marks))",
        "earlier(pot.cups == 4) and pot.cups == 1",
        "all(p.cups >= was(p.cups, 2) for p in world.all(Pot))",
    ],
)
def test_a_live_world_and_its_journal_are_read_alike(text, tmp_path):
    live, told = ConditionOverSteps(Condition(text)), []
    simulation = pots(out=tmp_path / "run")
    told.append(live.holds(simulation.world))
    for _ in range(12):
        simulation.step()
        told.append(live.holds(simulation.world))
    simulation.close()
    recorded = ConditionOverSteps(Condition(text))
    with open_run(tmp_path / "run") as run:
        assert [recorded.holds(PlainWorld(entities)) for entities in by_step(run)] == told
        again = ConditionOverSteps(Condition(text))
        again.read(run, until=11)
        assert again.holds(simulation.world) is told[-1]
    assert {True, False} == set(told)


def by_step(run):
    from cave_sim.history.panel import states

    return (entities for _, entities, _ in states(run))


def test_a_watch_point_pauses_where_a_number_falls():
    simulation = pots()
    simulation.control = Control()
    simulation.control.watch("emptied", "pot.cups < was(pot.cups)", then="stop")
    simulation.run(20)
    assert (simulation.world.clock.step, simulation.world["pot"].cups) == (4, 0)


OWN = """
from cave_sim import Entity, Simulation, World
STEPS = 40


class Pot(Entity):
    cups: int = 2


def create(*, seed, out=None, manifest=None, observers=()):
    world = World(seed=seed)
    world.add("pot", Pot())

    def live(world):
        world["pot"].cups = (world["pot"].cups + 1) % 6

    world.dynamics(live)
    measures = {"cups": lambda world: world["pot"].cups}
    return Simulation(world, out=out, manifest=manifest, observers=observers, measures=measures)
"""


@pytest.fixture
def at_home(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "own_pots.py").write_text(OWN)
    return tmp_path


LATE = "earlier(pot.cups == 5) and was(pot.cups, 3) == 5"


@pytest.mark.long
@pytest.mark.parametrize(("stopped_at", "branched"), [(1, False), (4, False), (5, False), (1, True), (4, True)])
def test_a_run_that_goes_on_stops_where_one_without_a_stop_does(at_home, stopped_at, branched):
    assert main(["run", "own_pots.py", "--quiet", "--out", "whole", "--stop-when", LATE]) == 0
    assert main(["run", "own_pots.py", "--quiet", "--out", "parts", "--steps", str(stopped_at)]) == 0
    folder = "parts"
    if branched:
        folder = "branch"
        assert (
            main(["fork", "parts", "--at", str(stopped_at), "--out", folder, "--quiet", "--steps", str(stopped_at + 1)])
            == 0
        )
    assert main(["resume", folder, "--quiet", "--steps", "40", "--stop-when", LATE]) == 0
    with open_run("whole") as whole, open_run(folder) as parts:
        assert (whole.last_step, parts.last_step) == (6, 6)


@pytest.mark.long
def test_a_study_stops_by_a_condition_that_looks_back_and_check_takes_it(at_home, capsys):
    scenario = {"name": "pots", "simulation": "own_pots.py", "stop": LATE, "seeds": 2}
    (at_home / "pots.yaml").write_text(json.dumps(scenario))
    assert main(["check", "pots.yaml"]) == 0
    assert main(["study", "pots.yaml", "--quiet", "--out", "out"]) == 0
    assert open_study("out").frame()["steps"].tolist() == [6, 6]
    scenario["interventions"] = [{"when": "pot.cups < was(pot.cups)", "set": {"pot.cups": 1}, "agent": "operator"}]
    (at_home / "pots.yaml").write_text(json.dumps(scenario))
    capsys.readouterr()
    assert main(["check", "pots.yaml"]) == 1
    assert "look back, which only a watch point, --stop-when and stop in a scenario can" in capsys.readouterr().err


def test_a_trial_that_was_interrupted_stops_where_one_that_was_not_does(at_home):
    scenario = parse_scenario(json.dumps({"name": "pots", "simulation": "own_pots.py", "stop": LATE}))
    plan = plan_of(scenario, trials_of(scenario, [7])[0][0])
    run_trial(replace(plan, steps=5), at_home / "trial", Budgets())
    assert run_trial(plan, at_home / "trial", Budgets()).steps == 6
