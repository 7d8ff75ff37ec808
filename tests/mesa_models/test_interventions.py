"""What cells write to the entities of a Mesa model goes into the model, or does not land."""

import pytest
from mesa.examples import BoltzmannWealth, Schelling, VirusOnNetwork

from cave_sim import Agent, open_run
from cave_sim.errors import InvariantBroken
from cave_sim.mesa_models.catalog import find_model
from cave_sim.mesa_models.construction import Construction
from cave_sim.mesa_models.simulation import simulation_of
from cave_sim.replay.fork import Intervention, fork
from cave_sim.replay.resume import resume
from cave_sim.replay.verify import verify
from cave_sim.testing.mesa_models import differences, take

SCENARIO = Construction.of(BoltzmannWealth).scenario
"""What Mesa's own examples are made from since 3.5; None before."""


def wealth(seed=7, **options):
    return simulation_of(BoltzmannWealth, seed=seed, arguments={"n": 20}, **options)


def plain_wealth():
    return Construction.of(BoltzmannWealth).make({"n": 20}, 7)[0]


def cell_of(model, at):
    return next(cell for cell in model.grid.all_cells if cell.coordinate == at)


def test_a_written_world_goes_on_as_plain_mesa_does_when_the_same_is_done_to_it():
    simulation, plain = wealth(), plain_wealth()
    take(simulation, 3)
    for _ in range(3):
        plain.step()
    had = simulation.world["agent_4"].wealth
    assert simulation.world.execute("agent_4.wealth = 50; model.label = 1").status == "failed"
    assert simulation.world.execute("agent_4.wealth = 50; agent_5.x, agent_5.y = 0, 9").committed
    four, five = (agent for agent in plain.agents if agent.unique_id in (4, 5))
    four.wealth = 50
    five.cell = cell_of(plain, (0, 9))
    for _ in range(20):
        take(simulation, 1)
        plain.step()
        assert all(seen == told for _, seen, told in differences(simulation, plain))
    assert sum(simulation.world[f"agent_{n}"].wealth for n in range(1, 21)) == 70 - had


class Stubborn(BoltzmannWealth):
    """Sets back in each step what it had, to the very values."""

    def __init__(self, seed=None):
        super().__init__(**({"scenario": SCENARIO(n=3, rng=seed)} if SCENARIO else {"n": 3, "seed": seed}))
        self.had = {agent: (agent.wealth, agent.cell) for agent in self.agents}

    def step(self):
        for agent, (wealth, cell) in self.had.items():
            agent.wealth, agent.cell = wealth, cell


def test_what_a_model_sets_back_to_what_it_had_is_told():
    world = (simulation := simulation_of(Stubborn, seed=7)).world
    take(simulation, 2)
    had = (who := world["agent_1"]).wealth, who.x, who.y
    assert world.execute("agent_1.wealth = 50; agent_1.x, agent_1.y = (agent_1.x + 1) % 10, 4").committed
    take(simulation, 1)
    assert (who.wealth, who.x, who.y) == had


def test_after_a_step_that_broke_a_rule_of_the_world_the_model_takes_it_again():
    simulation, plain = wealth(), plain_wealth()
    allowed = []
    simulation.world.invariant("nobody steps twice", lambda world, _: world.clock.step < 2 or allowed)
    take(simulation, 1)
    with pytest.raises(InvariantBroken, match="nobody steps twice"):
        take(simulation, 1)
    allowed.append(True)
    take(simulation, 2)
    for _ in range(3):
        plain.step()
    assert all(entity == of for _, entity, of in differences(simulation, plain))


def test_an_agent_that_is_taken_out_leaves_the_model():
    simulation = wealth()
    assert simulation.world.execute("world.remove('agent_4')").committed
    take(simulation, 5)
    assert "agent_4" not in simulation.world
    assert len([name for name in simulation.world if name.startswith("agent_")]) == 19


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("agent_4.wealth = 'much'", "takes int or float"),
        ("agent_4.x = 10", "no cell of the grid, which has x in 0..9"),
        ("agent_4.x = 2.5", "no cell of the grid"),
        ("model.Gini = 0.9", "is measured by the model"),
        ("world.remove('model')", "cannot leave its world"),
        ("world.add('agent_99', MoneyAgent(wealth=3))", "come into a Mesa model by its own code alone"),
        ("world['$mesa'].steps = 3", "belongs to the world alone"),
    ],
)
def test_what_the_model_does_not_take_does_not_land(code, told):
    simulation = wealth()
    before = simulation.world.state_hash()
    turn = simulation.world.execute(f"agent_5.wealth = 7\n{code}")
    assert turn.status in ("failed", "blocked")
    assert told in turn.error
    assert simulation.world.state_hash() == before
    undisturbed = wealth()
    take(simulation, 3)
    take(undisturbed, 3)
    assert simulation.state_hash == undisturbed.state_hash


def test_nobody_is_moved_where_there_is_no_room():
    simulation = simulation_of(Schelling, seed=7)
    world = simulation.world
    other = world["agent_2"]
    turn = world.execute(f"agent_1.x, agent_1.y = {other.x}, {other.y}")
    assert turn.status == "failed"
    assert "is full" in turn.error
    taken = {(world[name].x, world[name].y) for name in world if name.startswith("agent_")}
    free = next((x, y) for x in range(20) for y in range(20) if (x, y) not in taken)
    assert world.execute(f"agent_1.x, agent_1.y = {free}").committed
    assert (world["agent_1"].x, world["agent_1"].y) == free
    take(simulation, 1)


def test_a_choice_is_written_by_its_name_and_a_fixed_agent_stays():
    simulation = simulation_of(VirusOnNetwork, seed=7)
    world = simulation.world
    assert world.execute("agent_3.state = 'RESISTANT'; agent_3.virus_spread_chance = 0").committed
    assert "takes SUSCEPTIBLE, INFECTED, RESISTANT" in world.execute("agent_4.state = 'ILL'").error
    assert "is fixed to its place" in world.execute(f"agent_4.node = {world['agent_3'].node!r}").error
    take(simulation, 10)
    assert world["agent_3"].state == "RESISTANT"


class Taxman(Agent):
    """Takes from the richest what it gives to the poorest, every third step."""

    def act(self, observation):
        if observation["step"] % 3:
            return ""
        return (
            "people = sorted(world.all('MoneyAgent'), key=lambda each: (each.wealth, each.id))\n"
            "people[-1].wealth -= 1\npeople[0].wealth += 1"
        )


def taxed(**options):
    return wealth(agents=[(Taxman, "taxman")], grants={"taxman": ["MoneyAgent.wealth"]}, **options)


def test_an_agent_of_ours_acts_in_a_model_and_its_run_is_gone_on_with_and_verified(tmp_path):
    whole, stopped = taxed(out=tmp_path / "whole"), taxed(out=tmp_path / "stopped")
    take(whole, 20)
    take(stopped, 11)
    whole.close()
    stopped.close()
    later = resume(tmp_path / "stopped", simulation=taxed())
    take(later, 9)
    later.close()
    assert later.state_hash == whole.state_hash
    assert whole.state_hash != (untaxed := wealth()).state_hash
    assert untaxed.world["agent_1"].wealth == 1
    for folder in ("whole", "stopped"):
        with open_run(tmp_path / folder) as run:
            assert verify(run, taxed).holds


@pytest.mark.long
def test_a_branch_is_another_model_with_another_past_and_can_be_stopped_itself(tmp_path):
    parent = wealth(out=tmp_path / "parent")
    take(parent, 12)
    parent.close()
    change = [Intervention("for each in world.all('MoneyAgent'):\n    each.wealth = 3")]
    branch = fork(tmp_path / "parent", 6, tmp_path / "branch", interventions=change, simulation=wealth())
    take(branch, 6)
    branch.close()
    assert branch.world.execute("pass").committed
    total = sum(each.wealth for each in branch.world.all(type(branch.world["agent_1"])))
    assert total == 60
    again = fork(tmp_path / "parent", 6, tmp_path / "again", interventions=change, simulation=wealth())
    take(again, 3)
    again.close()
    later = resume(tmp_path / "again", simulation=wealth())
    take(later, 3)
    later.close()
    assert later.state_hash == branch.state_hash != parent.state_hash
    with open_run(tmp_path / "again") as run:
        assert verify(run, wealth).holds


def test_a_branch_with_another_seed_draws_otherwise(tmp_path):
    parent = wealth(out=tmp_path / "parent")
    take(parent, 8)
    parent.close()
    ends = []
    for folder, seed in (("one", 8), ("same", 8), ("other", 9)):
        branch = fork(tmp_path / "parent", 4, tmp_path / folder, seed=seed, simulation=wealth())
        take(branch, 4)
        branch.close()
        ends.append(branch.state_hash)
    assert ends[0] == ends[1] != ends[2]
    assert parent.state_hash not in ends


def test_a_model_that_does_not_follow_from_its_seed_is_not_gone_on_with(tmp_path):
    def restless():
        return simulation_of(RestlessModel, seed=7)

    simulation = simulation_of(RestlessModel, seed=7, out=tmp_path / "run")
    take(simulation, 4)
    simulation.close()
    with pytest.raises(Exception, match="something in it does not follow from its seed"):
        resume(tmp_path / "run", simulation=restless())
    with open_run(tmp_path / "run") as run:
        assert not verify(run, restless).holds


class RestlessModel(find_model("boltzmann_wealth")):
    """Counts on where another one of its kind stopped."""

    count = 0

    def step(self):
        RestlessModel.count += 1
        self.ticks = RestlessModel.count
        super().step()
