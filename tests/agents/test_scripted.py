from random import Random

import pytest

from cave_sim.agents.mind import Perception, hour_of, is_known_closed
from cave_sim.agents.scripted import ScriptedMayor, ScriptedResident, settle
from cave_sim.agents.smalltalk import ANSWERS, NEWS, REPLIES, SKIES, opening, reply


def seen(*, hour=12.0, here=None, near=(), places=(), plan=None, heard=(), news=(), kind="sun", mm=0.0, **me):
    """Return what Maija sees at noon on a Friday, rested and fed at home, unless told otherwise."""
    about = {
        "name": "maija",
        "title": "Maija Virtanen",
        "age": 30,
        "job": "barista",
        "traits": [],
        "home": "home",
        "workplace": None,
        "shift": [0.0, 0.0],
        "works_weekends": False,
        "wakes_h": 7.0,
        "sleeps_h": 23.0,
        "energy": 0.8,
        "hunger": 0.2,
        "mood": 0.6,
        "money_cents": 10000,
        "activity": "waiting",
        "did": "",
        "busy_minutes": 0,
        "going_to": None,
        "belongings": {"groceries": 3},
    }
    return {
        "time": "Fri 1 June 2012 12:00",
        "hour": hour,
        "weekday": 4,
        "me": about | me,
        "weather": {"kind": kind, "temperature_c": 15.0, "precipitation_mm": mm, "wind_m_s": 2.0},
        "here": here or place("home", "home"),
        "near": list(near),
        "places": list(places),
        "heard": list(heard),
        "plan": plan or {},
        "diary": [],
        "news": list(news),
    }


def place(name, use, **about):
    return {
        "name": name,
        "title": name.title(),
        "kind": use,
        "use": use,
        "sign": "",
        "sells": "",
        "hours": "",
        "price_cents": 500,
        "distance_m": 300.0,
        "guests": 1,
        "capacity": 20,
    } | about


class Dice:
    """Draws the lowest number every time, or the highest."""

    def __init__(self, number):
        self.number = number

    def random(self):
        return self.number

    def expovariate(self, rate):
        return self.number

    def choice(self, options):
        return options[0]

    def choices(self, options, weights):
        return [next(option for option, weight in zip(options, weights, strict=True) if weight)]


def alone(agent):
    """Return an agent of that class without a simulation, whose dice fall high."""
    return type(agent.__name__, (agent,), {"__init__": object.__init__, "rng": Dice(0.99)})()


@pytest.fixture
def maija():
    return alone(ScriptedResident)


@pytest.fixture
def mayor():
    return alone(ScriptedMayor)


class Failed:
    def __init__(self, error):
        self.error = error


def test_who_sleeps_or_walks_does_nothing(maija):
    assert maija.act(seen(activity="sleeping")) == ""
    assert maija.act(seen(activity="walking")) == ""


def test_whoever_is_busy_carries_on(maija):
    assert maija.act(seen(activity="relaxing", busy_minutes=30)) == ""


def test_the_hungry_eat_what_is_in_the_kitchen(maija):
    assert maija.act(seen(hunger=0.8)) == "me.eat()"


def test_the_hungry_with_an_empty_kitchen_go_shopping(maija):
    shop = place("k_market", "shop", sells="groceries")
    assert maija.act(seen(hunger=0.8, belongings={}, places=[shop])) == "me.go(k_market)"


def test_workers_go_to_work_before_their_shift_and_work_once_there(maija):
    job = {"workplace": "cafe", "shift": [8.0, 16.0], "hour": 7.6}
    assert maija.act(seen(**job)) == "me.go(cafe)"
    assert maija.act(seen(**job, here=place("cafe", "coffee"))) == "me.work()"


def test_nobody_works_on_a_free_weekend(maija):
    saturday = seen(workplace="cafe", shift=[8.0, 16.0], hour=9.0) | {"weekday": 5}
    assert Perception(saturday, lambda: Random(1)).work_left_h == 0


def test_at_bedtime_people_go_home_and_sleep(maija):
    assert maija.act(seen(hour=23.2, here=place("pub", "drinks"))) == "me.go(home)"
    assert maija.act(seen(hour=23.2)).endswith("me.sleep()")


def test_a_night_owl_is_still_up_after_midnight(maija):
    assert not Perception(seen(hour=0.5, wakes_h=10.0, sleeps_h=26.0), lambda: Random(1)).is_bedtime
    assert Perception(seen(hour=2.5, wakes_h=10.0, sleeps_h=26.0), lambda: Random(1)).is_bedtime


def test_in_the_rain_people_leave_the_park(maija):
    assert maija.act(seen(here=place("park", "park"), mm=2.0, kind="rain", did="relaxing")) == "me.go(home)"


def test_in_the_rain_a_shelter_is_better_than_a_café_and_a_café_than_the_way_home(maija):
    rain = {"here": place("park", "park"), "mm": 2.0, "kind": "rain", "did": "relaxing"}
    cafe, shelter = place("cafe", "coffee", distance_m=50.0), place("tent", "shelter", distance_m=0.0)
    assert maija.act(seen(**rain, places=[cafe, shelter])) == "if weather.is_wet():\n    me.go(tent)"
    assert maija.act(seen(**rain, places=[cafe])) == "if weather.is_wet():\n    me.go(cafe)"


def test_an_appointment_is_kept_and_struck_out(maija):
    plan = {"18:00": "meet otso at cafe_engel"}
    assert maija.act(seen(hour=17.8, plan=plan)).endswith("me.go(cafe_engel)")
    otso = {"name": "otso", "title": "Otso Lind", "activity": "waiting", "knows": 0.5}
    there = maija.act(seen(hour=18.0, plan=plan, here=place("cafe_engel", "coffee"), near=[otso]))
    assert there.splitlines()[0].startswith("me.say(otso,")
    assert there.splitlines()[1] == 'del me.plan["18:00"]'
    assert "me.plan.pop" in maija.act(seen(hour=19.0, plan=plan))


def test_of_two_who_meet_one_greets_and_the_other_waits_for_it_and_answers(maija):
    here = {"here": place("cafe", "coffee"), "plan": {"18:00": "meet otso at cafe"}}
    otso, aino = ({"name": name, "title": "Otso", "activity": "waiting", "knows": 0.5} for name in ("otso", "aino"))
    assert "How was your day?" in maija.act(seen(hour=18.0, near=[otso], **here))
    here["plan"] = {"18:00": "meet aino at cafe"}
    assert maija.act(seen(hour=17.83, near=[aino], **here)) == ""
    heard = ["17:50 Aino (aino): There you are! How was your day?"]  # 17.833 h: what was said this very step
    answered = maija.act(seen(hour=17.83, near=[aino], heard=heard, **here)).splitlines()
    assert answered == [f'me.say(aino, "{ANSWERS["How was your day?"][0]}")', 'del me.plan["18:00"]']


def test_whoever_is_spoken_to_does_not_begin_another_talk_with_the_same_person(maija):
    otso = {"name": "otso", "title": "Otso Lind", "activity": "waiting", "knows": 0.3}
    maija.rng = Dice(0.0)
    maija.rng.random = iter((0.9, 0.0)).__next__  # no answer comes to mind, then a talk does
    heard = ["12:00 Otso Lind (otso): Have you eaten yet?"]
    busy = maija.act(seen(near=[otso], heard=heard, activity="resting", busy_minutes=20))
    assert busy == f'me.say(otso, "{ANSWERS["Have you eaten yet?"][0]}")'
    told = [f"11:00 you to otso: {text}" for text in NEWS[1:]]
    assert {opening(seen(heard=told), "", Random(n)) for n in range(40)} & set(NEWS) == {NEWS[0]}


def test_whoever_goes_to_bed_strikes_out_the_meetings_that_are_over(maija):
    plan = {"20:30": "meet otso at pub", "22:50": "meet otso at pub", "02:00": "meet otso at cafe"}
    cell = maija.act(seen(hour=0.5, sleeps_h=24.0, plan=plan))
    assert cell.splitlines()[1:] == ['me.plan.pop("20:30", None)', 'me.plan.pop("22:50", None)', "me.sleep()"]


def test_a_closed_door_is_written_down_and_not_tried_again(maija):
    museum = place("museum", "culture")
    maija.feedback(Failed("Refused: Museum (museum) is closed until Sat 10:00."))
    cell = maija.act(seen(places=[museum], hour=17.0))
    assert cell == 'me.learned["museum"] = "closed until Sat 10:00"\nme.note("Museum is closed until Sat 10:00.")'
    museum["hours"] = "closed until Sat 10:00"
    assert not Perception(seen(places=[museum], hour=17.0), lambda: Random(1)).options("culture")


def test_a_meeting_behind_a_closed_door_is_called_off(maija):
    maija.feedback(Failed("Refused: Cafe (cafe) is closed until Sat 07:30."))
    assert maija.act(seen(plan={"20:00": "meet otso at cafe"})).endswith('del me.plan["20:00"]')


def test_who_heard_something_answers(maija):
    otso = {"name": "otso", "title": "Otso Lind", "activity": "waiting", "knows": 0.5}
    maija.rng = Dice(0.0)
    assert maija.act(seen(near=[otso], heard=["11:50 Otso Lind (otso): Any plans for tonight?"])).startswith(
        "me.say(otso,"
    )


def test_news_of_closed_parks_keeps_all_but_the_careless_away():
    park, news = place("park", "park"), ["Fri 09:00 Because of the rain the parks are closed. Please stay indoors."]
    assert not Perception(seen(places=[park], news=news), lambda: Random(1)).options("park")
    assert Perception(seen(places=[park], news=news, traits=["careless"]), lambda: Random(1)).options("park")
    assert Perception(
        seen(places=[park], news=[*news, "Fri 10:00 It is dry again, the parks are open."]), lambda: Random(1)
    ).options("park")


@pytest.mark.parametrize(
    ("hours", "hour", "weekday", "closed"),
    [
        ("07:30-19:00", 7.0, 4, True),
        ("07:30-19:00", 12.0, 4, False),
        ("16:00-02:00", 1.0, 4, False),
        ("16:00-02:00", 12.0, 4, True),
        ("00:00-00:00", 12.0, 4, False),
        ("closed until 10:00", 9.0, 4, True),
        ("closed until 10:00", 11.0, 4, False),
        ("closed until Sat 10:00", 18.0, 4, True),
        ("closed until Sat 10:00", 11.0, 5, False),
        ("closed by order of the city", 11.0, 5, True),
        ("", 3.0, 4, False),
    ],
)
def test_what_one_knows_of_the_hours_says_whether_a_place_is_closed(hours, hour, weekday, closed):
    assert is_known_closed(hours, hour, weekday) is closed


def test_times_are_read_as_hours():
    assert (hour_of("18:30"), hour_of("tea time")) == (18.5, None)


def test_people_greet_by_the_hour_and_answer_questions():
    assert opening(seen(hour=8.0), "Otso Lind", Random(3)).startswith("Good morning, Otso!")
    assert reply("Is this seat free?", Random(3)) in REPLIES["?"]


def test_what_is_asked_in_small_talk_has_answers_of_its_own():
    said = [*NEWS, *(text for texts in SKIES.values() for text in texts), "There you are! How was your day?"]
    for question in (text for text in said if text.endswith("?")):
        assert reply(question, Random(3)) in next(each for end, each in ANSWERS.items() if question.endswith(end))
    assert reply("Hello Otso, good to see you. How is work?", Random(1)) in ANSWERS["How is work?"]


def town(*, closed, shelters=()):
    park = {"esplanadi": "closed, 3 inside" if closed else "open, 3 inside"}
    return {"announcements": ["Fri 08:00 Good morning!"], "parks": park, "shelters": dict.fromkeys(shelters, "open")}


def test_in_heavy_rain_the_mayor_opens_a_shelter_then_closes_the_parks_and_reopens_them_when_it_is_dry(mayor):
    rain = seen(kind="rain", mm=2.0)
    shelter = mayor.act(rain | {"town": town(closed=False)})
    assert "Place(" in shelter
    assert "town.announcements.append(" in shelter
    closing = mayor.act(rain | {"town": town(closed=False, shelters=["shelter"])})
    assert "park.closed = True" in closing
    assert "the parks are closed" in closing
    assert "place.closed = False" in mayor.act(seen() | {"town": town(closed=True)})


def test_the_mayor_wishes_a_good_morning_once(mayor):
    morning = seen(hour=8.0) | {"town": town(closed=False) | {"announcements": []}}
    assert "Good morning" in mayor.act(morning)
    assert "Good morning" not in mayor.act(seen(hour=8.0) | {"town": town(closed=False)})


def test_every_cell_of_a_resident_is_python(maija):
    for number in range(200):
        maija.rng = Random(number)
        uses = ("meal", "coffee", "drinks", "shop", "park", "culture", "sport", "care")
        places = [
            place(f"{use}_{n}", use, sells="groceries" if use == "shop" else "") for use in uses for n in range(2)
        ]
        otso = {"name": "otso", "title": "Otso Lind", "activity": "waiting", "knows": 0.5}
        here = Random(number).choice(places)
        observation = seen(
            hour=number % 24, here=here, near=[otso], places=places, did="walking", hunger=(number % 10) / 10
        )
        compile(maija.act(observation), "cell", "exec")


def test_who_is_asked_to_meet_agrees_or_declines_and_who_is_declined_strikes_it_off():
    def settled(heard, **plan):
        near = [{"name": "ville", "title": "Ville Virta", "activity": "waiting", "knows": 0.5}]
        plan = {"18:00": plan["at_18"]} if plan else {}
        return settle(Perception(seen(near=near, heard=heard, plan=plan), lambda: Random(1)))

    asks = ["11:50 Ville Virta (ville): Shall we meet at The Park (park) at 18:00?"]
    words, i_asked = "At 18:00 I have something else in mind.", "asked ville to meet at cafe, unanswered since 11:50"
    assert settled(asks) == settled(asks, at_18=i_asked) == 'me.meet(ville, park, at="18:00")'
    assert settled(asks, at_18="see the dentist") == f'me.say(ville, "{words}")'
    assert settled([*asks, f"11:50 you to ville: {words}"], at_18="see the dentist") == ""
    declined = [f"11:50 Ville Virta (ville): {words}"]
    assert settled(declined, at_18=i_asked) == 'del me.plan["18:00"]'
    assert settled(declined, at_18="meet aino at park") == settled(declined) == ""
