"""From a row of the crowd to a resident with a mind, and back; nothing that somebody was or knew is lost on the way."""

from typing import Any

import msgspec
import numpy as np

from cave_sim import Simulation, World, WorldError
from cave_sim.entity.entity import encode_fields
from cave_sim.sharding.migration import Migration, pack, put_in, take_out
from cave_sim.worlds.city.atlas import helsinki_in
from cave_sim.worlds.city.citizen import Citizen
from cave_sim.worlds.city.crowd import FIRST_SHIFT_H, FREE, SHIFTS, rules_of


def promote(simulation: Simulation, person: int) -> str:
    """Make a resident of somebody in the crowd, between two steps; returns the name they go by.

    Raises:
        WorldError: nobody in this district's crowd has that number.
    """
    world = simulation.world
    row = _row_of(world, person)
    there = _row(world, row)
    luggage = world["crowd"].luggage.pop(str(person), None)
    migration = (
        _newcomer(world, row, person) if luggage is None else msgspec.convert(_plain(luggage["luggage"]), Migration)
    )
    if luggage is None or luggage["row"] != there:
        migration.entity["fields"].update(_whereabouts(world, there))
    migration.entity["fields"]["money_cents"] = there["cents"]
    _write(world, row, {"until_step": FREE, "cents": 0})
    put_in(simulation, [migration])
    return migration.name


def demote(simulation: Simulation, name: str) -> int:
    """Let a resident go back into the crowd of their district, between two steps; returns their number.

    Raises:
        WorldError: they are on their way, or do not live and work in this district; or its crowd has no row left.
    """
    world = simulation.world
    citizen, roots = world[name], world["roots"]
    sites = {site: place for place, site in enumerate(roots.sites)}
    if not {citizen.at, citizen.home, citizen.workplace} <= sites.keys():
        raise WorldError(f"demote {name}: only who is in, lives in and works in this district can join its crowd")
    row = _free_row(world, citizen.person)
    home, work, at = sites[citizen.home], sites[citizen.workplace], sites[citizen.at]
    shift = min(SHIFTS - 1, max(0, round((citizen.shift_starts_h - FIRST_SHIFT_H) * 4)))
    _settle(world, row, {"person": citizen.person, "home": home, "work": work, "shift": shift})
    migration = pack(simulation, name)
    until_step = _until_step(world, citizen, row, at)
    fed_step = round(citizen.fed_s / world.step_s)
    _write(world, row, {"at": at, "until_step": until_step, "fed_step": fed_step, "cents": citizen.money_cents})
    take_out(simulation, [name])
    world["crowd"].luggage[str(citizen.person)] = {"luggage": msgspec.to_builtins(migration), "row": _row(world, row)}
    return int(citizen.person)


def people_in_crowd(simulation: Simulation) -> list[int]:
    """Return the numbers of everybody in a district's crowd."""
    world = simulation.world
    return [int(person) for person in world["roots"].person[world["crowd"].until_step != FREE]]


def _row_of(world: World, person: int) -> int:
    rows = np.flatnonzero((world["roots"].person == person) & (world["crowd"].until_step != FREE))
    if not rows.size:
        raise WorldError(f"promote {person}: nobody in this district's crowd has that number")
    return int(rows[0])


def _free_row(world: World, person: int) -> int:
    """Return the row that somebody had, or any that is free."""
    free = world["crowd"].until_step == FREE
    rows = np.flatnonzero(free & (world["roots"].person == person))
    rows = rows if rows.size else np.flatnonzero(free)
    if not rows.size:
        raise WorldError(f"demote {person}: the crowd of this district has no row left")
    return int(rows[0])


def _row(world: World, row: int) -> dict[str, int]:
    crowd = world["crowd"]
    return {name: int(getattr(crowd, name)[row]) for name in ("at", "until_step", "fed_step", "cents")}


def _write(world: World, row: int, values: dict[str, int]) -> None:
    for column, value in values.items():
        getattr(world["crowd"], column)[row] = value


def _settle(world: World, row: int, values: dict[str, int]) -> None:
    """Give a row to somebody else, if it is not theirs already."""
    roots = world["roots"]
    if any(int(getattr(roots, column)[row]) != value for column, value in values.items()):
        for column, value in values.items():
            getattr(roots, column)[row] = value
        roots.version += 1


def _newcomer(world: World, row: int, person: int) -> Migration:
    """Return somebody of the crowd as a resident that nobody knew so far."""
    roots = world["roots"]
    fields: dict[str, Any] = {
        "title": f"Person {person}",
        "person": person,
        "home": roots.sites[int(roots.home[row])],
        "workplace": roots.sites[int(roots.work[row])],
        "shift_starts_h": FIRST_SHIFT_H + 0.25 * int(roots.shift[row]),
    }
    citizen = Citizen(**fields, **_whereabouts(world, _row(world, row)))
    return Migration(f"person_{person}", {"type": "Citizen", "fields": encode_fields(citizen)})


def _whereabouts(world: World, row: dict[str, int]) -> dict[str, Any]:
    """Return what a row says of where somebody is, in the words of a resident; who is under way has just arrived."""
    roots, borough = world["roots"], world["borough"]
    site = helsinki_in(borough.districts).sites[roots.sites[row["at"]]]
    doing = "resting" if site.about.use == "home" else "eating" if row["at"] in roots.food else "working"
    return {
        "at": site.name,
        "bound_for": "",
        "node": site.node,
        "begun": site.node,
        "walked_m": 0.0,
        "doing": doing,
        "until_s": 0.0 if doing == "resting" else float(row["until_step"] * world.step_s),
        "fed_s": float(row["fed_step"] * world.step_s),
    }


def _until_step(world: World, citizen: Any, row: int, at: int) -> int:
    """Return the step until which somebody stays where they are: as long as they meant to, or until work begins."""
    step = int(world.clock.step)
    until_s = float(citizen.until_s)
    if until_s > world.clock.time_s and citizen.doing != "sleeping":
        return max(step + 1, round(until_s / world.step_s))
    rules = rules_of(world)
    return step + 1 if at != rules.home[row] else int(rules.next_shift(step)[row])


def _plain(value: Any) -> Any:
    """Return tracked containers as plain ones."""
    if isinstance(value, dict):
        return {name: _plain(item) for name, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, (list, tuple)) else value
