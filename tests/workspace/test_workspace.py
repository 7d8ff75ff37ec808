"""Workspaces: what runs in one stays in it, ends with it, and says what it did."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from cave_sim import SchemaError, WorldError
from cave_sim.session.row import SessionError
from cave_sim.session.session import Session
from cave_sim.workspace.kept_process import CommandLimits
from cave_sim.workspace.workspace import Workspace

DIES = """
import os, signal, subprocess, sys
from cave_sim.workspace.workspace import Workspace
workspace = Workspace(require="guarded")
workspace.python("import subprocess; child = subprocess.Popen(['sleep', '600'], start_new_session=True)")
kept = [process._process.pid for process in workspace._processes.values()]
print(workspace.folder, *kept, flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""
LIMITS = CommandLimits(timeout_s=20, most_bytes=1 << 20, output_bytes=2_000)


@pytest.fixture(scope="module")
def workspace(tmp_path_factory):
    with Workspace(tmp_path_factory.mktemp("workspaces") / "ann", limits=LIMITS, require="contained") as opened:
        if opened.level.name == "guarded":
            pytest.skip(f"nothing can be jailed here: {opened.level}")
        yield opened


@pytest.fixture
def isolated(workspace):
    if workspace.level.name != "isolated":
        pytest.skip(f"this machine has no whole jail: {workspace.level}")
    return workspace


def test_a_command_says_its_status_its_output_and_what_became_of_files(workspace):
    done = workspace.run(["sh", "-c", "echo one > a.txt; echo said; exit 3"])
    assert (done["exit"], done["output"], done["ended"]) == (3, "said\n", None)
    (change,) = done["changed"]
    assert (change["path"], change["how"], change["bytes"]) == ("a.txt", "added", 4)
    assert change["diff"].endswith("+one\n")
    (change,) = workspace.run(["sh", "-c", "echo two > a.txt"])["changed"]
    assert "-one\n+two\n" in change["diff"]
    assert workspace.remove("a.txt")["changed"][0]["how"] == "removed"


def test_python_keeps_its_variables_until_it_ends(workspace):
    assert workspace.python("x = 20\nx + 1")["output"] == "21\n"
    assert workspace.python("x / 0")["exit"] == 1
    assert workspace.python("x")["output"] == "20\n"
    ended = workspace.python("import os\nos._exit(0)")
    assert ended["exit"] is None
    assert ended["ended"].endswith("its variables are gone")
    assert "NameError" in workspace.python("x")["output"]


def test_what_is_outside_is_neither_read_nor_written_nor_asked_nor_ended(isolated, tmp_path):
    secret = tmp_path / "secret"
    secret.write_text("key")
    told = isolated.python(f"""
import os, socket
from pathlib import Path
def tried(act):
    try:
        return act()
    except OSError as error:
        return "refused"
outside = Path({str(secret)!r})
print([tried(act) for act in (
    outside.read_text, lambda: outside.write_text("x"), lambda: outside.chmod(0o777), outside.unlink,
    lambda: socket.create_connection(("127.0.0.1", 9)), lambda: socket.socket(socket.AF_UNIX),
    lambda: os.kill({os.getpid()}, 0), lambda: os.listdir("/etc"), lambda: os.link(outside, "linked"),
    lambda: os.unshare(0x10000000) if hasattr(os, "unshare") else "refused",
    lambda: os.memfd_create("in no folder and no address space"))])
print(sorted(os.environ))
""")["output"].splitlines()
    assert told[0] == str(["refused"] * 11)
    assert told[1] == str("GIT_CONFIG_NOSYSTEM HOME LANG PATH PYTHONDONTWRITEBYTECODE PYTHONHASHSEED TMPDIR".split())
    assert secret.read_text() == "key"


def test_a_link_that_leads_out_is_not_followed_by_those_outside(workspace, tmp_path):
    secret = tmp_path / "secret"
    secret.write_text("key")
    workspace.run(["ln", "-s", str(secret), "link"])
    workspace.run(["ln", "-s", str(tmp_path), "folder"])
    for path in ("link", "folder/secret", "../secret", str(secret), "", "."):
        with pytest.raises(WorldError):
            workspace.read(path)
        with pytest.raises(WorldError):
            workspace.write(path, "written")
    with pytest.raises(SchemaError, match="number: it holds a text or bytes; int is neither"):
        workspace.write("number", 5)
    assert secret.read_text() == "key"
    with workspace.fork() as fork:
        assert (fork.folder / "link").is_symlink()
    for path in ("link", "folder"):
        workspace.remove(path)


def test_what_takes_too_long_prints_too_much_or_fills_the_disk_is_ended_or_cut(workspace):
    late = workspace.run("sleep 60", timeout_s=0.3)
    assert (late["exit"], late["ended"]) == (None, "it took longer than 0.3 s")
    much = workspace.run([sys.executable, "-c", "print('x' * 100_000, 'end')"])["output"]
    assert len(much) < 3_000
    assert "bytes left out" in much
    assert much.endswith("end\n")
    assert workspace.run(["sh", "-c", "head -c 9000000 /dev/zero > big"])["exit"] != 0
    assert workspace.run("rm -f big")["exit"] == 0


def test_what_a_command_leaves_running_ends_with_it(workspace):
    left = workspace.run(["sh", "-c", "sleep 600 > /dev/null 2>&1 & echo $!; kill -0 $! && echo there"])[
        "output"
    ].split()
    assert left[1] == "there"
    assert workspace.run(["sh", "-c", f"kill -0 {left[0]}"])["exit"] != 0


@pytest.mark.parametrize("command", ["", "echo 'open", "nul\0", 5])
def test_what_is_no_command_is_refused(workspace, command):
    with pytest.raises(SchemaError):
        workspace.run(command)


def test_a_program_that_is_not_there_is_told_as_a_shell_does(workspace):
    assert workspace.run("no_such_program")["exit"] == 127


@pytest.mark.long
def test_a_session_forks_its_folder_and_a_merge_brings_the_branches_together(workspace):
    workspace.write("plan.md", "plan\n")
    session = Session("ann").to(workspace)
    session.append("user", "Go.")
    left, right = session.fork(), session.fork()
    left.place.write("left.txt", "left\n")
    right.place.write("right.txt", "right\n")
    assert "left.txt" not in [*workspace.paths(), *right.place.paths()]
    merged = left.merge(right)
    assert {"plan.md", "left.txt", "right.txt"} <= {*merged.place.paths()}
    assert "right.txt" not in left.place.paths()
    left.place.write("plan.md", "theirs\n")
    right.place.write("plan.md", "ours\n")
    with pytest.raises(WorldError, match=r"both workspaces changed plan\.md"):
        left.merge(right)
    with pytest.raises(SessionError, match="workspace is as it is now"):
        session.fork(0)
    assert session.to("none").place is None
    for each in (left, right, merged):
        each.place.close()
        assert not each.place.folder.exists()
    for use in (lambda: left.place.run("true"), lambda: left.place.write("late.txt", ""), left.place.paths, left.fork):
        with pytest.raises(WorldError, match="it was closed, and its temporary folder is gone"):
            use()


@pytest.mark.long
def test_what_a_grandchild_inherited_and_changed_is_taken_over(workspace):
    with workspace.fork() as child:
        child.write("inherited.txt", "1\n")
        with child.fork() as grandchild:
            grandchild.write("own.txt", "2\n")
            with workspace.merged(grandchild) as merged:
                assert {"inherited.txt", "own.txt"} <= {*merged.paths()}
    with Workspace(require="guarded") as stranger, pytest.raises(WorldError, match="never one"):
        workspace.take(stranger)


def test_below_the_level_that_is_required_nothing_runs(workspace, monkeypatch):
    with pytest.raises(WorldError, match="takes 'guarded'"):
        Workspace(require="perfect")
    monkeypatch.setattr("cave_sim.workspace.kept_process.command_filter", lambda: b"")
    with Workspace() as weak:
        assert weak.level.name == "contained"
        with pytest.raises(WorldError, match="no seccomp"):
            weak.run("true")
    assert "network" in workspace.capabilities()


def test_after_kill_9_nothing_runs_on_and_the_temporary_folder_is_gone():
    ended = subprocess.run([sys.executable, "-c", DIES], check=False, capture_output=True, text=True)
    assert ended.returncode == -signal.SIGKILL
    folder, *keepers = ended.stdout.split()
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and (Path(folder).exists() or any(is_there(keeper) for keeper in keepers)):
        time.sleep(0.05)
    assert not Path(folder).parent.exists()
    assert not any(is_there(keeper) for keeper in keepers)


def is_there(pid):
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return False
    return not Path(f"/proc/{pid}/stat").exists() or ") Z " not in Path(f"/proc/{pid}/stat").read_text()
