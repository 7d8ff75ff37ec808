"""Who reads the ten lines of a day can answer questions about it; questions and answers are taken from the journal."""

import json
import re
from collections import Counter

import pytest

from cave_sim import Entity, Simulation, World, open_run
from cave_sim.cli.main import main
from cave_sim.history.highlights import LINES, highlights
from cave_sim.history.wording import jump_text
from cave_sim.simulation.control import Control
from cave_sim.simulations import commons, schelling, town_day
from cave_sim.worlds.town.place import Place


@pytest.fixture(scope="module")
def day(tmp_path_factory):
    folder = tmp_path_factory.mktemp("day") / "town"
    town_day.create(seed=7, residents=25, out=folder).run(100).close()
    with open_run(folder) as run:
        yield run


@pytest.fixture(scope="module")
def told(day):
    return "\n".join(f"{each.time} {each.text}" for each in highlights(day))


def one(run, sql, *parameters):
    return run.query(f"SELECT {sql}", *parameters)[0][0]


def time_of(run, sql):
    return run.time_at(one(run, f"t.step FROM {sql} ORDER BY t.turn"))


CELLS = "count(*) FROM turns WHERE kind = 'cell'"
NOTICES = "new FROM changes WHERE entity = 'town' AND path LIKE '%announcements%' ORDER BY turn"
RAIN = "changes c JOIN turns t ON t.turn = c.turn WHERE entity = 'weather' AND new = '\"rain\"'"
CLOSING = "changes c JOIN turns t ON t.turn = c.turn WHERE path = '[\"closed\"]' AND new = 'true'"
TALK = "turns t JOIN cells c ON c.hash = t.cell WHERE agent = 'jaakko_koivisto' AND c.code LIKE '%(rasmus_laakso,%'"
QUESTIONS = {
    "when did the day begin?": lambda run: f"From {run.time_at(0)[11:]} to ",
    "when did it end?": lambda run: "to {1} on {0}, ".format(*run.time_at(100).split("T")),
    "how many acted?": lambda run: (
        f"{one(run, 'count(DISTINCT agent) FROM turns WHERE kind = ?', 'cell')} agents acted"
    ),
    "how many acts took effect?": lambda run: f"{one(run, f'{CELLS} AND status = ?', 'committed')} of these acts took",
    "how many did not?": lambda run: f"{one(run, f'{CELLS} AND status = ?', 'failed')} acts failed",
    "why not?": lambda run: one(run, "error FROM turns WHERE status = 'failed'").split(") ")[-1].split(" until")[0],
    "what did the mayor put on the notice board first?": lambda run: json.loads(one(run, NOTICES))["items"][0],
    "when did it begin to rain?": lambda run: f"{time_of(run, RAIN)} The weather turns from",
    "which parks were closed, when, and by whom?": lambda run: f"{time_of(run, CLOSING)} Esplanadinpuisto, Kaisaniemen",
    "how often did Jaakko speak to Rasmus?": lambda run: f"{one(run, f'count(*) FROM {TALK}')} times to Rasmus Laakso",
}


@pytest.mark.parametrize("question", QUESTIONS)
def test_ten_lines_answer(question, day, told):
    assert QUESTIONS[question](day) in told


def test_the_first_that_did_not_land_is_told_with_its_names(day, told):
    error = one(day, "error FROM turns WHERE status = 'failed' ORDER BY turn").strip().splitlines()[-1]
    (line,) = [line for line in told.splitlines() if "tries in vain: " in line and " is closed" in line]
    assert line.split("tries in vain: ")[1].split(" is closed")[0] in error.replace(" (", "\n(")
    assert "…" not in line


@pytest.mark.long
def test_there_are_at_most_as_many_lines_as_wanted_in_the_order_of_time(day):
    assert len(highlights(day)) == LINES
    few = highlights(day, 3)
    assert [each.step for each in few] == sorted(each.step for each in few)
    assert len(few) == 3
    assert max(Counter(each.sort for each in highlights(day)).values()) <= 4


def test_the_command_tells_a_run_that_has_nothing_to_tell(tmp_path, capsys):
    town_day.create(seed=7, residents=2, out=tmp_path / "run").run(1).close()
    assert main(["story", str(tmp_path / "run")]) == 0
    assert capsys.readouterr().out.startswith("2012-06-01 06:00  From 06:00 to 06:10 on 2012-06-01, ")
    assert main(["story", str(tmp_path / "run"), "--at", "1"]) == 1


@pytest.mark.parametrize(
    ("measure", "before", "after", "told"),
    [
        ("at work (share)", 0.5769, 0.3462, "The share at work falls from 58 % to 35 %"),
        ("flies", 27, 23, "Flies: down from 27 to 23"),
        ("ill (share)", 0.5, 0.501, "The share ill rises from 50 % to 50.1 %"),
        ("temperature (degC)", 21.9, 25.4, "Temperature: up from 21.9 to 25.4 °C"),
        ("mean_mood", 0.5367, 0.2633, "Mean mood: down from 0.54 to 0.26"),
        ("money paid so far (EUR)", 2416, 3359, "Money paid so far: up from 2,416 to 3,359 EUR"),
    ],
)
def test_a_jump_of_a_measure_reads_as_a_sentence(measure, before, after, told):
    assert jump_text(measure, before, after) == told


def test_what_adds_up_is_told_by_how_much_it_grew():
    told = jump_text("money paid so far (EUR)", 2416, 3359, adds_up=True)
    assert told == "Money paid so far: up by 943 EUR (to 3,359)"


def test_of_a_sum_the_most_in_a_step_stands_out_and_of_any_other_measure_its_largest_jump(told):
    assert re.search(r"Money paid so far: up by [\d,.]+ EUR \(to [\d,.]+\), more than in any other step", told)
    assert re.search(r"asleep (rises|falls) from .* to .*, its largest jump", told)


def test_a_run_that_has_just_begun_says_so(tmp_path):
    town_day.create(seed=7, residents=2, out=tmp_path / "run").close()
    with open_run(tmp_path / "run") as run:
        (line,) = highlights(run)
    assert re.fullmatch(r"A world stands ready, with Place \(\d+\), .*; no step has been taken yet", line.text)


def test_a_world_of_mere_steps_is_told_by_steps_and_without_what_is_the_machinery_s(tmp_path, capsys):
    schelling.create(seed=7, out=tmp_path / "board").run(3).close()
    assert main(["story", str(tmp_path / "board")]) == 0
    first, *others = capsys.readouterr().out.splitlines()
    assert first.startswith("step 0  The world went on by itself for 3 steps, with Dweller (")
    assert others
    assert not any("$" in line or "2000-01-01" in line for line in others)


def test_a_world_without_a_date_is_told_by_steps_however_long_they_are(tmp_path, capsys):
    counted = {"hours": lambda world: world.clock.step**3}
    Simulation(World(step_s=3600), measures=counted, out=tmp_path / "run").run(5).close()
    assert main(["story", str(tmp_path / "run")]) == 0
    assert re.findall(r"^step \d+", capsys.readouterr().out, re.MULTILINE) == ["step 0", "step 5"]


def test_a_measure_that_goes_up_by_the_same_each_time_does_not_jump(tmp_path):
    commons.create(seed=7, out=tmp_path / "run").run(12).close()
    with open_run(tmp_path / "run") as run:
        texts = [each.text for each in highlights(run)]
        assert run.measures()["survived (months)"].diff().nunique() == 2  # by one month, or not at all
    assert any(text.startswith("Fish: down from") for text in texts)
    assert not any("Survived" in text for text in texts)


def test_what_somebody_switches_is_told_once(tmp_path):
    town = town_day.create(seed=7, residents=2, out=tmp_path / "run")
    place = town.world.all(Place)[0]
    town.control = Control()
    town.control.submit(f"world[{place.id!r}].closed = True")
    town.run(1).close()
    with open_run(tmp_path / "run") as run:
        told = [each.text for each in highlights(run) if "Operator" in each.text]
    assert told == [f"{place.title} is now closed, by Operator"]


class Weather(Entity):
    kind: str = "sun"


def test_a_weather_that_turns_all_day_leaves_room_for_what_is_done(tmp_path):
    world = World(step_s=3600)
    weather = world.add("weather", Weather())

    @world.dynamics
    def turns(world):
        if world.clock.step < 6:
            weather.kind = "rain" if weather.kind == "sun" else "sun"

    done = {name: (lambda world: world.clock.step) for name in "abc"}
    Simulation(world, measures=done, out=tmp_path / "run").run(8).close()
    with open_run(tmp_path / "run") as run:
        told = [each.text for each in highlights(run, 5)]
    assert sum(text.startswith("The weather turns") for text in told) == 3
    assert "In all: a 8, b 8, c 8" in told
