"""What is built is what is installed: one name in site-packages, which collides with nobody's."""

import os
import re
import subprocess
import sys
import tarfile
import zipfile
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from cave_sim.version import code_revision

ROOT = Path(__file__).parents[1]
LIBRARIES = os.pathsep.join(path for path in sys.path if path.endswith("-packages"))
FOREIGN = "class Runner:\n    '''Of another project, whose package is called as a folder of ours.'''\n"
MINE = "raise RuntimeError('this folder is mine')\n"


def python(*arguments, cwd, path):
    """Run a Python that sees what is installed in a folder and the libraries; no checkout, and nothing of ours."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    environment["PYTHONPATH"] = f"{path}{os.pathsep}{LIBRARIES}"
    return subprocess.run(  # -S: what is installed as a link, our checkout above all, is not there
        [sys.executable, "-S", *map(str, arguments)],
        cwd=cwd,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


def built(target, source, folder):
    """Build a distribution without a network, and return its file."""
    command = [sys.executable, "-m", "hatchling", "build", "-t", target, "-d", str(folder)]
    subprocess.run(command, cwd=source, capture_output=True, check=True)
    (path,) = folder.iterdir()
    return path


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    return built("wheel", ROOT, tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def site(wheel, tmp_path_factory):
    """A folder in which the wheel is installed, beside a package of others that is called `agents`."""
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--no-index", "--target", folder, wheel]
    subprocess.run(command, capture_output=True, check=True)
    (folder / "agents").mkdir()
    (folder / "agents" / "__init__.py").write_text(FOREIGN)
    return folder


@pytest.fixture
def home(tmp_path):
    """A user's folder, with folders `agents` and `simulations` of the user's own."""
    for name in ("agents", "simulations"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text(MINE)
    return tmp_path


def test_the_wheel_takes_one_name(wheel):
    names = zipfile.ZipFile(wheel).namelist()
    assert {name.partition("/")[0] for name in names} == {
        "cave_sim",
        f"{wheel.name.removesuffix('-py3-none-any.whl')}.dist-info",
    }
    assert "cave_sim/py.typed" in names


@pytest.mark.long
def test_the_wheel_of_the_source_distribution_is_the_same(wheel, tmp_path):
    with tarfile.open(built("sdist", ROOT, tmp_path / "sdist")) as source:
        source.extractall(tmp_path, filter="data")
    (unpacked,) = tmp_path.glob("cave_sim-*")
    again = zipfile.ZipFile(built("wheel", unpacked, tmp_path / "again"))
    assert {each.filename: each.CRC for each in again.infolist()} == {
        each.filename: each.CRC for each in zipfile.ZipFile(wheel).infolist()
    }


@pytest.mark.long
def test_a_day_is_lived_where_folders_of_the_user_are_called_as_ours_once_were(site, home):
    lived = python("-m", "cave_sim", "run", "town_day", "--steps", 3, "--residents", 4, cwd=home, path=site)
    assert lived.returncode == 0, lived.stderr
    assert re.fullmatch(r"state hash: [0-9a-f]{64}", lived.stdout.splitlines()[-1])
    assert (home / "runs" / "town_day-7" / "run.sqlite").is_file()


@pytest.mark.long
def test_what_is_installed_is_listed(site, home):
    listed = python("-m", "cave_sim", "list", cwd=home, path=site).stdout
    assert re.search(r"^cave-sim run town_day +cave_sim \S+ +A day in the centre of Helsinki", listed, re.MULTILINE)
    assert re.search(r"^cave-sim study smart_home ", listed, re.MULTILINE)


@pytest.mark.long
def test_both_packages_import_side_by_side(site, tmp_path):
    code = "from agents import Runner; from cave_sim.worlds.town import build_town; from cave_sim.agents import script"
    imported = python("-c", f"{code}; print(Runner.__module__, script.__name__)", cwd=tmp_path, path=site)
    assert imported.stdout == "agents cave_sim.agents.script\n"


def test_it_is_the_code_of_the_checkout(site, tmp_path):
    code = "from cave_sim.version import code_revision; print(code_revision())"
    assert python("-c", code, cwd=tmp_path, path=site).stdout == f"{code_revision()}\n"


def needed(name, extras=("",)):
    """Return what a package needs, directly or not, as what is installed says."""
    found, waiting = set(), [(name, extras)]
    while waiting:
        name, extras = waiting.pop()
        for line in metadata.requires(name) or ():
            needs = Requirement(line)
            if needs.marker is None or any(needs.marker.evaluate({"extra": extra}) for extra in extras):
                if needs.name not in found:
                    waiting.append((needs.name, (*needs.extras, "")))
                found.add(needs.name)
    return found


def test_the_light_way_takes_as_many_packages_as_the_first_page_says():
    (said,) = re.findall(r"in (\d+) packages", (ROOT / "README.md").read_text())
    assert len({re.sub("[-_.]+", "-", name).lower() for name in needed("cave_sim")}) == int(said)
