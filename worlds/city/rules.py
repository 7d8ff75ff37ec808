"""What goes on in a district by itself: activities end, people walk, memories fade."""

from cave_sim import World
from cave_sim.worlds.city.atlas import helsinki_in
from cave_sim.worlds.city.citizen import HEARD, Citizen
from cave_sim.worlds.town.rules import WALKING_M_S


def end_activities(world: World) -> None:
    """End what had an end: meals, shifts, nights."""
    now_s = world.clock.time_s
    for citizen in world.all(Citizen):
        if 0 < citizen.until_s <= now_s:
            _wait(citizen)


def walk(world: World) -> None:
    """Bring everyone who walks a step further, and in at the door of where they were going, in whichever district."""
    atlas, step_m = helsinki_in(world["borough"].districts), WALKING_M_S * world.step_s
    for citizen in world.all(Citizen):
        if citizen.doing != "walking":
            continue
        goal = atlas.sites[citizen.bound_for]
        route, walked_m = atlas.streets.route(citizen.begun, goal.node), citizen.walked_m + step_m
        citizen.node, citizen.walked_m = route.passed(walked_m), round(walked_m, 1)
        if walked_m >= route.length_m:
            citizen.at, citizen.bound_for, citizen.walked_m = goal.name, "", 0.0
            _wait(citizen)


def forget(world: World) -> None:
    """Let people forget all but the latest of what they heard."""
    for citizen in world.all(Citizen):
        if len(citizen.heard) > HEARD:
            del citizen.heard[:-HEARD]


def _wait(citizen: Citizen) -> None:
    citizen.doing, citizen.until_s = "resting" if citizen.at == citizen.home else "waiting", 0.0
