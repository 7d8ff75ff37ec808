"""What a resident sees, as the lines of a prompt: what counts now, and nothing that a line beside it tells already."""

import pytest

from cave_sim.agents.prompts import view
from cave_sim.agents.prompts.heard import gist
from cave_sim.agents.prompts.wording import called
from cave_sim.agents.reading import seen_in
from cave_sim.agents.remembering import is_told, of_failure
from tests.agents.lives import minds, town


@pytest.fixture
def seen():
    """Return what somebody in the town sees at noon."""
    simulation, _ = town()
    return simulation.world.observe(minds(simulation)[0].name)


def test_what_a_resident_is_told_of_a_day_to_plan_has_hours_and_of_a_talk_no_ways(seen):
    seen["places"] = [each | {"hours": "07:30-19:00"} for each in seen["places"]]
    acts, plans, talks = (view.now(seen, **task) for task in ({}, {"plans": True}, {"answers": "irja_vaisanen"}))
    assert sum("07:30-19:00" in line for line in plans) == 1
    assert not any("07:30-19:00" in line for line in acts)
    assert any(line.startswith("Metres to: ") for line in acts)
    assert not any(line.startswith(("Metres to: ", "Weather: ")) for line in talks)


def test_a_long_biography_is_told_by_its_beginning_and_its_end():
    told = view.brief("She mends nets. " + "She has seen the sea. " * 20 + "Today she means to give a party.")
    assert told.startswith("She mends nets. ")
    assert told.endswith(" Today she means to give a party.")
    assert len(told) < 200


def test_a_meeting_that_stands_in_the_plan_is_not_told_again_as_words(seen):
    line = "11:50 Irja Väisänen (irja_vaisanen): Shall we meet at Picnic (picnic) at 20:30?"
    seen |= {"near": [], "hour": 12.0, "heard": [line], "plan": {}}
    invited = view.now(seen, 1)
    seen["plan"] = {"20:30": "meet irja_vaisanen at picnic"}
    agreed = view.now(seen, 1)
    assert 'Heard: 11:50 irja_vaisanen: "Shall we meet at Picnic (picnic) at 20:30?"' in invited
    assert not any(each.startswith("Heard") for each in agreed)
    assert is_told(line, seen, [])
    seen["plan"] = {"20:30": "meet ann_arb at picnic"}
    assert any(each.startswith("Heard: 11:50 irja_vaisanen") for each in view.now(seen, 1))


@pytest.mark.parametrize(
    ("name", "title", "told"),
    [
        ("irja_vaisanen", "Irja Väisänen", "irja_vaisanen"),
        ("李雷", "韩梅梅", '李雷 "韩梅梅"'),
        ("ali", "علي", 'ali "علي"'),
        ("иван", "Иван", "иван"),
        ("cafe_java", "Café Java!", "cafe_java"),
    ],
)
def test_a_title_is_told_where_the_name_does_not_tell_it_in_any_script(name, title, told):
    assert called(name, title) == told


@pytest.mark.parametrize(
    ("rain_mm", "state"), [(0.0, "open, 2 inside"), (1.2, "open, 2 inside"), (0.0, "closed, 0 inside")]
)
def test_a_mayor_is_told_of_each_park_while_it_rains_or_one_is_closed(seen, rain_mm, state):
    seen["weather"] = seen["weather"] | {"precipitation_mm": rain_mm}
    seen["town"] = {"parks": {"old_park": state}, "shelters": {"tent": "open, 0 inside"}, "announcements": []}
    counts = rain_mm > 0 or state.startswith("closed")
    assert any(line.startswith("Parks: ") and "old_park" in line for line in view.now(seen)) == counts
    assert any(line.startswith("Shelters: ") for line in view.now(seen)) == counts


def test_a_mayor_who_has_done_what_the_rain_asks_for_is_told_no_names_of_parks_and_none_while_talking(seen):
    seen["weather"] = seen["weather"] | {"precipitation_mm": 2.0}
    closed = {"old_park": "closed, 0 inside", "new_park": "closed, 0 inside"}
    seen["town"] = {"parks": closed, "shelters": {"tent": "open, 4 inside"}, "announcements": []}
    assert {"Parks: closed", "Shelters: open: tent 4"} <= set(view.now(seen))
    talks = view.now(seen, answers="irja_vaisanen")
    assert not any(line.startswith(("Parks", "Shelters", "Notice board")) for line in talks)
    seen["town"]["shelters"] = {}
    assert "Parks: closed: old_park, new_park" in view.now(seen)


def test_a_mayor_is_told_of_todays_notices_and_of_the_latest_whenever_it_was_put_up(seen):
    today, other = seen["time"][:3], "Sun" if seen["time"][:3] != "Sun" else "Mon"
    wet, rain = f"{today} 08:00 Rain again, stay in.", f"{today} 09:00 Rain again; go home."
    notices = [
        f"{other} 09:00 Old news.",
        f"{today} 07:00 Good morning!",
        wet,
        rain,
        "No stamp.",
        f"{other} 10:00 Latest.",
    ]
    seen["town"] = {"parks": {}, "shelters": {}, "announcements": notices}
    (board,) = (line for line in view.now(seen) if line.startswith("Notice board: "))
    shown = ["07:00 Good morning!", "09:00 Rain again; go…", *notices[4:]]  # of those that begin alike the latest
    assert board == "Notice board: " + "; ".join(f'"{line}"' for line in shown)
    read = seen_in("\n".join([view.identity(seen["me"]), *view.now(seen), "It is Fri 09:00."]))["town"]["announcements"]
    assert read == [*(f"{today} {line}" for line in shown[:2]), *notices[4:]]


def test_who_answers_is_told_who_hears_it_and_not_what_they_do_besides(seen):
    people = {"ann": "talking", "bob": "eating", "cem": "sleeping"}
    seen["near"] = [{"name": name, "title": name, "activity": does, "knows": 0.4} for name, does in people.items()]
    (line,) = (line for line in view.now(seen, answers="ann") if line.startswith("With you"))
    assert line == "With you, closeness: ann 40, bob"
    told = seen_in("\n".join([view.identity(seen["me"]), line, "It is Fri 09:00."]))["near"]
    assert [(other["name"], other["knows"]) for other in told] == [("ann", 0.4), ("bob", 0)]


def test_a_cell_whose_failure_is_told_is_no_memory_besides_and_a_title_is_not_told_with_its_name(seen):
    failure = of_failure("# Hungry.\nme.eat()", "Refused: Nobody serves food at the park.")
    assert failure == "This did not work: Nobody serves food at the park. Hungry. [me.eat()]"
    assert is_told(failure, seen, [], failure)
    assert not is_told(failure, seen, [], of_failure("me.drink()", "Refused: Nobody serves food at the park."))
    assert gist("Café Java (cafe_java) is closed.") == "cafe_java is closed."
    assert gist("The Den (cafe_java) is closed.") == "The Den (cafe_java) is closed."


@pytest.mark.parametrize(
    ("me", "rain_mm", "useless"),
    [({"energy": 0.1}, 0, "sport"), ({"money_cents": 500}, 0, "care"), ({}, 1.0, "park")],
)
def test_no_place_is_told_that_one_cannot_enjoy_now(seen, me, rain_mm, useless):
    place = seen["places"][0] | {"sells": "", "hours": ""}
    uses = ("culture", useless)
    seen["places"] = [place | {"name": f"the_{use}", "use": use, "distance_m": 10} for use in uses]
    seen["me"] = seen["me"] | {"energy": 1.0, "money_cents": 9_000, "busy_minutes": 0, "activity": "waiting"} | me
    seen["weather"] = seen["weather"] | {"precipitation_mm": rain_mm}
    (line,) = (line for line in view.now(seen) if line.startswith("Metres to"))
    assert line == "Metres to: culture: the_culture 10"


def test_of_a_full_purse_cents_are_not_told_and_where_one_is_until_when_it_is_open(seen):
    seen["me"] = seen["me"] | {"money_cents": 23_372}
    seen["here"] = seen["places"][0] | {"sign": "07:30-19:00", "price_cents": 0, "guests": 0, "capacity": 9}
    text = "\n".join([view.identity(seen["me"]), *view.now(seen), "It is Fri 09:00."])
    assert "; 233 EUR" in text
    assert ", until 19:00" in text
    understood = seen_in(text)
    assert understood["me"]["money_cents"] == 23_300
    assert understood["here"]["sign"] == "until 19:00"
    assert "; 9.99 EUR" in view.now(seen | {"me": seen["me"] | {"money_cents": 999}})[0]


def test_in_a_talk_only_needs_that_press_are_told(seen):
    seen["me"] |= {"hunger": 0.5, "energy": 0.2, "mood": 0.6}
    talks = [line for line in view.now(seen, answers="ann") if line.startswith("You: ")]
    assert "; energy 20 of 100" in talks[0]
    assert "hunger" not in talks[0]
    assert "hunger 50, energy 20, mood 60 of 100" in view.now(seen)[0]


def test_of_a_plan_what_was_due_lately_is_told_and_three_lines_that_come(seen):
    seen["plan"] = {f"{hour}:00": "walk" for hour in (11, 13, 14, 15, 16)}
    (plan,) = (line for line in view.now(seen) if line.startswith("Plan: "))
    (whole,) = (line for line in view.now(seen, plans=True) if line.startswith("Plan: "))
    assert [line[:2] for line in plan.removeprefix("Plan: ").split("; ")] == ["11", "13", "14", "15"]
    assert whole.endswith('16:00 "walk"')
