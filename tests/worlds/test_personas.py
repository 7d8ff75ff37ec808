"""Who moves in can be said line by line, or drawn so that shares hold; what does not fit is told by line and column."""

from random import Random

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cave_sim import WorldError
from cave_sim.simulations import town_day
from cave_sim.worlds.town import Resident
from cave_sim.worlds.town.personas import draw_personas, read_personas

pytest.importorskip("ipfn")
PEOPLE = """\
name,age,job,traits,biography,wakes_h,money_eur,street
Aino Testi,34,barista,quiet; curious,Paints at night.,8,120,Main
Bo Prov,70,retired,,,,,
Cecilia Ek,18-29,student,sociable,,,,Side
,40,astronaut,,,,0,
"""
BAD = {
    "name,aeg\nA,3\n": "nobody has a 'aeg'. Did you mean 'age'",
    "name,age\nA,3\nB,old\n": "line 3, age: 'old'",
    "name,age\nA,300\n": "line 2, age: '300'",
    "name,age\nA,3,4\n": "line 2: it has more cells",
    "name,name\nA,B\n": "two columns 'name'",
    "name,age\nA\u202eB,3\n": "line 2, name: .*characters that are seen",
    "name,age\nA\0B,3\n": "line 2, name: .*characters that are seen",
    'name,age\n"A\nB",3\n': "line 2, name: .*characters that are seen",
    "name;age\nA;3\n": "semicolons between its columns",
    "name,age\n": "has no line of people",
    "": "has no line of people",
}
SHARES = "variable,value,share,source\n"
BAD_SHARES = {
    "variable,value,share\nage,18-29,1\n": "lacks the column 'source'",
    SHARES + "age,18-29,1,\n": "line 2: source is empty",
    SHARES + "height,tall,1,x\n": "line 2: nobody has a 'height'",
    SHARES + "age,18-29,0.5,x\nage,30-40,0.2,x\n": "sum to 0.7",
    SHARES + "age,18-30,0.5,x\nage,30-40,0.5,x\n": "line 3, age: '30-40' and '18-30' both hold 30",
    SHARES + "age,29-18,1,x\n": "'29-18': Input should be a valid integer",
    SHARES + "age,18-29,half,x\n": "line 2: share 'half'",
    SHARES + "age,young,1,x\n": "age: 'young'",
}


def written(tmp_path, name, text):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_a_line_of_the_file_moves_in_as_it_says_and_the_rest_is_drawn(tmp_path):
    file = written(tmp_path, "people.csv", PEOPLE)
    options = {"personas": file, "biography": "$name lives in $street street."}
    world = town_day.create(seed=7, **options).world
    people = {person.title: person for person in world.all(Resident) if person.id != "mayor"}
    assert len(people) == 4
    aino, bo, cecilia = (people[name] for name in ("Aino Testi", "Bo Prov", "Cecilia Ek"))
    assert (aino.age, aino.job, aino.traits, aino.biography) == (
        34,
        "barista",
        ["quiet", "curious"],
        "Paints at night.",
    )
    assert (aino.workplace.kind_info.job, aino.wakes_h, aino.money_cents) == ("barista", 8.0, 12_000)
    assert (bo.job, bo.workplace, bo.age) == ("retired", None, 70)
    assert 18 <= cecilia.age <= 29
    assert cecilia.workplace.kind == "university"
    assert cecilia.biography == "Cecilia Ek lives in Side street."
    (astronaut,) = [person for person in people.values() if person.job == "astronaut"]
    assert astronaut.workplace.kind_info.use == "office"
    assert astronaut.money_cents == 0
    again = town_day.create(seed=7, **options)
    assert again.world.state_hash() == world.state_hash()


def test_the_others_are_drawn_as_ever_when_more_people_are_wanted_than_there_are_personas(tmp_path):
    file = written(tmp_path, "people.csv", "name\nAino Testi\n")
    assert len(town_day.create(seed=7, personas=file, residents=5).world.all(Resident)) == 6


@pytest.mark.parametrize("text", BAD)
def test_people_who_cannot_be_are_told_by_line_and_column(text, tmp_path):
    with pytest.raises(WorldError, match=BAD[text]) as raised:
        read_personas(written(tmp_path, "people.csv", text), Random(1))
    assert "people.csv" in str(raised.value)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("text", BAD_SHARES)
def test_shares_that_cannot_hold_are_told_by_line(text, tmp_path):
    with pytest.raises(WorldError, match=BAD_SHARES[text]):
        draw_personas(written(tmp_path, "shares.csv", text), 10, Random(1))


@given(st.integers(10, 400), st.integers(0, 100), st.integers(0, 100))
@settings(max_examples=10)
def test_as_many_are_of_each_kind_as_the_shares_say_within_one_for_each_combination(
    tmp_path_factory, count, young, quiet
):
    folder = tmp_path_factory.mktemp("shares")
    lines = [f"age,18-29,{young / 100},x", f"age,30-64,{1 - young / 100:.2f},x"]
    lines += [f"traits,quiet,{quiet / 100},x", f"traits,sociable,{1 - quiet / 100:.2f},x"]
    people = draw_personas(written(folder, "shares.csv", SHARES + "\n".join(lines) + "\n"), count, Random(3))
    assert len(people) == count
    assert abs(sum(person.age <= 29 for person in people) - count * young / 100) <= 4
    assert abs(sum(person.traits == ("quiet",) for person in people) - count * quiet / 100) <= 4


def test_what_goes_together_in_the_sample_goes_together_in_the_town(tmp_path):
    shares = SHARES + "age,20-29,0.5,x\nage,60-69,0.5,x\njob,student,0.5,x\njob,retired,0.5,x\n"
    sample = "age,job,weight\n20-29,student,9\n20-29,retired,1\n60-69,student,1\n60-69,retired,9\n"
    files = written(tmp_path, "shares.csv", shares), written(tmp_path, "sample.csv", sample)
    people = draw_personas(files[0], 200, Random(3), sample=files[1])
    table = pd.crosstab([person.age < 30 for person in people], [person.job for person in people])
    assert table.loc[True, "student"] == table.loc[False, "retired"] == 90
    assert table.loc[True, "retired"] == table.loc[False, "student"] == 10


TWO_BRACKETS = "age,20-29,0.5,x\nage,60-69,0.5,x\njob,student,0.5,x\njob,retired,0.5,x\n"


def test_a_survey_may_say_years_where_the_census_has_brackets(tmp_path, capsys):
    sample = "age,job,weight\n25,student,9\n21,retired,1\n60,student,1\n 69,retired,9\n"
    files = written(tmp_path, "shares.csv", SHARES + TWO_BRACKETS), written(tmp_path, "sample.csv", sample)
    people = draw_personas(files[0], 20, Random(3), sample=files[1])
    assert sum(person.age < 30 and person.job == "student" for person in people) == 9
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    ("sample", "told"),
    [
        ("20-29,student\n60-69,Retired\n", r"has job 'retired', which has a share\. Did you mean 'Retired'"),
        ("20-29,student\n60-69,cook\n20-29,retired\n", r"all there with age '60-69' have something else that .* lacks"),
        ("20-29,student\n60-69,retired\n60-69,nurse\n", r"no weights of .* give age '20-29' its share, 40\.0%"),
    ],
)
def test_a_sample_by_which_the_shares_cannot_hold_is_refused(sample, told, tmp_path):
    shares = TWO_BRACKETS
    if "nurse" in sample:
        shares = "age,20-29,0.4,x\nage,60-69,0.6,x\njob,student,0.5,x\njob,retired,0.25,x\njob,nurse,0.25,x\n"
    files = written(tmp_path, "shares.csv", SHARES + shares), written(tmp_path, "sample.csv", "age,job\n" + sample)
    with pytest.raises(WorldError, match=told):
        draw_personas(files[0], 20, Random(3), sample=files[1])


def test_options_that_contradict_each_other_are_refused(tmp_path):
    file = written(tmp_path, "people.csv", PEOPLE)
    for options in ({"personas": file, "marginals": file}, {"sample": file}, {"biography": "$name"}):
        with pytest.raises(WorldError):
            town_day.create(seed=7, **options)


def test_marginals_of_more_combinations_than_any_census_has_are_refused_at_once(tmp_path):
    path = tmp_path / "marginals.csv"
    lines = [
        f"{variable},v{number},0.01,x" for variable in ("job", "biography", "model", "prompts") for number in range(100)
    ]
    path.write_text("\n".join(["variable,value,share,source", *lines]), encoding="utf-8")
    with pytest.raises(WorldError, match="100,000,000 combinations; at most 1,000,000"):
        draw_personas(path, 10, Random(1))
