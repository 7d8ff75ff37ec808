"""Bring in a town of the Generative Agents study: its people, its rooms and its tiles become a `Blueprint`.

The format is that of its own repository, a folder below `storage` (see `storage.py`); or three JSON files in one
folder, a tidied extract of joonspk-research/generative_agents (Apache-2.0):

    personas.json   [{name, age, traits, background, currently, lifestyle, daily_plan, living_area, start_tile}, ...]
    places.json     {world, sectors: {name: {arenas: {name: {tile, runs: [[y, x_first, x_last], ...]}}}}}
    map.json        {world, width, height, collision: ["0101...", ...]}   1 blocks the way

A tile is [x, y] from the top left; an address is "world:sector:arena". Each arena becomes a place. What the study tells
in prose (hours of sleep, work, opening hours, who knows whom) is read from the prose.
"""

from pathlib import Path
from typing import Annotated

from pydantic import Field

from cave_sim.errors import WorldError
from cave_sim.worlds.village import storage
from cave_sim.worlds.village.blueprint import Blueprint, Text
from cave_sim.worlds.village.checked import read, refuse
from cave_sim.worlds.village.study_town import ATTRIBUTION, TILE_M, AddressTree, Census, Foreign, StudyPersona
from cave_sim.worlds.village.tiles import TileMap


class _Grid(Foreign):
    world: Text
    width: Annotated[int, Field(gt=0)]
    height: Annotated[int, Field(gt=0)]
    collision: list[str]


def load(folder: str | Path, *, tile_m: float = TILE_M) -> Blueprint:
    """Read a town of the Generative Agents study, from a folder of its storage or from one with three files.

    Raises:
        WorldError: a file is missing or breaks a rule of the format; one line with file, place in it, rule, way out.
    """
    folder = Path(folder)
    if not folder.is_dir():
        raise WorldError(
            f"{folder}: there is no such village file, and no such folder of the Generative Agents study, which is"
            " environment/frontend_server/storage/NAME of joonspk-research/generative_agents"
        )
    if storage.is_one(folder):
        return storage.load(folder, tile_m=tile_m)
    tiles = _tiles(read(folder / "map.json", _Grid), tile_m)
    personas = read(folder / "personas.json", Annotated[list[StudyPersona], Field(min_length=1)])
    return Census(tiles, read(folder / "places.json", AddressTree), personas).blueprint()


def _tiles(grid: _Grid, tile_m: float) -> TileMap:
    if len(grid.collision) != grid.height:
        refuse("map.json", "collision", f"must have {grid.height} rows as height says, not {len(grid.collision)}")
    for row, line in enumerate(grid.collision):
        if len(line) != grid.width or set(line) - {"0", "1"}:
            refuse("map.json", f"collision[{row}]", f"must be {grid.width} signs, each 0 or 1, not {line[:20]!r}...")
    return TileMap(grid.world, ATTRIBUTION, [[sign == "0" for sign in line] for line in grid.collision], tile_m)
