"""What only asks what there is waits for no library."""

import subprocess
import sys

import pytest

from cave_sim.cli.main import main
from cave_sim.cli.parser import COMMANDS
from tests.small_runs import live

LIBRARIES = {
    "matplotlib",
    "mesa",
    "networkx",
    "numpy",
    "pandas",
    "plotly",
    "pydantic",
    "ray",
    "rich",
    "scipy",
    "statsmodels",
}
LOADED = "import sys\n{}\nprint(sorted({} & {{*sys.modules}}))"
CALL = "from cave_sim.cli.main import main\ntry:\n    main({})\nexcept SystemExit:\n    pass"


def loaded_by(code):
    """Return which libraries a fresh Python has loaded after some code."""
    command = [sys.executable, "-c", LOADED.format(code, LIBRARIES)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()[-1]


@pytest.mark.parametrize(
    "code",
    ["import cave_sim", *(CALL.format(line) for line in ([], ["--version"], ["completion", "bash"]))],
    ids=["import", "help", "version", "completion"],
)
def test_no_library_is_loaded_before_it_is_needed(code):
    assert loaded_by(code) == "[]"


def test_the_help_of_every_command_waits_for_no_library():
    """In one process, so that what one of them loads is named by its first."""
    code = "\n".join(
        [
            "from cave_sim.cli.main import main",
            f"for name in {[*COMMANDS]}:",
            "    try:",
            "        main([name, '--help'])",
            "    except SystemExit:",
            f"        assert not (found := {LIBRARIES} & {{*sys.modules}}), (name, found)",
        ]
    )
    assert loaded_by(code) == "[]"


@pytest.mark.long
def test_what_reads_rows_alone_waits_for_no_library_of_a_world(tmp_path):
    live(tmp_path, steps=1, residents=1)
    lines = ([command, str(tmp_path)] for command in ("log", "branches", "tag"))
    code = "from cave_sim.cli.main import main\n" + "\n".join(f"main({line})" for line in lines)
    assert loaded_by(code) == "[]"


QUICK = """
import gc, importlib, random, sys
import cave_sim
searches = []
gc.callbacks.append(lambda phase, told: searches.append(told))
from cave_sim import Simulation
print("searched" if len(searches) > 10 else "not searched", gc.isenabled())  # as it begins
import inspect, mesa
from cave_sim.loading.quick_mesa import without_scipy
from mesa.experimental.continuous_space import ContinuousSpace, ContinuousSpaceAgent

print(inspect.getmodule(None, importlib._bootstrap.spec_from_loader.__code__.co_filename).__name__)
print([name for name in sys.modules if name.startswith("scipy")])
model = mesa.Model(rng=1)
space = ContinuousSpace([[0, 10], [0, 10]], random=model.random)
for at in range(3):
    ContinuousSpaceAgent(space, model).position = [3 * at, 4 * at]
drawn = random.getstate()
print(*(float(far) for far in space.calculate_distances([0, 0])[0]), random.getstate() == drawn)
del sys.modules["scipy.spatial.distance"]  # another Mesa might ask for more than one function of it
with without_scipy():
    from scipy.spatial.distance import cdist, pdist
print(cdist.__module__, pdist.__module__)
"""


@pytest.mark.long
@pytest.mark.skipif(
    sys.version_info >= (3, 12), reason="Mesa 3.5, of these Pythons, needs SciPy's trees as it is imported"
)
def test_mesa_searches_no_modules_for_those_that_import_it_and_has_scipy_when_agents_look_for_each_other():
    done = subprocess.run([sys.executable, "-c", QUICK], capture_output=True, text=True, check=False)
    assert done.stdout.splitlines() == [
        "not searched True",
        "importlib._bootstrap",
        "[]",
        "0.0 5.0 10.0 True",
        "cave_sim.loading.quick_mesa scipy.spatial.distance",
    ], done.stderr


@pytest.mark.parametrize("line", [[], ["--help"], ["help"]])
def test_without_a_command_the_help_is_shown(capsys, line):
    with pytest.raises(SystemExit) as end:
        main(line)
    told = capsys.readouterr()
    assert (end.value.code, told.err) == (0, "")
    assert all(f"  {name} " in told.out for name in COMMANDS)
    assert told.out.index("play:") < told.out.index("look:") < told.out.index("trust:") < told.out.index("set up:")


@pytest.mark.parametrize("name", COMMANDS)
def test_help_of_a_command_is_its_help(capsys, name):
    shown = []
    for line in (["help", name], [name, "--help"]):
        with pytest.raises(SystemExit) as end:
            main(line)
        assert end.value.code == 0
        shown.append(capsys.readouterr().out)
    assert shown[0] == shown[1]
    assert shown[0].startswith(f"usage: cave-sim {name} ")


ENDED = """
import atexit, gc, sys
atexit.register(lambda: print("frozen" if gc.get_freeze_count() > 1_000 else "looked through"))
sys.argv = ["cave-sim", "--version"]
from cave_sim.cli.main import main
main()
"""


def test_the_end_of_a_command_looks_through_nothing_that_it_imported():
    done = subprocess.run([sys.executable, "-c", ENDED], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "frozen"
