"""What runs inside of a workspace: commands one by one, and one Python that keeps its variables.

The first process in a workspace's namespaces runs :func:`serve`. It is not jailed itself, and runs nothing that anybody
wrote; what it starts enters the jail between fork and exec. Loaded by path, without the package (`keeper.py`).
"""

from __future__ import annotations

import ctypes
import json
import os
import resource
import secrets
import select
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP, PR_CAPBSET_DROP, MOST_CAPABILITIES = 38, 22, 24, 64
LOOK_S = 0.2
"""How often it is looked how much a folder holds while something runs."""
PYTHON = r"""
import ast, os, sys, traceback
codes, done = open(int(sys.argv[1]), "rb"), int(sys.argv[2])
names = {"__name__": "__main__"}
sys.path.insert(0, "")
for line in codes:
    failed = b"0"
    call, code = ast.literal_eval(line.decode())
    try:
        tree = ast.parse(code, "<cell>")
        last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
        exec(compile(tree, "<cell>", "exec"), names)
        if last is not None:
            sys.displayhook(eval(compile(ast.Expression(last.value), "<cell>", "eval"), names))
    except SystemExit:
        pass
    except BaseException:
        failed = b"1"
        traceback.print_exc(limit=-5)
    sys.stdout.flush(), sys.stderr.flush()
    os.write(done, call + failed)
"""

libc = ctypes.CDLL(None, use_errno=True)


class CommandJail:
    """What each process does to itself before it becomes what it was started for.

    Args:
        spec: ``files`` and ``tmp``, the folders; ``readable``, paths; ``filter``, a seccomp program; and the limits
            ``memory_bytes``, ``most_bytes``, ``most_processes``.
    """

    def __init__(self, spec: dict[str, Any]) -> None:
        self._spec = spec
        self.layers: list[str] = ["limits"]
        self.missing: list[str] = []
        self._landlock: Any = None
        if spec["filter"]:
            self.layers.append("seccomp")
        else:
            self.missing.append("no seccomp: the network can be reached")
        try:
            import landlockpy

            if landlockpy.supported():
                self._landlock = landlockpy
                self.layers.append("Landlock")
        except ImportError:
            pass
        if self._landlock is None:
            self.missing.append("no Landlock: files can be read")

    def enter(self, cpu_s: int | None, is_full: bool = False) -> None:
        """Be in the jail from now on; where the folder is full, only to look and to remove."""
        spec = self._spec
        os.chdir(spec["files"])
        os.umask(0o077)
        for what, most in (
            (resource.RLIMIT_AS, spec["memory_bytes"]),
            (resource.RLIMIT_FSIZE, 0 if is_full else spec["most_bytes"]),
            (resource.RLIMIT_NPROC, spec["most_processes"]),
            (resource.RLIMIT_NOFILE, 256),
            (resource.RLIMIT_CORE, 0),
            *([] if cpu_s is None else [(resource.RLIMIT_CPU, cpu_s)]),
        ):
            hard = resource.getrlimit(what)[1]
            most = most if hard == resource.RLIM_INFINITY else min(most, hard)
            resource.setrlimit(what, (most, most))
        if not sys.platform.startswith("linux"):
            return
        for capability in range(MOST_CAPABILITIES):
            libc.prctl(PR_CAPBSET_DROP, capability, 0, 0, 0)
        if libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0:
            raise OSError("no_new_privs")
        self._restrict_files(is_full)
        if spec["filter"]:
            program = _CommandProgram(spec["filter"])
            if libc.prctl(PR_SET_SECCOMP, 2, ctypes.byref(program), 0, 0) != 0:
                raise OSError("seccomp")

    def _restrict_files(self, is_full: bool) -> None:
        landlock, spec = self._landlock, self._spec
        if landlock is None:
            return
        access = landlock.AccessFS
        look = access.READ_FILE | access.READ_DIR | access.EXECUTE
        work = look | access.WRITE_FILE | access.REMOVE_DIR | access.REMOVE_FILE | access.MAKE_DIR | access.MAKE_REG
        work |= access.MAKE_SYM | access.REFER | access.TRUNCATE
        if is_full:
            work = look | access.REMOVE_DIR | access.REMOVE_FILE
        with landlock.Ruleset(scoped=landlock.Scope.SIGNAL | landlock.Scope.ABSTRACT_UNIX_SOCKET) as rules:
            for path in spec["readable"]:
                if Path(path).exists():
                    rules.allow_path(path, look if Path(path).is_dir() else access.READ_FILE | access.EXECUTE)
            for path in ("/dev/null", "/dev/zero", "/dev/urandom"):
                rules.allow_path(path, access.READ_FILE | access.WRITE_FILE | access.TRUNCATE)
            for path in spec["writable"]:
                rules.allow_path(path, work)
            rules.restrict()


class Inmates:
    """Runs commands, and the one Python, in the jail.

    Args:
        spec: as :class:`CommandJail` takes it; ``environment`` beside, and ``python``, the program.
        jail: what they enter.
        keeper: ``end_all`` ends every process that descends from this one, ``signal_all`` sends each a signal, and
            ``trees`` is the module of that name.
    """

    def __init__(self, spec: dict[str, Any], jail: CommandJail, keeper: Any) -> None:
        self._spec, self._jail, self._keeper = spec, jail, keeper
        self._python: tuple[subprocess.Popen[bytes], int, int] | None = None
        self._is_unknown = False

    def command(self, argv: list[str], stdin: str, timeout_s: float) -> dict[str, Any]:
        """Run a program; whatever it started ends with it."""
        given = os.memfd_create("stdin") if hasattr(os, "memfd_create") else os.open(os.devnull, os.O_RDONLY)
        with suppress(OSError):
            os.write(given, stdin.encode("utf-8", "replace"))
            os.lseek(given, 0, os.SEEK_SET)
        try:
            begun = self._held()
            process = self._start(argv, given, int(timeout_s) + 2, (), is_full=self._is_full(begun))
        except (OSError, subprocess.SubprocessError) as error:
            return {"exit": 127, "output": f"{argv[0]}: {getattr(error, 'strerror', None) or error}", "ended": None}
        finally:
            os.close(given)
        output, ended = self._wait(process, timeout_s, begun)
        code = process.poll()
        self._end_all()
        return {"exit": code if ended is None else None, "output": output, "ended": ended}

    def python(self, code: str, timeout_s: float) -> dict[str, Any]:
        """Run code in the Python that keeps its variables; it is begun anew where it is gone.

        Between two calls nothing runs there: all that it started is stopped with it.
        """
        begun = self._held()
        if self._is_full(begun):
            full = f"the folder holds more than {self._spec['most_bytes']:,} bytes: remove files by a command first"
            return {"exit": None, "output": "", "ended": full}
        if self._python is None or self._python[0].poll() is not None:
            codes, codes_in = os.pipe()
            done_out, done = os.pipe()
            argv = [self._spec["python"], "-s", "-P", "-u", "-c", PYTHON, str(codes), str(done)]
            nothing = os.open(os.devnull, os.O_RDONLY)
            process = self._start(argv, nothing, None, (codes, done))
            for descriptor in (codes, done, nothing):
                os.close(descriptor)
            self._python = process, codes_in, done_out
            os.set_blocking(codes_in, False)
            os.set_blocking(done_out, False)
        process, codes_in, done_out = self._python
        call = secrets.token_hex(8).encode()  # so that no code can answer for a later call, however late it is heard
        self._keeper.signal_all(signal.SIGCONT)
        answer = _PythonCall(done_out, call, codes_in, repr((call, code)).encode() + b"\n")
        output, ended = self._wait(process, timeout_s, begun, answer)
        failed = answer.failed if ended is None and process.poll() is None else b""
        if failed:
            self._keeper.signal_all(signal.SIGSTOP)
            os.waitid(os.P_PID, process.pid, os.WSTOPPED | os.WEXITED | os.WNOWAIT)  # for its last thread, too
        if failed not in (b"0", b"1"):
            ended = ended or "it ended itself"
            self._end_all()
            os.close(codes_in)
            os.close(done_out)
            self._python = None
            return {"exit": None, "output": output, "ended": f"{ended}; its variables are gone"}
        return {"exit": int(failed), "output": output, "ended": None}

    def probe(self, act: Callable[[], Any]) -> bool:
        """Say whether something can be done in the jail."""
        pid = os.fork()
        if pid == 0:
            try:
                self._jail.enter(None)
                act()
                os._exit(7)
            finally:
                os._exit(0)
        return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 7

    def _start(
        self, argv: list[str], given: int, cpu_s: int | None, kept: tuple[int, ...], *, is_full: bool = False
    ) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            argv,
            stdin=given,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            pass_fds=kept,
            cwd=self._spec["files"],
            env=self._spec["environment"],
            start_new_session=True,
            preexec_fn=lambda: self._jail.enter(cpu_s, is_full),
        )

    def _wait(
        self,
        process: subprocess.Popen[bytes],
        timeout_s: float,
        begun: int | None,
        answer: _PythonCall | None = None,
    ) -> tuple[str, str | None]:
        """Tell a process what to do, and gather what is printed until it is over.

        Returns:
            What was printed, and what ended it if that was not itself.
        """
        assert process.stdout is not None
        source, most = process.stdout.fileno(), self._spec["output_bytes"]
        os.set_blocking(source, False)
        deadline, head, tail, count, ended = time.monotonic() + timeout_s, b"", b"", 0, None
        looked = time.monotonic()
        while True:
            heard, asked = ([], []) if answer is None else answer.waited_for
            ready = select.select([source, *heard], asked, [], LOOK_S)
            is_over = process.poll() is not None or (answer is not None and answer.is_there(ready))
            while piece := _read(source):
                head, piece = head + piece[: most // 2 - len(head)], piece[max(0, most // 2 - len(head)) :]
                tail, count = (tail + piece)[-most // 2 :], count + len(piece)
                if time.monotonic() > deadline:
                    break
            if not is_over and time.monotonic() > deadline:
                ended = f"it took longer than {timeout_s:g} s"
            elif is_over or time.monotonic() - looked > LOOK_S:
                ended, looked = self._overfull(begun), time.monotonic()
            if is_over and ended is None:
                break
            if ended is not None:
                process.send_signal(signal.SIGKILL)
                process.wait()
                break
        left_out = count - len(tail)
        between = f"\n[{left_out:,} bytes left out]\n".encode() if left_out else b""
        return (head + between + tail).decode("utf-8", "replace"), ended

    def _end_all(self) -> None:
        """End what was started, and leave no folder that nobody can look into."""
        self._keeper.end_all()
        if self._is_unknown:
            self._is_unknown = False
            for folder in self._spec["writable"]:
                self._keeper.trees.tidy(folder)

    def _held(self) -> int | None:
        """Return what the folders hold; None where that cannot be found out."""
        try:
            return int(self._keeper.trees.size(self._spec["writable"]))
        except (OSError, self._keeper.trees.TooDeep):
            return None

    def _is_full(self, held: int | None) -> bool:
        return held is not None and held > self._spec["most_bytes"]

    def _overfull(self, begun: int | None) -> str | None:
        """Return what is too much about the folders, if anything; what they held before is not."""
        if begun is None:
            return None
        room = max(begun, self._spec["most_bytes"])
        try:
            is_full = self._keeper.trees.size(self._spec["writable"]) > room
        except self._keeper.trees.TooDeep as error:
            self._is_unknown = True
            return f"the folder held {error}"
        except OSError:
            return None
        return f"the folder holds more than {room:,} bytes" if is_full else None


class _PythonCall:
    """What one call of the Python is told, and what it answers: the name of the call, and whether it failed."""

    def __init__(self, source: int, call: bytes, target: int, told: bytes) -> None:
        self._source, self._call, self._target, self._left = source, call, target, told
        self._said = b""
        self.failed = b""

    @property
    def waited_for(self) -> tuple[list[int], list[int]]:
        """Which descriptors are to be read, and which to be written."""
        return [self._source], [self._target] if self._left else []

    def is_there(self, ready: tuple[Sequence[int], Sequence[int], Sequence[int]]) -> bool:
        """Write and read what is ready, and say whether the answer has come."""
        if self._target in ready[1]:
            self._left = _written(self._target, self._left)
        if self._source in ready[0] and not self.failed:
            self._said += _read(self._source)
            found = self._said.rpartition(self._call)
            self.failed = found[2][:1] if found[1] else b""
            self._said = self._said[-len(self._call) :]
        return self.failed != b""


def serve(sock: socket.socket, spec: dict[str, Any], layers: list[str], missing: list[str], keeper: Any) -> None:
    """Say how well the jail holds, then do what is asked until the other end is closed."""
    jail = CommandJail(spec)
    inmates = Inmates(spec, jail, keeper)
    works = inmates.probe(lambda: None)
    possible = [what for what, act in _attempts(spec).items() if works and inmates.probe(act)]
    with sock, sock.makefile("rwb") as channel:
        hello = {"works": works, "layers": [*layers, *jail.layers], "missing": [*missing, *jail.missing]}
        _say(channel, {**hello, "possible": possible})
        for line in channel:
            request = json.loads(line)
            act = inmates.command if request.pop("do") == "command" else inmates.python
            _say(channel, act(**request))


def _attempts(spec: dict[str, Any]) -> dict[str, Callable[[], Any]]:
    """Return what nothing in the jail may do."""
    outside = Path(spec["outside"])
    return {
        "read files of this user": outside.read_bytes,
        "write files of this user": lambda: outside.write_bytes(b"written"),
        "change the mode of files of this user": lambda: outside.chmod(0o600),
        "open a socket": lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM),
        "signal processes outside": lambda: os.kill(spec["keeper"], 0),
    }


def _say(channel: Any, data: dict[str, Any]) -> None:
    channel.write(json.dumps(data).encode() + b"\n")
    channel.flush()


def _read(source: int) -> bytes:
    try:
        return os.read(source, 65_536)
    except BlockingIOError:
        return b""


def _written(target: int, data: bytes) -> bytes:
    """Write what there is room for; returns what is left to be written, nothing where nobody reads."""
    try:
        return data[os.write(target, data[:65_536]) :]
    except BlockingIOError:
        return data
    except BrokenPipeError:
        return b""


class _CommandProgram(ctypes.Structure):
    """A seccomp program as the kernel takes it."""

    _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_void_p))

    def __init__(self, code: bytes) -> None:
        self._memory = ctypes.create_string_buffer(code, len(code))
        super().__init__(len(code) // 8, ctypes.cast(self._memory, ctypes.c_void_p))
