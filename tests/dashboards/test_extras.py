"""What each part of the dashboard needs to be installed."""

import subprocess
import sys

import pytest

from tests.dashboards.small_town import SmallTown

WITHOUT = "import sys; sys.modules.update(dict.fromkeys({names!r})); "
EXTRAS = ("plotly", "starlette", "uvicorn", "websockets")


def python(text, *arguments):
    """Run a script that finds none of the extras."""
    command = [sys.executable, "-c", WITHOUT.format(names=EXTRAS) + text, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.long
def test_a_report_needs_no_extra(tmp_path):
    folder = SmallTown(residents=1, steps=2).write(tmp_path / "town")
    script = "import cave_sim, cave_sim.dashboards; cave_sim.dashboards.write_report(cave_sim.open_run(sys.argv[1]))"
    ended = python(script, folder)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert (folder / "report.html").is_file()


@pytest.mark.long
def test_a_run_finishes_with_its_report_without_any_extra(tmp_path):
    out = tmp_path / "town"
    script = "from cave_sim.cli.main import main; sys.exit(main(sys.argv[1:]))"
    ended = python(script, "run", "town_day", "--residents", 2, "--steps", 2, "--out", out)
    assert ended.returncode == 0, ended.stderr
    assert f"report: {out / 'report.html'}" in ended.stdout


def test_a_dashboard_without_its_server_says_in_one_line_what_to_install(tmp_path):
    ended = python("from cave_sim.cli.main import main; sys.exit(main(sys.argv[1:]))", "dash", tmp_path)
    assert ended.returncode == 1
    assert ended.stderr.count("\n") == 1
    assert "pip install 'cave_sim[dash]'" in ended.stderr


def test_the_command_line_starts_without_the_dashboard():
    script = "import cave_sim.cli.main, cave_sim.dashboards; print(*{'plotly', 'uvicorn'} & set(sys.modules))"
    ended = subprocess.run(
        [sys.executable, "-c", f"import sys, {script.partition(' ')[2]}"], capture_output=True, text=True, check=False
    )
    assert (ended.stdout, ended.stderr) == ("\n", "")
