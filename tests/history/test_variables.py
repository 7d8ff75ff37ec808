"""Blame and diff see the variables of cells, down to their parts, and run nothing of them."""

import pytest

from cave_sim import JournalError, open_run
from cave_sim.cli.main import main
from cave_sim.history.diff import diff
from cave_sim.history.variable_blame import blame_variable, variable_lines
from cave_sim.replay.fork import fork
from cave_sim.runtime.graph.plain_view import differences, view
from cave_sim.simulation.treatment import Intervention
from tests.runtime import notebooks

CELLS = [
    "class Stall:\n    price = 0\nplan = {'stalls': [Stall()], (1, 2): 'x'}\nplan['stalls'][0].price = 1\ntotal = 0",
    "total += 2\nplan['stalls'][0].price = 5",
    "best = plan['stalls'][0]\nbest.price = 7",
    "del total\ndef add(n, by=3):\n    return n + by",
]

FIRST = ["plan = {'stalls': [Stall()], (1, 2): 'x'}", "plan['stalls'][0].price = 1"]


@pytest.fixture
def run(tmp_path):
    square = notebooks.recipe_of({"dan": CELLS, "eve": ["total = 1\ntotal = 3"]})
    notebooks.here(square, tmp_path / "run")
    return tmp_path / "run"


@pytest.mark.parametrize(
    ("target", "values", "lines"),
    [
        ("eve:total", [(1, None, 3)], [["total = 1", "total = 3"]]),
        ("dan:total", [(1, None, 0), (2, 0, 2), (4, 2, None)], [["total = 0"], ["total += 2"], ["del total"]]),
        ("dan:plan.stalls[0].price", [(1, None, 1), (2, 1, 5), (3, 5, 7)],
         [FIRST, ["plan['stalls'][0].price = 5"], ["best = plan['stalls'][0]"]]),
        ("dan:plan[(1, 2)]", [(1, None, "x")], [FIRST]),
        ("dan:best.class", [(3, None, "Stall")], [["best = plan['stalls'][0]", "best.price = 7"]]),
        ("dan:add.defaults[0]", [(4, None, 3)], [["def add(n, by=3):"]]),
    ],
)  # fmt: skip
def test_a_variable_has_its_chain_of_values(target, values, lines, run):
    with open_run(run) as opened:
        found = blame_variable(opened, target)
    assert [(write.step, write.old, write.new) for write in found] == values
    assert [[line.text for line in write.lines] for write in found] == lines
    assert {write.agent for write in found} == {target[:3]}
    assert [write.op for write in found] == ["delete" if new is None else "set" for _, _, new in values]


def test_the_chain_of_a_branch_begins_in_its_parent(run, tmp_path):
    fork(run, 2, tmp_path / "branch", interventions=[Intervention("total = 9", "dan")]).run(until=3).close()
    with open_run(tmp_path / "branch") as branch:
        assert [write.new for write in blame_variable(branch, "dan:total")] == [0, 2, 9]
        assert [write.new for write in blame_variable(branch, "dan:total", last=1)] == [9]


def test_diff_names_the_parts_that_differ(run, tmp_path, capsys):
    cells = [cell.replace("price = 5", "price = 6") for cell in CELLS]
    notebooks.here(notebooks.recipe_of({"dan": cells, "eve": ["total = 1"]}), tmp_path / "other")
    with open_run(run) as one, open_run(tmp_path / "other") as other:
        assert diff(one, other, at=2).variables == {"dan": {"plan.stalls.0.price": (5, 6)}, "eve": {"total": (3, 1)}}
    assert main(["diff", str(run), str(tmp_path / "other"), "--at", "2"]) == 0
    assert "dan:plan.stalls.0.price: 5 | 6" in capsys.readouterr().out


def test_the_command_line_tells_of_variables(run, capsys):
    assert main(["blame", str(run), "dan:plan.stalls[0].price", "--last", "1"]) == 0
    assert "5 → 7" in capsys.readouterr().out
    assert main(["diff", str(run), str(run)]) == 0
    assert "variables" not in capsys.readouterr().out


@pytest.mark.parametrize("target", ["dan:nothing", "nobody:total", "dan:plan.stalls[9]"])
def test_what_never_was_is_told_with_what_is_there(target, run):
    with open_run(run) as opened, pytest.raises(JournalError, match="never had"):
        blame_variable(opened, target)


@pytest.mark.parametrize(
    ("code", "how"),
    [
        ("xs += [1]", "assignment"), ("xs[0].y = 1", "assignment"), ("for xs in [1]: pass", "assignment"),
        ("xs.append(1)", "in place"), ("xs['a'].update(b=1)", "in place"), ("def xs(): pass", "definition"),
        ("class xs: pass", "definition"), ("import math as xs", "import"), ("grow(xs)", "in use"),
        ("team['ann'].inject('xs', 1)", "given"),
    ],
)  # fmt: skip
def test_lines_are_found_in_the_text(code, how):
    assert [line.how for line in variable_lines(f"y = 1\n{code}", "xs")] == [how]


def test_a_kept_turn_is_shown_by_its_parts():
    kept = [{"turn": {"$turn": {"$json": {"id": number, "status": "committed"}}}} for number in (3, 4)]
    seen = [view(each, "turn") for each in kept]
    assert [*differences(*seen)] == [(("id",), 3, 4)]
    assert seen[0]["class"] == "Turn"
