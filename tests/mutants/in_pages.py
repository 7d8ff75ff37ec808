"""Pages and documents: what templates may write, what a page may steer, and what it tells."""

# ruff: noqa: E501 -- a mutant is one line

from tests.mutants.mutant import Mutant

RENDERING, CAPACITY = "cave_sim/rendering", "cave_sim/capacity"
ATTACKS, CALIBRATION = ("rendering/test_attacks.py",), ("capacity/test_calibration.py",)
STEERED, TOLD = ("dashboards/test_run_controls.py",), ("history/test_narrator.py",)

MUTANTS = [
    Mutant("sizes in LaTeX are not looked at", RENDERING, "    yield from wrong_sizes(body)\n", "", ATTACKS),
    Mutant("any number of pages may be begun", RENDERING, "if leaps > MOST_LEAPS:", "if False:", ATTACKS),
    Mutant("columns may be repeated", RENDERING, "@\\{{\\}})*", "[@*]\\{{[^}}]*\\}}|\\{{l\\}})*", ATTACKS),
    Mutant("data may be an option", RENDERING, 'line.lstrip().startswith(("[", "*"))', "False", ATTACKS),
    Mutant("a page may be told any size", RENDERING, "if name in SIZES and not SIZE.fullmatch(value):", "if False:", ATTACKS),
    Mutant("a calibration that ends early loses what it had", CAPACITY, "            if not probes:\n                raise\n", "            raise\n", CALIBRATION),
    Mutant("half a search counts as a threshold", CAPACITY, "None if ended and not whole else ", "", CALIBRATION),
    Mutant("a run that is steered from elsewhere says nothing of what does not fit", "dashboards/live", "trouble = str(error)", 'trouble = ""', STEERED),
    Mutant("a run that is over still takes wishes", "dashboards/live", '        self.over = True\n        with suppress(OSError):', "        with suppress(OSError):", STEERED),
    Mutant("ids stand in what is said", "cave_sim/history", 'if not isinstance(segment, str) or "_" not in segment:', "if True:", TOLD),
    Mutant("what running filled in stays open", "cave_sim/history", "if len(matching) != 1:", "if True:", TOLD),
]  # fmt: skip
