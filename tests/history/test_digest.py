"""A run in a few numbers: measures, refusals, costs."""

import re

import pandas as pd
import pytest

from cave_sim import Entity, Simulation, World, field, open_run
from cave_sim.history.digest import digest, digest_of, reason_of, spark_line
from cave_sim.replay.recipe import Recipe


class Guest(Entity):
    """Somebody with a purse."""

    money_cents: int = field(500, ge=0)


def test_a_measure_is_told_by_its_ends_extremes_and_course():
    found = digest_of(pd.Series([1.0, 5.0, 5.0, 0.0, 2.0], index=[0, 2, 4, 6, 8]))
    assert (found.first, found.last, found.least, found.least_at, found.most, found.most_at) == (1, 2, 0, 6, 5, 2)
    assert found.spark == "▂██▁▄"


def test_a_measure_that_was_never_taken_is_left_out():
    assert digest_of(pd.Series(dtype=float)) is None


@pytest.mark.parametrize(
    ("values", "line"),
    [([3.0], "▁"), ([2.0, 2.0], "▁▁"), ([0.0, 1.0], "▁█"), ([0.0, float("inf")], "▁▁")],
)
def test_a_spark_line_has_a_bar_for_each_value(values, line):
    assert spark_line(values) == line


def test_a_long_course_is_as_wide_as_any_and_keeps_its_shape():
    line = spark_line([float(step) for step in range(1_000)])
    assert len(line) == 32
    assert list(line) == sorted(line)


def test_reasons_that_differ_in_names_and_numbers_alone_are_one():
    assert reason_of("x\nRefused: anna_nurmi has 12.50 EUR") == reason_of("Refused: olli_laine has 3 EUR")
    assert reason_of("") == "no reason given"


def test_a_run_is_told_by_its_journal(tmp_path):
    Recipe("town_day", {"seed": 7, "residents": 3}).make(tmp_path / "run").run(until=30).close()
    with open_run(tmp_path / "run") as run:
        found, table = digest(run), run.measures()
        refused = run.query("SELECT count(*) FROM turns WHERE kind = 'cell' AND status <> 'committed'")[0][0]
    assert set(found.measures) == set(table)
    assert found.measures["mood"].last == table["mood"].iloc[-1]
    assert sum(found.refusals.values()) == refused
    assert sum(found.turns.values()) == found.spent["turns"]


def test_a_reason_is_told_as_it_was_given_first(tmp_path):
    world = World(seed=7)
    for name in ("ann", "bob"):
        world.add(name, Guest())
    unpaid = {name: lambda _: "me.money_cents -= 900" for name in ("ann", "bob")}
    with Simulation(world, unpaid, out=tmp_path / "run") as simulation:
        simulation.run(until=1)
    with open_run(tmp_path / "run") as run:
        ((reason, count),) = digest(run).refusals.items()
    assert count == 2
    assert re.fullmatch(r"failed: SchemaError: (ann|bob)\.money_cents: .* to 0 \(got -\d+\), and the like", reason)
