"""The pages of our own come from templates, in which no text becomes part of the page."""

import ast
import math
import re
from pathlib import Path

import pandas as pd

from cave_sim import Entity, Simulation, World, open_run
from cave_sim.dashboards.causes_page import write_causes_page
from cave_sim.dashboards.cohort_page import write_cohort_page
from cave_sim.dashboards.paper.tables_page import write_paper_tables
from cave_sim.experiment.paper_report import PaperReport
from cave_sim.experiment.paper_tables import PaperBlock, PaperFigure
from tests.rendering.test_attacks import Elements

ROOT = Path(__file__).parents[2]
ELEMENT = re.compile(r"</?(?:section|article|header|main|h[1-6]|p|pre|ul|ol|li|table|tr|td|th|div|figure)[ >]")
WRITES_HTML = {"blocks.py", "html.py", "shells.py"}
"""What makes HTML in Python: the blocks of documents, what a notebook shows of a thing, a style."""
HOSTILE = "</td></main><script>alert(1)</script><img src=x onerror=alert(1)>\" ' &"


class Named(Entity):
    """Somebody who is called otherwise than their name."""

    title: str = ""


def row(number, effect):
    told = {"told": f"{HOSTILE}{number}", "name": f"ann {HOSTILE}", "unknown": HOSTILE}
    return {"agent": HOSTILE, "kind": "turns", "step": number, "turns": [number], "effect": effect, "low": None} | told


def test_no_page_of_ours_is_put_together_from_strings():
    files = [*(ROOT / "dashboards").rglob("*.py"), *(ROOT / "cave_sim" / "experiment").rglob("*.py")]
    found = [
        f"{path.name}:{node.lineno}"
        for path in files
        if path.name not in WRITES_HTML
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and ELEMENT.search(node.value)
    ]
    assert len(files) > 50
    assert found == []


def test_no_text_becomes_part_of_the_page_of_a_why(tmp_path):
    causes = [row(number, (-1.0) ** number * number) for number in range(1, 15)]
    shares = {"shares": [{"value": 1.0, "name": HOSTILE, "told": HOSTILE}] * 2, "orders": 2, "is_exact": True}
    found = {
        "question": HOSTILE, "fact": 3.5, "unit": HOSTILE, "ever": False, "at": 20, "tried": 3, "candidates": 5,
        "causes": causes, "tried_effects": causes, "unknown": causes,
        "interactions": {**shares, "together": [{"pair": [0, 1], "effect": 3.0}]},
    }  # fmt: skip
    world = World()
    world.add(HOSTILE, Named(title=f"Ann {HOSTILE}"))
    Simulation(world, out=tmp_path / "run").run(steps=1)
    with open_run(tmp_path / "run") as run:
        write_causes_page(found, tmp_path / "why.html", run)
    text = (tmp_path / "why.html").read_text(encoding="utf-8")
    page = Elements()
    page.feed(text)
    assert not page.found & {"img", "onerror"}
    assert text.count("<script>") == 1  # the theme
    assert page.text.count("<script>alert(1)</script>") > 20
    assert "and 2 more" in page.text
    assert "(Ann </td>" in page.text


def test_no_text_becomes_part_of_the_page_of_a_cohort(tmp_path):
    nobody = {"low": math.nan, "high": math.nan, "effects": [1.0], "p_value": math.nan, "gains": False, "loses": False}
    people = [{"who": f"{HOSTILE} {number}", "effect": number / 2} | nobody for number in range(50)]
    arm = {"intervention": HOSTILE, "people": people, "mean": 1.0, "gain": 0, "lose": 0}
    world = World()
    world.add(HOSTILE, Named(title=f"Ann {HOSTILE}"))
    Simulation(world, out=tmp_path / "run").run(steps=1)
    with open_run(tmp_path / "run") as run:
        found = {"outcome": HOSTILE, "at": 1, "until": 2, "seeds": [7], "cohorts": [arm]}
        write_cohort_page(found, tmp_path / "cohort.html", run)
    page = Elements()
    page.feed((tmp_path / "cohort.html").read_text(encoding="utf-8"))
    assert not page.found & {"img", "onerror"}
    assert page.text.count("<script>alert(1)</script>") > 40
    assert "10 between them are in the table alone" in page.text
    assert "without an interval" in page.text


def test_no_text_becomes_part_of_the_page_of_a_papers_tables(tmp_path):
    values = pd.DataFrame({"arm": [HOSTILE] * 2, "value": [1.0, 2.0]})
    means = pd.DataFrame({"arm": [HOSTILE], "mean": [1.5], "low": [1.0], "high": [2.0], "n": [5]})
    block = PaperBlock("Table 1", HOSTILE, [HOSTILE], [[HOSTILE]], HOSTILE, [PaperFigure(HOSTILE, values, means)])
    report = PaperReport(HOSTILE, HOSTILE, ["m"], [HOSTILE], [block, PaperBlock("Table 2", "t", ["a"], [])], [HOSTILE])
    write_paper_tables(report, tmp_path / "paper.html")
    page = Elements()
    page.feed((tmp_path / "paper.html").read_text(encoding="utf-8"))
    assert not page.found & {"img", "onerror"}
    assert page.text.count("<script>alert(1)</script>") > 8
    assert {"figure", "table", "li"} <= page.found
