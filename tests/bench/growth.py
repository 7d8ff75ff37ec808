"""What is to stay as it is while a world grows: the costs that once did not."""

import asyncio
import multiprocessing
import os
import statistics
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

from cave_sim.dashboards.lookups.entities import entity
from cave_sim.dashboards.lookups.journal_reader import JournalReader
from cave_sim.dashboards.lookups.relations import relations
from cave_sim.simulations import city_day, town_day
from cave_sim.worlds.town import Resident as TownResident
from tests.bench.cells import new_cells
from tests.bench.crowds import columns_s, mean_step_us
from tests.bench.measure import Sample, medians_us, way
from tests.bench.scale import START
from tests.bench.subjects import town
from tests.bench.table import Row, ratio

DREW = (100, 8_000)
LIVE = (500, 4_000)
MILLION = 1_000_000
MILLION_STEPS = 24
RESIDENTS, STEPS = 1_000, 12
CITY = {"seed": 7, "residents": 400, "crowd": 100_000, "districts": 4}
CITY_STEPS = 20
KILOBYTE = "\n".join(
    f'note_{line} = "Tänään menen kahvilaan ja sitten kotiin nukkumaan, yö on jo pitkällä 中文 {{n}}"'
    for line in range(11)
)
NUMBERS = count()


def growth(repeats: int) -> Iterator[Row]:
    """Yield rows for what grew, each against the same where there is less of it."""
    yield against("a turn that drew and failed, behind 8,000 that drew", DREW, drawing, 1.5, repeats)
    yield against("a cell that adds an entity and asks for all 4,000", LIVE, adding, 2, repeats)
    yield not_ascii(repeats)


def at_large(repeats: int) -> Iterator[Row]:
    """Yield rows for a million people, what a page looks up among 1,000 residents, and two processes for one city."""
    yield a_million()
    yield from look_ups(repeats)
    yield two_workers()


def against(what: str, sizes: tuple[int, int], sample: Any, most: float, repeats: int) -> Row:
    """Return the row of a turn in a large world against one in a small one."""
    ways = {f"{size:,}": sample(size) for size in sizes}
    small, large = ways
    return ratio(what, medians_us(ways, calls=50, repeats=repeats), large, small, most)


def drawing(agents: int) -> Sample:
    """Time a turn that draws and fails, in a step in which so many others have drawn."""
    world = town(agents + 1)
    for number in range(agents):
        assert world.execute("me.energy = rng.random()", agent=f"resident_{number + 1}").committed
    return way("execute('rng.random() / 0', agent='ann')", execute=world.execute)


def adding(entities: int) -> Sample:
    """Time a turn of a new cell that adds an entity and asks for all of its class."""
    world = town(entities)
    world.grant("ann", "*")

    def cells(calls: int) -> dict[str, Any]:
        names = [f"x{next(NUMBERS)}" for _ in range(calls)]
        return {"cells": iter([f"world.add('{name}', Resident())\nlen(world.all(Resident))" for name in names])}

    assert world.execute(next(cells(1)["cells"]), agent="ann").committed
    return way("execute(next(cells), agent='ann')", cells, execute=world.execute)


def not_ascii(repeats: int) -> Row:
    """Return the row of a kilobyte of a cell in Finnish and Chinese, against the same in ASCII."""
    get = town().interpreter.cells.get

    def fresh(text: str, calls: int) -> dict[str, Any]:
        return {"cells": new_cells(calls, next(NUMBERS) * calls, text)}

    texts = {"in ASCII": KILOBYTE.encode("ascii", "replace").decode(), "not in ASCII": KILOBYTE}
    ways = {name: way("get(next(cells))", partial(fresh, text), get=get) for name, text in texts.items()}
    costs = medians_us(ways, calls=50, repeats=repeats)
    return ratio("a new cell of 1 KB that is not in ASCII", costs, "not in ASCII", "in ASCII", 1.5)


def a_million() -> Row:
    """Return the row of a step of a million people in columns, hashed and journaled, against bare arrays."""
    costs = mean_step_us(partial(columns_s, MILLION, MILLION_STEPS), 1)
    return ratio(f"a step of {MILLION:,}, with state hash and journal", costs, "world, journaled", "plain arrays", 10)


def look_ups(repeats: int) -> Iterator[Row]:
    """Yield rows for what the page's server takes to look up a step of a town of 1,000, asked for the first time."""
    with tempfile.TemporaryDirectory() as folder:
        simulation = town_day.create(seed=1, residents=RESIDENTS, start=START, out=Path(folder) / "run")
        simulation.run(until=STEPS)
        name = next(iter(simulation.world.all(TownResident))).id
        simulation.close()
        reader = JournalReader("run", Path(folder) / "run")
        with closing(reader):
            asyncio.run(reader.read(entity, name, 1))  # which learns once who is where at all steps
            for what, look in {"somebody": (entity, name), "relations": (relations,)}.items():
                taken_s = [asyncio.run(reader.read(took_s, *look, STEPS - each % 3)) for each in range(repeats)]
                figure = statistics.median(taken_s) * 1_000
                yield Row(f"{what} at a step of {RESIDENTS:,} residents", f"{figure:.0f} ms", "", figure, 250, "ms")


def took_s(reader: JournalReader, look: Any, *details: Any) -> float:
    """Return the CPU seconds of a look-up of which nothing is kept."""
    reader.outlines.clear()
    started = time.thread_time()
    look(reader, *details)
    return time.thread_time() - started


def two_workers() -> Row:
    """Return the row of how much shorter the longest way through a city's step is with two processes than with one."""
    one, two = (longest_way_s(workers) for workers in (1, 2))
    shown = f"{one * 1_000:.0f} ms with one"
    return Row("a city's step over two processes", f"{two * 1_000:.0f} ms", shown, one / two, 1.6, at_least=True)


def longest_way_s(workers: int) -> float:
    """Return the processor time of the busiest worker of a step and of who drives it, which wait for each other."""
    with closing(city_day.create(**CITY, workers=workers, host="processes")) as city:
        city.step()
        pids = [process.pid for process in multiprocessing.active_children()]
        before_s, driver_s = [processor_s_of(pid) for pid in pids], time.process_time()
        for _ in range(CITY_STEPS):
            city.step()
        driver_s = time.process_time() - driver_s
        busiest_s = max(processor_s_of(pid) - before for pid, before in zip(pids, before_s, strict=True))
    return (busiest_s + driver_s) / CITY_STEPS


def processor_s_of(process: int) -> float:
    """Return the processor time that another process has taken so far."""
    user, system = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")
