"""What only asks what there is waits for no library."""

import subprocess
import sys

import pytest

LOADED = "import sys\n{}\nprint(sorted({{'mesa', 'networkx', 'numpy', 'pandas', 'pydantic'}} & {{*sys.modules}}))"
HELP = "from cave_sim.cli.main import main\ntry:\n    main({})\nexcept SystemExit:\n    pass"


@pytest.mark.parametrize(
    "code", ["import cave_sim", HELP.format(["--help"]), HELP.format(["run", "--help"])], ids=["import", "help", "run"]
)
def test_no_library_is_loaded_before_it_is_needed(code):
    command = [sys.executable, "-c", LOADED.format(code)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"
