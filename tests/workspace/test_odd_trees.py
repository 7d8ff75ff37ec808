"""Whatever a command makes of its folder, those outside can still measure it, copy it, compare it and remove it."""

import os
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from cave_sim import Simulation, World, WorldError, open_run
from cave_sim.workspace import files, trees
from cave_sim.workspace.kept_process import CommandLimits
from cave_sim.workspace.workspace import Workspace
from cave_sim.workspace.workspaces import Workspaces

DIG = """
import os
for _ in range({deep}):
    os.mkdir('d'); os.chdir('d')
open('deepest', 'w').close()
"""
MOST_BYTES = 1 << 20


@pytest.fixture(scope="module")
def shared_workspace(tmp_path_factory):
    folder = tmp_path_factory.mktemp("odd") / "ann"
    with Workspace(folder, limits=CommandLimits(timeout_s=60, most_bytes=MOST_BYTES), require="contained") as opened:
        if opened.level.name == "guarded":
            pytest.skip(f"nothing can be jailed here: {opened.level}")
        yield opened


@pytest.fixture
def workspace(shared_workspace):
    yield shared_workspace
    assert shared_workspace.run(["sh", "-c", "rm -rf ./*"])["ended"] is None


def python(workspace, code):
    return workspace.run([sys.executable, "-c", code])


def test_folders_too_deep_to_be_looked_into_go_with_the_command_that_made_them(workspace):
    done = python(workspace, DIG.format(deep=1_100))
    assert (done["exit"], done["ended"]) == (None, "the folder held more than 64 folders within each other")
    assert python(workspace, "import os; print(os.listdir('.'))")["output"] == "['d']\n"
    with workspace.fork() as fork:
        assert fork.paths() == []
    assert workspace.run("rm -r d")["exit"] == 0


@pytest.mark.long
def test_a_tree_of_any_depth_and_any_mode_is_removed(tmp_path):
    dig = f"{DIG.format(deep=1_100)}\nos.chmod('..', 0)\n"
    top = tmp_path / "top"
    (top / "1").mkdir(parents=True)
    pid = os.fork()
    if pid == 0:
        os.chdir(top)
        exec(dig)
        os._exit(0)
    os.waitpid(pid, 0)
    (top / "out").symlink_to(tmp_path)
    trees.remove(top)
    trees.remove(top)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_full_takes_nothing_more_until_something_is_removed(workspace):
    fill = f"for n in range(4): f = open(f'hole{{n}}', 'wb'); f.truncate({MOST_BYTES}); f.close()"
    assert python(workspace, fill)["ended"] == f"the folder holds more than {MOST_BYTES:,} bytes"
    with pytest.raises(WorldError, match="is not copied"):
        workspace.fork()
    with pytest.raises(WorldError, match="holds at most"):
        workspace.write("small.txt", "x")
    assert workspace.python("1")["ended"].endswith("remove files by a command first")
    if "Landlock" in workspace.level.layers:
        assert workspace.run("touch more")["exit"] != 0
    assert workspace.run("rm hole0 hole1 hole2 hole3")["exit"] == 0
    assert workspace.run("touch more")["exit"] == 0
    assert workspace.run("rm more")["ended"] is None
    assert python(workspace, "for n in range(400): open(f'{n}', 'w').close()")["ended"]  # names take room, too
    assert workspace.run(["sh", "-c", "rm [0-9]*"])["ended"] is None


def test_between_two_calls_of_its_python_nothing_runs(workspace):
    workspace.python("import threading, os\nticks = 0\nasked = threading.Event()")
    workspace.python("""
def tick():
    global ticks
    while not asked.is_set():
        ticks += 1
threading.Thread(target=tick).start()""")
    keeper = workspace._processes["python"]._process.pid
    states = {state_of(pid) for pid in below(keeper) if "-c" in words_of(pid)}
    assert states == {"T"}
    assert int(workspace.python("ticks")["output"]) > 0
    assert workspace.python("asked.set()")["exit"] == 0


def below(pid):
    found = [pid]
    for each in found:
        found += map(int, Path(f"/proc/{each}/task/{each}/children").read_text().split())
    return found[1:]


def state_of(pid):
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]


def words_of(pid):
    return Path(f"/proc/{pid}/cmdline").read_text().split("\0")


def test_its_python_cannot_answer_for_a_later_call(workspace):
    workspace.python("import os, sys, time\nos.write(int(sys.argv[2]), b'0' * 5)")
    assert workspace.python("print('one')")["output"] == "one\n"
    early = "os.write(int(sys.argv[2]), sys._getframe(1).f_locals['call'] + b'0')\ntime.sleep(0.3)\nprint('late')"
    assert workspace.python(early)["exit"] == 0
    assert workspace.python("print('two')\n1 / 0")["exit"] == 1
    assert workspace.python("3 + 4")["output"] == "7\n"


def test_a_folder_that_became_a_link_meanwhile_is_not_entered(workspace, tmp_path, monkeypatch):
    (tmp_path / "secret").write_text("key")
    workspace.write("plain/secret", "mine")

    class Swapped:
        """Says of each link that it is a folder, as it was a moment ago."""

        def __init__(self, entry):
            self.name, self._entry = entry.name, entry

        def stat(self, *, follow_symlinks):
            return self._entry.stat(follow_symlinks=True)

    scandir = os.scandir

    class Entries:
        def __init__(self, at):
            self._entries = scandir(at)

        def __enter__(self):
            return map(Swapped, self._entries.__enter__())

        def __exit__(self, *error):
            self._entries.__exit__(*error)

    (workspace.folder / "linked").symlink_to(tmp_path)
    monkeypatch.setattr("cave_sim.workspace.files.os", SimpleNamespace(**{**vars(os), "scandir": Entries}))
    assert [path for path, _ in files.walk(workspace.folder)] == ["plain/secret"]
    monkeypatch.undo()
    workspace.remove("linked")


def test_files_that_hold_no_text_and_names_that_are_none_are_taken_over(tmp_path):
    world = World(seed=1)
    with_files = Workspaces(world, {"a.txt": "a\n"}, require="guarded")
    with_files.on_start(SimpleNamespace(journal=SimpleNamespace(folder=tmp_path)), 1)
    try:
        data = b"\0\xff" * 40_000
        with_files.of("ann").write("table.bin", data)
        (with_files.of("ann").folder / os.fsdecode(b"\xff.bin")).write_bytes(b"\xff")
        assert sorted(with_files.take("bob", "ann")) == ["table.bin", "\udcff.bin"]
        assert with_files.of("bob").content("table.bin") == data
    finally:
        with_files.close()


def test_a_command_that_leaves_files_with_long_paths_is_told_as_done(tmp_path):
    world = World(seed=1)
    with_files = Workspaces(world, {}, require="guarded")
    with_files.offer("ann")
    deep = "[os.makedirs('/'.join([f'{n:03}' + 'x' * 200] * 12) + '/end') for n in range(40)]"
    touch = "[open('/'.join([f'{n:03}' + 'x' * 200] * 12) + '/end/file', 'w') for n in range(40)]"
    with Simulation(world, observers=[with_files], out=tmp_path / "run") as simulation:
        turn = world.execute(f'run_python("""import os\\n{deep}\\n{touch}\\nprint("left them")""")', agent="ann")
        assert turn.committed, turn.error
        simulation.run(2)
    with open_run(tmp_path / "run") as run:
        (row,) = run.effects()
    assert (row["status"], row["error"]) == ("done", None)
    assert (row["result"]["exit"], "left them" in row["result"]["output"]) == (0, True)
    assert 20 < len(row["result"]["changed"]) < 40
