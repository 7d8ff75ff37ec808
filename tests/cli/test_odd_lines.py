"""Odd command lines end in one line that says what is wrong, and with an exit code that says so; never a traceback."""

import errno
import os
import resource
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from cave_sim.cli.main import main
from cave_sim.replay.recipe import Recipe
from tests.cli.generated_lines import generated

LONG = "x" * 300
FAR = "99999999999999999999"
BYTES = os.fsdecode(b"caf\xe9")
NUL = "a\0b"
READING = [
    "log",
    "blame",
    "story",
    "verify",
    "replay",
    "resume",
    "doctor",
    "diff",
    "export",
    "bisect",
    "fork",
    "why",
    "rules",
]
REST = {
    "blame": ["weather.kind"],
    "story": ["weather"],
    "diff": ["RUN"],
    "export": ["--format", "csv"],
    "bisect": ["weather.kind == 'rain'"],
    "why": ["weather.kind == 'rain'"],
    "fork": ["--at", "1"],
}


def lines():
    """Yield command lines; RUN stands for the folder of a run."""
    for command in READING:
        for folder in (LONG, f"{LONG}/run", NUL, "missing", "", "a-file"):
            yield [command, folder, *REST.get(command, [])]
    for start in ("0001-01-01T00:00", "9999-12-31T23:50", "0000-00-00", "tomorrow", ""):
        yield ["run", "town_day", "--quiet", "--steps", "2", "--residents", "1", "--set", f"start={start}"]
    yield ["run", "town_day", "--quiet", "--steps", "1", "--model", ""]
    for name in (
        ".",
        "..",
        "../x",
        "/",
        "",
        "a b",
        "town_day.",
        ".town_day",
        "os",
        "os.path",
        "a..b",
        NUL,
        BYTES,
        LONG,
    ):
        yield ["run", name, "--quiet"]
    for out in (LONG, f"{LONG}/x", NUL, "a-file", "a-file/x"):
        yield ["run", "storm_warning", "--quiet", "--steps", "1", "--out", out]
        yield ["fork", "RUN", "--at", "1", "--quiet", "--steps", "2", "--out", out]
    for number in (FAR, f"-{FAR}", "0x10", "1e9", "", "nan"):
        yield ["fork", "RUN", "--at", number]
        yield ["log", "RUN", "--at", number]
    yield ["blame", "RUN", "weather.kind", "--last", FAR]
    yield ["blame", "RUN", "weather.kind", "--at", FAR]
    yield ["diff", "RUN", "RUN", "--html", "missing/folder/page.html"]
    yield ["diff", "RUN", "RUN", "--html", LONG]
    yield ["diff", "RUN", "RUN", "--html", "."]
    yield ["diff", "RUN", "RUN", "--at", FAR]
    yield ["export", "RUN", "--format", "csv", "--out", LONG]
    yield ["export", "RUN", "--format", "csv", "--out", "a-file"]
    yield ["resume", "RUN", "--steps", "0"]
    yield ["bisect", "RUN", "'x' * 10**11 == weather.kind"]
    yield ["bisect", "RUN", "2 ** 10 ** 10 > 1"]
    for value in ("--", "a\nb"):
        yield ["run", "town_day", f"--steps={value}"]
        yield ["diff", "RUN", "RUN", f"--html=missing/{value}" if value != "--" else "--html=--"]
    yield ["dash", LONG]
    yield ["branches", LONG]


LINES = list(lines())


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    folder = tmp_path_factory.mktemp("odd")
    simulation = Recipe("storm_warning", {"seed": 5}).make(folder / "run")
    simulation.run(until=2)
    simulation.close()
    (folder / "a-file").write_text("")
    return folder


@pytest.mark.parametrize("line", LINES, ids=lambda line: ascii(" ".join(part[:30] for part in line)))
def test_an_odd_line_ends_in_one_line(place, line, capsys, monkeypatch):
    monkeypatch.chdir(place)
    try:
        code = main([part.replace("RUN", "run") for part in line])
    except SystemExit as end:
        code = end.code
    complaint = capsys.readouterr().err
    assert "Traceback" not in complaint
    if code == 0:
        assert line[1:3] == ["RUN", "weather.kind"] or "--at" in line or "start=" in line[-1]
    else:
        assert complaint.startswith("cave-sim")
        assert complaint.count("\n") == 1
        # it is told in words, not as the error of some library; no shell hands over a NUL
        assert "CAVE_SIM_TRACEBACK" not in complaint or any("\0" in part for part in line)


GENERATED = list(generated(seed=1, count=120))


@pytest.mark.long
@pytest.mark.parametrize("part", range(6))
def test_no_generated_line_ends_in_more_than_one_line_or_a_traceback(place, part, tmp_path, capsys, monkeypatch):
    shutil.copytree(place / "run", tmp_path / "run")
    shutil.copytree(place / "run", tmp_path / "torn")
    with (tmp_path / "torn" / "run.sqlite").open("r+b") as torn:
        torn.truncate(20_000)
    (tmp_path / "a-file").write_text("")
    monkeypatch.chdir(tmp_path)
    for line in GENERATED[part::6]:
        try:
            code = main(line)
        except SystemExit as end:
            code = end.code
        complaint = capsys.readouterr().err
        assert "Traceback" not in complaint, line
        if code and line[0] not in ("verify", "doctor", "replay"):  # which print what they found
            assert (complaint[:8], complaint.count("\n")) == ("cave-sim", 1), line


def test_there_are_enough_odd_lines():
    assert len(LINES) >= 60


FULL = Path("/dev/full")


@pytest.mark.skipif(not FULL.exists(), reason="needs a device that is always full")
@pytest.mark.long
@pytest.mark.parametrize("command", [["log", "run"], ["blame", "run", "weather.kind"], ["list"]])
def test_output_that_cannot_be_written_is_one_line(place, command):
    with FULL.open("w") as full:
        ended = subprocess.run(
            [sys.executable, "-m", "cave_sim", *command], cwd=place, stdout=full, stderr=subprocess.PIPE, text=True,
            env={**os.environ, "PYTHONPATH": str(Path.cwd())}, check=False,
        )  # fmt: skip
    assert (ended.returncode, ended.stderr.count("\n"), "No space left" in ended.stderr) == (1, 1, True)


@pytest.mark.long(cases=0)
@pytest.mark.parametrize("closed", ["<&- >&- 2>&-", "<&-", ">&-", "2>&-"])
def test_streams_that_are_closed_take_nothing_that_is_written_elsewhere(place, closed, tmp_path):
    line = [sys.executable, "-m", "cave_sim", "run", "town_day", "--steps", "2", "--residents", "2", "--out", "run"]
    ended = subprocess.run(
        ["sh", "-c", f'exec "$@" {closed}', "sh", *line], cwd=tmp_path, capture_output=True, text=True,
        env={**os.environ, "PYTHONPATH": str(Path.cwd())}, check=False,
    )  # fmt: skip
    assert (ended.returncode, "Traceback" in ended.stderr) == (0, False)
    assert ("state hash: " in ended.stdout) == (">&-" not in closed.split())
    assert main(["verify", str(tmp_path / "run")]) == 0


def test_an_interrupt_is_one_line(place, monkeypatch, capsys):
    monkeypatch.setattr("cave_sim.cli.actions.list.call", lambda options: (_ for _ in ()).throw(KeyboardInterrupt))
    assert main(["list"]) == 130
    assert capsys.readouterr().err == "cave-sim: interrupted\n"


def test_a_study_that_is_interrupted_says_how_it_goes_on(place, monkeypatch, capsys):
    stopped = "cave_sim.scenario.run_study"
    monkeypatch.setattr(stopped, lambda *_, **how: (_ for _ in ()).throw(KeyboardInterrupt))
    assert main(["study", "commons", "--seeds", "2", "--out", "kept"]) == 130
    assert capsys.readouterr().err.endswith("interrupted; what was finished is kept, and the same command goes on\n")


def torn(*_, **__):
    """End as what waits for workers does where Ctrl-C comes once more while the first one goes up."""
    try:
        raise KeyboardInterrupt
    finally:
        raise RuntimeError("release unlocked lock")


@pytest.mark.parametrize(
    ("what", "line", "told"),
    [
        ("cave_sim.cli.actions.list.call", ["list"], "interrupted\n"),
        ("cave_sim.scenario.run_study", ["study", "commons", "--seeds", "2", "--out", "torn"],
         "interrupted; what was finished is kept, and the same command goes on\n"),
    ],
)  # fmt: skip
def test_one_interrupt_upon_another_is_one_line(place, monkeypatch, capsys, what, line, told):
    monkeypatch.setattr(what, torn)
    assert main(line) == 130
    assert capsys.readouterr().err.endswith(f"cave-sim: {told}")


def test_a_page_is_whole_or_not_there(place, tmp_path, monkeypatch, capsys):
    run = shutil.copytree(place / "run", tmp_path / "run")
    monkeypatch.chdir(tmp_path)
    page = tmp_path / "page.html"
    page.write_text("the page before")
    monkeypatch.setattr(
        "pathlib.Path.write_text", lambda *_, **__: (_ for _ in ()).throw(OSError(errno.ENOSPC, "disk full"))
    )
    assert main(["diff", str(run), str(run), "--html", str(page)]) == 1
    assert page.read_text() == "the page before"
    assert "disk full" in capsys.readouterr().err


@pytest.mark.parametrize("error", [ImportError("libx.so: failed to map segment from shared object"), MemoryError()])
def test_a_library_for_which_there_is_no_room_is_one_line_that_tells_of_the_limit(error, monkeypatch, capsys):
    def fails(*_: object) -> None:
        raise error

    monkeypatch.setattr(Recipe, "make", fails)
    before, most = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (10**15 if most == resource.RLIM_INFINITY else most, most))
    try:
        assert main(["run", "town_day"]) == 1
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (before, most))
    complaint = capsys.readouterr().err
    assert len(complaint.splitlines()) == 1
    assert "GB of address space: give it more (ulimit -v)" in complaint
