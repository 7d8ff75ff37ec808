"""Blame: who gave a field its values."""

import json
import shutil
import sqlite3
from contextlib import closing
from functools import partial

import pytest

from cave_sim import Entity, JournalError, Simulation, World, field, open_run
from cave_sim.cli.main import main
from cave_sim.history.blame import blame
from cave_sim.journal.rebuild import entities_at
from cave_sim.replay.fork import fork
from cave_sim.simulation.treatment import Intervention
from cave_sim.simulations import town_day, village_day
from cave_sim.simulations.city_day.district import make as make_district
from cave_sim.simulations.studies import bank_account, smart_home, token_efficiency
from cave_sim.worlds.city.promotion import demote, people_in_crowd, promote
from tests.journal.oracle import ABSENT, Oracle
from tests.long_cases import cases

STORM = Intervention("weather.kind = 'storm'")


class Jar(Entity):
    """Holds biscuits."""

    biscuits: int = field(10, ge=0)
    notes: list[str] = field([])
    stock: dict[str, int] = field({})

    def take(self, count: int) -> int:
        """Take some."""
        self.biscuits -= count
        return count


@pytest.fixture
def kitchen(tmp_path):
    """A run whose every turn is written down in the tests."""

    def run(*turns):
        world = World(seed=7)
        for name in ("jar", "Jar No. 2", "ann", "bob"):
            world.add(name, Jar())
        world.grant("ann", "*")
        world.grant("bob", "jar")
        simulation = Simulation(world, out=tmp_path / "run")
        for agent, code in turns:
            assert world.execute(code, agent).committed
            simulation.step()
        simulation.close()
        return open_run(tmp_path / "run")

    return run


def residents(module, folder, oracle):
    """Live most of a day with people who act by themselves."""
    simulation = module.create(seed=3, residents=5, out=folder)
    oracle.attach(simulation)
    simulation.run(until=90)
    return simulation


def district(folder, oracle):
    """Live in a district of a city, where somebody comes out of the crowd and goes back."""
    build = {"seed": 3, "districts": 2, "residents": 12, "crowd": 60}
    simulation = make_district(0, build=build, out=str(folder.parent)).simulation
    oracle.attach(simulation)
    simulation.run(until=30)
    name = promote(simulation, people_in_crowd(simulation)[5])
    simulation.run(until=40)
    if simulation.world[name].at == simulation.world[name].home:
        demote(simulation, name)
    simulation.run(until=44)
    return simulation


def task(study, name, folder, oracle):
    """Have somebody work on a task of a study by the cells of its script."""
    found = next(each for each in study.tasks(7) if each.name == name)
    world = World(seed=7)
    found.build(world)
    world.grant("ann", "*")
    simulation = Simulation(world, out=folder)
    oracle.attach(simulation)
    for query in found.queries:
        for cell in query.cells("cave"):
            world.execute(cell, "ann")
        simulation.step()
    return simulation


LIVES = {
    "town": partial(residents, town_day),
    "village": partial(residents, village_day),
    "city": district,
    "smart home": partial(task, smart_home, "working_day"),
    "bank": partial(task, bank_account, "mira_saves"),
    "market, stocks": partial(task, token_efficiency, "rebalancing"),
    "market, shop": partial(task, token_efficiency, "shopping"),
}


@pytest.fixture(scope="module", params=cases(LIVES, lambda life: life == "city"))
def watched(request, tmp_path_factory):
    """A shipped world with an oracle beside its journal."""
    oracle = Oracle()
    simulation = LIVES[request.param](tmp_path_factory.mktemp("blame") / "district-0", oracle)
    folder = simulation.journal.folder
    simulation.close()
    with open_run(folder) as run:
        yield run, oracle


def named(entity, attribute):
    return f'world["{entity}"].{attribute}'


@pytest.mark.long(cases=0)
def test_every_attribute_of_a_shipped_world_answers_as_an_oracle_does_that_logs_writes_on_its_own(watched):
    run, oracle = watched
    assert len(oracle.values) > 8
    for (entity, attribute), log in oracle.values.items():
        found = blame(run, named(entity, attribute), explain=False)
        told = {written.turn: written for written in found}
        assert list(told) == [turn for turn, _, _ in log], (entity, attribute)
        assert [each.agent for each in told.values()] == [agent for _, agent, _ in log]
        for turn, _, value in log:
            if told[turn].op in ("set", "create") and len(told[turn].path) == 1 and value != ABSENT:
                assert json.dumps(told[turn].new, sort_keys=True) == value


@pytest.mark.long
def test_the_line_that_blame_names_is_one_that_wrote(watched):
    run, oracle = watched
    checked = alone = 0
    assert oracle.lines
    for entity, attribute in {(entity, attribute) for _, entity, attribute in oracle.lines}:
        for written in blame(run, named(entity, attribute)):
            wrote = oracle.lines.get((written.turn, entity, attribute))
            if wrote and written.kind == "cell":
                assert wrote & {line.number for line in written.lines}, written
                checked += 1
                alone += len(written.lines) == 1
    assert checked >= 5
    assert alone / checked > (0.8 if checked > 90 else 0.3)  # scripts of studies do several things in a cell


def test_an_assignment_is_named_by_its_line(kitchen):
    with kitchen(("ann", "x = 1\njar.biscuits = 3"), ("bob", "jar.biscuits = 4")) as run:
        *_, first, second = blame(run, "jar.biscuits")
    assert (first.agent, first.old, first.new, first.lines[0].number) == ("ann", 10, 3, 2)
    assert second.lines[0].text == "jar.biscuits = 4"
    assert second.lines[0].how == "assignment"


def test_a_method_that_wrote_is_named_as_the_cell_calls_it(kitchen):
    with kitchen(("bob", "taken = jar.take(2)\nprint(taken)")) as run:
        (line,) = blame(run, "jar.biscuits")[-1].lines
    assert (line.number, line.how) == (1, "method jar.take")


def test_a_variable_may_stand_for_the_entity(kitchen):
    with kitchen(("ann", 'it = world["Jar No. 2"]\nit.biscuits = 1\njar.biscuits = 2')) as run:
        (line,) = blame(run, 'world["Jar No. 2"].biscuits')[-1].lines
    assert line.text == "it.biscuits = 1"


def test_where_the_text_cannot_tell_every_line_that_may_have_written_is_named(kitchen):
    with kitchen(("ann", "jar.take(1)\njar.take(2)")) as run:
        assert [line.number for line in blame(run, "jar.biscuits")[-1].lines] == [1, 2]


def test_a_key_of_a_dict_has_a_chain_of_its_own(kitchen):
    with kitchen(
        ("ann", 'jar.stock["rye"] = 2'), ("ann", 'jar.stock["oat"] = 9'), ("ann", 'del jar.stock["rye"]')
    ) as run:
        for target in ("jar.stock.rye", 'jar.stock["rye"]', 'world["jar"].stock["rye"]'):
            chain = [(each.op, each.old, each.new) for each in blame(run, target)]
            assert chain == [("set", None, 2), ("delete", 2, None)]
        assert len(blame(run, "jar.stock")) == 4


def test_a_list_tells_what_came_and_went(kitchen):
    with kitchen(("ann", 'jar.notes.append("rye")'), ("bob", 'jar.notes.append("oat")')) as run:
        last = blame(run, "jar.notes")[-1]
    assert (last.agent, last.new, last.lines[0].how) == ("bob", {"at": 1, "items": ["oat"]}, "in place")


def test_what_the_cell_read_by_name_is_told(kitchen):
    with kitchen(("ann", "if bob.biscuits > 3:\n    jar.biscuits = bob.biscuits - me.biscuits + 1")) as run:
        assert blame(run, "jar.biscuits")[-1].read == ("bob.biscuits", "ann.biscuits")


def test_the_agent_that_another_agent_ran_is_the_one_to_blame(kitchen):
    with kitchen(("ann", 'await team["bob"].run("jar.biscuits = 1")')) as run:
        last = blame(run, "jar.biscuits")[-1]
    assert (last.agent, last.code) == ("bob", "jar.biscuits = 1")
    assert len(last.inside) == 1


def test_the_reply_and_the_prompt_behind_a_cell_are_told(tmp_path):
    cell = "jar.biscuits = 5"
    world = World(seed=7)
    world.add("jar", Jar())
    world.grant("ann", "jar")
    simulation = Simulation(world, out=tmp_path / "run")
    messages = [{"role": "system", "text": "You are Ann."}, {"role": "user", "text": "The jar is full."}]
    reply = {"text": f"I am hungry.\n```python\n{cell}\n```", "usage": {}, "cost_usd": None}
    call = {
        "run": "", "agent": "ann", "step": 0, "attempt": 0, "retry": 0, "hash": "h", "error": None, "reply": reply,
        "model": {"name": "scripted/ann"}, "request": {"messages": messages},
    }  # fmt: skip
    simulation.journal.add_call(call)
    world.execute(cell, "ann")
    simulation.step()
    simulation.close()
    with open_run(tmp_path / "run") as run:
        asked = blame(run, "jar.biscuits")[-1].asked
    assert (asked.model, asked.prompt, asked.reply) == ("scripted/ann", "The jar is full.", reply["text"])


def test_the_chain_of_a_branch_goes_on_in_its_parent(tmp_path):
    simulation = town_day.create(seed=7, residents=2, out=tmp_path / "stem")
    simulation.run(until=36)
    simulation.close()
    make = town_day.create(seed=7, residents=2)
    branch = fork(tmp_path / "stem", 36, tmp_path / "branch", interventions=[STORM], simulation=make)
    branch.run(until=40)
    branch.close()
    with open_run(tmp_path / "stem") as stem, open_run(tmp_path / "branch") as run:
        before, found = blame(stem, "weather.kind"), blame(run, "weather.kind")
    assert found[: len(before)] == before
    assert (found[len(before)].run, found[len(before)].new, found[len(before)].agent) == ("branch", "storm", "operator")
    for path in sorted((tmp_path / "stem").iterdir()):
        path.unlink()
    with open_run(tmp_path / "branch") as run:
        alone = blame(run, "weather.kind")
    assert [(each.op, each.new) for each in alone[:2]] == [("create", before[-1].new), ("set", "storm")]


def test_blame_up_to_a_step_ends_with_the_value_that_the_state_had(town):
    for step in (0, 20, 45):
        entities = entities_at(town, step)
        for attribute in ("temperature_c", "kind"):
            assert blame(town, f"weather.{attribute}", at=step)[-1].new == entities["weather"]["fields"][attribute]


def test_the_last_values_are_the_end_of_the_chain(town):
    assert blame(town, "weather.temperature_c", last=3) == blame(town, "weather.temperature_c")[-3:]


def test_a_run_that_is_still_being_written_can_be_blamed(tmp_path):
    simulation = town_day.create(seed=7, residents=2, out=tmp_path / "run")
    simulation.run(until=6)
    with open_run(tmp_path / "run") as run:
        assert blame(run, "weather.temperature_c")[-1].new == simulation.world["weather"].temperature_c
    simulation.close()


@pytest.mark.parametrize(
    ("target", "words"),
    [
        ("wether.kind", "no entity 'wether' in this run. Did you mean 'weather'"),
        ("weather.knd", "weather has no field 'knd'. Did you mean 'kind'?"),
        ('world["x y"].z', "no entity 'x y'"),
        ("", "no entity ''"),
    ],
)
def test_what_is_not_there_is_said_with_what_comes_nearest(town, target, words):
    with pytest.raises(JournalError, match=words.replace("?", r"\?")):
        blame(town, target)


def test_a_step_that_is_not_there_is_said(town):
    with pytest.raises(JournalError, match="has no step 999; it has the steps from 0 to 60"):
        blame(town, "weather.kind", at=999)


@pytest.mark.long
@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE changes SET path = 'no json'",
        "UPDATE changes SET new = '{'",
        "UPDATE changes SET new = '[]' WHERE op = 'create'",
        "UPDATE cells SET code = '((((((((' || code",
        "UPDATE cells SET code = x'00ff'",
        "UPDATE manifest SET value = '5' WHERE key = 'start'",
        "UPDATE manifest SET value = '[{}]' WHERE key = 'parents'",
        "UPDATE turns SET cell = 'nowhere'",
        "UPDATE turns SET parent = turn + 1",
        "DELETE FROM steps",
    ],
)
def test_a_damaged_file_gives_an_answer_or_one_clear_error(town_folder, tmp_path, damage):
    shutil.copytree(town_folder, tmp_path / "damaged")
    with closing(sqlite3.connect(tmp_path / "damaged" / "run.sqlite")) as file:
        file.execute(damage)
        file.commit()
    for command in (["blame", "town.announcements"], ["story", "mayor"], ["bisect", "town.treasury_cents > 0"]):
        assert main([command[0], str(tmp_path / "damaged"), command[1]]) in (0, 1)
    for command in (["export", "--format", "graphml"], ["export", "--format", "csv"], ["branches"]):
        assert main([command[0], str(tmp_path / "damaged"), *command[1:]]) in (0, 1)


def test_the_command_is_short_for_people_and_whole_for_machines(town_folder, capsys):
    assert main(["blame", str(town_folder), "weather.temperature_c", "--last", "2"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 4
    assert main(["blame", str(town_folder), "town.announcements", "--json"]) == 0
    last = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert last["agent"] == "mayor"
    assert "town.announcements.append" in last["lines"][0]["text"]
