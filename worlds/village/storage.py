"""The study's own folders: `environment/frontend_server/storage/NAME` of joonspk-research/generative_agents.

    reverie/meta.json                       curr_time, maze_name, persona_names, step
    environment/STEP.json                   {name: {x, y}}: where everybody is
    personas/NAME/bootstrap_memory/
        scratch.json                    name, age, innate, learned, currently, lifestyle, living_area, daily_plan_req
        spatial_memory.json             {world: {sector: {arena: [objects]}}}: what they know of the town
        associative_memory/nodes.json   {node_1: {type, created, subject, object, description, poignancy, filling}}

The map lies beside the storage, in `static_dirs/assets/MAZE/matrix`, or in a folder `matrix` of the simulation's own:

    maze_meta_info.json                     world_name, maze_width, maze_height
    maze/collision_maze.csv, sector_maze.csv, arena_maze.csv      a number for each tile, in one row; 0 is nothing
    special_blocks/sector_blocks.csv, arena_blocks.csv            number, world, sector[, arena]

Nodes keep their poignancy, their evidence and their age; those that tell that a thing is idle are left out.
"""

import csv
import io
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from datetime import datetime
from itertools import groupby
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field

from cave_sim.files.given_files import given_text
from cave_sim.worlds.town.personas import Persona
from cave_sim.worlds.village.blueprint import Blueprint, SeedMemory, Text
from cave_sim.worlds.village.checked import read, refuse
from cave_sim.worlds.village.prose import hour_after, job_in
from cave_sim.worlds.village.study_town import (
    ATTRIBUTION,
    TILE_M,
    AddressTree,
    Arena,
    Census,
    Foreign,
    Sector,
    StudyPersona,
)
from cave_sim.worlds.village.tiles import Tile, TileMap

SCRATCH, NODES = "scratch.json", "associative_memory/nodes.json"
CLOCK = "%B %d, %Y, %H:%M:%S"
BIOGRAPHY_CHARS = 2_000
"""What a persona of the town may have at most."""


FolderName = Annotated[Text, Field(max_length=200, pattern=r"^[^/\\\x00]*[^/\\\x00.][^/\\\x00]*$")]
"""What leads to a folder there, and nowhere else."""


class _Meta(Foreign):
    curr_time: str
    maze_name: FolderName
    persona_names: Annotated[list[FolderName], Field(min_length=1)]
    step: Annotated[int, Field(ge=0, lt=10**12)] = 0


class _Scratch(Foreign):
    name: Text
    age: Annotated[int, Field(ge=0, le=120)]
    innate: str
    learned: str
    currently: str
    lifestyle: str
    living_area: Text
    daily_plan_req: str = ""


class _MemoryNode(Foreign):
    type: str
    created: str
    subject: str = ""
    object: str = ""
    description: Text
    poignancy: Annotated[float, Field(ge=0)] = 1.0
    filling: Any = None


class _Spot(Foreign):
    x: int
    y: int


class _Maze(Foreign):
    world_name: Text
    maze_width: Annotated[int, Field(gt=0)]
    maze_height: Annotated[int, Field(gt=0)]


def is_one(folder: Path) -> bool:
    """Say whether a folder is one of the study's storage."""
    return (folder / "reverie" / "meta.json").is_file()


def load(folder: Path, *, tile_m: float = TILE_M) -> Blueprint:
    """Return the town of a folder of the storage: its people with their memories, and its rooms.

    Raises:
        WorldError: a file is missing or breaks a rule of the format; one line with file, place in it, rule, way out.
    """
    meta = _meta(folder)
    matrix = _matrix(folder, meta.maze_name)
    tiles, tree = _town(matrix, tile_m, _spots(folder, meta).values())
    people = [_persona(folder, name, meta, tree, tiles) for name in meta.persona_names]
    plan = Census(tiles, tree, people, ("special_blocks/arena_blocks.csv", SCRATCH)).blueprint()
    return Blueprint(
        plan.tiles, plan.places, plan.people, plan.bonds, memories=plan.memories, start=_now(meta).isoformat()
    )


def personas(folder: str | Path) -> list[Persona]:
    """Return the people of a folder of the storage for a town of another map; the study's homes are not there.

    Raises:
        WorldError: a file is missing or breaks a rule of the format.
    """
    folder = Path(folder)
    return [_moved(_scratch(folder, name)) for name in _meta(folder).persona_names]


def memories(folder: str | Path) -> dict[str, tuple[SeedMemory, ...]]:
    """Return what the people of a folder of the storage remember, by full names."""
    folder = Path(folder)
    meta = _meta(folder)
    return {name: _memories(folder, name, meta) for name in meta.persona_names}


def _meta(folder: Path) -> _Meta:
    meta: _Meta = read(folder / "reverie" / "meta.json", _Meta)
    return meta


def _now(meta: _Meta) -> datetime:
    try:
        return datetime.strptime(meta.curr_time, CLOCK)
    except ValueError:
        refuse("meta.json", "curr_time", f'must be such as "February 13, 2023, 00:00:00", not {meta.curr_time!r}')


def _scratch(folder: Path, name: str) -> _Scratch:
    scratch: _Scratch = read(folder / "personas" / name / "bootstrap_memory" / SCRATCH, _Scratch)
    return scratch


def _moved(scratch: _Scratch) -> Persona:
    wakes_h, sleeps_h = _night(scratch.lifestyle)
    return Persona(
        name=scratch.name,
        age=scratch.age,
        job=job_in(scratch.learned),
        traits=_traits(scratch),
        biography=f"{scratch.learned} {scratch.currently}".strip()[:BIOGRAPHY_CHARS],
        wakes_h=wakes_h,
        sleeps_h=sleeps_h,
        money_eur=None,
        temperature=None,
    )


def _traits(scratch: _Scratch) -> tuple[str, ...]:
    return tuple(filter(None, (word.strip() for word in scratch.innate.split(","))))


def _night(lifestyle: str) -> tuple[float | None, float | None]:
    """Return at which hours somebody wakes and goes to bed; None where their lifestyle does not say."""
    wakes_h = hour_after(r"\bwakes?\b|\bawakes?\b|\bgets? up\b", lifestyle)
    sleeps_h = hour_after(r"\bbed\b", lifestyle)
    return wakes_h, None if sleeps_h is None else min(sleeps_h + 24 * (sleeps_h < 12), 30)


def _persona(folder: Path, name: str, meta: _Meta, tree: AddressTree, tiles: TileMap) -> StudyPersona:
    scratch, spots = _scratch(folder, name), _spots(folder, meta)
    _, sector, arena = (*scratch.living_area.split(":"), "", "")[:3]
    room = tree.sectors[sector].arenas.get(arena) if sector in tree.sectors else None
    spot = spots.get(name)
    tile = (spot.x, spot.y) if spot else None
    if room is not None and (tile is None or not room.holds(tile) or not tiles.is_open(tile)):
        tile = room.tile  # a story that goes on finds people anywhere; ours begins at home
    spatial = folder / "personas" / name / "bootstrap_memory" / "spatial_memory.json"
    known = read(spatial, dict[str, dict[str, dict[str, Any]]]) if spatial.is_file() else {}
    return StudyPersona(
        name=scratch.name,
        age=scratch.age,
        traits=_traits(scratch),
        background=scratch.learned,
        currently=scratch.currently,
        lifestyle=scratch.lifestyle,
        daily_plan=scratch.daily_plan_req,
        living_area=scratch.living_area,
        start_tile=tile or (0, 0),
        memories=_memories(folder, name, meta),
        known=tuple(
            f"{world}:{house}:{room}" for world, houses in known.items() for house in houses for room in houses[house]
        ),
    )


def _memories(folder: Path, name: str, meta: _Meta) -> tuple[SeedMemory, ...]:
    """Return what somebody remembers, the oldest first."""
    path = folder / "personas" / name / "bootstrap_memory" / NODES
    nodes: dict[str, _MemoryNode] = read(path, dict[str, _MemoryNode]) if path.is_file() else {}
    numbers = {key: int(re.sub(r"\D", "", key)[-9:] or 0) for key in nodes}
    keys = [key for key in sorted(nodes, key=numbers.__getitem__) if not nodes[key].description.endswith(" is idle")]
    places, now = {key: place for place, key in enumerate(keys)}, _now(meta)
    return tuple(_memory(nodes[key], places, now, name, f"{name}: {NODES}") for key in keys)


def _memory(node: _MemoryNode, places: Mapping[str, int], now: datetime, owner: str, file: str) -> SeedMemory:
    try:
        age_h = (now - datetime.fromisoformat(node.created)).total_seconds() / 3600
    except (ValueError, TypeError):  # the latter where it names a zone, which the study's clock has not
        refuse(file, "created", f'must be such as "2023-02-13 00:00:00", not {node.created!r}')
    evidence = node.filling if node.type == "thought" and isinstance(node.filling, list) else []
    because = tuple(places[key] for key in evidence if isinstance(key, str) and key in places)
    about = tuple(dict.fromkeys(who for who in (node.subject, node.object) if who and who != owner))
    return SeedMemory(node.description, min(10.0, node.poignancy), max(0.0, age_h), node.type, about, because)


def _spots(folder: Path, meta: _Meta) -> dict[str, _Spot]:
    paths = [folder / "environment" / f"{step}.json" for step in (meta.step, 0)]
    spots: dict[str, _Spot] = read(next((path for path in paths if path.is_file()), paths[0]), dict[str, _Spot])
    return spots


def _matrix(folder: Path, maze: str) -> Path:
    """Return where the map lies."""
    beside = (parent / "static_dirs" / "assets" / maze / "matrix" for parent in folder.absolute().parents)
    candidates = (folder / "matrix", *beside)
    matrix = next((path for path in candidates if (path / "maze_meta_info.json").is_file()), None)
    if matrix is None:
        refuse(
            "meta.json", "maze_name", f"must have its map in static_dirs/assets/{maze}/matrix, or in {folder}/matrix"
        )
    return matrix


def _town(matrix: Path, tile_m: float, spots: Iterable[_Spot]) -> tuple[TileMap, AddressTree]:
    """Return the map, and the rooms that can be reached from where people are."""
    maze: _Maze = read(matrix / "maze_meta_info.json", _Maze)
    grids = {layer: _grid(matrix, layer, maze) for layer in ("collision", "sector", "arena")}
    rows = [[sign == "0" for sign in row] for row in grids["collision"]]
    tiles = TileMap(maze.world_name, ATTRIBUTION, rows, tile_m)
    sectors, arenas = (_blocks(matrix, layer) for layer in ("sector", "arena"))
    inside: defaultdict[tuple[str, str], list[Tile]] = defaultdict(list)
    for y in range(maze.maze_height):
        for x in range(maze.maze_width):
            sector, arena = sectors.get(grids["sector"][y][x]), arenas.get(grids["arena"][y][x])
            if sector and arena:
                inside[sector[-1], arena[-1]].append((x, y))
    starts = [(spot.x, spot.y) for spot in spots if tiles.is_open((spot.x, spot.y))]
    reached = tiles.reached_from(starts[0]) if starts else frozenset()
    houses: defaultdict[str, dict[str, Arena]] = defaultdict(dict)
    for (house, room), cells in inside.items():
        if open_cells := [cell for cell in cells if tiles.node(cell) in reached]:
            houses[house][room] = Arena(tile=tiles.middle_of(open_cells), runs=_runs(cells))
    world = next(iter(sectors.values()), [maze.world_name])[0]
    return tiles, AddressTree(world=world, sectors={name: Sector(arenas=rooms) for name, rooms in houses.items()})


def _grid(matrix: Path, layer: str, maze: _Maze) -> list[list[str]]:
    """Return a layer row by row; the study's files have all rows in one line."""
    path = matrix / "maze" / f"{layer}_maze.csv"
    cells = [cell for row in _csv(path) for cell in row]
    width, height = maze.maze_width, maze.maze_height
    if len(cells) != width * height:
        refuse(path.name, "", f"must have {width} x {height} numbers as maze_meta_info.json says, not {len(cells)}")
    return [cells[row * width : (row + 1) * width] for row in range(height)]


def _blocks(matrix: Path, layer: str) -> dict[str, list[str]]:
    """Return by number the address that it stands for, part by part."""
    return {row[0]: row[1:] for row in _csv(matrix / "special_blocks" / f"{layer}_blocks.csv") if len(row) > 1}


def _csv(path: Path) -> list[list[str]]:
    try:
        rows = list(csv.reader(io.StringIO(given_text(path))))
    except (OSError, ValueError) as error:
        refuse(path.name, "", f"must be a CSV file at {path} ({error})")
    return [[cell.strip() for cell in row if cell.strip()] for row in rows]


def _runs(cells: Iterable[Tile]) -> list[tuple[int, int, int]]:
    """Return tiles as rows of `(y, x_first, x_last)`."""
    runs = []
    for y, row in groupby(sorted(cells, key=lambda cell: (cell[1], cell[0])), key=lambda cell: cell[1]):
        columns = [x for x, _ in row]
        for _, run in groupby(enumerate(columns), key=lambda pair: pair[1] - pair[0]):
            xs = [x for _, x in run]
            runs.append((y, xs[0], xs[-1]))
    return runs
