"""``smart_home``: two days of 20 turns, where "more" means one step and things happen outside (§4.2.3, D.3.1)."""

from functools import partial

from cave_sim import WorldError
from cave_sim.experiment.study import Study
from cave_sim.experiment.task import Query, Task
from cave_sim.worlds.smart_home import build_home

WORKING_HOURS = (
    (6, 4, "dark", False), (6, 4, "dark", False), (7, 5, "dusk", False), (7, 5, "dusk", False), (8, 6, "bright", False),
    (8, 6, "bright", False), (11, 9, "bright", True), (12, 10, "bright", True), (13, 12, "bright", False),
    (15, 13, "bright", False), (16, 12, "dusk", False), (17, 10, "dusk", False), (17, 9, "dusk", False),
    (18, 8, "dark", False), (19, 8, "dark", False), (20, 7, "dark", True), (20, 7, "dark", True),
    (21, 7, "dark", False), (22, 6, "dark", False), (23, 5, "dark", False),
)  # fmt: skip

WORKING_DAY = (
    Query("Good morning. A little light in the bedroom, please: the lowest level there is.",
          {"bedroom_lamp.level": 20}, cave="bedroom_lamp.set_level(20)"),
    Query("A bit brighter.", {"bedroom_lamp.level": 40}, cave="bedroom_lamp.brighter()", wrong="bedroom_lamp.dimmer()"),
    Query("If it is under 10 degrees outside, heat to 22; otherwise leave the heating alone.",
          {"heating.target_c": 22}, cave="if outdoors.temperature_c < 10:\n    heating.set_target(22)"),
    Query("I am in the kitchen now: full light here, and the bedroom dark.",
          {"kitchen_lamp.level": 100, "bedroom_lamp.level": 0},
          cave="kitchen_lamp.set_level(100)\nbedroom_lamp.set_level(0)"),
    Query("Once it is bright outside I need no lamps: if it is, put all out and open the living room blinds fully.",
          {"kitchen_lamp.level": 0, "living_blinds.opening": 100},
          cave="if outdoors.light == 'bright':\n    for lamp in world.all(Lamp):\n        lamp.set_level(0)\n"
               "    living_blinds.set_opening(100)"),
    Query("I leave for work. Heating to 16, camera on, and make sure that the door is locked.",
          {"heating.target_c": 16, "camera.on": True},
          cave="heating.set_target(16)\ncamera.switch(True)\nfront_door.lock()"),
    Query("Does anybody move at the door? Then let the camera record.", {"camera.recordings": 1},
          cave="if outdoors.motion:\n    camera.record()", wrong="if not outdoors.motion:\n    camera.record()"),
    Query("It is the postman. Unlock the door for him, and play 'welcome' at low volume.",
          {"front_door.locked": False, "speaker.playing": "welcome", "speaker.volume": 15},
          cave="front_door.unlock()\nspeaker.play('welcome')\nspeaker.set_volume(15)"),
    Query("He is gone: lock up, and stop the music; leave the volume.",
          {"front_door.locked": True, "speaker.playing": ""}, cave="front_door.lock()\nspeaker.play('')",
          wrong="front_door.lock()"),
    Query("Over 10 degrees outside? Then the heating can be off.", {"heating.on": False},
          cave="if outdoors.temperature_c > 10:\n    heating.switch(False)"),
    Query("Close the living room blinds by one step.", {"living_blinds.opening": 75},
          cave="living_blinds.further_closed()", wrong="living_blinds.further_open()"),
    Query("I am back. Unlock, camera off, and the hall at 70 percent in a warm colour.",
          {"front_door.locked": False, "camera.on": False, "hall_lamp.level": 70, "hall_lamp.colour": "warm"},
          cave="front_door.unlock()\ncamera.switch(False)\nhall_lamp.set_level(70)\nhall_lamp.set_colour('warm')"),
    Query("Lock behind me. Heating on again, 3 degrees warmer than it was set.",
          {"front_door.locked": True, "heating.on": True, "heating.target_c": 19},
          cave="front_door.lock()\nheating.switch(True)\nheating.set_target(heating.target_c + 3)"),
    Query("It gets dark: living room light as bright as in the hall, and close these blinds.",
          {"living_lamp.level": 70, "living_blinds.opening": 0},
          cave="living_lamp.set_level(hall_lamp.level)\nliving_blinds.set_opening(0)"),
    Query("Some jazz, two steps louder than the volume is now.", {"speaker.playing": "jazz", "speaker.volume": 60},
          cave="speaker.play('jazz')\nspeaker.louder()\nspeaker.louder()"),
    Query("A bit quieter, and if somebody is at the door, full light in the hall.",
          {"speaker.volume": 40, "hall_lamp.level": 100},
          cave="speaker.quieter()\nif outdoors.motion:\n    hall_lamp.set_level(100)"),
    Query("Only a neighbour. Hall one step down again, living room too.",
          {"hall_lamp.level": 70, "living_lamp.level": 40}, cave="hall_lamp.dimmer()\nliving_lamp.dimmer()",
          wrong="hall_lamp.dimmer()"),
    Query("A film: living room dimmer, in blue; music off and its volume to nothing.",
          {"living_lamp.level": 20, "living_lamp.colour": "blue", "speaker.playing": "", "speaker.volume": 0},
          cave="living_lamp.dimmer()\nliving_lamp.set_colour('blue')\nspeaker.play('')\nspeaker.set_volume(0)"),
    Query("Under 7 degrees outside? Then one degree warmer; else one cooler.", {"heating.target_c": 20},
          cave="heating.set_target(heating.target_c + (1 if outdoors.temperature_c < 7 else -1))"),
    Query("Good night: every lamp out, camera on, heating to 17.",
          {"hall_lamp.level": 0, "living_lamp.level": 0, "camera.on": True, "heating.target_c": 17},
          cave="for lamp in world.all(Lamp):\n    lamp.set_level(0)\ncamera.switch(True)\nheating.set_target(17)"),
)  # fmt: skip

PARTY_HOURS = (
    (10, 18, "bright", False), (10, 18, "bright", False), (11, 20, "bright", False), (12, 22, "bright", False),
    (14, 25, "bright", False), (15, 26, "bright", False), (16, 25, "bright", False), (17, 24, "bright", False),
    (18, 22, "bright", True), (19, 20, "dusk", True), (20, 18, "dusk", True), (21, 16, "dusk", False),
    (22, 14, "dark", False), (22, 13, "dark", True), (23, 12, "dark", False), (0, 11, "dark", False),
    (0, 10, "dark", False), (1, 9, "dark", True), (1, 9, "dark", False), (2, 8, "dark", False),
)  # fmt: skip

PARTY = (
    Query("Let the day in: all blinds half open.", {"living_blinds.opening": 50, "bedroom_blinds.opening": 50},
          cave="for blinds in world.all(Blinds):\n    blinds.set_opening(50)"),
    Query("Still too dark in the bedroom: one step further, please.", {"bedroom_blinds.opening": 75},
          cave="bedroom_blinds.further_open()", wrong="living_blinds.further_open()"),
    Query("At 20 degrees or more outside we need no heating. See to it.", {"heating.on": False},
          cave="if outdoors.temperature_c >= 20:\n    heating.switch(False)"),
    Query("Radio on, quietly: low volume.", {"speaker.playing": "radio", "speaker.volume": 15},
          cave="speaker.play('radio')\nspeaker.set_volume(15)"),
    Query("It is hot: if it is more than 24 degrees outside, close the living room blinds, otherwise open them.",
          {"living_blinds.opening": 0}, cave="living_blinds.set_opening(0 if outdoors.temperature_c > 24 else 100)"),
    Query("And the bedroom blinds two steps further closed.", {"bedroom_blinds.opening": 25},
          cave="bedroom_blinds.further_closed()\nbedroom_blinds.further_closed()",
          wrong="bedroom_blinds.further_closed()"),
    Query("Turn the music up.", {"speaker.volume": 40}, cave="speaker.louder()", wrong="speaker.quieter()"),
    Query("Try the party colours: living room red, hall blue, both at 40 percent.",
          {"living_lamp.colour": "red", "hall_lamp.colour": "blue", "living_lamp.level": 40, "hall_lamp.level": 40},
          cave="living_lamp.set_colour('red')\nhall_lamp.set_colour('blue')\n"
               "for lamp in (living_lamp, hall_lamp):\n    lamp.set_level(40)"),
    Query("If the first guest is at the door, open it and play 'party'.",
          {"front_door.locked": False, "speaker.playing": "party"},
          cave="if outdoors.motion:\n    front_door.unlock()\n    speaker.play('party')",
          wrong="if not outdoors.motion:\n    front_door.unlock()\n    speaker.play('party')"),
    Query("More light in the hall while it is dusk; and louder.", {"hall_lamp.level": 70, "speaker.volume": 60},
          cave="if outdoors.light == 'dusk':\n    hall_lamp.brighter()\nspeaker.louder()"),
    Query("Even louder.", {"speaker.volume": 80}, cave="speaker.louder()", wrong="speaker.set_volume(60)"),
    Query("The neighbours complain. Music down two steps, and open the living room blinds by a step for some air.",
          {"speaker.volume": 40, "living_blinds.opening": 25},
          cave="speaker.quieter()\nspeaker.quieter()\nliving_blinds.further_open()", wrong="speaker.quieter()"),
    Query("Kitchen at the level of the living room, and the living room one step brighter than that.",
          {"kitchen_lamp.level": 40, "living_lamp.level": 70},
          cave="kitchen_lamp.set_level(living_lamp.level)\nliving_lamp.brighter()",
          wrong="living_lamp.brighter()\nkitchen_lamp.set_level(living_lamp.level)"),
    Query("Who moves out there? Camera on, and one recording if there is motion.",
          {"camera.on": True, "camera.recordings": 1},
          cave="camera.switch(True)\nif outdoors.motion:\n    camera.record()"),
    Query("Now something slow: play 'ballads', a step quieter.", {"speaker.playing": "ballads", "speaker.volume": 15},
          cave="speaker.play('ballads')\nspeaker.quieter()"),
    Query("All colours back to warm, in every room.",
          {f"{room}_lamp.colour": "warm" for room in ("hall", "kitchen", "living", "bedroom")},
          cave="for lamp in world.all(Lamp):\n    lamp.set_colour('warm')"),
    Query("Cold by now? At 10 degrees or less outside, heating on, at 21.",
          {"heating.on": True, "heating.target_c": 21},
          cave="if outdoors.temperature_c <= 10:\n    heating.switch(True)\n    heating.set_target(21)"),
    Query("The last guests leave. If they move at the door, full light in the hall; then lock after them.",
          {"hall_lamp.level": 100, "front_door.locked": True},
          cave="if outdoors.motion:\n    hall_lamp.set_level(100)\nfront_door.lock()"),
    Query("Half as much heating above 5 degrees: set it to 13. Music off.",
          {"heating.target_c": 13, "speaker.playing": ""}, cave="heating.set_target(13)\nspeaker.play('')"),
    Query("Night: lamps out, except for the bedroom at the lowest level; all blinds closed; volume to nothing.",
          {"hall_lamp.level": 0, "kitchen_lamp.level": 0, "living_lamp.level": 0, "bedroom_lamp.level": 20,
           "living_blinds.opening": 0, "bedroom_blinds.opening": 0, "speaker.volume": 0},
          cave="for lamp in world.all(Lamp):\n    lamp.set_level(20 if lamp is bedroom_lamp else 0)\n"
               "for blinds in world.all(Blinds):\n    blinds.set_opening(0)\nspeaker.set_volume(0)"),
)  # fmt: skip


def tasks(_seed: int, turns: str = "20") -> list[Task]:
    """Return the two days, or the first turns of each; they are the same for every seed.

    Raises:
        WorldError: there is no such number of turns.
    """
    if not turns.isdigit() or not 1 <= int(turns) <= len(PARTY):
        raise WorldError(f"turns={turns!r}: a day in the smart home has from 1 to {len(PARTY)} turns")
    return [
        Task("working_day", "smart home", WORKING_DAY[: int(turns)], build=partial(build_home, hours=WORKING_HOURS)),
        Task("party", "smart home", PARTY[: int(turns)], build=partial(build_home, hours=PARTY_HOURS)),
    ]


STUDY = Study(
    "smart_home",
    "Two days in a smart home, 20 turns each",
    "After CaveAgent §4.2.3 and D.3.1.",
    tasks,
    options={"turns": "only so many of the first turns of each day (20)"},
)
